import { randomBytes, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import { makeFolder } from '../document/make-folder.ts'
import { readFileWithin } from '../document/read-file.ts'
import type { InstallationKey } from '../platform/secrets/installation-key.ts'
import { KEY_BYTES, openBytes, sealBytes } from '../platform/secrets/sealed-bytes.ts'

interface FileKey {
  readonly id: string
  readonly key: Buffer
}

const LARGEST_FILE = 64 * 1024

/**
 * The key of the installation in a file of the home, `keys/secrets/installation.key`: a line `ID KEY` for each key, the newest
 * first. It is read for each use, so that every process knows the newest key. It is created with the first use and is
 * replaced as a whole, so that a crash leaves the old file or the new one.
 */
export function secretKeyFile(home: string): InstallationKey {
  const file = join(home, 'keys', 'secrets', 'installation.key')
  const known = (): readonly [FileKey, ...FileKey[]] => {
    if (!existsSync(file)) create(file)
    const [newest, ...older] = readKeys(file)
    if (newest === undefined) throw damaged(file)
    return [newest, ...older]
  }
  return {
    async wrap(key, binding) {
      const [newest] = known()
      return { wrapped_by: newest.id, wrapped: sealBytes(newest.key, key, binding) }
    },
    async unwrap({ wrapped_by, wrapped }, binding) {
      const found = known().find(({ id }) => id === wrapped_by)
      if (found === undefined) throw missing(file, wrapped_by)
      return openBytes(found.key, wrapped, binding, 'the key of the organisation')
    },
    async renew() {
      const made = newKey()
      replace(file, [made, ...known()])
      return made.id
    },
    async dropOlder() {
      const [newest, ...older] = known()
      if (older.length > 0) replace(file, [newest])
    },
  }
}

function newKey(): FileKey {
  return { id: randomUUID(), key: randomBytes(KEY_BYTES) }
}

function readKeys(file: string): readonly FileKey[] {
  const lines = readFileWithin(file, LARGEST_FILE).toString('utf8').trim().split('\n')
  return lines.map((line) => {
    const [id, text, ...rest] = line.split(' ')
    const key = Buffer.from(text ?? '', 'base64')
    if (id === undefined || rest.length > 0 || key.length !== KEY_BYTES) throw damaged(file)
    return { id, key }
  })
}

/** Of several processes that start at once, one creates the file: a link to an existing name fails. */
function create(file: string): void {
  makeFolder(dirname(file), 0o700)
  const made = written(file, [newKey()])
  try {
    linkSync(made, file)
    flushFolder(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
}

function replace(file: string, keys: readonly FileKey[]): void {
  renameSync(written(file, keys), file)
  flushFolder(file)
}

/** Writes keys to a new file beside the other one, so that a crash leaves no half of a file. @returns its path */
function written(file: string, keys: readonly FileKey[]): string {
  const path = `${file}.${randomUUID()}.new`
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeFileSync(fd, keys.map(({ id, key }) => `${id} ${key.toString('base64')}\n`).join(''))
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  return path
}

function flushFolder(file: string): void {
  const fd = openSync(dirname(file), 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

function missing(file: string, id: string): WaybillError {
  return new WaybillError('SECRET_KEY_MISSING', {
    fault: 'failed',
    message: `the key ${id}, which protects the secrets of the organisation, is not in ${file}`,
    hint: 'copy the file from the machine on which `waybill secret rotate` ran, or restore it; without it the secrets must be set again',
  })
}

function damaged(file: string): WaybillError {
  return new WaybillError('SECRET_KEY_MISSING', {
    fault: 'failed',
    message: `${file} does not contain keys in the form that Waybill writes`,
    hint: 'restore the file from a backup of the keys',
  })
}
