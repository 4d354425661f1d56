import type { RunEvent } from '../event.ts'
import { recordDamaged } from './record-errors.ts'
import type { RunRecords } from './records.ts'

/**
 * Adds the events of a run after a sequence number (default 0: all) to a fold, in order; part by part where the store can,
 * so that a long record is never held as a whole.
 * @throws RUN_NOT_FOUND; RECORD_DAMAGED, also if the events do not fit one another; RECORD_NEWER
 */
export async function foldEvents(
  runs: Pick<RunRecords, 'read' | 'events' | 'parts'>,
  runId: string,
  add: (event: RunEvent) => void,
  after = 0,
): Promise<void> {
  for await (const events of runs.parts?.(runId, after) ?? [await runs.events(runId, after)])
    for (const event of events)
      try {
        add(event)
      } catch (cause) {
        if (!(cause instanceof TypeError)) throw cause
        // The store knows whether a later version has written it.
        await runs.read(runId)
        throw recordDamaged(runId, 'its events are inconsistent', { cause })
      }
}
