import type { Sql } from './tenant.ts'

/** The position up to which the log of a server is on disk, in bytes: it never becomes less, unless the server is put back. */
export interface LogPosition {
  /** Of the installation. */
  readonly id: string
  readonly position: number
}

export async function readLogPosition(sql: Pick<Sql, 'query'>): Promise<LogPosition> {
  const { rows } = await sql.query<LogPosition>({
    name: 'log-position',
    text: `SELECT id, (pg_current_wal_flush_lsn() - '0/0')::float8 AS position FROM waybill.installation`,
  })
  const [row] = rows
  if (row === undefined) throw new TypeError('every installation has its row')
  return row
}
