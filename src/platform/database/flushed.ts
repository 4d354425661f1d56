import type { Sql } from './tenant.ts'

/**
 * An expression: a transaction that this statement sees may not be on disk yet, so that a crash of the database would lose
 * it. The place that is flushed follows the place that is written by at most one commit that is flushed.
 */
export const BEHIND = 'pg_current_wal_flush_lsn() < pg_current_wal_insert_lsn()'

/** Flushes what all transactions have committed before. What was read before may then be shown to a client. */
export async function flush(sql: Sql): Promise<void> {
  await sql.query({ name: 'flush', text: `SELECT pg_logical_emit_message(true, 'waybill', '')` })
}
