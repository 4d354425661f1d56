import type { FactOf, RunEvent } from '../event.ts'
import type { CallEntry } from '../state.ts'

export type PersonDecided = FactOf<'person.decided'>

/**
 * A decision left for a run that is not at this terminal. It names the very call that the person saw: providers
 * use call ids again, and a call that was sent again may be in doubt again, which is a new question.
 */
export interface LeftDecision extends PersonDecided {
  /** The call's idempotency key. */
  readonly key: string
  /** The last event that the person saw. */
  readonly seen: number
}

/** Whether a verdict answers what the call asks. */
export function fits(call: CallEntry, { verdict }: { readonly verdict: PersonDecided['verdict'] }): boolean {
  switch (call.status) {
    case 'asking':
      return verdict === 'approve' || verdict === 'deny'
    case 'unknown':
      return verdict !== 'approve'
    default:
      return false
  }
}

/** The fact to record, without what only the finding of it needed. */
export function decisionFact({ key: _key, seen: _seen, ...fact }: LeftDecision): PersonDecided {
  return fact
}

/** Whether an event changes what is asked about a call. */
export function concerns({ fact, decision }: RunEvent, call: CallEntry): boolean {
  if (fact.type === 'person.decided' && fact.call_id === call.id) return true
  if (decision.set !== undefined && Object.hasOwn(decision.set, call.id)) return true
  if (decision.judged?.some((entry) => entry.key === call.key) === true) return true
  return decision.calls?.some((entry) => entry.key === call.key) === true
}
