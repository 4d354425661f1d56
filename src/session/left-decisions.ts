import type { RunEvent } from '../run/event.ts'
import { concerns, fits, type LeftDecision } from '../run/record/left-decision.ts'
import type { Question, Records } from '../run/record/records.ts'
import type { CallEntry } from '../run/state.ts'

/** Returns the stored decision for this call that answers its current question, if there is one. */
export async function leftDecision(
  records: Pick<Records, 'runs'>,
  runId: string,
  call: CallEntry,
): Promise<LeftDecision | undefined> {
  return (await leftDecisions(records, runId))(call)
}

/** Returns the same as {@link leftDecision} for several calls of a run, whose decisions are read once. */
export async function leftDecisions(
  { runs }: Pick<Records, 'runs'>,
  runId: string,
): Promise<(call: CallEntry) => Promise<LeftDecision | undefined>> {
  const decisions = await runs.decisions(runId)
  let read: Promise<readonly RunEvent[]> | undefined
  return async (call) => {
    const left = decisions.filter(
      (decision) => decision.call_id === call.id && decision.key === call.key && fits(call, decision),
    )
    if (left.length === 0) return undefined
    read ??= Promise.resolve(runs.events(runId))
    const events = await read
    return left.find(
      (decision) => !events.some((event) => event.seq > decision.seen && concerns(event, call)),
    )
  }
}

/** Returns the current question of a call: a call that was sent again and waits again asks another question. */
export function questionOf(call: CallEntry, events: readonly RunEvent[]): Question {
  const asked = events.findLast((event) => concerns(event, call))?.seq ?? 0
  return { key: call.key, asked }
}
