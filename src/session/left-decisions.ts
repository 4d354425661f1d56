import type { RunEvent } from '../run/event.ts'
import { concerns, fits, type LeftDecision } from '../run/record/left-decision.ts'
import type { Question, Records } from '../run/record/records.ts'
import type { CallEntry } from '../run/state.ts'

/** The decision that was left for this call and still answers what it asks now, if there is one. */
export async function leftDecision(
  { runs }: Pick<Records, 'runs'>,
  runId: string,
  call: CallEntry,
): Promise<LeftDecision | undefined> {
  const left = (await runs.decisions(runId)).filter(
    (decision) => decision.call_id === call.id && decision.key === call.key && fits(call, decision),
  )
  if (left.length === 0) return undefined
  const events = await runs.events(runId)
  return left.find((decision) => !events.some((event) => event.seq > decision.seen && concerns(event, call)))
}

/** What the call asks now: a call that asks again, after it was sent again, asks another question. */
export function questionOf(call: CallEntry, events: readonly RunEvent[]): Question {
  const asked = events.findLast((event) => concerns(event, call))?.seq ?? 0
  return { key: call.key, asked }
}
