import type { Program } from '../../plan/plan.ts'
import type { Message, RunState } from '../state.ts'

/**
 * Returns true if a model is to continue the answer that a pause has interrupted. An answer that must have a form (JSON,
 * or the number of a selected answer) is asked for again, because half a value cannot be continued reliably, and so is one
 * that the user's messages to the turn concern.
 */
export function continuesAnswer(program: Pick<Program, 'plan' | 'checkOutput'>, state: RunState): boolean {
  const { plan, checkOutput } = program
  if (state.partial === null || state.partial.trim() === '') return false
  if (plan.rehearsal || plan.output.format === 'json' || checkOutput !== null) return false
  return state.choice === undefined && state.steering.length === 0
}

/**
 * Returns the messages that a question to continue an answer has after the conversation. An instruction works with every
 * model; few providers continue an assistant message that is the last one.
 */
export function continuation(partial: string): readonly Message[] {
  return [
    { role: 'assistant', text: partial, calls: [] },
    { role: 'user', text: CONTINUE },
  ]
}

const CONTINUE =
  'Your answer above was interrupted. Continue it exactly where it ends, in the middle of a word if it ends there. Repeat nothing of it, and add no introduction: your text is appended to it.'

/** Returns the messages that the open question has after the conversation. */
export function continuationOf({
  attempt,
  partial,
}: Pick<RunState, 'attempt' | 'partial'>): readonly Message[] {
  return attempt?.continues === true && partial !== null ? continuation(partial) : []
}
