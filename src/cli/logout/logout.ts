import { ownMember } from '../../document/own-member.ts'
import { readLogins, writeLogins } from '../../settings/logins.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { serverUrl } from '../remote/server-client.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

/** Forgets the token of a server (`waybill logout`). */
export async function logout(given: string | undefined, options: FormatOptions, io: Io): Promise<void> {
  const home = homeFolder(io)
  const { current, tokens, users } = readLogins(home)
  const url = given === undefined ? current : serverUrl(given)
  if (url === null || ownMember(tokens, url) === undefined)
    throw usageError('there is no login to forget', 'name the server: waybill logout URL')
  const { [url]: _forgotten, ...left } = tokens
  const { [url]: _user, ...known } = users
  writeLogins(home, { current: current === url ? null : current, tokens: left, users: known })
  if (wantsJson(options)) io.out(`${jsonText({ server: url })}\n`)
  else io.err(`logged out of ${url}; its token stays valid until it is revoked\n`)
}
