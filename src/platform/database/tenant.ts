import type pg from 'pg'
import { ORGANISATION_SETTING } from './roles.ts'

/** Runs statements; within a transaction or on a connection. */
export type Sql = Pick<pg.ClientBase, 'query'>

export interface TransactionOptions {
  /** All statements see the same data, and none may write. */
  readonly snapshot?: boolean
}

/**
 * Runs a transaction that sees one organisation: with the role of requests, row-level security hides all others.
 * Every statement also names the organisation in its condition, because the role of the engine sees all.
 */
export async function inOrganisation<T>(
  pool: pg.Pool,
  org: string,
  act: (sql: Sql) => Promise<T>,
  { snapshot = false }: TransactionOptions = {},
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN')
    await client.query('SELECT set_config($1, $2, true)', [ORGANISATION_SETTING, org])
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
