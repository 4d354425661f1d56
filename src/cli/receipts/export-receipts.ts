import { writeWhole } from '../files/write-result.ts'
import type { Io } from '../io.ts'
import type { PlaceOptions } from '../remote/with-records.ts'
import { readReceipts } from './read-receipts.ts'

export interface ExportOptions extends PlaceOptions {
  readonly output?: string
}

/** Writes the receipts of a run and of its sub-agents as NDJSON (`waybill receipts export`). */
export async function writeReceipts(
  wanted: string,
  { output, ...place }: ExportOptions,
  io: Io,
): Promise<void> {
  const { id, text } = await readReceipts(wanted, place, io)
  if (output === undefined) return io.out(text)
  writeWhole(output, text, io, 0o600)
  io.err(`the receipts of run ${id} were written to ${output}\n`)
}
