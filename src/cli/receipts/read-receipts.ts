import { findRun } from '../../session/find-run.ts'
import { exportReceipts, receiptHostOf } from '../../session/receipts-of-run.ts'
import type { Io } from '../io.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'

/** Returns the receipts of a run of this machine, or of a server, which signs them itself. */
export async function readReceipts(
  wanted: string,
  place: PlaceOptions,
  io: Io,
): Promise<{ readonly id: string; readonly text: string }> {
  return withRecords(place, io, async (home, server) => {
    const id = await findRun(home, wanted)
    if (server !== undefined)
      return {
        id,
        text: await server.text(`/v1/runs/${encodeURIComponent(id)}/receipts`, 'application/x-ndjson'),
      }
    const { moved } = await home.runs.listed(id)
    const text = await exportReceipts(home, id, await receiptHostOf(home), {
      at: Date.now(),
      ...(moved?.phase === 'moved' && {
        status: 'moved' as const,
        to: { platform: moved.owner, ...(moved.run_id !== null && { run_id: moved.run_id }) },
      }),
    })
    return { id, text }
  })
}
