import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, type Stats, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { makeFolder } from '../document/make-folder.ts'
import { readFileWithin } from '../document/read-file.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { keyIdOf } from './ed25519.ts'
import { parsePrivateKey, parsePublicKey } from './key-text.ts'
import { namesInFolder } from './names-in-folder.ts'

/** A key pair of the user of this machine, represented by its public half. */
export interface OwnKey {
  readonly name: string
  readonly keyId: string
  readonly publicKey: KeyObject
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** @throws KEY_NAME_INVALID for names that leave the folder or are hidden files */
export function checkKeyName(name: string): void {
  if (NAME.test(name)) return
  throw new WaybillError('KEY_NAME_INVALID', {
    fault: 'usage',
    message: `"${name.slice(0, 80)}" is not a valid key name`,
    hint: 'use up to 64 letters, digits, dots, dashes and underscores',
  })
}

/**
 * Makes a new key pair: `NAME.key` (PKCS#8 PEM, for its owner alone) and `NAME.pub` (SPKI PEM).
 * Never overwrites an existing key: its signatures could no longer be verified.
 * @param folder created with mode 0700 if missing
 * @throws KEY_EXISTS, KEY_NAME_INVALID
 */
export function createKey(folder: string, name: string): OwnKey {
  checkKeyName(name)
  makeFolder(folder, 0o700)
  const shared = join(folder, `${name}.pub`)
  const taken = (cause?: unknown) =>
    new WaybillError('KEY_EXISTS', {
      message: `a key named "${name}" already exists`,
      hint: 'choose another name; keys are never overwritten',
      ...defined({ cause }),
    })
  // Its private half may have been lost, but its signatures are still verified with it.
  if (existsSync(shared)) throw taken()
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  try {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
    writeSynced(join(folder, `${name}.key`), pem, 0o600)
    writeSynced(shared, publicKey.export({ format: 'pem', type: 'spki' }), 0o644)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
    throw taken(cause)
  }
  syncFolder(folder)
  return { name, keyId: keyIdOf(publicKey), publicKey }
}

/** Creates a file that survives a power failure: what is signed with a key must not outlive the key. */
function writeSynced(path: string, text: string | Buffer, mode: number): void {
  const fd = openSync(path, 'wx', mode)
  try {
    writeFileSync(fd, text)
    // The umask may have removed rights.
    if (process.platform !== 'win32') fchmodSync(fd, mode)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Windows cannot open a folder as a file, and needs no flush for its names. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Opens a private key for signing.
 * @throws KEY_NOT_FOUND; KEY_EXPOSED if other users may read the file, because they may have signed with the key
 */
export function openPrivateKey(folder: string, name: string): KeyObject {
  checkKeyName(name)
  const path = join(folder, `${name}.key`)
  if (!existsSync(path)) throw notFound(folder, name)
  return parsePrivateKey(
    readKey(path, ({ mode }) => {
      if (process.platform === 'win32' || (mode & 0o077) === 0) return
      throw new WaybillError('KEY_EXPOSED', {
        file: path,
        message: `other users may read this private key (mode ${(mode & 0o777).toString(8)})`,
        hint: `if it was not read by other users: chmod 600 ${path}; otherwise make a new key and revoke this one`,
      })
    }),
  )
}

/** A key in PEM has some hundred bytes. */
const LARGEST_KEY_BYTES = 64 * 1024

/** @throws FILE_UNREADABLE, and the errors of `check` */
function readKey(path: string, check?: (stats: Stats) => void): string {
  try {
    return readFileWithin(path, LARGEST_KEY_BYTES, 'regular', check).toString('utf8')
  } catch (cause) {
    if (cause instanceof WaybillError) throw cause
    throw new WaybillError('FILE_UNREADABLE', {
      fault: 'usage',
      file: path,
      message: `the key cannot be read: ${whyUnreadable(cause)}`,
      hint: 'check the file and its permissions',
      cause,
    })
  }
}

/**
 * Returns the public half of an own key. Opens the private file only if the public file is missing. @throws
 * KEY_NOT_FOUND
 */
export function readOwnKey(folder: string, name: string): OwnKey {
  checkKeyName(name)
  const path = join(folder, `${name}.pub`)
  const publicKey = existsSync(path)
    ? parsePublicKey(readKey(path))
    : createPublicKey(openPrivateKey(folder, name))
  return { name, keyId: keyIdOf(publicKey), publicKey }
}

/** Returns all own keys, by name. @throws HOME_UNREADABLE */
export function listOwnKeys(folder: string): OwnKey[] {
  return namesIn(folder).map((name) => readOwnKey(folder, name))
}

function namesIn(folder: string): string[] {
  const names = namesInFolder(folder)
    .filter((file) => file.endsWith('.key'))
    .map((file) => file.slice(0, -'.key'.length))
  return names.filter((name) => NAME.test(name)).sort()
}

function notFound(folder: string, name: string): WaybillError {
  const names = namesIn(folder)
  return new WaybillError('KEY_NOT_FOUND', {
    fault: 'usage',
    message: `there is no key named "${name}"`,
    hint:
      names.length > 0 ? `existing keys: ${names.join(', ')}` : `make one with \`waybill keys new ${name}\``,
  })
}
