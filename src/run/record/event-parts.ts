import type { RunEvent } from '../event.ts'
import type { RunRecords } from './records.ts'

/** Yields the events of a run in order, part by part where the store can. @throws RUN_NOT_FOUND, RECORD_DAMAGED */
export async function* eventParts(
  runs: Pick<RunRecords, 'events' | 'parts'>,
  runId: string,
): AsyncGenerator<readonly RunEvent[]> {
  if (runs.parts === undefined) yield await runs.events(runId)
  else yield* runs.parts(runId)
}
