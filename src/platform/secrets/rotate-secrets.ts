import type pg from 'pg'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { sql } from '../database/sql.ts'
import { DEFAULT_ORGANISATION } from '../people/first-admin.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import type { InstallationKey, WrappedKey } from './installation-key.ts'
import { keyBinding, ROTATION_LOCK } from './secret-rows.ts'

export interface RotatedSecrets {
  /** The id of the new key of the installation. */
  readonly key_id: string
  /** How many keys of organisations it encrypts now. */
  readonly keys: number
}

/**
 * Gives the installation a new key, with which the keys of all organisations are encrypted again; the secrets
 * themselves do not change. The old key is removed after the change is stored, so after a crash everything can be read,
 * and the next rotation removes it.
 * @throws SECRET_KEY_MISSING, SECRET_UNREADABLE; the old key then stays in use
 */
export async function rotateSecrets(
  engine: pg.Pool,
  key: InstallationKey,
  nextEntry: EntryMaker,
  by: string,
): Promise<RotatedSecrets> {
  const client = await engine.connect()
  try {
    // Of the session, not of the transaction: the old key is removed before another rotation begins.
    await client.query('SELECT pg_advisory_lock($1)', [ROTATION_LOCK])
    const key_id = await key.renew()
    await client.query('BEGIN')
    const { rows } = await client.query<WrappedKey & { org: string; key_id: string }>(
      'SELECT org, key_id, wrapped_by, wrapped FROM waybill.secret_keys ORDER BY org, key_id',
    )
    for (const row of rows) {
      const binding = keyBinding(row.org, row.key_id)
      const { wrapped_by, wrapped } = await key.wrap(await key.unwrap(row, binding), binding)
      await client.query(
        sql`UPDATE waybill.secret_keys SET wrapped_by = ${wrapped_by}, wrapped = ${wrapped}
            WHERE org = ${row.org} AND key_id = ${row.key_id}`,
      )
    }
    const fact = { at: new Date().toISOString(), kind: 'secrets.rotated', key: key_id, keys: rows.length, by }
    await appendAudit(client, DEFAULT_ORGANISATION, nextEntry, [fact])
    await client.query('COMMIT')
    await key.dropOlder()
    await client.query('SELECT pg_advisory_unlock($1)', [ROTATION_LOCK])
    client.release()
    return { key_id, keys: rows.length }
  } catch (error) {
    // Ends the transaction and the lock too.
    client.release(true)
    throw error
  }
}
