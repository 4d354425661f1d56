import type { Json } from '../../document/issue.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { finished, withCall } from '../with-call.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { continueOrchestration, handoffDue } from './orchestrate.ts'

/** When no call of the round is open any more, its results go to the model. */
export function settleIfDone(
  program: Program,
  state: RunState,
  calls: readonly CallEntry[],
  at: number,
): Decision {
  if (calls.length === 0 || !calls.every((call) => call.status === 'done')) return {}
  if (state.status === 'paused') return { settle: true }
  const next = handoffDue(program, state, lastText(state)) ?? nextQuestion(program, state, at)
  return mergeDecisions({ settle: true }, next)
}

function lastText(state: RunState): string {
  for (let index = state.messages.length - 1; index >= 0; index--) {
    const message = state.messages.at(index)
    if (message?.role === 'assistant') return message.text
  }
  return ''
}

/** One call of the round has its result; the last one settles the round. */
export function finishCall(
  program: Program,
  state: RunState,
  call: CallEntry,
  result: Json,
  error: boolean,
  at: number,
): Decision {
  const done = { call_id: call.id, result, ...(error && { error: true as const }) }
  const calls = withCall(state.calls, call.id, (entry) => finished(entry, result, error))
  if (state.stage === null) return mergeDecisions({ done }, settleIfDone(program, state, calls, at))
  if (state.status === 'paused') return { done }
  return mergeDecisions({ done }, continueOrchestration(program, state, calls, at))
}
