import { WaybillError } from '../document/issue.ts'
import type { RunEvent } from '../run/event.ts'
import type { PersonDecided } from '../run/record/left-decision.ts'

/**
 * Returns what a person has decided about a question that is not open any more, for as long as the record exists.
 * @param call a call's id or, without `asked`, the beginning of it; absent: the only call that a person has decided about
 * @param asked the event that has asked the question
 */
export function decidedBefore(
  events: readonly RunEvent[],
  { call, asked }: { readonly call?: string | undefined; readonly asked?: number },
): PersonDecided | undefined {
  const facts = events.flatMap(({ seq, fact }) =>
    fact.type === 'person.decided' && (asked === undefined || seq > asked) ? [fact] : [],
  )
  if (call === undefined)
    return new Set(facts.map(({ call_id }) => call_id)).size === 1 ? facts.at(-1) : undefined
  if (asked !== undefined) return facts.find(({ call_id }) => call_id === call)
  return (
    facts.findLast(({ call_id }) => call_id === call) ??
    facts.findLast(({ call_id }) => call_id.startsWith(call))
  )
}

/** @param hint what can be done */
export function alreadyDecided({ by, verdict }: PersonDecided, hint: string): WaybillError {
  return new WaybillError('APPROVAL_DECIDED', { message: `${by} has already decided: ${verdict}`, hint })
}
