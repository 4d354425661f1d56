import type { Json } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { finished, withCall } from '../with-call.ts'
import { handOffOr } from './hand-off.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { continueOrchestration } from './orchestrate.ts'

/** Passes the results of the round to the model when all of its calls are done. */
export function settleIfDone(
  program: Program,
  state: RunState,
  calls: readonly CallEntry[],
  at: number,
): Decision {
  if (calls.length === 0 || !calls.every((call) => call.status === 'done')) return {}
  if (state.status === 'paused') return { settle: true }
  const next = handOffOr(program, state, lastText(state), () => nextQuestion(program, state, at))
  return mergeDecisions({ settle: true }, next)
}

function lastText(state: RunState): string {
  for (let index = state.messages.length - 1; index >= 0; index--) {
    const message = state.messages.at(index)
    if (message?.role === 'assistant') return message.text
  }
  return ''
}

/** The result of a call for the model. `error`: the call failed, or its answer must not be used. */
export interface CallResult {
  readonly result: Json
  readonly error: boolean
}

/** Finishes one call of the round; the last call settles the round. */
export function finishCall(
  program: Program,
  state: RunState,
  call: CallEntry,
  { result, error }: CallResult,
  at: number,
): Decision {
  const done = { call_id: call.id, result, ...(error && { error: true as const }) }
  const calls = withCall(state.calls, call.id, (entry) => finished(entry, result, error))
  // What follows must not count the share of the call that has just ended as given.
  const after = { ...state, calls }
  if (state.stage === null) return mergeDecisions({ done }, settleIfDone(program, after, calls, at))
  if (state.status === 'paused') return { done }
  return mergeDecisions({ done }, continueOrchestration(program, after, calls, at))
}
