import type { FactOf, RunEvent } from '../event.ts'
import type { CallEntry } from '../state.ts'

export type PersonDecided = FactOf<'person.decided'>

/**
 * A decision that a person left for a run. It names the exact call that the person saw: providers reuse call ids,
 * and a call that was sent again may become uncertain again, which is a new question.
 */
export interface LeftDecision extends PersonDecided {
  /** The call's idempotency key. */
  readonly key: string
  /** The last event that the person saw. */
  readonly seen: number
}

/** Returns whether a verdict answers what the call asks. */
export function fits(call: CallEntry, { verdict }: { readonly verdict: PersonDecided['verdict'] }): boolean {
  switch (call.status) {
    case 'asking':
      return verdict === 'approve' || verdict === 'deny' || verdict === 'edit'
    case 'input_required':
      return verdict === 'answer' || verdict === 'deny'
    case 'unknown':
      return verdict === 'resend' || verdict === 'assume' || verdict === 'deny'
    default:
      return false
  }
}

/** Returns the fact to record, without the members that only identified the call. */
export function decisionFact({ key: _key, seen: _seen, ...fact }: LeftDecision): PersonDecided {
  return fact
}

/** Returns whether an event changes what is asked about a call. */
export function concerns({ fact, decision }: RunEvent, call: CallEntry): boolean {
  if (fact.type === 'person.decided' && fact.call_id === call.id) return true
  if (decision.set !== undefined && Object.hasOwn(decision.set, call.id)) return true
  if (decision.judged?.some((entry) => entry.key === call.key) === true) return true
  return decision.calls?.some((entry) => entry.key === call.key) === true
}
