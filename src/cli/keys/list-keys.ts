import { join } from 'node:path'
import { listOwnKeys } from '../../trust/key-file.ts'
import { readTrustStore } from '../../trust/trust-store.ts'
import { homeFolder, homeName } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { keyEntryOf, scopeText } from './key-entry.ts'

/** Prints the own keys, and the trusted and revoked keys. */
export function listKeys(options: FormatOptions, io: Io): void {
  const home = homeFolder(io)
  const own = listOwnKeys(join(home, 'keys')).map(({ name, keyId }) => ({ name, key_id: keyId }))
  const trusted = readTrustStore(join(home, 'trust')).map(keyEntryOf)
  if (wantsJson(options)) {
    io.out(`${jsonText({ own, trusted })}\n`)
    return
  }
  if (own.length + trusted.length === 0)
    io.err(`no keys yet in ${homeName(io)}; create one with \`waybill keys new NAME\`\n`)
  for (const { name, key_id } of own) io.out(`own      ${plainLine(name)}  ${key_id}\n`)
  for (const key of trusted) {
    const state = key.revoked_at === undefined ? 'trusted' : 'revoked'
    io.out(`${state}  ${plainLine(key.name)}  ${key.key_id}  ${scopeText(key)}\n`)
  }
}
