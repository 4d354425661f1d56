import type { KeyObject } from 'node:crypto'
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { printYaml } from '../document/lazy-encodings.ts'
import { makeFolder } from '../document/make-folder.ts'
import { messageOf } from '../document/message-of.ts'
import { MAX_BYTES, readDocument } from '../document/read-document.ts'
import { readFileWithin } from '../document/read-file.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { keyIdOf, rawPublicKey } from './ed25519.ts'
import { checkKeyName, listOwnKeys } from './key-file.ts'
import { parsePublicKey } from './key-text.ts'
import { namesInFolder } from './names-in-folder.ts'
import { TOKEN_PROFILES, type TokenProfile } from './token-profile.ts'

/** A public key that the user of this machine trusts, and the documents that its holder may sign. */
export interface TrustedKey {
  readonly name: string
  readonly keyId: string
  readonly publicKey: KeyObject
  readonly signsFor: SignsFor
  /** What migration tokens of its holder must carry; absent: all claims. */
  readonly profile?: TokenProfile
  /** RFC 3339. All signatures of the key become invalid, because the time of a signature is not known. */
  readonly revokedAt?: string
  readonly revokedReason?: string
}

/** Patterns with `*` for any characters; without a list the key may sign for all values. */
export interface SignsFor {
  readonly authoredBy?: readonly string[]
  readonly sourcePlatform?: readonly string[]
}

/**
 * Returns all keys for verification: those in the trust folder and the user's own keys. Throws for an unreadable entry,
 * which might revoke a key.
 * @param home the home folder of Waybill
 * @throws TRUST_STORE_INVALID, HOME_UNREADABLE
 */
export function readTrustedKeys(home: string): TrustedKey[] {
  const entries = readTrustStore(join(home, 'trust'))
  const known = new Set(entries.map(({ keyId }) => keyId))
  const own = listOwnKeys(join(home, 'keys')).filter(({ keyId }) => !known.has(keyId))
  return [...entries, ...own.map((key) => ({ ...key, signsFor: {} }))]
}

/**
 * Returns the keys in a trust folder, one file `NAME.yaml`, `NAME.yml` or `NAME.json` each.
 * @throws TRUST_STORE_INVALID, HOME_UNREADABLE
 */
export function readTrustStore(folder: string): TrustedKey[] {
  const files = namesInFolder(folder).filter((file) => /\.(?:ya?ml|json)$/.test(file))
  return files.sort().map((file) => readEntry(join(folder, file), file.replace(/\.[a-z]+$/, '')))
}

/**
 * Adds a key to the trusted keys.
 * @param home the home folder of Waybill
 * @param addedAt RFC 3339
 * @throws KEY_EXISTS if the name is taken; a trusted key is never replaced
 */
export function addTrustedKey(
  home: string,
  name: string,
  publicKey: KeyObject,
  signsFor: SignsFor,
  addedAt: string,
  profile?: TokenProfile,
): TrustedKey {
  checkKeyName(name)
  if (readTrustedKeys(home).some((key) => key.name === name)) {
    throw new WaybillError('KEY_EXISTS', {
      message: `a key named "${name}" is already trusted`,
      hint: 'choose another name, or revoke that key first',
    })
  }
  writeEntry(join(home, 'trust'), name, {
    public_key: rawPublicKey(publicKey).toString('base64'),
    key_id: keyIdOf(publicKey),
    ...membersOf(signsFor),
    ...defined({ token_profile: profile }),
    added_at: addedAt,
  })
  return { name, keyId: keyIdOf(publicKey), publicKey, signsFor, ...defined({ profile }) }
}

/**
 * Revokes a key: all its signatures become invalid. The entry is kept as a record of the revocation.
 * @param revokedAt RFC 3339
 * @throws KEY_NOT_FOUND
 */
export function revokeKey(home: string, name: string, reason: string, revokedAt: string): TrustedKey {
  const key = readTrustedKeys(home).find((known) => known.name === name)
  if (key === undefined) {
    throw new WaybillError('KEY_NOT_FOUND', {
      fault: 'usage',
      message: `there is no trusted key named "${name}"`,
      hint: '`waybill keys list` shows all keys',
    })
  }
  const entry = {
    public_key: rawPublicKey(key.publicKey).toString('base64'),
    key_id: key.keyId,
    ...membersOf(key.signsFor),
    ...defined({ token_profile: key.profile }),
    revoked_at: key.revokedAt ?? revokedAt,
    revoked_reason: reason,
  }
  writeEntry(join(home, 'trust'), name, entry)
  return { ...key, revokedAt: entry.revoked_at, revokedReason: reason }
}

