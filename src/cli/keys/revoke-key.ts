import { makeHome } from '../../settings/home.ts'
import { revokeKey } from '../../trust/trust-store.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { keyEntryOf } from './key-entry.ts'

export interface RevokeOptions extends FormatOptions {
  readonly reason: string
}

/**
 * Revokes an own or a trusted key.
 * @throws KEY_NOT_FOUND
 */
export function revokeNamedKey(name: string, options: RevokeOptions, io: Io): void {
  const home = makeHome(homeFolder(io))
  const revoked = keyEntryOf(revokeKey(home, name, options.reason, new Date().toISOString()))
  if (wantsJson(options)) io.out(`${jsonText(revoked)}\n`)
  else io.err(`revoked "${plainLine(name)}" (${revoked.key_id}): all its signatures are now invalid\n`)
}
