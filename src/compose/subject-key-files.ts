import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '../document/make-folder.ts'
import { readFileWithin } from '../document/read-file.ts'
import type { SubjectKey, SubjectKeys } from '../platform/backup/subject-keys.ts'
import { KEY_BYTES } from '../platform/secrets/sealed-bytes.ts'

interface FileKey extends SubjectKey {
  readonly createdAt: number
}

const LARGEST_FILE = 256 * 1024 * 1024

/**
 * The keys of users in 256 files of a folder, by the beginning of their names: a line `ID KEY CREATED_AT` each. A file is
 * replaced as a whole, so that a crash leaves the old one or the new one.
 */
export function subjectKeyFiles(folder: string, now: () => number = Date.now): SubjectKeys {
  const files = new Map<string, Map<string, FileKey>>()
  const changed = new Set<string>()
  const keysIn = (name: string): Map<string, FileKey> => {
    const file = `${name.slice(0, 2)}.keys`
    const known = files.get(file) ?? readKeys(join(folder, file))
    files.set(file, known)
    return known
  }
  const change = (name: string) => changed.add(`${name.slice(0, 2)}.keys`)
  return {
    create(name) {
      const keys = keysIn(name)
      const found = keys.get(name)
      if (found !== undefined) return found
      const id = `${name}.${randomBytes(6).toString('hex')}`
      const made = { id, key: randomBytes(KEY_BYTES), createdAt: now() }
      keys.set(name, made)
      change(name)
      return made
    },
    read(id) {
      const found = keysIn(id).get(nameOf(id))
      return found?.id === id ? found.key : undefined
    },
    destroy(name, before) {
      const keys = keysIn(name)
      const found = keys.get(name)
      if (found === undefined || found.createdAt > before) return
      keys.delete(name)
      change(name)
    },
    save() {
      for (const file of changed) writeKeys(folder, file, files.get(file) ?? new Map())
      changed.clear()
    },
  }
}

function nameOf(id: string): string {
  return id.split('.')[0] ?? id
}

function readKeys(file: string): Map<string, FileKey> {
  if (!existsSync(file)) return new Map()
  const lines = readFileWithin(file, LARGEST_FILE).toString('utf8').split('\n')
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [id = '', key = '', createdAt] = line.split(' ')
        return [nameOf(id), { id, key: Buffer.from(key, 'base64'), createdAt: Number(createdAt) }]
      }),
  )
}

function writeKeys(folder: string, file: string, keys: ReadonlyMap<string, FileKey>): void {
  makeFolder(folder, 0o700)
  const path = join(folder, file)
  const fd = openSync(`${path}.new`, 'w', 0o600)
  try {
    for (const { id, key, createdAt } of keys.values())
      writeFileSync(fd, `${id} ${key.toString('base64')} ${createdAt}\n`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  renameSync(`${path}.new`, path)
  const dir = openSync(folder, 'r')
  try {
    fsyncSync(dir)
  } finally {
    closeSync(dir)
  }
}
