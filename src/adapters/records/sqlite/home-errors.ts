import { accessSync, closeSync, constants, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { WaybillError } from '../../../document/issue.ts'

/** Primary and extended result codes of SQLite that are distinguished here. @see https://www.sqlite.org/rescode.html */
const SQLITE = {
  PERM: 3,
  BUSY: 5,
  LOCKED: 6,
  NOMEM: 7,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  NOTADB: 26,
  IOERR_READ: 266,
  IOERR_SHORT_READ: 522,
  IOERR_WRITE: 778,
} as const

const HOME_CODES: ReadonlySet<number> = new Set([
  SQLITE.PERM,
  SQLITE.BUSY,
  SQLITE.LOCKED,
  SQLITE.NOMEM,
  SQLITE.READONLY,
  SQLITE.IOERR,
  SQLITE.FULL,
  SQLITE.CANTOPEN,
])

/** Error numbers of `node:sqlite`: the extended code; undefined for other errors. */
function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code : undefined
}

/** Returns true if another process is writing; a retry may succeed. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code === undefined) return false
  const primary = code & 0xff
  return primary === SQLITE.BUSY || primary === SQLITE.LOCKED
}

/** Returns true if the database, or one of its pages, is damaged. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code === undefined) return false
  const primary = code & 0xff
  return primary === SQLITE.CORRUPT || primary === SQLITE.NOTADB
}

/** Returns true if the cause is the disk, the file or the machine, and not the statement. */
export function isOfTheHome(error: unknown): boolean {
  const code = sqliteCode(error)
  if (code === undefined) return false
  const primary = code & 0xff
  return HOME_CODES.has(primary)
}

/**
 * Converts an error of SQLite or the file system to one with a hint.
 * @param file the database
 * @returns other errors unchanged
 */
export function asHomeError(error: unknown, file: string, doing: 'read' | 'write'): unknown {
  if (error instanceof WaybillError) return error
  const { code, message } = error as NodeJS.ErrnoException
  const errcode = sqliteCode(error)
  if (errcode === undefined) return asFileError(error, code, message, file, doing)
  if (isBusy(error)) return homeBusy(file, error)
  if (isCorrupt(error)) return databaseDamaged(file, message, error)
  switch (errcode & 0xff) {
    case SQLITE.FULL:
      return diskFull(file, message, error)
    case SQLITE.READONLY:
      return unwritable(file, message, error)
    case SQLITE.CANTOPEN:
    case SQLITE.PERM:
      if (hasNoFilesLeft()) return tooManyFiles(file, error)
      if (isFull(file)) return diskFull(file, message, error)
      return cannotOpen(file, message, error, doing)
    case SQLITE.IOERR:
      if (errcode === SQLITE.IOERR_SHORT_READ) return databaseDamaged(file, message, error)
      if (hasNoFilesLeft()) return tooManyFiles(file, error)
      if (errcode === SQLITE.IOERR_READ) return unreadable(file, message, error)
      if (doing === 'write') return (isFull(file) ? diskFull : unwritable)(file, message, error)
      // Also a reader creates a file: the index of the write-ahead log.
      return (errcode !== SQLITE.IOERR_WRITE && isFull(file) ? diskFull : unreadable)(file, message, error)
    default:
      return error
  }
}

function asFileError(
  error: unknown,
  code: string | undefined,
  message: string,
  file: string,
  doing: 'read' | 'write',
): unknown {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(file, message, error)
    case 'EROFS':
      return unwritable(file, message, error)
    case 'EACCES':
    case 'EPERM':
      return cannotOpen(file, `${message}${ownerText(file)}`, error, doing)
    case 'EMFILE':
    case 'ENFILE':
      return tooManyFiles(file, error)
    case 'ENOTDIR':
      return notAFolder(file, message, error, doing)
    case 'EEXIST':
    case 'EIO':
    case 'ELOOP':
    // From creating a folder on a read-only file system.
    case 'ENOENT':
    case 'ENAMETOOLONG':
      return doing === 'read' ? unreadable(file, message, error) : unwritable(file, message, error)
    default:
      return error
  }
}

