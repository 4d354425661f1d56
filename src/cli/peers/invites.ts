import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { NewPeer, PeerInvite, PeerSelf, Peers, PeerView } from '../../platform/moves/move.ts'
import { readKeySet } from '../../trust/key-set.ts'
import { readAll } from '../files/read-all.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { serverClient, serverFetch, serverUrl } from '../remote/server-client.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { type AddOptions, lineOf, usersIn, withPeers } from './peers.ts'

/** How an invitation begins, so that a person and a search for secrets recognise it. */
const PREFIX = 'wbi_'

export interface InviteOptions extends AddOptions {
  readonly hours?: number
}

/** Makes an invitation for another platform (`waybill peers invite`), and prints the command for its admin. */
export async function invitePeer(name: string, options: InviteOptions, io: Io): Promise<void> {
  const { hours } = options
  const invite = await withPeers(options, io, (peers) =>
    peers.invite({ name, users: usersIn(options), ...defined({ hours }) }),
  )
  const { token: _token, ...shown } = invite
  const text = textOf(invite)
  if (wantsJson(options)) return io.out(`${jsonText({ ...shown, invite: text } as unknown as Json)}\n`)
  io.out(`${text}\n`)
  io.err(`on the other platform: waybill peers add NAME ${PREFIX}…\n`)
  io.err(`keys of this platform: ${thumbprints(invite.keys)}\n`)
  io.err(
    `It pins one platform as ${plainLine(name)}, once, until ${plainLine(invite.expires_at)}. Send it like a password.\n`,
  )
}

/** Pins the platform that has made an invitation, and has this platform pinned there (`waybill peers add NAME INVITE`). */
export async function addInvited(name: string, given: string, options: AddOptions, io: Io): Promise<void> {
  const { url, keys, organisation, tokenFile } = options
  if ([url, keys, organisation, tokenFile].some((value) => value !== undefined))
    throw usageError(
      'the invitation says what --url, --organisation, --keys and --token-file would say',
      'leave them out',
    )
  const invite = inviteIn(given === '-' ? (await readAll(io.stdin)).toString('utf8') : given)
  const { view, own } = await withPeers(options, io, async (peers) => {
    const own = await peers.self()
    await assertNew(peers, name, invite)
    const token = await join(invite, own, io, options.config)
    const peer: NewPeer = {
      name,
      url: invite.url,
      organisation: invite.organisation,
      keys: invite.keys,
      users: usersIn(options),
      token,
      ...defined({ personal_data: options.personalData }),
    }
    return { view: await peers.set(peer), own }
  })
  if (wantsJson(options)) return io.out(`${jsonText({ ...view } as unknown as Json)}\n`)
  io.err(`pinned: ${lineOf(view)}\n`)
  io.err(`there, this platform has the keys ${thumbprints(own.keys)}\n`)
  io.err('compare the thumbprints of both with the admin of the other platform\n')
}

/** Nothing that is pinned is replaced, and the invitation is not used up for nothing. */
async function assertNew(peers: Peers, name: string, { url, organisation }: PeerSelf): Promise<void> {
  const { items } = await peers.list()
  const same = items.find(
    (peer: PeerView) => peer.name === name || (peer.url === url && peer.organisation === organisation),
  )
  if (same !== undefined)
    throw usageError(
      `${plainLine(same.name)} is pinned already, and is not replaced`,
      `remove it first: waybill peers remove ${plainLine(same.name)}`,
    )
}

async function join(
  { url, token }: Invitation,
  own: PeerSelf,
  io: Io,
  config: string | undefined,
): Promise<string> {
  const there = serverClient({ url, token, fetch: serverFetch(url, io, config) })
  const { token: received } = (await there.send(
    'POST',
    '/v1/peers/join',
    own as unknown as Json,
  )) as JsonObject
  if (typeof received === 'string') return received
  throw usageError(
    'the other platform has pinned this one, but its answer with the token was lost',
    'its admin removes this platform, and makes a new invitation',
  )
}

type Invitation = Pick<PeerInvite, 'url' | 'organisation' | 'keys' | 'token'>

function textOf({ url, organisation, keys, token }: PeerInvite): string {
  return PREFIX + Buffer.from(JSON.stringify({ v: 1, url, organisation, keys, token })).toString('base64url')
}

/** The text is not repeated in the error: it is a secret. */
function inviteIn(text: string): Invitation {
  const broken = () =>
    usageError(
      'this is not an invitation of Waybill',
      'copy the whole line that `waybill peers invite` printed',
    )
  const packed = text.trim()
  if (!packed.startsWith(PREFIX)) throw broken()
  let value: Json
  try {
    value = JSON.parse(Buffer.from(packed.slice(PREFIX.length), 'base64url').toString('utf8')) as Json
  } catch {
    throw broken()
  }
  if (!isObject(value)) throw broken()
  const { v, url, organisation, keys, token } = value
  if (v !== 1 || typeof url !== 'string' || typeof organisation !== 'string' || typeof token !== 'string')
    throw broken()
  if (!isObject(keys) || readKeySet(keys) === undefined) throw broken()
  if (!url.startsWith('https://') || serverUrl(url) !== url) throw broken()
  return { url, organisation, keys, token }
}

function thumbprints(keys: JsonObject): string {
  return plainLine((readKeySet(keys) ?? []).map(({ keyId }) => keyId).join(', '), 500)
}
