import { accessSync, chmodSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { makeFolder } from '../../../document/make-folder.ts'
import { asHomeError, isBusy, isCorrupt, unwritable } from './home-errors.ts'
import { migrate, SCHEMA_VERSION, schemaVersion } from './schema.ts'

/**
 * Opens the database for reading and writing, and creates it if it does not exist. Database files must never be opened
 * through `fs`: closing such a descriptor would release the locks that SQLite holds on the file in this process.
 * @param doing the operation, which selects the error code
 * @throws SQLITE_BUSY while another process creates it; the codes of the home
 */
export function openDatabase(file: string, doing: 'read' | 'write'): DatabaseSync {
  const folder = dirname(file)
  try {
    // SQLite would open it read-only and fail only at the first change.
    if (exists(file) && !mayWrite(file)) throw unwritable(file, 'it is read-only for this user')
    makeFolder(folder, 0o700)
    const db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false })
    try {
      makePrivate(file)
      db.exec('PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON; PRAGMA synchronous = FULL')
      migrate(db, file)
      return db
    } catch (error) {
      const named = isBusy(error) ? error : asHomeError(error, file, doing)
      db.close()
      throw named
    }
  } catch (error) {
    throw isBusy(error) ? error : asHomeError(error, file, doing)
  }
}

/**
 * Opens a database that this process cannot write, because of its rights or because the disk is full.
 * @returns null if there is no database
 * @throws the codes of the home
 */
export function openForReading(file: string): DatabaseSync | null {
  try {
    if (!exists(file)) return null
    // Without a write-ahead log there are no concurrent writes, and SQLite need not create log files.
    const immutable = sizeOf(`${file}-wal`) === 0
    const url = pathToFileURL(file)
    url.search = immutable ? '?mode=ro&immutable=1' : '?mode=ro'
    let db = new DatabaseSync(url, { timeout: 0, readOnly: true, enableForeignKeyConstraints: false })
    try {
      if (!immutable && !canRead(db)) {
        db.close()
        db = openAlone(file)
      }
      const version = schemaVersion(db, file)
      if (version === SCHEMA_VERSION) return db
      if (version > 0) throw unwritable(file, 'its schema is older and must be migrated first')
      db.close()
      return null
    } catch (error) {
      const named = isBusy(error) ? error : asHomeError(error, file, 'read')
      db.close()
      throw named
    }
  } catch (error) {
    throw isBusy(error) ? error : asHomeError(error, file, 'read')
  }
}

/** Returns false if the disk has no room for the index of the write-ahead log. */
function canRead(db: DatabaseSync): boolean {
  try {
    db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all()
    return true
  } catch (error) {
    if (isBusy(error) || isCorrupt(error)) throw error
    return false
  }
}

/** Opens a database with its write-ahead log, whose index is kept in memory: no other process may have it open. */
function openAlone(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: false })
  db.exec('PRAGMA locking_mode = EXCLUSIVE')
  return db
}

/**
 * Returns true if the database exists. Throws if the folder cannot be read.
 * @throws EACCES, ENOTDIR, EIO, …
 */
export function exists(file: string): boolean {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) return true
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false })
    if (found?.isDirectory() || (found === undefined && folder === dirname(folder))) return false
    if (found !== undefined) throw Object.assign(new Error(`${folder} is not a folder`), { code: 'ENOTDIR' })
  }
}

/** Returns true if this process may write the database and create files in its folder. */
export function mayWrite(file: string): boolean {
  try {
    accessSync(file, constants.W_OK)
    accessSync(dirname(file), constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** Called before the write-ahead log is created, which gets the mode of the database. */
function makePrivate(file: string): void {
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600)
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
