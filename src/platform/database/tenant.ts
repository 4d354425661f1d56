import pg from 'pg'
import { ORGANISATION_SETTING } from './roles.ts'

/** Runs statements; within a transaction or on a connection. */
export type Sql = Pick<pg.ClientBase, 'query'>

export interface TransactionOptions {
  /** All statements see the same data, and none may write. */
  readonly snapshot?: boolean
  /** False: it may be lost if the database crashes, but not without all later ones. */
  readonly durable?: boolean
  /** The act gets the number of the transaction, with which the server can be asked for its outcome. */
  readonly identified?: boolean
}

/** Names a transaction. */
export interface TransactionId {
  readonly xid: string
  /** Changes when the server recovers from a crash: then numbers that were not written to disk are used again. */
  readonly since: string
}

/** An expression for {@link TransactionId}: a crash resets the statistics of the server. */
export const RECOVERED = '(SELECT stats_reset::text FROM pg_stat_wal)'

/**
 * Runs a transaction that sees one organisation: with the role of requests, row-level security hides all others.
 * Every statement also names the organisation in its condition, because the role of the engine sees all.
 */
export async function inOrganisation<T>(
  pool: pg.Pool,
  org: string,
  act: (sql: Sql, id: TransactionId | null) => Promise<T>,
  { snapshot = false, durable = true, identified = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect()
  try {
    // Sent as one text, which takes one round trip.
    const begun: unknown = await client.query(
      `BEGIN${snapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : ''};
       SET LOCAL ${ORGANISATION_SETTING} = ${pg.escapeLiteral(org)};
       ${durable ? '' : 'SET LOCAL synchronous_commit = off;'}
       ${identified ? `SELECT pg_current_xact_id()::text AS xid, ${RECOVERED} AS since` : ''}`,
    )
    const result = await act(client, identified ? idOf(begun) : null)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // A connection whose rollback fails is lost; the pool must not use it again.
    const broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    )
    client.release(broken)
    throw error
  }
}

/** @param results of several statements, the last of which has returned the number */
function idOf(results: unknown): TransactionId | null {
  const last = Array.isArray(results) ? (results.at(-1) as pg.QueryResult<TransactionId>) : undefined
  return last?.rows[0] ?? null
}
