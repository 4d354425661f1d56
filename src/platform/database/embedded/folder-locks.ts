import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Locks on files, which the operating system releases when a process ends, however it ends: Node has no function for
 * them, SQLite has.
 */

/** Runs work while no other process or caller runs work with this lock. @returns null if the lock is not free in time */
export async function exclusively<T>(
  file: string,
  waitMs: number,
  act: () => Promise<T>,
): Promise<{ readonly value: T } | null> {
  const deadline = performance.now() + waitMs
  let lock = lockFile(file, 'BEGIN EXCLUSIVE')
  while (lock === null) {
    if (performance.now() > deadline) return null
    await sleep(50)
    lock = lockFile(file, 'BEGIN EXCLUSIVE')
  }
  try {
    return { value: await act() }
  } finally {
    lock.close()
  }
}

export interface SharedLock {
  /** Releases the lock. @returns true if no other process or caller has it */
  release(): boolean
}

/** Takes a lock that several may have. Call it and its release within `exclusively`. */
export function share(file: string): SharedLock {
  const lock = lockFile(file, 'BEGIN; SELECT 1 FROM sqlite_schema')
  return {
    release: () => {
      lock?.close()
      const alone = lockFile(file, 'BEGIN EXCLUSIVE')
      alone?.close()
      return alone !== null
    },
  }
}

function lockFile(file: string, statement: string): DatabaseSync | null {
  const database = new DatabaseSync(file, { timeout: 0 })
  try {
    // Without a journal on disk, a full disk cannot prevent the lock.
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec(statement)
    return database
  } catch (error) {
    database.close()
    // SQLITE_BUSY: another one has it.
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return null
    throw error
  }
}
