import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { Enrolment, PeerSelf, PeerView } from '../../platform/moves/move.ts'
import { placeOf } from '../../platform/moves/place.ts'
import { makeHome } from '../../settings/home.ts'
import type { LoginUser } from '../../settings/logins.ts'
import { issueEnrolmentProof } from '../../trust/enrolment-proof.ts'
import { readKeySet } from '../../trust/key-set.ts'
import { readTrustedKeys } from '../../trust/trust-store.ts'
import { platformOf } from '../../trust/trusted-platform.ts'
import { homeFolder, withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { pinPlatform } from '../remote/pin-platform.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** What a login has pinned, for the answer with `--json`. */
export interface Enrolled {
  /** Thumbprints of the keys of the platform that this machine believes. */
  readonly platform_keys: readonly string[]
  /** The name of this machine on the platform; null: it is not pinned there. */
  readonly machine: string | null
}

/**
 * Pins the keys of a platform on this machine, and those of this machine on the platform, so that runs can move. Nothing
 * that is pinned already is replaced. A key that cannot be pinned is reported, and does not prevent the login.
 */
export async function enrolMachine(server: ServerClient, member: LoginUser, io: Io): Promise<Enrolled> {
  const { origin } = new URL(server.url)
  const platform_keys = await pinKeys(server, origin, io)
  const machine = await enrol(server, origin, member, io).catch((error: unknown) => {
    if (!(error instanceof WaybillError)) throw error
    const { message, hint } = error.details
    io.err(`this machine is not pinned there: ${plainLine(message, 500)}\n`)
    if (hint !== undefined) io.err(`  hint ${plainLine(hint, 500)}\n`)
    return null
  })
  return { platform_keys, machine }
}

async function pinKeys(server: ServerClient, origin: string, io: Io): Promise<readonly string[]> {
  const set = await server.send('GET', '/.well-known/jwks.json')
  const published = readKeySet(set) ?? []
  const pinned = readTrustedKeys(makeHome(homeFolder(io))).filter((key) => platformOf(key) === origin)
  const known = new Set(pinned.map(({ keyId }) => keyId))
  const added = published.filter(({ keyId }) => !known.has(keyId)).map(({ keyId }) => keyId)
  if (pinned.length === 0 && added.length > 0) {
    const name = new URL(origin).host.replaceAll(/[^A-Za-z0-9]+/g, '-')
    const entries = pinPlatform(name, set as JsonObject, origin, io)
    io.err(
      `pinned the keys of the platform, as ${plainLine(entries[0]?.name ?? name)}: ${added.join(', ')}\n`,
    )
    return entries.filter(({ revokedAt }) => revokedAt === undefined).map(({ keyId }) => keyId)
  }
  if (added.length > 0)
    io.err(
      `the platform publishes other keys than the pinned ones, which were kept: ${added.join(', ')}\n  hint compare them with its operator, then: waybill keys trust NAME ${origin}\n`,
    )
  return pinned.filter(({ revokedAt }) => revokedAt === undefined).map(({ keyId }) => keyId)
}

async function enrol(
  server: ServerClient,
  origin: string,
  { user, organisation }: LoginUser,
  io: Io,
): Promise<string | null> {
  const self = (await server.send('GET', '/v1/peers/self')) as unknown as PeerSelf
  // A proof for another platform could be used there.
  if (self.url !== origin || self.organisation !== organisation) {
    io.err(
      `this machine is not pinned there: the platform calls itself ${plainLine(String(self.url), 200)}\n`,
    )
    return null
  }
  return withHome(io, async ({ moves }) => {
    // This creates the first key, so it comes before the set of keys.
    const key = moves.signingKey()
    const iat = Math.floor(Date.now() / 1000)
    const machine: Enrolment = {
      keys: moves.jwks(),
      users: [personName(io.env)],
      proof: await issueEnrolmentProof({ iat, aud: placeOf(origin, organisation), sub: user }, key),
    }
    const peer = (await server.send('POST', '/v1/peers/enrolments', machine as never)) as unknown as PeerView
    io.err(
      `this machine is pinned there as ${plainLine(peer.name)}: ${plainLine(peer.keys.join(', '), 500)}\n`,
    )
    return peer.name
  })
}
