import { type ExportTarget, writeExport } from '../files/write-export.ts'
import type { Io } from '../io.ts'
import type { PlaceOptions } from '../remote/with-records.ts'
import { readReceipts } from './read-receipts.ts'

export type ExportOptions = PlaceOptions & ExportTarget

/** Writes the receipts of a run and of its sub-agents as NDJSON (`waybill receipts export`). */
export async function writeReceipts(
  wanted: string,
  { output, json, ...place }: ExportOptions,
  io: Io,
): Promise<void> {
  const { id, text } = await readReceipts(wanted, place, io)
  writeExport(text, { output, json }, { run_id: id, format: 'ndjson' }, io)
  if (output !== undefined) io.err(`the receipts of run ${id} were written to ${output}\n`)
}