/** A readable home is unwritable; otherwise it is unreadable. */
function cannotOpen(file: string, message: string, cause: unknown, doing: 'read' | 'write'): WaybillError {
  return doing === 'write' && isReadable(file)
    ? unwritable(file, message, cause)
    : unreadable(file, message, cause)
}

/** Names the owner of the home if this process runs as another user, which is the usual reason in containers. */
function ownerText(file: string): string {
  const own = process.getuid?.()
  for (const path of [file, dirname(file)]) {
    try {
      const { uid } = statSync(path)
      return own === undefined || own === uid
        ? ''
        : `; ${path} belongs to the user with uid ${uid}, and this process runs with uid ${own}`
    } catch {
      // It does not exist, or its folder cannot be searched.
    }
  }
  return ''
}

function isReadable(file: string): boolean {
  for (const path of [file, dirname(file)]) {
    try {
      accessSync(path, constants.R_OK)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return false
    }
  }
  // Neither exists: the folder cannot be created.
  return true
}

/** SQLite does not report why a file cannot be opened, so another file is tried. */
function hasNoFilesLeft(): boolean {
  const opened: number[] = []
  try {
    for (let tries = 0; tries < 3; tries++) opened.push(openSync('/dev/null', 'r'))
    return false
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'EMFILE' || code === 'ENFILE'
  } finally {
    for (const fd of opened) closeSync(fd)
  }
}

function isFull(file: string): boolean {
  try {
    const { bavail, ffree, files } = statfsSync(dirname(file))
    return bavail < 8 || (files > 0 && ffree === 0)
  } catch {
    return false
  }
}

const RESUME = 'the progress of started runs is saved: `waybill resume` continues them afterwards'

export function homeBusy(file: string, cause?: unknown): WaybillError {
  return new WaybillError('HOME_BUSY', {
    fault: 'failed',
    file,
    message: 'other processes have kept the database busy for 10 s',
    hint: `try again; if the error persists, find the process that has the file open; ${RESUME}`,
    cause,
  })
}

export function unwritable(file: string, message: string, cause?: unknown): WaybillError {
  return new WaybillError('HOME_UNWRITABLE', {
    fault: 'usage',
    file,
    message: `the home of Waybill cannot be written: ${message}`,
    hint: `make ${dirname(file)} writable for this user, or set WAYBILL_HOME to another folder; ${RESUME}`,
    cause,
  })
}

function diskFull(file: string, message: string, cause: unknown): WaybillError {
  return new WaybillError('DISK_FULL', {
    fault: 'failed',
    file,
    message: `the disk is full, so the record cannot be used: ${message}`,
    hint: `free space on the disk of ${dirname(file)}; ${RESUME}`,
    cause,
  })
}

function unreadable(file: string, message: string, cause: unknown): WaybillError {
  return new WaybillError('HOME_UNREADABLE', {
    fault: 'usage',
    file,
    message: `the home of Waybill cannot be read: ${message}`,
    hint: `let this user read ${dirname(file)} and the files in it; ${RESUME}`,
    cause,
  })
}

function notAFolder(file: string, message: string, cause: unknown, doing: 'read' | 'write'): WaybillError {
  const { code, details } =
    doing === 'read' ? unreadable(file, message, cause) : unwritable(file, message, cause)
  const hint = `name a folder, or a path that does not exist yet, with WAYBILL_HOME; ${RESUME}`
  return new WaybillError(code, { ...details, hint })
}

function tooManyFiles(file: string, cause: unknown): WaybillError {
  return new WaybillError('TOO_MANY_FILES', {
    fault: 'failed',
    file,
    message: 'this process, or the system, has too many open files',
    hint: `raise the limit (ulimit -n), or start fewer runs at the same time; ${RESUME}`,
    cause,
  })
}

function databaseDamaged(file: string, message: string, cause: unknown): WaybillError {
  return new WaybillError('RECORD_DAMAGED', {
    fault: 'failed',
    file,
    message: `the database ${file} is damaged: ${message}`,
    hint: 'restore the whole folder from a backup; until then no run in it can be read or resumed with `waybill resume`',
    cause,
  })
}
