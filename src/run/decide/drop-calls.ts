import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { FINISHES, type Finish } from '../finish.ts'
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
  { finish, message }: FactOf<'model.answered'>,
  at: number,
): Decision {
  const result = resultOf(finish)
  const calls = message.calls.map(
    ({ id, tool, args }): CallEntry => ({
      id,
      tool,
      args,
      key: `${state.run_id}:${state.turn}.${state.iteration}:${id}`,
      effect: 'none',
      status: 'done',
      result,
      error: true,
    }),
  )
  if (!droppedBefore(state)) return mergeDecisions({ calls }, settleIfDone(program, state, calls, at))
  const cut = FINISHES[finish].text === 'cut'
  const end = failed(
    'error',
    'CALLS_NOT_MADE',
    `no call was made: ${WHY[cut ? 'cut' : 'unsure']}, twice in a row`,
    cut ? CUT_PLACE : {},
  )
  return { calls, settle: true, end }
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

const RESULTS = {
  cut: `NOT_CALLED: ${WHY.cut}, so none of its calls was made. Make fewer or shorter calls in one answer.`,
  unsure: `NOT_CALLED: ${WHY.unsure}, so none of its calls was made. Make the calls again.`,
} as const

function resultOf(finish: Finish): string {
  return FINISHES[finish].text === 'cut' ? RESULTS.cut : RESULTS.unsure
}

function droppedBefore({ messages }: RunState): boolean {
  const last = messages.at(messages.length - 1)
  return last?.role === 'tool' && (last.result === RESULTS.cut || last.result === RESULTS.unsure)
}
