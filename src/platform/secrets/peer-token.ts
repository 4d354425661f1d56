import { v7 as uuidv7 } from 'uuid'
import type { Sql } from '../database/tenant.ts'
import type { InstallationKey } from './installation-key.ts'
import { bindingOf, openBytes, sealBytes } from './sealed-bytes.ts'
import { keyOfOrganisation, ownKey } from './secret-rows.ts'

/** The token of another platform, sealed with the key of the organisation. It is not a secret of agents: none can name it. */
export interface SealedToken {
  readonly token: Uint8Array
  readonly key_id: string
  readonly version: string
}

export async function sealToken(
  sql: Sql,
  key: InstallationKey,
  org: string,
  peer: string,
  token: string,
): Promise<SealedToken> {
  const { key_id, own } = await ownKey(sql, key, org)
  const version = uuidv7()
  const sealed = sealBytes(own, Buffer.from(token, 'utf8'), binding(org, peer, { key_id, version }))
  return { token: sealed, key_id, version }
}

/** @throws SECRET_UNREADABLE, SECRET_KEY_MISSING */
export async function openToken(
  sql: Sql,
  key: InstallationKey,
  org: string,
  peer: string,
  sealed: SealedToken,
): Promise<string> {
  const own = await keyOfOrganisation(sql, key, org, sealed.key_id)
  return openBytes(own, sealed.token, binding(org, peer, sealed), `the token of the peer ${peer}`).toString(
    'utf8',
  )
}

function binding(
  org: string,
  peer: string,
  { key_id, version }: Pick<SealedToken, 'key_id' | 'version'>,
): Buffer {
  return bindingOf(['waybill token of a peer, 1', org, peer, version, key_id])
}
