import type { HomeDatabase } from './home-database.ts'
import { asHomeError, homeBusy, isBusy, isOfTheHome } from './home-errors.ts'
import type { Queries } from './queries.ts'
import { BUSY_MS, pauseMs } from './retry-busy.ts'

/** One transaction, as its members see it. It may be begun anew without those that failed. */
export class Group {
  readonly q: Queries
  /** Where the audit log ends, once a member has looked. */
  auditEnd: { readonly n: number; readonly hash: string } | undefined

  constructor(q: Queries) {
    this.q = q
  }
}

export type Act<T> = (group: Group) => T

export interface WriteOptions {
  /** It must survive a power cut. */
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
  /** Commits that waited for the disk. */
  readonly flushes: number
  /** Writes that were committed, many of them in one commit. */
  readonly writes: number
}

type Outcome = { readonly member: Member; readonly value: unknown }

/**
 * Commits the writes of all runs of a process together, once per turn of the event loop: one flush serves all of
 * them. It is one synchronous block, so nothing else of this process sees or joins the open transaction. A member that
 * throws is rejected alone; when the commit fails, all members are rejected and nothing is stored.
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
   * Runs `act` in the next transaction; it may be run again when another member fails, so it must change nothing but
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

  /** Resolves when nothing waits to be written. */
  drained(): Promise<void> {
    if (this.#waiting.length === 0) return Promise.resolve()
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  /** Writes nothing more, as if the process had died. */
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

  /** @throws when none of the members could be committed */
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
   * @param failed takes up the members that failed by themselves
   * @returns undefined when a member failed that had written already: all the others must be done again without it
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
