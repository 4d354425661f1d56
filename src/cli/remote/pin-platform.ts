import { WaybillError } from '../../document/issue.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { makeHome } from '../../settings/home.ts'
import { keyIdOf } from '../../trust/ed25519.ts'
import { parsePublicKey } from '../../trust/key-text.ts'
import { addTrustedKey, readTrustedKeys, type TrustedKey } from '../../trust/trust-store.ts'
import { placesOfPlatform, platformOf } from '../../trust/trusted-platform.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { usageError } from '../usage-error.ts'

/** Adds the keys of a platform. @throws KEY_INVALID, KEY_EXISTS */
export function pinPlatform(name: string, keys: JsonObject, origin: string, io: Io): readonly TrustedKey[] {
  const home = makeHome(homeFolder(io))
  const known = readTrustedKeys(home)
  const taken = known.find((key) => key.name === name)
  if (taken !== undefined && platformOf(taken) !== origin)
    throw new WaybillError('KEY_EXISTS', {
      message: `a key named "${name}" is already trusted, and not for ${origin}`,
      hint: 'choose another name',
    })
  return keysIn(keys).map((key): TrustedKey => {
    const before = known.find((one) => one.keyId === keyIdOf(key) && platformOf(one) === origin)
    const sourcePlatform = placesOfPlatform(origin)
    return (
      before ?? addTrustedKey(home, freeName(name, home), key, { sourcePlatform }, new Date().toISOString())
    )
  })
}

/** Returns the keys of a key set. @throws USAGE, KEY_INVALID */
export function keysIn({ keys }: JsonObject) {
  if (!Array.isArray(keys) || keys.length === 0 || !keys.every(isObject))
    throw usageError(
      'the key set has no keys',
      'give the URL of the platform, or the file /.well-known/jwks.json that it publishes',
    )
  return keys.map((key) => parsePublicKey(JSON.stringify(key)))
}

function freeName(name: string, home: string): string {
  const names = new Set(readTrustedKeys(home).map((key) => key.name))
  for (let n = 1; ; n++) {
    const one = n === 1 ? name : `${name}-${n}`
    if (!names.has(one)) return one
  }
}
