import { denialFor } from '../denied-calls.ts'
import type { CallEntry, RunState } from '../state.ts'

const NOT_AGAIN = 'Do not make the same call again unless the user asks for it.'

/** Returns what the model gets for a call that a person has refused. */
export function denialText(by: string, why: string | undefined): string {
  return `${by} did not approve this call${because(why)}. ${NOT_AGAIN}`
}

/** Returns what the model gets for a call that a person has refused in this turn before; null for other calls. */
export function deniedBefore(state: RunState, call: Pick<CallEntry, 'tool' | 'args'>): string | null {
  const denial = denialFor(state, call)
  if (denial === undefined) return null
  const { by, why } = denial
  return `${by} did not approve the same call before${because(why)}. It was not sent, and it was not put to a person again. ${NOT_AGAIN}`
}

/** The sentence ends after the reason, which may end with a mark of its own. */
function because(why: string | undefined): string {
  return why === undefined ? '' : `: ${why.replace(/[.\s]+$/, '')}`
}
