import { randomBytes } from 'node:crypto'
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../../../document/make-folder.ts'
import { grantNext } from './grant-slots.ts'
import type { Queries } from './queries.ts'

/**
 * Minimum age in milliseconds of a lock file without a row before it counts as left by a process that crashed while
 * starting.
 */
const LEFTOVER_MS = 60 * 60 * 1000

interface ProcessRow {
  readonly lock: string
  readonly pid: number
  readonly host: string
}

/**
 * Distinguishes live processes from dead ones. Each open store holds one lock file: an exclusive transaction on a small
 * SQLite database, whose lock the kernel releases when the process ends for any reason. Pids are not used, because they
 * are reused and differ between containers. These files must never be opened through `fs`: closing such a descriptor
 * would release the lock.
 */
export class ProcessLocks {
  readonly #folder: string
  readonly #pid: number
  #own: { readonly name: string; readonly db: DatabaseSync } | undefined
  #swept = false

  constructor(folder: string, pid: number) {
    this.#folder = folder
    this.#pid = pid
  }

  /** The name of this store's lock, which is acquired and registered with the first lease. */
  own(q: Queries): string {
    this.#own ??= this.#take()
    const { name } = this.#own
    // Repeated in every transaction: the first one may have been rolled back.
    q.run('INSERT OR IGNORE INTO processes VALUES (?, ?, ?, ?)', name, this.#pid, hostname(), Date.now())
    if (!this.#swept) {
      this.#swept = true
      this.#sweepAll(q)
    }
    return name
  }

  /** Returns true if the process that holds this lock is alive, or if this cannot be determined. */
  isLive(name: string): boolean {
    if (this.#isOwn(name)) return true
    const path = this.#path(name)
    try {
      if (statSync(path, { throwIfNoEntry: false }) === undefined) return false
      const db = new DatabaseSync(path, { timeout: 0, readOnly: true })
      try {
        db.prepare('SELECT 1 FROM sqlite_master').get()
        return false
      } finally {
        db.close()
      }
    } catch {
      // Busy: the lock is held. Other errors do not tell whether the holder is alive.
      return true
    }
  }

  /** Returns the pid of the holder; undefined if it is unknown or of another machine or container. */
  pidOf(q: Queries, name: string): number | undefined {
    const row = q.get<ProcessRow>('SELECT lock, pid, host FROM processes WHERE lock = ?', name)
    return row?.host === hostname() ? row.pid : undefined
  }

  /** Releases everything that a dead process held. */
  sweep(q: Queries, name: string): void {
    free(q, name)
    this.#remove(name)
  }

  /** Removes the registration of this store. */
  leave(q: Queries): void {
    if (this.#own !== undefined) free(q, this.#own.name)
  }

  get isHeld(): boolean {
    return this.#own !== undefined
  }

  /** @param keep keeps the file, like a crashed process */
  close({ keep = false } = {}): void {
    if (this.#own === undefined) return
    const { name, db } = this.#own
    this.#own = undefined
    // Removed first: a missing file means the same as a free lock.
    if (!keep) this.#remove(name)
    db.close()
  }

  #isOwn(name: string): boolean {
    return name === this.#own?.name
  }

  #take(): { readonly name: string; readonly db: DatabaseSync } {
    makeFolder(this.#folder, 0o700)
    const name = randomBytes(12).toString('hex')
    const path = this.#path(name)
    const db = new DatabaseSync(path, { timeout: 0 })
    try {
      chmodSync(path, 0o600)
      db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    } catch (error) {
      db.close()
      this.#remove(name)
      throw error
    }
    return { name, db }
  }

  #sweepAll(q: Queries): void {
    const known = q.all<ProcessRow>('SELECT lock, pid, host FROM processes').map(({ lock }) => lock)
    for (const name of known) if (!this.isLive(name)) this.sweep(q, name)
    for (const file of readdirSync(this.#folder)) {
      const name = file.endsWith('.lock') ? file.slice(0, -'.lock'.length) : undefined
      if (name === undefined || known.includes(name) || this.#isOwn(name)) continue
      const age = Date.now() - (statSync(this.#path(name), { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > LEFTOVER_MS && !this.isLive(name)) this.#remove(name)
    }
  }

  #path(name: string): string {
    return join(this.#folder, `${name}.lock`)
  }

  #remove(name: string): void {
    try {
      rmSync(this.#path(name), { force: true })
    } catch {
      // Its row is removed, so the file is unused; a later process deletes it.
    }
  }
}

/** Releases the leases and slots of a process, and removes its row. */
function free(q: Queries, lock: string): void {
  const slots = q.all<{ agent: string }>('SELECT DISTINCT agent FROM slots WHERE holder = ?', lock)
  q.run('UPDATE progress SET holder = NULL WHERE holder = ?', lock)
  q.run('DELETE FROM slots WHERE holder = ?', lock)
  q.run('DELETE FROM processes WHERE lock = ?', lock)
  for (const { agent } of slots) grantNext(q, agent)
}
