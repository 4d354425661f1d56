import { exportRun } from '../../session/export-run.ts'
import { findRun } from '../../session/find-run.ts'
import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'

/** Writes a run and the runs of its sub-agents as signed NDJSON, or as one page (`waybill runs export`). */
export async function writeRun(
  wanted: string,
  { output, html, ...place }: PlaceOptions & { readonly output?: string; readonly html?: boolean },
  io: Io,
): Promise<void> {
  const { id, text } = await withRecords(place, io, async (home, server) => {
    const runId = await findRun(home, wanted)
    if (html === true)
      return { id: runId, text: await (await import('./page/run-page.ts')).runPage(home, runId) }
    // Signed there: this machine has no key of the server.
    const path = `/v1/runs/${encodeURIComponent(runId)}/record`
    return {
      id: runId,
      text: await (server === undefined ? exportRun(home, runId) : server.text(path, 'application/x-ndjson')),
    }
  })
  if (output === undefined) return io.out(text)
  writeWhole(output, text, io, 0o600)
  io.err(`run ${id} was written to ${output}\n`)
}
