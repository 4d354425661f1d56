import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { homePlace } from '../../trust/home-place.ts'
import { readKeySet } from '../../trust/key-set.ts'
import type { TokenProfile } from '../../trust/token-profile.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import { openToken } from '../secrets/peer-token.ts'
import type { PeerUsers } from './move.ts'
import { placeOf } from './place.ts'

/** A pinned platform as it is stored. */
export interface PeerRow {
  readonly name: string
  /** Null: a machine without a server, which fetches the states of runs itself. */
  readonly url: string | null
  readonly organisation: string
  readonly keys: string
  readonly users: string | null
  readonly token: Uint8Array | null
  readonly token_key: string | null
  readonly token_version: string | null
  readonly personal_data: boolean
  readonly profile: TokenProfile
  readonly source_platforms: string
  readonly created_at: Date
  readonly created_by: string
}

/** A platform that requests can be sent to. */
export interface PeerAddress {
  readonly name: string
  readonly url: string
  readonly organisation: string
  readonly token: string
}

const COLUMNS =
  'name, url, organisation, keys, users, token, token_key, token_version, personal_data, profile, source_platforms, created_at, created_by'

export async function peerRows(sql: Sql, org: string): Promise<readonly PeerRow[]> {
  const { rows } = await sql.query<PeerRow>(
    `SELECT ${COLUMNS} FROM waybill.peers WHERE org = $1 ORDER BY name`,
    [org],
  )
  return rows
}

/** @throws PEER_NOT_FOUND */
export async function peerRow(sql: Sql, org: string, name: string): Promise<PeerRow> {
  const { rows } = await sql.query<PeerRow>(
    `SELECT ${COLUMNS} FROM waybill.peers WHERE org = $1 AND name = $2`,
    [org, storedText(name)],
  )
  const [row] = rows
  if (row === undefined) throw peerNotFound(name)
  return row
}

/** @throws PEER_INVALID if there is no token; SECRET_UNREADABLE */
export async function addressOf(
  sql: Sql,
  key: InstallationKey,
  org: string,
  row: PeerRow,
): Promise<PeerAddress> {
  const name = originalText(row.name)
  if (row.url === null) throw noServer(name)
  if (row.token === null || row.token_key === null || row.token_version === null)
    throw new WaybillError('PEER_INVALID', {
      fault: 'usage',
      message: `no token was pinned for ${name}, so nothing can be sent there`,
      hint: `waybill peers add ${name} --url ${row.url} --token-file FILE, with a token of that platform with the role operator`,
    })
  const sealed = { token: row.token, key_id: row.token_key, version: row.token_version }
  return {
    name,
    url: row.url,
    organisation: row.organisation,
    token: await openToken(sql, key, org, name, sealed),
  }
}

/**
 * Returns the names of a peer in states and tokens, the first of which is meant when it receives: those that an admin has
 * pinned if it is not Waybill; its organisation on its platform; or a machine by each of its keys.
 */
export function placesOfPeer(peer: PeerRow): readonly string[] {
  const { url, organisation, profile } = peer
  const places =
    url === null
      ? keysOfPeer(peer).map(({ keyId }) => homePlace(keyId))
      : [placeOf(url, originalText(organisation))]
  const names = sourcePlatformsOf(peer)
  // A platform that is not Waybill does not know that it has organisations.
  return profile === 'draft' ? [...names, ...(url === null ? [] : [url]), ...places] : [...places, ...names]
}

/** Returns the names that an admin has pinned beside the place. */
export function sourcePlatformsOf({
  source_platforms,
}: Pick<PeerRow, 'source_platforms'>): readonly string[] {
  return (JSON.parse(source_platforms) as readonly string[]).map(originalText)
}

export function keysOfPeer({ name, keys }: Pick<PeerRow, 'name' | 'keys'>): readonly TrustedKey[] {
  return keysOf(originalText(name), JSON.parse(keys))
}

export function usersOf({ users }: Pick<PeerRow, 'users'>): PeerUsers {
  return users === null ? null : (JSON.parse(users) as PeerUsers)
}

/** Returns the keys of a platform, which sign its tokens. @throws PEER_INVALID */
export function keysOf(name: string, keys: JsonObject): readonly TrustedKey[] {
  const found = readKeySet(keys)
  if (found !== undefined) return found.map((key) => ({ ...key, name, signsFor: {} }))
  throw new WaybillError('PEER_INVALID', {
    message: 'the keys are not a JSON Web Key Set of Ed25519 keys',
    at: '/keys',
    hint: 'use what the platform answers to GET /.well-known/jwks.json',
  })
}

/**
 * Returns the key that values are sealed for: the last one, because a platform lists the key that it signs with after those
 * that it has replaced.
 */
export function sealingKeyOf({ name, keys }: Pick<PeerRow, 'name' | 'keys'>): KeyObject {
  const { publicKey } = keysOf(originalText(name), JSON.parse(keys)).at(-1) ?? {}
  if (publicKey === undefined) throw new TypeError('a pinned platform has a key')
  return publicKey
}

function noServer(name: string): WaybillError {
  return new WaybillError('PEER_INVALID', {
    fault: 'usage',
    message: `${name} is a machine without a server, so nothing can be sent there`,
    hint: `move the run from that machine: waybill migrate RUN --from URL, with the URL of this platform`,
  })
}

export function peerNotFound(name: string): WaybillError {
  return new WaybillError('PEER_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has pinned no platform ${JSON.stringify(name.slice(0, 200))}`,
    hint: 'list the pinned platforms with GET /v1/peers',
  })
}
