import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { strictJson } from '../../document/strict-json.ts'
import { verifyEnrolmentProof } from '../../trust/enrolment-proof.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { adminNeeded, insertToken, newToken } from '../people/tokens.ts'
import type { InstallationKey } from '../secrets/installation-key.ts'
import { sealToken } from '../secrets/peer-token.ts'
import type { NewPeer, PeerSelf, Peers, PeerView } from './move.ts'
import type { PeerPort } from './peer-client.ts'
import {
  inviteRefused,
  JOIN_ROLES,
  RECEIVE_SCOPE,
  RECEIVES_DAYS,
  scopesOfInvite,
  termsOf,
} from './peer-invites.ts'
import {
  keysOf,
  keysOfPeer,
  type PeerRow,
  peerNotFound,
  peerRow,
  peerRows,
  sourcePlatformsOf,
  usersOf,
} from './peer-rows.ts'
import { ownPlace, placeOf } from './place.ts'
import { HANDOFF_MEMBER } from './preflight.ts'

/** Number of platforms that an organisation pins. */
const MOST = 100

export interface PeersParts extends OrganisationParts {
  readonly key: InstallationKey
  readonly publicUrl: string | undefined
  /** The public keys of this platform. */
  readonly jwks: () => Json
  /** Whether members may have their machines pinned when they log in. */
  readonly enrols: boolean
  readonly peers: PeerPort
}

/** Hours in which an invitation is valid. */
const INVITE_HOURS = 24
const LONGEST_INVITE_HOURS = 7 * 24

/** The platforms that an organisation exchanges runs with. Changes are audited. */
export function peersOf({
  app,
  org,
  principal,
  audited,
  key,
  publicUrl,
  jwks,
  enrols,
  peers,
}: PeersParts): Peers {
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  const change = <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    if (!principal.roles.includes('admin')) throw adminNeeded('pins other platforms')
    return alone(work)
  }
  /** Changes of the pinned platforms of an organisation follow one another. */
  const alone = <T>(work: (sql: Sql) => Promise<T>): Promise<T> =>
    act(async (sql) => {
      await sql.query('SELECT FROM waybill.organisations WHERE org = $1 FOR UPDATE', [org])
      return work(sql)
    })
  const self = async (): Promise<PeerSelf> => {
    ownPlace(publicUrl, org)
    return { url: new URL(publicUrl ?? '').origin, organisation: org, keys: jwks() as JsonObject }
  }
  /** Stores a platform under a name that is not used, so nothing is replaced. @throws PEER_INVALID, PEER_LIMIT */
  const add = async (sql: Sql, peer: NewPeer): Promise<PeerView> => {
    const { name, url, organisation = org, keys, users = {} } = peer
    const origin = url === undefined ? null : originOf(url)
    const known = keysOf(name, keys)
    const rows = await peerRows(sql, org)
    const ids = new Set(known.map(({ keyId }) => keyId))
    if (rows.length >= MOST) throw tooMany()
    if (rows.some((row) => originalText(row.name) === name)) throw nameTaken(name)
    const same = rows.find((row) =>
      origin === null || row.url === null
        ? keysOfPeer(row).some(({ keyId }) => ids.has(keyId))
        : row.url === origin && originalText(row.organisation) === organisation,
    )
    if (same !== undefined) throw pinnedTwice(originalText(same.name))
    await sql.query(
      `INSERT INTO waybill.peers (org, name, url, organisation, keys, users, created_by, personal_data)
       VALUES ($1, $2, $3, $4, $5, $6, $7, false)`,
      [
        org,
        storedText(name),
        origin,
        storedText(organisation),
        JSON.stringify(keys),
        users === null ? null : JSON.stringify(users),
        storedText(principal.user),
      ],
    )
    const fact = { peer: name, url: origin, keys: [...ids], personal_data: false }
    await audited(sql, 'peer.set', fact)
    return viewOf(await peerRow(sql, org, name))
  }
  return {
    list: () => act(async (sql) => ({ items: (await peerRows(sql, org)).map(viewOf) })),

    async set({
      name,
      url,
      organisation = org,
      keys,
      users = {},
      token,
      personal_data = false,
      profile = 'full',
      source_platforms = [],
    }) {
      const origin = url === undefined ? null : originOf(url)
      const isAdmin = principal.roles.includes('admin')
      if (isAdmin && profile === 'draft' && origin !== null)
        await assertNoDowngrade(peers, { name, url: origin })
      return change(async (sql) => {
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
          `INSERT INTO waybill.peers AS p (org, name, url, organisation, keys, users, token, token_key, token_version, created_by, personal_data,
             profile, source_platforms)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
           ON CONFLICT (org, name) DO UPDATE SET url = $3, organisation = $4, keys = $5, users = $6,
             token = coalesce($7, CASE WHEN p.url = $3 AND p.organisation = $4 THEN p.token END),
             token_key = CASE WHEN $7::bytea IS NULL THEN p.token_key ELSE $8 END,
             token_version = CASE WHEN $7::bytea IS NULL THEN p.token_version ELSE $9 END, created_by = $10, created_at = now(),
             personal_data = $11, profile = $12, source_platforms = $13`,
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
            profile,
            JSON.stringify(source_platforms.map(storedText)),
          ],
        )
        const named = source_platforms.length > 0 && { source_platforms }
        const pinned = { peer: name, url: origin, keys: known.map(({ keyId }) => keyId), personal_data }
        const fact = { ...pinned, profile, ...named }
        await audited(sql, 'peer.set', fact)
        return viewOf(await peerRow(sql, org, name))
      })
    },

    self,

    async enrol({ keys, users, proof }) {
      if (!enrols) throw enrolmentOff()
      const { user } = principal
      const known = keysOf(user, keys)
      const aud = ownPlace(publicUrl, org)
      await verifyEnrolmentProof(proof, known, { iat: Math.floor(Date.now() / 1000), aud, sub: user })
      return alone(async (sql) => {
        const ids = new Set(known.map(({ keyId }) => keyId))
        const same = (await peerRows(sql, org)).find((row) =>
          keysOfPeer(row).some(({ keyId }) => ids.has(keyId)),
        )
        // The same machine again: nothing changes. A machine of another member is never taken over.
        if (same !== undefined && isOwn(same, user, ids)) return viewOf(same)
        if (same !== undefined) throw pinnedTwice(originalText(same.name))
        const name = `${user.slice(0, 60)}-${known.at(-1)?.keyId.slice(0, 8)}`
        const mapped = Object.fromEntries([...users, user].map((theirs) => [theirs, user]))
        return add(sql, { name, keys, users: mapped })
      })
    },

    async invite({ name, users = {}, hours = INVITE_HOURS }, id = uuidv7()) {
      const own = await self()
      const until = Date.now() + Math.min(hours, LONGEST_INVITE_HOURS) * 3_600_000
      const expires_at = new Date(until).toISOString()
      const token = newToken()
      return change(async (sql) => {
        if ((await peerRows(sql, org)).some((row) => originalText(row.name) === name)) throw nameTaken(name)
        const scopes = scopesOfInvite({ name, users })
        const who = { user: principal.user, by: principal.user, roles: JOIN_ROLES }
        await insertToken(sql, { org, id, token, name: `invitation of ${name}`, scopes, expires_at, ...who })
        await audited(sql, 'peer.invited', { peer: name, token: id, expires_at })
        return { ...own, name, token, expires_at }
      })
    },

    join(platform) {
      const { name, users } = termsOf(principal)
      const { url, organisation } = platform
      if (publicUrl !== undefined && placeOf(url, organisation) === ownPlace(publicUrl, org))
        throw ownOrganisation()
      return change(async (sql) => {
        const { rowCount } = await sql.query(
          `UPDATE waybill.tokens SET revoked_at = clock_timestamp()
           WHERE org = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > clock_timestamp()`,
          [org, principal.token?.id ?? ''],
        )
        if (rowCount !== 1) throw inviteRefused('it was used, or it has expired')
        const peer = await add(sql, { name, url, organisation, keys: platform.keys, users })
        const token = newToken()
        const id = uuidv7()
        const expires_at = new Date(Date.now() + RECEIVES_DAYS * 86_400_000).toISOString()
        const who = { user: principal.user, by: principal.user, roles: ['operator' as const] }
        const scopes = [RECEIVE_SCOPE]
        await insertToken(sql, { org, id, token, name: `runs from ${name}`, scopes, expires_at, ...who })
        await audited(sql, 'token.created', {
          token: id,
          user: principal.user,
          roles: who.roles,
          scopes,
          expires_at,
        })
        return { peer, token }
      })
    },

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

