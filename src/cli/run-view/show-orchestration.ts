import type { Plan } from '../../plan/plan.ts'
import type {
  PlannedConsensus,
  PlannedOrchestration,
  PlannedSubagent,
} from '../../plan/planned-orchestration.ts'
import { count } from '../terminal/amounts.ts'
import type { Paint } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { conditionText } from './condition-text.ts'

/** Returns a sub-agent as text: its roles, its condition, and why it cannot be called. */
export function subagentLine(subagent: PlannedSubagent, { orchestration }: Plan, paint: Paint): string {
  const { alias, ref, role, own_role, agent, when, doubled, reason } = subagent
  const roles = [...new Set([role, own_role, ...rolesOf(alias, orchestration)])].filter(
    (part) => part !== undefined,
  )
  const facts = [
    ...roles,
    ...(ref === alias ? [] : [plainLine(ref, 100)]),
    ...(when === undefined ? [] : [`when ${conditionText(when)}`]),
    ...(doubled === true ? ['test double'] : []),
  ]
  const known = facts.length === 0 ? '' : ` ${paint('faint', `(${facts.join('; ')})`)}`
  const mark = agent === undefined ? paint('bad', '✗') : paint('good', '✓')
  const why =
    reason === undefined
      ? ''
      : `\n      ${doubled === true ? 'not available in a real run' : 'cannot be called'}: ${plainLine(reason, 300)} ${paint('faint', 'AAIF-3-04')}`
  return `${mark} ${plainLine(alias, 80)}${known}${why}`
}

function rolesOf(alias: string, orchestration: PlannedOrchestration | undefined): readonly string[] {
  return [
    ...(orchestration?.synthesizer === alias ? ['synthesizer'] : []),
    ...(orchestration?.fallback === alias ? ['fallback'] : []),
    ...(orchestration?.consensus?.judge === alias
      ? [orchestration.consensus.strategy === 'referee' ? 'referee' : 'evaluator']
      : []),
  ]
}

/** Returns the orchestration as text: the pattern, the roles and the hand-off conditions. */
export function orchestrationLines({ orchestration }: Plan, paint: Paint): readonly string[] {
  if (orchestration === undefined) return []
  return [
    modeLine(orchestration),
    ...orchestration.handoffs.map(({ condition, target, pass_context }) => {
      const conversation = pass_context ? 'with the conversation' : 'without the conversation'
      return `hand-off to ${plainLine(target, 80)} when ${conditionText(condition)} ${paint('faint', `(${conversation})`)}`
    }),
  ]
}

function modeLine({ mode, steps, workers, consensus, synthesizer }: PlannedOrchestration): string {
  const names = (list: readonly string[]) => plainLine(list.join(', '), 300)
  switch (mode) {
    case 'pipeline':
      return `pipeline: ${plainLine(steps.join(' → '), 300)}`
    case 'swarm':
      return `swarm: ${names(workers)} in parallel; ${consensusText(consensus, synthesizer)}`
    case 'router':
      return `router: selects by condition among ${names(workers)}; ${consensusText(undefined, synthesizer)}`
    case 'model':
      return workers.length === 0
        ? 'other agents work only after a hand-off'
        : `the model of this agent calls ${names(workers)} as tools`
  }
}

function consensusText(consensus: PlannedConsensus | undefined, synthesizer: string | undefined): string {
  const { strategy, min_votes, judge = 'the model of this agent' } = consensus ?? {}
  switch (strategy) {
    case 'majority_vote':
      return `majority vote: the most common answer, of at least ${count(min_votes ?? 1, 'worker')}`
    case 'best_of_n':
      return `${plainLine(judge, 80)} selects the best answer`
    case 'referee':
      return `${plainLine(judge, 80)} decides`
    case 'first_success':
      return 'the first successful answer is used, and the other workers are stopped'
    case undefined:
      return `${plainLine(synthesizer ?? 'the model of this agent', 80)} merges the answers`
  }
}
