import type { RunEvent } from '../../src/run/event.ts'
import { type OutlinedHeader, type RecordedWrites, WritesFold } from '../../src/state/recorded-writes.ts'

/** Returns what these events say about the writes of a run. */
export function recordedWrites(header: OutlinedHeader, events: readonly RunEvent[]): RecordedWrites {
  const fold = new WritesFold(header)
  for (const event of events) fold.add(event)
  return fold.recorded
}