const MANIFEST_MS = 5_000

/**
 * Refuses the weaker profile for a platform that speaks the whole protocol. One that does not answer is pinned as the admin
 * says.
 * @throws PEER_INVALID
 */
async function assertNoDowngrade(
  port: PeerPort,
  { name, url }: { readonly name: string; readonly url: string },
) {
  const path = '/.well-known/aaif-manifest.json'
  const signal = AbortSignal.timeout(MANIFEST_MS)
  const request = { method: 'GET', headers: { accept: 'application/json' }, signal }
  const answer = await port.request(new URL(path, url).href, request).catch(() => undefined)
  if (answer?.status !== 200 || !offersHandoff(answer.text)) return
  throw new WaybillError('PEER_INVALID', {
    message: `${name} at ${url} offers ${HANDOFF_MEMBER}, so its tokens carry all claims`,
    at: '/profile',
    hint: 'leave the profile out, or write `full`',
  })
}

function offersHandoff(text: string): boolean {
  try {
    const manifest = strictJson(text)
    return isObject(manifest) && manifest[HANDOFF_MEMBER] !== undefined
  } catch {
    return false
  }
}

/** Returns whether a member has enrolled exactly this machine. */
function isOwn(row: PeerRow, user: string, ids: ReadonlySet<string>): boolean {
  const users = usersOf(row)
  return (
    row.url === null &&
    originalText(row.created_by) === user &&
    users !== null &&
    Object.values(users).every((here) => here === user) &&
    keysOfPeer(row).every(({ keyId }) => ids.has(keyId))
  )
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
    profile: row.profile,
    source_platforms: sourcePlatformsOf(row),
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

function nameTaken(name: string): WaybillError {
  return new WaybillError('PEER_INVALID', {
    message: `another platform is pinned as ${name}, and is not replaced`,
    at: '/name',
    hint: 'choose another name, or remove that platform first: waybill peers remove NAME',
  })
}

function enrolmentOff(): WaybillError {
  return new WaybillError('ENROLMENT_OFF', {
    fault: 'refused',
    message: 'machines are not pinned here when their users log in',
    hint: 'an admin pins the machine: waybill keys export --jwks > laptop.jwks there, waybill peers add NAME --keys laptop.jwks here',
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
