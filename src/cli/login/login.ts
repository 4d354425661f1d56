import type { Json, JsonObject } from '../../document/json.ts'
import { type LoginUser, readLogins, writeLogins } from '../../settings/logins.ts'
import { readAll } from '../files/read-all.ts'
import { homeFolder } from '../home.ts'
import { type Io, isInteractive } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { serverClient, serverFetch, serverUrl } from '../remote/server-client.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

const NEEDED = 'pipe it in, for example `waybill login URL < token-file`'

/** Checks a token with its server, and keeps it (`waybill login`). */
export async function login(given: string, options: FormatOptions, io: Io): Promise<void> {
  const url = serverUrl(given)
  const token = await readToken(url, options, io)
  const server = serverClient({ url, token, fetch: serverFetch(url, io) })
  const me = (await server.send('GET', '/v1/me')) as JsonObject
  const home = homeFolder(io)
  const { tokens, users } = readLogins(home)
  const { organisation, user, roles } = me
  const known: LoginUser = { user: String(user), organisation: String(organisation) }
  writeLogins(home, {
    current: url,
    tokens: { ...tokens, [url]: token },
    users: { ...users, [url]: known },
  })
  const isJson = wantsJson(options)
  if (!isJson) io.err(`logged in to ${url} as ${user} of ${organisation}: ${[roles].flat().join(', ')}\n`)
  // Runs move over encrypted connections only.
  const enrolled = url.startsWith('https:')
    ? await (await import('./enrol-machine.ts')).enrolMachine(server, known, io)
    : undefined
  if (isJson) io.out(`${jsonText({ server: url, organisation, user, roles, ...enrolled } as Json)}\n`)
}

async function readToken(url: string, options: FormatOptions, io: Io): Promise<string> {
  if (io.stdin.isTTY !== true) return checked((await readAll(io.stdin)).toString('utf8'))
  if (!isInteractive(io, wantsJson(options))) throw usageError('the token is missing', NEEDED)
  const { openPrompts } = await import('../terminal/prompts.ts')
  const { prompts, streams } = await openPrompts(io)
  const answer = await prompts.password({ message: `token for ${url}`, ...streams })
  if (prompts.isCancel(answer)) throw usageError('no token was given', NEEDED)
  return checked(answer)
}

/** The value is not repeated in the error: it may be another secret. */
function checked(text: string): string {
  const token = text.trim()
  if (/^wbt_[\w-]{10,190}$/.test(token)) return token
  throw usageError('this is not a token of Waybill: those begin with wbt_', NEEDED)
}
