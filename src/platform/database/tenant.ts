import pg from 'pg'
import { ORGANISATION_SETTING } from './roles.ts'

/** Runs statements; within a transaction or on a connection. */
export type Sql = Pick<pg.ClientBase, 'query'>

export interface TransactionOptions {
  /** All statements see the same data, and none may write. */
  readonly snapshot?: boolean
  /** False: it may be lost if the database crashes, but not without all later ones. */
  readonly durable?: boolean
}

/**
 * Runs a transaction that sees one organisation: with the role of requests, row-level security hides all others.
 * Every statement also names the organisation in its condition, because the role of the engine sees all.
 */
export async function inOrganisation<T>(
  pool: pg.Pool,
  org: string,
  act: (sql: Sql) => Promise<T>,
  { snapshot = false, durable = true }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect()
  try {
    // Sent as one text, which takes one round trip.
    await client.query(
      `BEGIN${snapshot ? ' ISOLATION LEVEL REPEATABLE READ READ ONLY' : ''};
       SET LOCAL ${ORGANISATION_SETTING} = ${pg.escapeLiteral(org)};
       ${durable ? '' : 'SET LOCAL synchronous_commit = off'}`,
    )
    const result = await act(client)
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
