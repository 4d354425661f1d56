import { WaybillError } from '../../document/issue.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { adminNeeded } from '../people/tokens.ts'
import { originalText, storedText } from '../records/stored-text.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import { sealToken } from '../secrets/peer-token.ts'
import type { Peers, PeerView } from './move.ts'
import { keysOf, keysOfPeer, type PeerRow, peerNotFound, peerRow, peerRows, usersOf } from './peer-rows.ts'
import { ownPlace, placeOf } from './place.ts'

/** Number of platforms that an organisation pins. */
const MOST = 100

export interface PeersParts extends OrganisationParts {
  readonly key: InstallationKey
  readonly publicUrl: string | undefined
}

/** The platforms that an organisation exchanges runs with. Changes are audited. */
export function peersOf({ app, org, principal, audited, key, publicUrl }: PeersParts): Peers {
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  const change = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (!principal.roles.includes('admin')) throw adminNeeded('pins other platforms')
    return act(async (sql) => {
      await sql.query('SELECT FROM waybill.organisations WHERE org = $1 FOR UPDATE', [org])
      return work(sql)
    })
  }
  return {
    list: () => act(async (sql) => ({ items: (await peerRows(sql, org)).map(viewOf) })),

    set: ({ name, url, organisation = org, keys, users = {}, token, personal_data = false }) =>
      change(async (sql) => {
        const origin = url === undefined ? null : originOf(url)
        if (
          origin !== null &&
          publicUrl !== undefined &&
          placeOf(origin, organisation) === ownPlace(publicUrl, org)
        )
          throw ownOrganisation()
        const known = keysOf(name, keys)
        if (origin === null && token !== undefined) throw tokenWithoutUrl()
        const others = (await peerRows(sql, org)).filter((row) => originalText(row.name) !== name)
        if (others.length >= MOST) throw tooMany()
        const ids = new Set(known.map(({ keyId }) => keyId))
        const same = others.find((row) =>
          origin === null
            ? row.url === null && keysOfPeer(row).some(({ keyId }) => ids.has(keyId))
            : row.url === origin && originalText(row.organisation) === organisation,
        )
        if (same !== undefined) throw pinnedTwice(originalText(same.name))
        const sealed = token === undefined ? null : await sealToken(sql, key, org, name, token)
        await sql.query(
          `INSERT INTO waybill.peers AS p (org, name, url, organisation, keys, users, token, token_key, token_version, created_by, personal_data)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           ON CONFLICT (org, name) DO UPDATE SET url = $3, organisation = $4, keys = $5, users = $6,
             token = coalesce($7, CASE WHEN p.url = $3 AND p.organisation = $4 THEN p.token END),
             token_key = CASE WHEN $7::bytea IS NULL THEN p.token_key ELSE $8 END,
             token_version = CASE WHEN $7::bytea IS NULL THEN p.token_version ELSE $9 END, created_by = $10, created_at = now(),
             personal_data = $11`,
          [
            org,
            storedText(name),
            origin,
            storedText(organisation),
            JSON.stringify(keys),
            users === null ? null : JSON.stringify(users),
            sealed?.token ?? null,
            sealed?.key_id ?? null,
            sealed?.version ?? null,
            storedText(principal.user),
            personal_data,
          ],
        )
        const fact = { peer: name, url: origin, keys: known.map(({ keyId }) => keyId), personal_data }
        await audited(sql, 'peer.set', fact)
        return viewOf(await peerRow(sql, org, name))
      }),

    remove: (name) =>
      change(async (sql) => {
        const { rowCount } = await sql.query('DELETE FROM waybill.peers WHERE org = $1 AND name = $2', [
          org,
          storedText(name),
        ])
        if (rowCount === 0) throw peerNotFound(name)
        await audited(sql, 'peer.removed', { peer: name })
      }),
  }
}

function viewOf(row: PeerRow): PeerView {
  const name = originalText(row.name)
  return {
    name,
    url: row.url,
    organisation: row.url === null ? null : originalText(row.organisation),
    keys: keysOfPeer(row).map(({ keyId }) => keyId),
    users: usersOf(row),
    has_token: row.token !== null,
    personal_data: row.personal_data,
    created_at: row.created_at.toISOString(),
    created_by: originalText(row.created_by),
  }
}

/** @throws PEER_INVALID; TLS_REQUIRED for a URL that is not https (AAIF §12) */
function originOf(text: string): string {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || url.pathname !== '/' || url.search !== '')
    throw new WaybillError('PEER_INVALID', {
      message: `${JSON.stringify(text.slice(0, 200))} is not the URL of a platform`,
      at: '/url',
      hint: 'write https://NAME, without a path',
    })
  if (url.protocol === 'https:') return url.origin
  throw new WaybillError('TLS_REQUIRED', {
    message: `states may not be sent to ${url.origin}, because the connection is not encrypted`,
    at: '/url',
    hint: 'use the https URL of the platform',
    rule: 'AAIF-12-08',
  })
}

function tokenWithoutUrl(): WaybillError {
  return new WaybillError('PEER_INVALID', {
    message: 'a machine without a server has no URL that a token could be sent to',
    at: '/token',
    hint: 'leave the token out, or give the URL of a platform',
  })
}

function pinnedTwice(name: string): WaybillError {
  return new WaybillError('PEER_INVALID', {
    message: `this place is pinned already, as ${name}`,
    at: '/name',
    hint: `change it under the name ${name}`,
  })
}

/** A move to itself would be sent and received in the same rows. */
function ownOrganisation(): WaybillError {
  return new WaybillError('PEER_INVALID', {
    message: 'this is the own organisation of this platform',
    at: '/url',
    hint: 'pin another platform, or another organisation of this one',
  })
}

function tooMany(): WaybillError {
  return new WaybillError('PEER_LIMIT', {
    fault: 'refused',
    message: `an organisation can pin ${MOST} platforms`,
    hint: 'remove one that is not used',
  })
}
