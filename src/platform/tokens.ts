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
 * @returns the token, which is stored as a hash only; null if there is one already
 */
export async function createAdminToken(engine: pg.Pool): Promise<string | null> {
  const token = `${PREFIX}${randomBytes(32).toString('base64url')}`
  const client = await engine.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    await client.query(
      `INSERT INTO waybill.organisations (org, name) VALUES ($1, 'Default') ON CONFLICT DO NOTHING`,
      [DEFAULT_ORGANISATION],
    )
    const { rowCount } = await client.query(
      `INSERT INTO waybill.tokens (org, id, hash, role, user_id) SELECT $1, $2, $3, 'admin', 'admin'
       WHERE NOT EXISTS (SELECT 1 FROM waybill.tokens WHERE org = $1)`,
      [DEFAULT_ORGANISATION, uuidv7(), hashOf(token)],
    )
    await client.query('COMMIT')
    return rowCount === 1 ? token : null
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
