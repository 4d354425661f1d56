import { join } from 'node:path'
import { homeKeys } from '../../compose/home-keys.ts'
import { makeHome } from '../../settings/home.ts'
import { openPrivateKey, readOwnKey } from '../../trust/key-file.ts'
import { didKeyOf } from '../../trust/key-text.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

export interface ExportOptions extends FormatOptions {
  readonly public?: true
  readonly private?: true
  readonly did?: true
  /** The keys that sign the runs of this machine. */
  readonly jwks?: true
}

/**
 * Prints an own key: the public key, unless `--private` or `--did` is given.
 * @throws USAGE for more than one of the options; KEY_NOT_FOUND, KEY_EXPOSED
 */
export function exportKey(name: string | undefined, options: ExportOptions, io: Io): void {
  if ((name === undefined) !== (options.jwks === true))
    throw usageError('name a key, or use --jwks without a name', 'write `waybill keys export NAME`')
  if (name === undefined) {
    exportJwks(io)
    return
  }
  const chosen = [options.public, options.private, options.did].filter((flag) => flag === true)
  if (chosen.length > 1)
    throw usageError('--public, --private and --did cannot be used together', 'use one of them')
  const folder = join(homeFolder(io), 'keys')
  const { publicKey, keyId } = readOwnKey(folder, name)
  const text =
    options.private === true
      ? openPrivateKey(folder, name).export({ format: 'pem', type: 'pkcs8' }).toString()
      : options.did === true
        ? `${didKeyOf(publicKey)}\n`
        : publicKey.export({ format: 'pem', type: 'spki' }).toString()
  io.out(wantsJson(options) ? `${jsonText({ name, key_id: keyId, key: text.trim() })}\n` : text)
}

/** Prints the keys that sign for this home, as a platform publishes its own. The first one is created if there is none. */
function exportJwks(io: Io): void {
  const { signingKey, jwks, places } = homeKeys(makeHome(homeFolder(io)))
  signingKey()
  io.out(`${jsonText(jwks(), 2)}\n`)
  if (io.errIsTty) io.err(`the place of this machine is ${places().join(', or ')}\n`)
}
