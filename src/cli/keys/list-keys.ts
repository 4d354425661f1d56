import { join } from 'node:path'
import { listOwnKeys } from '../../trust/key-file.ts'
import { readTrustStore } from '../../trust/trust-store.ts'
import { homeFolder, homeName } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { type KeyEntry, keyEntryOf, scopeText } from './key-entry.ts'

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
  else
    io.out(
      table(
        [...own.map((key) => ({ ...key, state: 'own', scope: '' })), ...trusted.map(rowOf)],
        [
          { head: 'kind', text: ({ state }) => state },
          { head: 'name', text: ({ name }) => plainLine(name), tone: () => 'strong' },
          { head: 'key id', text: ({ key_id }) => key_id, drop: 1 },
          { head: 'for', text: ({ scope }) => scope },
        ],
        io,
      ),
    )
}

function rowOf(key: KeyEntry) {
  const { name, key_id, revoked_at } = key
  return { name, key_id, state: revoked_at === undefined ? 'trusted' : 'revoked', scope: scopeText(key) }
}
