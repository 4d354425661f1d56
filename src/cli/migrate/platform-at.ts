import { WaybillError } from '../../document/issue.ts'
import { isObject } from '../../document/json.ts'
import type { PeerAddress } from '../../platform/moves/peer-rows.ts'
import { placeOf } from '../../platform/moves/place.ts'
import type { Home } from '../../session/home.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'
import { platformOf } from '../../trust/trusted-platform.ts'
import type { Io } from '../io.ts'
import { type Login, loginOf, type ServerClient, serverClient } from '../remote/server-client.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** A platform that this machine exchanges runs with. */
export interface PlatformAt {
  readonly address: PeerAddress
  /** The organisation of the token, as the URI of its place. */
  readonly place: string
  readonly server: ServerClient
  /** The same, for requests of moves. */
  readonly login: Login
}

/**
 * Asks a platform for the organisation of the token that this machine has for it.
 * @param wanted its URL, or the name of its trusted keys
 * @param config the file of `--config`
 * @throws PEER_NOT_FOUND, TLS_REQUIRED; errors of the server
 */
export async function platformAt(
  wanted: string,
  home: Pick<Home, 'trust'>,
  io: Io,
  config?: string,
): Promise<PlatformAt> {
  const given = URL.canParse(wanted) ? wanted : namedUrl(wanted, home.trust.keys())
  const login = loginOf(given, io, config)
  // A URL that is given has a login, or it was refused.
  if (login === undefined) throw notFound(wanted)
  const { url, token } = login
  if (new URL(url).protocol !== 'https:') throw tlsRequired(url)
  const server = serverClient(login)
  const me = await server.send('GET', '/v1/me')
  const organisation = isObject(me) && typeof me.organisation === 'string' ? me.organisation : ''
  return {
    address: { name: new URL(url).host, url, organisation, token },
    place: placeOf(url, organisation),
    server,
    login,
  }
}

function namedUrl(name: string, keys: readonly TrustedKey[]): string {
  const [url] = keys
    .flatMap((key) => (key.name === name ? [platformOf(key)] : []))
    .filter((one) => one !== undefined)
  if (url !== undefined) return url
  throw notFound(name)
}

function notFound(name: string): WaybillError {
  return new WaybillError('PEER_NOT_FOUND', {
    fault: 'usage',
    message: `no platform ${plainLine(name)} is pinned on this machine`,
    hint: 'give its URL, or pin it with `waybill login URL`',
  })
}

function tlsRequired(url: string): WaybillError {
  return new WaybillError('TLS_REQUIRED', {
    fault: 'refused',
    message: `states may not be sent to or from ${url}, because the connection is not encrypted`,
    hint: 'use the https URL of the platform',
    rule: 'AAIF-12-08',
  })
}
