import { randomBytes } from 'node:crypto'
import { linkSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A process, told from a later one with the same pid. */
export interface Holder {
  readonly pid: number
  /** Start time of the process in clock ticks since boot, where the system tells: pids are used again. */
  readonly started: string | null
}

export type Locked =
  | { readonly taken: true; readonly path: string; release(): void }
  /** Absent: another process was just taking it. */
  | { readonly taken: false; readonly by?: Holder }

/** Computed once: it does not change while the process lives. */
const ownStart = startOf(process.pid)

export function ownHolder(): Holder {
  return { pid: process.pid, started: ownStart }
}

/**
 * Writes the file that says: this process. It must not be there yet.
 * @param others files of this process that say so already and still may: another name for one of them costs a
 *   fraction of another file
 */
export function writeHolder(path: string, others: Iterable<string> = []): void {
  for (const other of others) {
    try {
      linkSync(other, path)
      return
    } catch {
      // It was given up in the meantime, or has as many names as a file can have.
    }
  }
  const text = JSON.stringify(ownHolder())
  writeFileSync(path, `${text}\n`, { mode: 0o600, flag: 'wx' })
}

/**
 * Takes a lock that only one process can have, and that dies with it. Locks are files `NAME.<n>`, and the highest
 * number counts: whoever finds its holder dead links the next number, which only one process can, so a takeover
 * never removes a lock that another has just taken.
 */
export function takeLock(folder: string, name: string): Locked {
  const mine = join(folder, `taking.${process.pid}.${randomBytes(4).toString('hex')}`)
  writeHolder(mine)
  try {
    return linkLock(folder, name, mine)
  } finally {
    unlinkQuietly(mine)
  }
}

/** @param mine a file of this process that says who it is (`writeHolder`): the lock is another name for it */
export function linkLock(folder: string, name: string, mine: string): Locked {
  for (let tries = 0; tries < 5; tries++) {
    const by = holderOf(folder, name)
    if (by !== null) return { taken: false, by }
    const number = Math.max(0, ...numbersOf(folder, name)) + 1
    const path = lockPath(folder, name, number)
    // A link appears whole: there is no moment in which the lock is there and empty.
    if (!tryLink(mine, path)) continue
    const others = numbersOf(folder, name).filter((other) => other !== number)
    // Somebody whose look at the folder was older than ours may have taken another number at the same time.
    if (others.every((other) => other < number && !isAlive(readHolder(lockPath(folder, name, other))))) {
      for (const old of others) unlinkQuietly(lockPath(folder, name, old))
      return { taken: true, path, release: () => unlinkQuietly(path) }
    }
    unlinkQuietly(path)
  }
  return { taken: false }
}

/**
 * The same, trying for a while. Synchronous on purpose: what it guards takes milliseconds, and what is to happen under
 * it must not happen before.
 */
export function takeLockWithin(folder: string, name: string, waitMs: number): Locked {
  const until = Date.now() + waitMs
  for (;;) {
    const lock = takeLock(folder, name)
    if (lock.taken || Date.now() > until) return lock
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
  }
}

/** The live process that has the lock. */
export function holderOf(folder: string, name: string): Holder | null {
  const highest = Math.max(0, ...numbersOf(folder, name))
  const holder = highest === 0 ? null : readHolder(lockPath(folder, name, highest))
  return holder !== null && isAlive(holder) ? holder : null
}

export function lockPath(folder: string, name: string, number: number): string {
  return join(folder, `${name}.${number}`)
}

export function readHolder(path: string): Holder | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder
  } catch {
    return null
  }
}

export function isAlive(holder: Holder | null): boolean {
  if (holder === null) return false
  if (holder.pid === process.pid) return holder.started === ownStart
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return holder.started === null || holder.started === startOf(holder.pid)
}

export function unlinkQuietly(path: string): void {
  try {
    unlinkSync(path)
  } catch {
    // Gone already.
  }
}

function numbersOf(folder: string, name: string): readonly number[] {
  const prefix = `${name}.`
  return readdirSync(folder)
    .filter((file) => file.startsWith(prefix) && /^\d+$/.test(file.slice(prefix.length)))
    .map((file) => Number(file.slice(prefix.length)))
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}
