import { defined } from '../../document/defined.ts'
import { makeHome } from '../../settings/home.ts'
import { parsePublicKey } from '../../trust/key-text.ts'
import { addTrustedKey } from '../../trust/trust-store.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { keyEntryOf, scopeText } from './key-entry.ts'

export interface TrustOptions extends FormatOptions {
  readonly author?: readonly string[]
  readonly platform?: readonly string[]
}

/**
 * Adds a public key to the trusted keys.
 * @throws KEY_INVALID, KEY_EXISTS, KEY_NAME_INVALID, FILE_UNREADABLE
 */
export async function trustKey(name: string, file: string, options: TrustOptions, io: Io): Promise<void> {
  const speech = { what: 'the key', hint: 'name the file that holds the public key' }
  const key = parsePublicKey((await readFileOrInput(file, io, speech)).toString('utf8'))
  const signsFor = defined({ authoredBy: options.author, sourcePlatform: options.platform })
  const home = makeHome(homeFolder(io))
  const trusted = keyEntryOf(addTrustedKey(home, name, key, signsFor, new Date().toISOString()))
  if (wantsJson(options)) io.out(`${jsonText(trusted)}\n`)
  else io.err(`trusted "${name}" (${trusted.key_id}) ${scopeText(trusted)}\n`)
}
