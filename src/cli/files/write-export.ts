import type { Json, JsonObject } from '../../document/json.ts'
import type { Io } from '../io.ts'
import { writeWhole } from './write-result.ts'

/** Where an export is written. */
export interface ExportTarget {
  /** Absent: standard output. */
  readonly output?: string
  /** Standard output is one JSON value: what was written, and the content if it was not written to a file. */
  readonly json?: boolean
}

/**
 * Writes an export to a file that only this user may read, or to standard output.
 * @param facts what the JSON value says besides `file`, `bytes` and `content`
 * @param content of the JSON value if there is no file; by default the text
 * @throws FILE_UNWRITABLE
 */
export function writeExport(
  text: string,
  { output, json }: { readonly [K in keyof ExportTarget]?: ExportTarget[K] | undefined },
  facts: JsonObject,
  io: Io,
  content: Json = text,
): void {
  if (output !== undefined) writeWhole(output, text, io, 0o600)
  else if (json !== true) io.out(text)
  if (json !== true) return
  const bytes = Buffer.byteLength(text)
  const value = { ...facts, file: output ?? null, bytes, ...(output === undefined && { content }) }
  io.out(`${JSON.stringify(value)}\n`)
}
