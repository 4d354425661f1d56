import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { sql } from '../database/sql.ts'
import type { Sql } from '../database/tenant.ts'
import type { InstallationKey, WrappedKey } from './installation-key.ts'
import { bindingOf, KEY_BYTES, openBytes, sealBytes, unreadable } from './sealed-bytes.ts'
import type { NewSecret } from './secret.ts'

/** Any number that nothing else uses: a rotation excludes that a key is wrapped at the same time. */
export const ROTATION_LOCK = 7_428_311_904

/** A secret as it is stored, with the wrapped key that it is sealed with. */
export interface SealedSecret extends WrappedKey {
  readonly name: string
  /** Sorted. */
  readonly hosts: readonly string[]
  /** Another one for each value and list of hosts. */
  readonly version: string
  readonly key_id: string
  readonly sealed: Uint8Array
}

/** Reads a secret, without its value. */
export async function readSealed(on: Sql, org: string, name: string): Promise<SealedSecret | null> {
  const { rows } = await on.query<SealedSecret>(
    `SELECT s.name, s.hosts, s.version, s.key_id, s.sealed, k.wrapped_by, k.wrapped
     FROM waybill.secrets AS s JOIN waybill.secret_keys AS k USING (org, key_id) WHERE s.org = $1 AND s.name = $2`,
    [org, name],
  )
  return rows[0] ?? null
}

/**
 * Decrypts a secret.
 * @throws SECRET_UNREADABLE if its row was changed, or moved to another organisation, name or host; SECRET_KEY_MISSING
 */
export async function openSealed(key: InstallationKey, org: string, row: SealedSecret): Promise<string> {
  const own = await key.unwrap(row, keyBinding(org, row.key_id))
  return openBytes(own, row.sealed, secretBinding(org, row), `the secret ${row.name}`).toString('utf8')
}

interface SecretToSeal extends NewSecret {
  readonly name: string
  /** Sorted. */
  readonly hosts: readonly string[]
  readonly by: string
}

/** Stores a secret, or replaces it. */
export async function writeSealed(
  on: Sql,
  key: InstallationKey,
  org: string,
  { name, value, hosts, by }: SecretToSeal,
): Promise<void> {
  const { key_id, own } = await ownKey(on, key, org)
  const version = uuidv7()
  const binding = secretBinding(org, { name, hosts, version, key_id })
  const sealed = sealBytes(own, Buffer.from(value, 'utf8'), binding)
  await on.query(sql`
    INSERT INTO waybill.secrets (org, name, hosts, version, key_id, sealed, set_by)
    VALUES (${org}, ${name}, ${hosts}, ${version}, ${key_id}, ${sealed}, ${by})
    ON CONFLICT (org, name) DO UPDATE SET hosts = excluded.hosts, version = excluded.version, key_id = excluded.key_id,
      sealed = excluded.sealed, set_by = excluded.set_by, set_at = now(), used_at = NULL`)
}

/** Returns the key of an organisation, created with its first secret. */
export async function ownKey(
  on: Sql,
  key: InstallationKey,
  org: string,
): Promise<{ readonly key_id: string; readonly own: Uint8Array }> {
  // Held until the transaction ends: without it, a rotation could remove the key that wraps this one.
  await on.query('SELECT pg_advisory_xact_lock_shared($1)', [ROTATION_LOCK])
  const read = () =>
    on.query<WrappedKey & { key_id: string }>(
      'SELECT key_id, wrapped_by, wrapped FROM waybill.secret_keys WHERE org = $1 ORDER BY key_id DESC LIMIT 1',
      [org],
    )
  const [known] = (await read()).rows
  if (known !== undefined)
    return { key_id: known.key_id, own: await key.unwrap(known, keyBinding(org, known.key_id)) }
  const made = { key_id: uuidv7(), own: randomBytes(KEY_BYTES) }
  const { wrapped_by, wrapped } = await key.wrap(made.own, keyBinding(org, made.key_id))
  await on.query(
    sql`INSERT INTO waybill.secret_keys (org, key_id, wrapped_by, wrapped)
        VALUES (${org}, ${made.key_id}, ${wrapped_by}, ${wrapped})`,
  )
  return made
}

/** Returns one of the keys of an organisation. @throws SECRET_UNREADABLE, SECRET_KEY_MISSING */
export async function keyOfOrganisation(
  on: Sql,
  key: InstallationKey,
  org: string,
  keyId: string,
): Promise<Uint8Array> {
  const { rows } = await on.query<WrappedKey>(
    'SELECT wrapped_by, wrapped FROM waybill.secret_keys WHERE org = $1 AND key_id = $2',
    [org, keyId],
  )
  const [row] = rows
  if (row === undefined) throw unreadable('the token of another platform')
  return key.unwrap(row, keyBinding(org, keyId))
}

/** What the key of an organisation is bound to. */
export function keyBinding(org: string, keyId: string): Buffer {
  return bindingOf(['waybill key of an organisation, 1', org, keyId])
}

function secretBinding(
  org: string,
  { name, hosts, version, key_id }: Pick<SealedSecret, 'name' | 'hosts' | 'version' | 'key_id'>,
): Buffer {
  return bindingOf(['waybill secret, 1', org, name, version, key_id, ...hosts])
}
