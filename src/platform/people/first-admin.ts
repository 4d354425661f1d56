import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { insertToken, newToken } from './tokens.ts'

/** The organisation of an installation that has only one. Its admins also create the others. */
export const DEFAULT_ORGANISATION = 'default'

/** Any number that nothing else uses: one process creates the token. */
const LOCK = 7_428_311_903

const ADMIN = 'admin'
const PLATFORM = 'the platform'

/**
 * Creates the first organisation with its first member, and its first token, of that admin, if there was none yet. Of several processes
 * that start at once, one creates it.
 * @param keep shows or keeps the token, which is stored as a hash only; absent: it could not be shown, so none is created
 * @returns whether it was created, now or before
 */
export async function createAdminToken(
  engine: pg.Pool,
  keep?: (token: string) => void | Promise<void>,
): Promise<boolean> {
  const client = await engine.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await client.query(
      `INSERT INTO waybill.organisations (org, name) VALUES ($1, 'Default') ON CONFLICT DO NOTHING`,
      [DEFAULT_ORGANISATION],
    )
    await client.query(
      `INSERT INTO waybill.members (org, user_id, kind, name, roles, created_by)
       VALUES ($1, $2, 'person', 'Admin', '{admin}', $3) ON CONFLICT DO NOTHING`,
      [DEFAULT_ORGANISATION, ADMIN, PLATFORM],
    )
    // One that was revoked counts: it must not come back.
    const known = await client.query(
      'SELECT 1 FROM waybill.tokens WHERE org = $1 AND created_by = $2 LIMIT 1',
      [DEFAULT_ORGANISATION, PLATFORM],
    )
    if (known.rowCount === 0 && keep !== undefined) {
      const token = newToken()
      await insertToken(client, {
        org: DEFAULT_ORGANISATION,
        id: uuidv7(),
        token,
        name: 'first',
        roles: ['admin'],
        user: ADMIN,
        by: PLATFORM,
        scopes: null,
        expires_at: null,
      })
      // Before the commit: a token that exists was shown.
      await keep(token)
    }
    await client.query('COMMIT')
    return known.rowCount !== 0 || keep !== undefined
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Returns the id of the token of the first start if it is still valid: an installation that others can reach must not have it. */
export async function firstTokenInForce(engine: Pick<pg.Pool, 'query'>): Promise<string | null> {
  const { rows } = await engine.query<{ id: string }>(
    `SELECT id FROM waybill.tokens WHERE org = $1 AND created_by = $2 AND revoked_at IS NULL LIMIT 1`,
    [DEFAULT_ORGANISATION, PLATFORM],
  )
  return rows[0]?.id ?? null
}
