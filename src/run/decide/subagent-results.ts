import { exactText } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunEnd } from '../state.ts'
import { readOutput } from './read-output.ts'
import { failed } from './run-end.ts'

/** The result of one sub-agent that succeeded. */
export interface Candidate {
  readonly alias: string
  readonly result: Json
}

/** @param calls of a round whose calls are all done */
export function candidatesOf(calls: readonly CallEntry[]): readonly Candidate[] {
  return calls
    .filter((call) => call.error !== true)
    .map((call) => ({ alias: call.tool, result: call.result ?? null }))
}

export function failuresOf(calls: readonly CallEntry[]): readonly CallEntry[] {
  return calls.filter((call) => call.error === true)
}

export function allDone(calls: readonly CallEntry[]): boolean {
  return calls.every((call) => call.status === 'done')
}

/** Ends the run with the result of the only sub-agent of a round, or with its failure. */
export function finishWithLast(program: Program, calls: readonly CallEntry[]): Decision {
  const last = calls.at(-1)
  return last === undefined || last.error === true
    ? { clear: true, end: subagentsFailed(calls) }
    : finishWith(program, last.result ?? null)
}

/** Ends the run with a sub-agent's result as its output, which must match what the agent's definition promises. */
export function finishWith(program: Program, result: Json): Decision {
  const read = readOutput(program, textOf(result))
  if (!read.ok && program.plan.rehearsal) {
    const message = `the output of the test doubles is not what the agent promises: ${read.breach}`
    return {
      clear: true,
      stage: null,
      warnings: [{ code: 'OUTPUT_INVALID', message }],
      end: { status: 'completed', stop_reason: 'final', output: result },
    }
  }
  if (!read.ok) {
    return {
      clear: true,
      end: failed(
        'error',
        'OUTPUT_INVALID',
        `the output of the sub-agents is not what the agent promises: ${read.breach}`,
        {
          pointer: '/agent/io/output_schema',
          rule: 'SPEC-D-30',
          hint: 'give the last sub-agent the same output_schema',
        },
      ),
    }
  }
  const output = program.checkOutput === null && program.plan.output.format !== 'json' ? result : read.output
  return { clear: true, stage: null, end: { status: 'completed', stop_reason: 'final', output } }
}

/** Ends the run if a pipeline step or a hand-off cannot be called: no other agent may do its work. */
export function endIfNotCallable(call: CallEntry): Decision {
  return call.status === 'done' ? { end: subagentsFailed([call]) } : {}
}

/** Returns the end of a run whose sub-agents failed, with the failure of each. */
export function subagentsFailed(calls: readonly CallEntry[]): RunEnd {
  const failures = failuresOf(calls)
  const [first] = failures
  const list = failures.map((call) => `${call.agent?.alias ?? call.tool}: ${textOf(call.result)}`).join('; ')
  return failed(
    'error',
    'SUBAGENT_FAILED',
    failures.length === 1 ? `the sub-agent ${list}` : `every sub-agent failed: ${list}`,
    {
      pointer: '/agent/orchestration/subagents',
      rule: 'AAIF-4.3-04',
      hint:
        first?.agent === undefined
          ? 'see the plan for why it cannot be called'
          : `see its run: waybill runs show ${first.agent.run_id}`,
    },
  )
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : exactText(value ?? null)
}
