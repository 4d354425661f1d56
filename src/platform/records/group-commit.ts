import type pg from 'pg'
import { canonicalize } from '../../document/canonical.ts'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { runTakenOver } from '../../run/record/record-errors.ts'
import type { AuditFact, EntryMaker } from '../../trust/audit-chain.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { type AppendedLines, alreadyStored, appendLines } from './append-statement.ts'
import { type AuditAppend, AuditRefused, appendAudits } from './audit-chain-rows.ts'
import { isOfTheStorage } from './storage-errors.ts'
import { patiently, WORKER_PATIENCE_MS } from './store.ts'

/** An append of a run, as it was requested. */
export interface Append extends AppendedLines {
  /** The commit must survive a power cut. */
  readonly durable: boolean
  readonly audit: readonly AuditFact[]
  /** Makes the entries of its organisation's audit log. */
  readonly nextEntry: EntryMaker
}

interface Waiting {
  readonly append: Append
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Consecutive appends of one run that are committed as one. */
interface Member {
  readonly parts: readonly Waiting[]
  readonly whole: Append
}

export interface CommitCounts {
  readonly commits: number
  /** Number of committed appends; one commit contains many. */
  readonly appends: number
}

/** Bounds of one group: a larger one would delay its members and need much memory. */
const MOST_MEMBERS = 500
const MOST_CHARACTERS = 4 * 1024 * 1024

/**
 * Commits the appends of all runs of a process together, also across organisations: those that arrive while a commit is
 * in flight form the next group. The role of the connections must see all organisations.
 */
export class GroupCommit {
  readonly #engine: pg.Pool
  readonly #patienceMs: number
  #waiting: Waiting[] = []
  #committing: Promise<void> | undefined
  #stopped = false
  #commits = 0
  #appends = 0

  /** @param patienceMs how long a commit is repeated while the database cannot be reached */
  constructor(engine: pg.Pool, { patienceMs = WORKER_PATIENCE_MS }: { readonly patienceMs?: number } = {}) {
    this.#engine = engine
    this.#patienceMs = patienceMs
  }

  /**
   * Appends with the next group.
   * @throws RUN_TAKEN_OVER if the lease or the last event on record differs; AUDIT_DAMAGED; errors of the storage
   */
  async append(append: Append): Promise<void> {
    // A fact without canonical form is refused here, so that it does not affect the other members.
    for (const fact of append.audit) canonicalize(fact as JsonObject)
    return new Promise((resolve, reject) => {
      if (this.#stopped) return
      this.#waiting.push({ append, resolve, reject })
      this.#committing ??= this.#commitAll()
    })
  }

  counts(): CommitCounts {
    return { commits: this.#commits, appends: this.#appends }
  }

  /** Resolves when all appends that wait now are committed or refused. */
  async drained(): Promise<void> {
    await this.#committing
  }

  /** Stops writing, like a crashed process: for tests. */
  stop(): void {
    this.#stopped = true
    this.#waiting = []
  }

  async #commitAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      // What follows from the last group in this turn of the event loop belongs to the next one.
      await new Promise((resolve) => setImmediate(resolve))
      await this.#commit(this.#nextGroup())
    }
    this.#committing = undefined
  }

  #nextGroup(): readonly Member[] {
    const members = new Map<string, Member>()
    const later: Waiting[] = []
    // Runs with an append that must wait for the next group, so that later ones do not overtake it.
    const blocked = new Set<string>()
    let characters = 0
    for (const waiting of this.#waiting) {
      const { append } = waiting
      const key = JSON.stringify([append.org, append.run_id])
      const member = blocked.has(key) ? undefined : joined(members.get(key), waiting)
      if (member === undefined || characters > MOST_CHARACTERS || members.size >= MOST_MEMBERS) {
        blocked.add(key)
        later.push(waiting)
        continue
      }
      for (const line of append.lines) characters += line.length
      members.set(key, member)
    }
    this.#waiting = later
    return [...members.values()]
  }

  /** Settles all members. */
  async #commit(members: readonly Member[]): Promise<void> {
    try {
      const stored = members.some(({ whole }) => whole.audit.length > 0)
        ? await this.#store(members)
        : await this.#storeLines(members)
      this.#commits++
      for (const [n, { parts, whole }] of members.entries()) {
        if (stored.has(n)) this.#appends += parts.length
        for (const part of parts) stored.has(n) ? part.resolve() : part.reject(runTakenOver(whole.run_id))
      }
    } catch (error) {
      if (error instanceof AuditRefused) await this.#commitWithout(error, members)
      else if (members.length > 1 && !isOfTheStorage(error) && !(error instanceof WaybillError))
        // The values of one member may be the cause.
        for (const member of members) await this.#commit([member])
      else for (const { parts } of members) for (const { reject } of parts) reject(error)
    }
  }

  async #commitWithout({ org, cause }: AuditRefused, members: readonly Member[]): Promise<void> {
    const isRefused = ({ whole }: Member) => whole.org === org && whole.audit.length > 0
    for (const { parts } of members.filter(isRefused)) for (const { reject } of parts) reject(cause)
    const others = members.filter((member) => !isRefused(member))
    if (others.length > 0) await this.#commit(others)
  }

  /** Appends in one statement, which is its own transaction. @returns the indexes of the stored members */
  #storeLines(members: readonly Member[]): Promise<ReadonlySet<number>> {
    const all = members.map(({ whole }) => whole)
    const durable = all.some((one) => one.durable)
    return patiently(async (failed) => {
      const stored = await appendLines(this.#engine, all, durable)
      if (failed === 0 || stored.size === all.length) return stored
      return new Set([...stored, ...(await alreadyStored(this.#engine, all))])
    }, this.#patienceMs)
  }

  /** Appends with audit entries in one transaction. @returns the indexes of the stored members */
  #store(members: readonly Member[]): Promise<ReadonlySet<number>> {
    const all = members.map(({ whole }) => whole)
    const store = async (sql: Sql) => {
      const stored = await appendLines(sql, all, true)
      const logs = new Map<string, AuditAppend>()
      for (const [n, { org, audit, nextEntry }] of all.entries()) {
        if (!stored.has(n) || audit.length === 0) continue
        logs.set(org, { nextEntry, facts: [...(logs.get(org)?.facts ?? []), ...audit] })
      }
      if (logs.size > 0) await appendAudits(sql, logs)
      return stored
    }
    // Not by the number of the transaction: after a crash of the server, another one may have the same number.
    return patiently(async (failed) => {
      const stored = await inOrganisation(this.#engine, '', store)
      if (failed === 0 || stored.size === all.length) return stored
      return new Set([...stored, ...(await alreadyStored(this.#engine, all))])
    }, this.#patienceMs)
  }
}

/**
 * Adds an append to a member of the group.
 * @returns undefined if it does not directly continue the member, and must wait for the next group
 */
function joined(member: Member | undefined, waiting: Waiting): Member | undefined {
  const { append } = waiting
  if (member === undefined) return { parts: [waiting], whole: append }
  const { whole, parts } = member
  const continues = append.epoch === whole.epoch && append.before === whole.before + whole.lines.length
  // Otherwise an audit log that cannot be continued would refuse the earlier append as well.
  const mayFail = append.audit.length > 0 && whole.audit.length === 0
  if (!continues || mayFail || append.nextEntry !== whole.nextEntry) return undefined
  return {
    parts: [...parts, waiting],
    whole: {
      ...append,
      before: whole.before,
      lines: [...whole.lines, ...append.lines],
      sealed: [...whole.sealed, ...append.sealed],
      audit: [...whole.audit, ...append.audit],
      durable: whole.durable || append.durable,
    },
  }
}
