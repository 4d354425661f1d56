import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { grantNext } from './grant-slots.ts'
import type { Queries } from './queries.ts'

/** A lock file without a row is of a process that is just starting, or that died doing so; then it is this old. */
const LEFTOVER_MS = 60 * 60 * 1000

interface ProcessRow {
  readonly lock: string
  readonly pid: number
  readonly host: string
}

/**
 * Tells live processes from dead ones. Each store holds one lock file for as long as it is open: an exclusive
 * transaction on a small SQLite database, which the kernel gives up when the process ends, however it ends. So pids,
 * which are used again and differ between containers, decide nothing. These files must never be opened through `fs`:
 * closing such a descriptor would give up the lock.
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

  /** The name of this store's lock, which is taken and entered with the first lease. */
  own(q: Queries): string {
    this.#own ??= this.#take()
    const { name } = this.#own
    // In every transaction anew: the one that entered it first may have been rolled back.
    q.run('INSERT OR IGNORE INTO processes VALUES (?, ?, ?, ?)', name, this.#pid, hostname(), Date.now())
    if (!this.#swept) {
      this.#swept = true
      this.#sweepAll(q)
    }
    return name
  }

  /** Whether the process that holds this lock is alive. One that cannot be asked counts as alive. */
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
      // Busy: held. Anything else says nothing about the holder.
      return true
    }
  }

  /** Pid of the holder; undefined when it is unknown or of another machine or container. */
  pidOf(q: Queries, name: string): number | undefined {
    const row = q.get<ProcessRow>('SELECT lock, pid, host FROM processes WHERE lock = ?', name)
    return row?.host === hostname() ? row.pid : undefined
  }

  /** Gives back what a dead process held. */
  sweep(q: Queries, name: string): void {
    free(q, name)
    this.#remove(name)
  }

  /** Enters that this store holds nothing any more. */
  leave(q: Queries): void {
    if (this.#own !== undefined) free(q, this.#own.name)
  }

  get isHeld(): boolean {
    return this.#own !== undefined
  }

  /** @param keep leaves the file, as the death of a process does */
  close({ keep = false } = {}): void {
    if (this.#own === undefined) return
    const { name, db } = this.#own
    this.#own = undefined
    // Removed first: a file that is gone says the same as one that nobody holds.
    if (!keep) this.#remove(name)
    db.close()
  }

  #isOwn(name: string): boolean {
    return name === this.#own?.name
  }

  #take(): { readonly name: string; readonly db: DatabaseSync } {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
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
      // Its row is gone, so nothing depends on it; a later process removes it.
    }
  }
}

/** Gives back the leases and slots of a process, and removes its row. */
function free(q: Queries, lock: string): void {
  const slots = q.all<{ agent: string }>('SELECT DISTINCT agent FROM slots WHERE holder = ?', lock)
  q.run('UPDATE progress SET holder = NULL WHERE holder = ?', lock)
  q.run('DELETE FROM slots WHERE holder = ?', lock)
  q.run('DELETE FROM processes WHERE lock = ?', lock)
  for (const { agent } of slots) grantNext(q, agent)
}
