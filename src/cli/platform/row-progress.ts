import type { Io } from '../io.ts'

/** Reports each table of a backup on standard error. */
export function rowProgress(io: Io): (table: string, rows: number) => void {
  return (table, rows) => {
    if (rows > 0) io.err(`  ${table}: ${rows} rows\n`)
  }
}
