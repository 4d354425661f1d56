import type { JsonObject } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { isCutResult } from '../ports.ts'
import type { CallEntry, RunState } from '../state.ts'
import { withChild } from '../totals.ts'
import { fallbackFor } from './agent-call.ts'
import { deadlinePassed } from './deadline.ts'
import { rejectsPii, withheldResult } from './gate-pii.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { memoryWarnings, saveToRecord } from './remember.ts'
import { type CallResult, finishCall } from './settle-round.ts'

/** Adds what a sub-agent has used, so that limits are checked with it before the next request. */
export function afterChild(state: RunState, { usage }: FactOf<'call.answered' | 'call.failed'>): RunState {
  return usage === undefined ? state : { ...state, totals: withChild(state.totals, usage) }
}

/** Finishes a call that was answered. The result is checked against the tool's `output_schema`. */
export function callAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'call.answered'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || call.status === 'done') return null
  const answer = resultOfAnswer(program, call, fact)
  const finishes = finishCall(program, state, call, answer, at)
  return answer.error ? finishes : mergeDecisions(saveToRecord(program, call, at), finishes)
}

/** Returns what the model gets for a call's answer: the answer, or an error that says why it must not be used. */
export function resultOfAnswer(program: Program, call: CallEntry, fact: FactOf<'call.answered'>): CallResult {
  if (fact.pii !== undefined && rejectsPii(program)) return { result: withheldResult(fact.pii), error: true }
  const unchecked = call.agent !== undefined || isCutResult(fact.result) || fact.fits === true
  const breach = unchecked ? null : (program.checkResult.get(call.tool)?.(fact.result) ?? null)
  if (breach === null) return { result: fact.result, error: false }
  // A model that reads of a failure repeats the call.
  const isMade = call.effect !== 'none'
  const result: JsonObject = isMade
    ? {
        note: `The call was made. Do not repeat it: only its answer is not as its output_schema says: ${breach}`,
        answer: fact.result,
      }
    : { error: `the tool answered, but not as its output_schema says: ${breach}`, answer: fact.result }
  return { result, error: !isMade }
}

/**
 * Handles a call that failed: the model gets the failure, a fallback is called, or a person must say whether the call
 * took effect.
 */
export function callFailed(
  program: Program,
  state: RunState,
  fact: FactOf<'call.failed'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || call.status === 'done') return null
  // A model that reads "timed out" would call again. Whether the write took effect is unknown, so a person decides.
  if (fact.outcome === 'unknown' && call.effect === 'once') return { set: { [call.id]: 'unknown' } }
  // A sub-agent has the deadline of its parent, so the parent's deadline has passed too.
  if (call.agent !== undefined && state.deadline_at !== null && at >= state.deadline_at) {
    const passed = deadlinePassed(program, state, at)
    const done = { call_id: call.id, result: `${fact.code}: ${fact.message}`, error: true as const }
    return passed === null ? null : mergeDecisions(passed, { done })
  }
  const fallback =
    call.agent === undefined || fact.code === 'TOOL_VETOED'
      ? null
      : fallbackFor(program, state, call, call.agent.input)
  if (fallback !== null && state.status !== 'paused') {
    const message = `${call.agent?.alias} failed (${fact.code}: ${fact.message}); ${fallback.agent?.alias} steps in`
    return { replace: fallback, warnings: [{ code: 'SUBAGENT_FALLBACK', message }] }
  }
  const warnings = memoryWarnings(program, call, fact)
  return mergeDecisions(
    warnings.length > 0 ? { warnings } : {},
    finishCall(program, state, call, { result: `${fact.code}: ${fact.message}`, error: true }, at),
  )
}
