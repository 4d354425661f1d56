import type { Json, JsonObject } from '../../document/issue.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { isCutResult } from '../ports.ts'
import type { CallEntry, RunState } from '../state.ts'
import { withChild } from '../totals.ts'
import { fallbackFor } from './agent-call.ts'
import { deadlinePassed } from './deadline.ts'
import { rejectsPii, withheldResult } from './gate-pii.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { memoryFailed, remembered } from './remember.ts'
import { finishCall } from './settle-round.ts'

/** What a sub-agent has used counts before anything more is asked for. */
export function afterChild(state: RunState, { usage }: FactOf<'call.answered' | 'call.failed'>): RunState {
  return usage === undefined ? state : { ...state, totals: withChild(state.totals, usage) }
}

/** A call gave a result, which is held against the tool's output_schema. */
export function callAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'call.answered'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || call.status === 'done') return null
  const { result, error } = resultOfAnswer(program, call, fact)
  const finishes = finishCall(program, state, call, result, error, at)
  return error ? finishes : mergeDecisions(remembered(program, call, at), finishes)
}

/** What the model is told of a call's answer: the answer, or why it may not be used. */
export function resultOfAnswer(
  program: Program,
  call: CallEntry,
  fact: FactOf<'call.answered'>,
): { readonly result: Json; readonly error: boolean } {
  if (fact.pii !== undefined && rejectsPii(program)) return { result: withheldResult(fact.pii), error: true }
  const unchecked = call.agent !== undefined || isCutResult(fact.result) || fact.fits === true
  const breach = unchecked ? null : (program.checkResult.get(call.tool)?.(fact.result) ?? null)
  if (breach === null) return { result: fact.result, error: false }
  const result: JsonObject = {
    error: `the tool answered, but not as its output_schema says: ${breach}`,
    answer: fact.result,
  }
  return { result, error: true }
}

/** A call gave none: its failure goes to the model, a fallback steps in, or a person must say what became of it. */
export function callFailed(
  program: Program,
  state: RunState,
  fact: FactOf<'call.failed'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || call.status === 'done') return null
  // A model that reads "timed out" calls again: a write whose fate nobody knows goes to a person instead.
  if (fact.outcome === 'unknown' && call.effect === 'once') return { set: { [call.id]: 'unknown' } }
  // Its deadline was ours: it is our time that is up.
  if (call.agent !== undefined && state.deadline_at !== null && at >= state.deadline_at) {
    const passed = deadlinePassed(program, state, at)
    const done = { call_id: call.id, result: `${fact.code}: ${fact.message}`, error: true as const }
    return passed === null ? null : mergeDecisions(passed, { done })
  }
  const stand =
    call.agent === undefined || fact.code === 'TOOL_VETOED'
      ? null
      : fallbackFor(program, state, call, call.agent.input)
  if (stand !== null && state.status !== 'paused') {
    const message = `${call.agent?.alias} failed (${fact.code}: ${fact.message}); ${stand.agent?.alias} steps in`
    return { replace: stand, warnings: [{ code: 'SUBAGENT_FALLBACK', message }] }
  }
  const warnings = memoryFailed(program, call, fact)
  return mergeDecisions(
    warnings.length > 0 ? { warnings } : {},
    finishCall(program, state, call, `${fact.code}: ${fact.message}`, true, at),
  )
}
