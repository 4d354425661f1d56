import { join } from 'node:path'
import { makeHome } from '../../settings/home.ts'
import { rawPublicKey } from '../../trust/ed25519.ts'
import { createKey } from '../../trust/key-file.ts'
import { didKeyOf } from '../../trust/key-text.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/**
 * Creates a key pair in the home and prints where it is.
 * @throws KEY_EXISTS, KEY_NAME_INVALID
 */
export function createNamedKey(name: string, options: FormatOptions, io: Io): void {
  const folder = join(makeHome(homeFolder(io)), 'keys')
  const { keyId, publicKey } = createKey(folder, name)
  const file = join(folder, `${name}.key`)
  if (wantsJson(options)) {
    const public_key = rawPublicKey(publicKey).toString('base64')
    io.out(`${jsonText({ name, key_id: keyId, public_key, did: didKeyOf(publicKey), file })}\n`)
    return
  }
  io.err(`created the key "${name}" (${keyId})\n`)
  io.err(`  private key: ${plainLine(file, 1000)} (keep it secret)\n`)
  io.err(`  public key, to give to others: waybill keys export ${name}\n`)
}
