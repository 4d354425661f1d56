import type { ChainEnd } from '../../../trust/audit-chain.ts'
import type { HomeDatabase } from './home-database.ts'
import { asHomeError, homeBusy, isBusy, isOfTheHome } from './home-errors.ts'
import type { Queries } from './queries.ts'
import { BUSY_MS, pauseMs } from './retry-busy.ts'

/** One transaction of a group. It may be repeated without members that failed. */
export class Group {
  readonly q: Queries
  /** The end of the audit log, after a member has read it. */
  auditEnd: ChainEnd | undefined

  constructor(q: Queries) {
    this.q = q
  }
}

export type Act<T> = (group: Group) => T

export interface WriteOptions {
  /** The commit must survive a power failure. */
  readonly durable: boolean
}

interface Member {
  readonly act: Act<unknown>
  readonly durable: boolean
  readonly since: number
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

export interface CommitCounts {
  readonly commits: number
  /** Number of commits that were flushed to disk. */
  readonly flushes: number
  /** Number of committed writes; one commit contains many writes. */
  readonly writes: number
}

type Outcome = { readonly member: Member; readonly value: unknown }

/**
 * Commits the writes of all runs of a process together, once per turn of the event loop, with one flush. It is one
 * synchronous block, so no other code of this process sees the open transaction. Only the member that throws is
 * rejected; if the commit fails, all members are rejected and nothing is stored.
 */
export class GroupCommit {
  readonly #home: HomeDatabase
  #waiting: Member[] = []
  #scheduled = false
  #busy = 0
  #synchronous: boolean | undefined
  #drained: (() => void)[] = []
  #stopped = false
  #commits = 0
  #flushes = 0
  #writes = 0

  constructor(home: HomeDatabase) {
    this.#home = home
  }

  /**
   * Runs `act` in the next transaction; it is repeated if another member fails, so it must not change anything except
   * the database.
   */
  write<T>(act: Act<T>, { durable }: WriteOptions): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ act, durable, since: performance.now(), resolve, reject })
      this.#schedule()
    })
  }

  counts(): CommitCounts {
    return { commits: this.#commits, flushes: this.#flushes, writes: this.#writes }
  }

  /** Resolves when all writes are committed. */
  drained(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  /** Stops writing, like a crashed process. */
  stop(): void {
    this.#stopped = true
    this.#waiting = []
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    if (this.#busy === 0) setImmediate(() => this.#flush())
    else setTimeout(() => this.#flush(), pauseMs(this.#busy))
  }

  #flush(): void {
    this.#scheduled = false
    if (this.#stopped) return
    const members = this.#waiting
    this.#waiting = []
    try {
      this.#commit(members)
      this.#busy = 0
    } catch (error) {
      if (isBusy(error)) this.#waitAgain(members, error)
      else {
        this.#busy = 0
        const named = asHomeError(error, this.#home.file, 'write')
        for (const { reject } of members) reject(named)
      }
    }
    if (this.#waiting.length > 0) {
      this.#schedule()
      return
    }
    const drained = this.#drained
    this.#drained = []
    for (const resolve of drained) resolve()
  }

  #waitAgain(members: readonly Member[], error: unknown): void {
    this.#busy++
    const oldest = performance.now() - BUSY_MS
    const late = homeBusy(this.#home.file, error)
    const again = members.filter((member) => member.since >= oldest)
    for (const member of members) if (member.since < oldest) member.reject(late)
    this.#waiting = [...again, ...this.#waiting]
  }

  /** @throws if the commit failed for all members */
  #commit(members: readonly Member[]): void {
    const q = this.#home.writable()
    const failed = new Map<Member, unknown>()
    let done: readonly Outcome[] | undefined
    let rest = members
    while (done === undefined) {
      done = this.#tryCommit(q, rest, failed)
      rest = members.filter((member) => !failed.has(member))
    }
    for (const [member, error] of failed) member.reject(asHomeError(error, this.#home.file, 'write'))
    for (const { member, value } of done) member.resolve(value as never)
  }

  /**
   * @param failed collects the members that failed
   * @returns undefined if a failed member had already written: the others must be repeated without it
   */
  #tryCommit(
    q: Queries,
    members: readonly Member[],
    failed: Map<Member, unknown>,
  ): readonly Outcome[] | undefined {
    const durable = members.some((member) => member.durable)
    this.#setSynchronous(q, durable)
    q.exec('BEGIN IMMEDIATE')
    try {
      const group = new Group(q)
      const done: Outcome[] = []
      for (const member of members) {
        const before = q.writes
        try {
          done.push({ member, value: member.act(group) })
        } catch (error) {
          if (isOfTheHome(error)) throw error
          failed.set(member, error)
          if (q.writes === before) continue
          q.rollBack()
          return undefined
        }
      }
      q.exec('COMMIT')
      this.#commits++
      this.#writes += done.length
      if (durable) this.#flushes++
      return done
    } catch (error) {
      q.rollBack()
      throw error
    }
  }

  /** Between transactions only: within one, SQLite ignores the change. */
  #setSynchronous(q: Queries, full: boolean): void {
    if (this.#synchronous === full) return
    q.exec(`PRAGMA synchronous = ${full ? 'FULL' : 'NORMAL'}`)
    this.#synchronous = full
  }
}
