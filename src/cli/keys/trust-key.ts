import { defined } from '../../document/defined.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { strictJson } from '../../document/strict-json.ts'
import { makeHome } from '../../settings/home.ts'
import { parsePublicKey } from '../../trust/key-text.ts'
import type { TokenProfile } from '../../trust/token-profile.ts'
import { addTrustedKey } from '../../trust/trust-store.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { keysIn } from '../remote/pin-platform.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { keyEntryOf, scopeText } from './key-entry.ts'

export interface TrustOptions extends FormatOptions {
  readonly author?: readonly string[]
  readonly platform?: readonly string[]
  readonly profile?: TokenProfile
}

/**
 * Adds a public key to the trusted keys, or pins a platform with the keys that it publishes.
 * @throws KEY_INVALID, KEY_EXISTS, KEY_NAME_INVALID, FILE_UNREADABLE
 */
export async function trustKey(name: string, file: string, options: TrustOptions, io: Io): Promise<void> {
  const [platform, ...others] = options.platform ?? []
  if (/^https?:\/\//i.test(file)) {
    const { keysFrom } = await import('../remote/fetch-keys.ts')
    const { trustPlatform } = await import('./trust-platform.ts')
    trustPlatform(name, await keysFrom(undefined, file, io), platform ?? new URL(file).origin, options, io)
    io.err('the keys were fetched now: compare their thumbprints with the operator of that platform\n')
    return
  }
  const speech = { what: 'the key', hint: 'name the file that holds the public key' }
  const text = (await readFileOrInput(file, io, speech)).toString('utf8')
  const set = keySetIn(text)
  // A platform that is not Waybill has names, and no organisations below a URL.
  if (set !== undefined && options.profile !== 'draft') {
    if (platform === undefined || others.length > 0)
      throw usageError('a key set is that of one platform', 'name it with --platform URL')
    if (!URL.canParse(platform))
      throw usageError(
        `${plainLine(platform, 100)} is not the URL of a Waybill platform`,
        'write --platform https://NAME; add --profile draft for a platform that is not Waybill',
      )
    const { trustPlatform } = await import('./trust-platform.ts')
    trustPlatform(name, set, platform, options, io)
    return
  }
  const signsFor = defined({ authoredBy: options.author, sourcePlatform: options.platform })
  const home = makeHome(homeFolder(io))
  const at = new Date().toISOString()
  const keys = set === undefined ? [parsePublicKey(text)] : keysIn(set)
  const trusted = keys.map((key, index) =>
    keyEntryOf(
      addTrustedKey(home, index === 0 ? name : `${name}-${index + 1}`, key, signsFor, at, options.profile),
    ),
  )
  if (wantsJson(options)) io.out(`${jsonText(trusted.length === 1 ? trusted[0] : { keys: trusted })}\n`)
  else for (const one of trusted) io.err(`trusted "${one.name}" (${one.key_id}) ${scopeText(one)}\n`)
}

/** Returns the JSON Web Key Set in a text; undefined: it is something else. */
function keySetIn(text: string): JsonObject | undefined {
  try {
    const value = strictJson(text)
    return isObject(value) && value.keys !== undefined ? value : undefined
  } catch {
    return undefined
  }
}
