import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { FINISHES, type FinishMeaning } from '../finish.ts'
import type { CallEntry, RunState } from '../state.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { failed } from './run-end.ts'
import { settleIfDone } from './settle-round.ts'

/**
 * Handles the calls of an answer that is not whole: none of them is made, because the model may have wanted to say more.
 * The model learns it and may answer again once; a second such answer in a row ends the run.
 */
export function dropCalls(
  program: Program,
  state: RunState,
  fact: FactOf<'model.answered'>,
  at: number,
): Decision {
  const calls = refusedCalls(state, fact)
  if (!droppedBefore(state)) return mergeDecisions({ calls }, settleIfDone(program, state, calls, at))
  const cut = FINISHES[fact.finish].text === 'cut'
  const end = failed(
    'error',
    'CALLS_NOT_MADE',
    `no call was made: ${WHY[cut ? 'cut' : 'unsure']}, twice in a row`,
    cut ? CUT_PLACE : {},
  )
  return { calls, settle: true, end }
}

/** Closes the calls of an answer that was withheld. Each call in a conversation needs a result, also in a later turn. */
export function closedCalls(state: RunState, fact: FactOf<'model.answered'>): Decision {
  return fact.message.calls.length === 0 ? {} : { calls: refusedCalls(state, fact), settle: true }
}

function refusedCalls(state: RunState, { finish, message }: FactOf<'model.answered'>): readonly CallEntry[] {
  const result = `NOT_CALLED: ${RESULTS[FINISHES[finish].text]}`
  return message.calls.map(({ id, tool, args }) => ({
    id,
    tool,
    args,
    key: `${state.run_id}:${state.turn}.${state.iteration}:${id}`,
    effect: 'none',
    status: 'done',
    result,
    error: true,
  }))
}

/** Where the token limit of answers is set. */
export const CUT_PLACE = {
  pointer: '/agent/model/params/max_tokens',
  hint: 'raise params.max_tokens, or ask for less at once: the limit also counts the reasoning of the model',
} as const

const WHY = {
  cut: 'the answer was cut off at the token limit',
  unsure: 'the provider gave no known reason for the end of the answer, which may be incomplete',
} as const

const RESULTS: Readonly<Record<FinishMeaning['text'], string>> = {
  whole: 'no reason was given.',
  cut: `${WHY.cut}, so none of its calls was made. Make fewer or shorter calls in one answer.`,
  unsure: `${WHY.unsure}, so none of its calls was made. Make the calls again.`,
  withheld: 'the answer was withheld, so none of its calls was made.',
  failed: 'the answer ended with an error, so none of its calls was made.',
}

function droppedBefore({ messages }: RunState): boolean {
  const last = messages.at(messages.length - 1)
  if (last?.role !== 'tool' || last.error !== true) return false
  return [RESULTS.cut, RESULTS.unsure].some((text) => last.result === `NOT_CALLED: ${text}`)
}
