import type { CodeEntries } from './code-entry.ts'

export const ORCHESTRATION_CODES = {
  SUBAGENT_FAILED: {
    meaning:
      'A required sub-agent failed, or all workers of a swarm failed. It is a warning when the run continued with the other sub-agents.',
    remedy: 'Follow the hint to the run of the sub-agent; declare a sub-agent of role `fallback`.',
    severity: 'varies',
  },
  SUBAGENT_UNRESOLVED: {
    meaning:
      'A sub-agent was not found, so it was not called; the result of the call, or the message of `SUBAGENT_FAILED`, gives the reason.',
    remedy: 'See `waybill plan`; name the folder with `--agents`.',
  },
  SUBAGENT_UNAVAILABLE: {
    meaning: 'This host does not run sub-agents.',
    remedy: 'Use the command line, or `run` of the library.',
  },
  SUBAGENT_FALLBACK: {
    meaning: 'A sub-agent failed, and the fallback sub-agent replaced it.',
    remedy: 'Look at the run of the failed sub-agent.',
    severity: 'warning',
  },
  SUBAGENT_CIRCLE: {
    meaning:
      'Agents call one another in a circle that every run enters, so that no run of them can end normally.',
    remedy: 'Remove one of the calls of the circle, or make it depend on a condition.',
  },
  VOTES_UNREACHABLE: {
    meaning:
      '`min_votes` is larger than the number of workers that vote. It is a warning if the definition alone shows it, and an error of the plan.',
    remedy: 'Lower `min_votes`, or add workers.',
    severity: 'varies',
  },
  CONSENSUS_NOT_REACHED: {
    meaning: 'No answer of a swarm has the required number of votes, or the evaluator chose none.',
    remedy: 'Lower `min_votes`, add workers, or use a referee.',
  },
  CONSENSUS_ASSUMED: {
    meaning: 'In a rehearsal, the doubles of a swarm gave different answers, and one of them was chosen.',
    remedy: 'None; give the workers the same `output_schema` if the real ones should agree on its form.',
    severity: 'warning',
  },
} satisfies CodeEntries