function membersOf({ authoredBy, sourcePlatform }: SignsFor): JsonObject {
  if (authoredBy === undefined && sourcePlatform === undefined) return {}
  return {
    signs_for: defined({ authored_by: authoredBy, source_platform: sourcePlatform }),
  }
}

/** Written to a temporary file and renamed: a crash must not leave a partial entry. */
function writeEntry(folder: string, name: string, entry: JsonObject): void {
  makeFolder(folder, 0o700)
  const existing = ['yaml', 'yml', 'json'].map((ending) => join(folder, `${name}.${ending}`)).find(existsSync)
  const path = existing ?? join(folder, `${name}.yaml`)
  const text = path.endsWith('.json') ? `${JSON.stringify(entry, null, 2)}\n` : printYaml(entry)
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

const MEMBERS = [
  'public_key',
  'key_id',
  'signs_for',
  'token_profile',
  'added_at',
  'revoked_at',
  'revoked_reason',
  '_comment',
]

function readEntry(path: string, name: string): TrustedKey {
  const wrong = (why: string) =>
    new WaybillError('TRUST_STORE_INVALID', {
      file: path,
      message: `this trusted key cannot be read: ${why}`,
      hint: 'correct the file, or remove it if its key was never revoked',
    })
  const read = readDocument(readEntryFile(path, wrong), { file: path })
  const entry = read.document?.value
  if (read.issues !== undefined) throw wrong(read.issues[0]?.message ?? 'it is damaged')
  if (!isObject(entry)) throw wrong('it is not an object')
  const strange = Object.keys(entry).find((member) => !MEMBERS.includes(member))
  // A misspelt "revoked_at" must not leave the key trusted.
  if (strange !== undefined) throw wrong(`it has an unknown member "${strange}"`)
  const text = (member: string): string | undefined => {
    const value = entry[member]
    if (value === undefined || typeof value === 'string') return value
    throw wrong(`"${member}" is not a string`)
  }
  let publicKey: KeyObject
  try {
    publicKey = parsePublicKey(text('public_key') ?? '')
  } catch (error) {
    throw wrong(messageOf(error))
  }
  const keyId = keyIdOf(publicKey)
  if (text('key_id') !== undefined && text('key_id') !== keyId) throw wrong('"key_id" belongs to another key')
  const revokedAt = text('revoked_at')
  const revokedReason = text('revoked_reason')
  const wanted = text('token_profile')
  const profile = TOKEN_PROFILES.find((name) => name === wanted)
  if (wanted !== profile) throw wrong(`"token_profile" is not one of ${TOKEN_PROFILES.join(', ')}`)
  return {
    name,
    keyId,
    publicKey,
    signsFor: readSignsFor(entry.signs_for, wrong),
    ...defined({ profile, revokedAt, revokedReason }),
  }
}

function readEntryFile(path: string, wrong: (why: string) => Error): Buffer {
  try {
    return readFileWithin(path, MAX_BYTES)
  } catch (error) {
    throw wrong(whyUnreadable(error))
  }
}

function readSignsFor(value: Json | undefined, wrong: (why: string) => Error): SignsFor {
  if (value === undefined) return {}
  if (!isObject(value)) throw wrong('"signs_for" is not an object')
  const known = ['authored_by', 'source_platform']
  const strange = Object.keys(value).find((member) => !known.includes(member))
  if (strange !== undefined) throw wrong(`"signs_for" has an unknown member "${strange}"`)
  const [authoredBy, sourcePlatform] = known.map((member) => {
    const list = value[member]
    if (list === undefined) return undefined
    if (!Array.isArray(list) || !list.every((item) => typeof item === 'string')) {
      throw wrong(`"signs_for.${member}" is not a list of strings`)
    }
    return list as string[]
  })
  return defined({ authoredBy, sourcePlatform })
}
