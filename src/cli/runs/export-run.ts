import { exportRun } from '../../session/export-run.ts'
import { findRun } from '../../session/find-run.ts'
import { type ExportTarget, writeExport } from '../files/write-export.ts'
import type { Io } from '../io.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'

/** Writes a run and the runs of its sub-agents as signed NDJSON, or as one page (`waybill runs export`). */
export async function writeRun(
  wanted: string,
  { output, json, html, ...place }: PlaceOptions & ExportTarget & { readonly html?: boolean },
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
  writeExport(text, { output, json }, { run_id: id, format: html === true ? 'html' : 'ndjson' }, io)
  if (output !== undefined) io.err(`run ${id} was written to ${output}\n`)
}
