import { withSignedHead } from '../../session/export-audit.ts'
import { type ExportTarget, writeExport } from '../files/write-export.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { type PlaceOptions, serverFor } from '../remote/with-records.ts'
import { readLog } from './read-log.ts'

export type ExportOptions = PlaceOptions & ExportTarget

/**
 * Writes the audit log with a signed head to a file, or to standard output. A server signs the head of its own log.
 * @throws AUDIT_NOT_FOUND, FILE_UNWRITABLE
 */
export async function exportLog(options: ExportOptions, io: Io): Promise<void> {
  const server = serverFor(options, io)
  const text =
    server === undefined
      ? await withHome(io, async (home) => withSignedHead(home, await readLog(home, io)))
      : await server.text('/v1/audit/export', 'application/x-ndjson')
  writeExport(text, options, { format: 'ndjson' }, io)
}
