import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import type { Principal, Role } from '../session/principal.ts'

/** The organisation of an installation that has only one. */
export const DEFAULT_ORGANISATION = 'default'

/** Any number that nothing else uses: one process creates the token. */
const LOCK = 7_428_311_903

/** Makes tokens recognisable in logs and texts, also for tools that search for secrets. */
const PREFIX = 'wbt_'

/**
 * Creates the first organisation and its admin token, if there is no token yet. Of several processes that start at
 * once, one creates it.
 * @param keep shows or keeps the token, which is stored as a hash only; absent: it could not be shown, so none is created
 * @returns whether there is an admin token
 */
export async function createAdminToken(
  engine: pg.Pool,
  keep?: (token: string) => void | Promise<void>,
): Promise<boolean> {
  const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
  const client = await engine.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await client.query(
      `INSERT INTO waybill.organisations (org, name) VALUES ($1, 'Default') ON CONFLICT DO NOTHING`,
      [DEFAULT_ORGANISATION],
    )
    const known = await client.query('SELECT 1 FROM waybill.tokens WHERE org = $1', [DEFAULT_ORGANISATION])
    if (known.rowCount === 0 && keep !== undefined) {
      await client.query(
        `INSERT INTO waybill.tokens (org, id, hash, role, user_id) VALUES ($1, $2, $3, 'admin', 'admin')`,
        [DEFAULT_ORGANISATION, uuidv7(), hashOf(token)],
      )
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

/** Returns the principal of a token that is known and neither expired nor revoked. */
export async function principalOf(engine: pg.Pool, token: string): Promise<Principal | null> {
  if (!token.startsWith(PREFIX) || token.length > 200) return null
  const { rows } = await engine.query<{ org: string; user_id: string; role: Role }>({
    name: 'principal-of',
    text: `SELECT org, user_id, role FROM waybill.tokens
      WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
    values: [hashOf(token)],
  })
  const [row] = rows
  return row === undefined ? null : { organisation: row.org, user: row.user_id, roles: [row.role] }
}

/** A token has 256 random bits, so one round of a fast hash is enough. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
