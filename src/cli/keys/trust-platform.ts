import type { Json, JsonObject } from '../../document/json.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { pinPlatform } from '../remote/pin-platform.ts'
import { serverUrl } from '../remote/server-client.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { keyEntryOf } from './key-entry.ts'

/**
 * Pins another platform: its keys may sign what its organisations send. Keys that are pinned already are kept, so the same
 * command adds new ones after a rotation.
 * @param keys a JSON Web Key Set
 * @param url of the platform
 * @throws KEY_INVALID, KEY_EXISTS
 */
export function trustPlatform(
  name: string,
  keys: JsonObject,
  url: string,
  options: FormatOptions,
  io: Io,
): void {
  const { origin } = new URL(serverUrl(url))
  const entries = pinPlatform(name, keys, origin, io)
  if (wantsJson(options))
    io.out(`${jsonText({ platform: origin, keys: entries.map(keyEntryOf) as unknown as Json })}\n`)
  else
    for (const { keyId, revokedAt } of entries)
      io.err(
        `${revokedAt === undefined ? 'pinned' : 'revoked, and stays so'}: ${plainLine(origin)} ${keyId}\n`,
      )
}
