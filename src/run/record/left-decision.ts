import type { FactOf, RunEvent } from '../event.ts'
import type { CallEntry } from '../state.ts'

export type PersonDecided = FactOf<'person.decided'>

/** Where decisions were left, and what has happened since. */
interface Decisions {
  decisions(runId: string): readonly LeftDecision[]
  events(runId: string): readonly RunEvent[]
}

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

/** The decision that was left for this call and still answers what it asks now, if there is one. */
export function leftDecision(store: Decisions, runId: string, call: CallEntry): LeftDecision | undefined {
  const left = store
    .decisions(runId)
    .filter((decision) => decision.call_id === call.id && decision.key === call.key && fits(call, decision))
  if (left.length === 0) return undefined
  const events = store.events(runId)
  return left.find((decision) => !events.some((event) => event.seq > decision.seen && concerns(event, call)))
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

function concerns({ fact, decision }: RunEvent, call: CallEntry): boolean {
  if (fact.type === 'person.decided' && fact.call_id === call.id) return true
  if (decision.set !== undefined && Object.hasOwn(decision.set, call.id)) return true
  return decision.calls?.some((entry) => entry.key === call.key) === true
}
