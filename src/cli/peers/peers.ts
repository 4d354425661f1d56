import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import type { NewPeer, PeerInvite, PeerSelf, Peers, PeerView } from '../../platform/moves/move.ts'
import type { TokenProfile } from '../../trust/token-profile.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type OnPlatformOptions, onPlatform } from '../remote/on-platform.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { usageError } from '../usage-error.ts'

export interface PeerOptions extends OnPlatformOptions, FormatOptions {}

export interface AddOptions extends PeerOptions {
  /** Absent: a machine without a server. */
  readonly url?: string
  readonly organisation?: string
  readonly keys?: string
  readonly tokenFile?: string
  /** `THEIRS=OURS`. */
  readonly user?: readonly string[]
  readonly sameUsers?: boolean
  readonly personalData?: boolean
  readonly profile?: TokenProfile
  readonly sourcePlatform?: readonly string[]
}

/** Prints the pinned platforms (`waybill peers list`). */
export async function listPeers(options: PeerOptions, io: Io): Promise<void> {
  const { items } = await withPeers(options, io, (peers) => peers.list())
  if (wantsJson(options)) return io.out(`${jsonText({ items } as unknown as Json)}\n`)
  if (items.length === 0) return io.err('no other platforms are pinned\n')
  io.out(
    table(
      items,
      [
        { head: 'name', text: ({ name }) => plainLine(name, 80), tone: () => 'strong' },
        { head: 'url', text: (peer) => plainLine(addressOf(peer), 300) },
        { head: 'organisation', text: ({ organisation }) => plainLine(organisation ?? '', 80), drop: 2 },
        { head: 'users', text: usersOf, drop: 3 },
        { head: 'can', text: directionOf, drop: 1 },
        { head: 'keys', text: ({ keys }) => plainLine(keys.join(', '), 300), drop: 4 },
      ],
      io,
    ),
  )
}

/** Pins another platform (`waybill peers add`). */
export async function addPeer(name: string, options: AddOptions, io: Io): Promise<void> {
  const { keysFrom } = await import('../remote/fetch-keys.ts')
  const { url, organisation, tokenFile, profile, sourcePlatform: source_platforms } = options
  const token = tokenFile === undefined ? undefined : tokenIn(tokenFile, io)
  if (url === undefined && options.keys === undefined)
    throw usageError(
      'the keys of a machine without a server cannot be fetched',
      'give them with --keys FILE; on the machine: `waybill keys export --jwks`',
    )
  const peer: NewPeer = {
    name,
    keys: await keysFrom(options.keys, url ?? '', io, options.config),
    users: usersIn(options),
    ...defined({ url, organisation, token, personal_data: options.personalData, profile, source_platforms }),
  }
  const view = await withPeers(options, io, (peers) => peers.set(peer))
  if (wantsJson(options)) return io.out(`${jsonText({ ...view } as unknown as Json)}\n`)
  io.err(`pinned: ${lineOf(view)}\n`)
  if (options.keys === undefined)
    io.err('the keys were fetched now: compare their thumbprints with the operator of that platform\n')
}

/** Removes a pinned platform (`waybill peers remove`). */
export async function removePeer(name: string, options: PeerOptions, io: Io): Promise<void> {
  await withPeers(options, io, (peers) => peers.remove(name))
  if (wantsJson(options)) io.out(`${jsonText({ name })}\n`)
  else io.err(`removed: ${plainLine(name)}\n`)
}

function tokenIn(file: string, io: Io): string {
  const speech = {
    what: 'the token',
    hint: 'name a file that contains a token of the other platform',
    code: 'KEY_NOT_FOUND',
  } as const
  const token = readNamedFile(file, io, speech).toString('utf8').trim()
  if (token === '')
    throw usageError('the file of the token is empty', 'write a token of the other platform to it')
  return token
}

export function usersIn({ user = [], sameUsers }: AddOptions): (NewPeer['users'] & object) | null {
  if (sameUsers === true) return null
  return Object.fromEntries(
    user.map((pair) => {
      const at = pair.indexOf('=')
      if (at > 0 && at < pair.length - 1) return [pair.slice(0, at), pair.slice(at + 1)]
      throw usageError(`--user ${pair} is not THEIRS=OURS`, 'write for example --user ada@partner=ada')
    }),
  )
}

function usersOf({ users }: PeerView): string {
  return users === null ? 'the same users' : count(Object.keys(users).length, 'user')
}

/** Returns where a platform is, or what it is called: a machine has neither. */
function addressOf({ url, source_platforms }: PeerView): string {
  return url ?? (source_platforms.length === 0 ? 'a machine' : source_platforms.join(', '))
}

function directionOf({ url, has_token, personal_data, profile }: PeerView): string {
  const isFile = url === null && profile === 'draft'
  const what = isFile
    ? 'states as files'
    : url === null
      ? 'moved from there'
      : has_token
        ? 'sends and receives'
        : 'only receives'
  return personal_data ? `${what}, with values of personal data` : what
}

export function lineOf(peer: PeerView): string {
  const { name, url, organisation, keys, profile } = peer
  const parts = [
    name,
    addressOf(peer),
    ...(url === null ? [] : [`organisation ${organisation}`]),
    ...(profile === 'draft' ? ['tokens of the draft'] : []),
    `keys ${keys.join(', ')}`,
    usersOf(peer),
    directionOf(peer),
  ]
  return parts.map((part) => plainLine(part, 300)).join('  ')
}

export function withPeers<T>(options: PeerOptions, io: Io, act: (peers: Peers) => Promise<T>): Promise<T> {
  return onPlatform(
    options,
    io,
    (server) => act(peersAt(server)),
    async ({ peers }) => act(peers),
  )
}

function peersAt(server: ServerClient): Peers {
  return {
    list: async () =>
      (await server.send('GET', '/v1/peers')) as unknown as Awaited<ReturnType<Peers['list']>>,
    set: async (peer) =>
      (await server.send('POST', '/v1/peers', peer as unknown as Json)) as unknown as PeerView,
    self: async () => (await server.send('GET', '/v1/peers/self')) as unknown as PeerSelf,
    enrol: async (machine) =>
      (await server.send('POST', '/v1/peers/enrolments', machine as unknown as Json)) as unknown as PeerView,
    invite: async (invite) =>
      (await server.send('POST', '/v1/peers/invites', invite as unknown as Json)) as unknown as PeerInvite,
    join: async (platform) =>
      (await server.send('POST', '/v1/peers/join', platform as unknown as Json)) as unknown as Awaited<
        ReturnType<Peers['join']>
      >,
    async remove(name) {
      await server.send('DELETE', `/v1/peers/${encodeURIComponent(name)}`)
    },
  }
}
