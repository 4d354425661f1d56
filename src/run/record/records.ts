import type { AnyCode } from '../../document/codes.ts'
import type { Plan } from '../../plan/plan.ts'
import type { CallOfRule } from '../../policy/approval/standing-rules.ts'
import type { AuditEntry, AuditFact } from '../../trust/audit-chain.ts'
import type { RouteHistory } from '../decide/route-history.ts'
import type { FactOf, RunEvent } from '../event.ts'
import type { MemoryOwner, MemoryStore } from '../extension.ts'
import type { MemoryItem, RunState } from '../state.ts'
import type { Grant } from './grant.ts'
import type { LeftDecision } from './left-decision.ts'
import type { MovedTo } from './moved-to.ts'
import type { RunHeader } from './run-header.ts'

/**
 * A value or a promise of it: a synchronous store, such as the one in memory, returns the value. Callers always
 * await it.
 */
export type Later<T> = T | Promise<T>

/**
 * Everything that is stored for runs: the port between the life cycle of a run and a database. A store belongs to
 * one organisation; access is decided when it is opened.
 * Every promise that resolves means that the change is committed. A change with `durable`, and every decision,
 * grant and audit entry, also survives a power cut.
 * Every operation may throw the codes of the storage itself: HOME_UNREADABLE, HOME_UNWRITABLE, DISK_FULL,
 * TOO_MANY_FILES, RECORD_DAMAGED, RECORD_NEWER.
 */
export interface Records {
  readonly runs: RunRecords
  readonly slots: SlotRecords
  readonly grants: GrantRecords
  readonly memory: MemoryRecords
  readonly audit: AuditRecords
  readonly routes: RouteRecords
  /** Waits for pending writes, then releases leases, slots and files. May be called twice. */
  close(): Later<void>
}

/** The fact that a run begins with. If the process dies before the first event, the run is started from it. */
export type FirstFact = FactOf<'run.started'>

export interface NewRun {
  readonly header: RunHeader
  /** The plan of the run's agent. Stored once for all runs that share it. */
  readonly plan: Plan
  /** Plans of the other agents that may take part; empty for a sub-agent's run, which has those of its root. */
  readonly family: readonly Plan[]
  /** Without secrets, and with personal data handled as the plan says: it is stored unchanged. */
  readonly first: FirstFact
  /** Sealed personal data that the first fact names by placeholders; kept with the root run. */
  readonly sealed?: readonly string[]
}

export interface StoredRun {
  readonly header: RunHeader
  readonly plan: Plan
  /** Plans of the other agents that may take part, those of the root for a sub-agent's run. */
  readonly family: readonly Plan[]
  readonly first: FirstFact
  /** The fold of its events. */
  readonly state: RunState
  /** Imported from a file with `runs import`: it is evidence and cannot be resumed. */
  readonly imported: boolean
}

export interface RunRecords {
  /**
   * Stores a new run with its input and opens it, completely or not at all.
   * @param options.durable the run must survive a power cut before this resolves, because its id is returned to the
   * caller or a write follows
   */
  create(run: NewRun, options?: { readonly durable?: boolean }): Later<OpenRun>
  /**
   * Acquires the lease of a run: its epoch increases by one, and from then on the previous holder cannot append.
   * @throws RUN_NOT_FOUND; RUN_LOCKED while a live process holds the lease; RUN_IMPORTED; RECORD_DAMAGED;
   * RECORD_NEWER if a later version wrote a part that this one does not know
   */
  open(runId: string): Later<OpenRun>
  /** Returns whether there is a record of this run, even if it is damaged or imported. Does not read its content. */
  has(runId: string): Later<boolean>
  /** Reads a run without changing it; another process may be driving it. @throws RUN_NOT_FOUND */
  read(runId: string): Later<StoredRun>
  /** Returns the events after a sequence number (default 0: all), in order. @throws RUN_NOT_FOUND */
  events(runId: string, after?: number): Later<readonly RunEvent[]>
  /**
   * Reads the same events part by part, so that a long record is never held as a whole. Absent where they are read at
   * once, see `foldEvents`.
   */
  parts?(runId: string, after?: number): AsyncIterable<readonly RunEvent[]>
  /** Returns the list entry of one run, without folding its events. @throws RUN_NOT_FOUND */
  listed(runId: string): Later<ListedRecord>
  /** Lists runs, newest first. A run that cannot be read is listed with `damaged`, and does not hide other runs. */
  list(filter?: RunFilter, page?: Page): Later<RunPage>
  /** Returns ids that begin or end with this text, newest first, at most `limit`. */
  find(part: string, limit: number): Later<readonly string[]>
  /**
   * Removes a run with its events and decisions, and the runs of its sub-agents.
   * @param audit appended in the same transaction: a removal that is on record is not a gap of the audit log
   * @throws RUN_NOT_FOUND; RUN_LOCKED while a live process holds the lease
   * @returns the ids of all removed runs
   */
  remove(
    runId: string,
    audit?: (removed: readonly string[]) => readonly AuditFact[],
  ): Later<readonly string[]>
  /**
   * Stores runs that were read from a file, all or none of them; they cannot be resumed.
   * @throws RUN_EXISTS if this store already has one of them
   */
  import(runs: readonly ImportedRun[], audit?: readonly AuditFact[]): Later<void>
  /**
   * Stores runs that continue elsewhere captured ones, with their first events, all or none of them. Unlike imported
   * runs they can be resumed.
   * @param runs the root before the runs of its sub-agents
   * @throws RUN_EXISTS if this store already has one of them
   */
  restore(runs: readonly RestoredRecord[], audit?: readonly AuditFact[]): Later<void>
  /**
   * Asks the process that drives a run to pause it. Absent where runs are paused in another way.
   * @throws RUN_NOT_FOUND
   */
  askPause?(runId: string, by: string): Later<void>
  /**
   * Returns how the record of a run is known to be a copy, until the run has taken that in; see `OpenRun.copied`. Absent
   * where no record is a copy.
   */
  copied?(runId: string): Later<CopiedRecord | undefined>
  /** Returns who has asked to pause a run since a process began to drive it, and forgets it; null if there is no request. */
  takePause?(runId: string): Later<string | null>
  /** Returns decisions that people left for a run, oldest first. @throws RUN_NOT_FOUND */
  decisions(runId: string): Later<readonly LeftDecision[]>
  /**
   * Stores a person's decision, durably. There is one for each question: a second decision is refused with the
   * first one.
   * @param seen the last event that the person saw; if there are later ones, nothing is stored and `moved` is
   * returned
   */
  decide(runId: string, question: Question, decision: LeftDecision): Later<Decided>
  /**
   * Returns the sealed personal data of a run and its sub-agents' runs: lines in the order in which they were
   * appended.
   */
  sealed(rootRunId: string): Later<readonly string[]>
}

/** A question of a run to people: a waiting call, at one moment of its life. */
export interface Question {
  /** The call's idempotency key. */
  readonly key: string
  /** The event that made the call wait; a call that waits again is another question. */
  readonly asked: number
}

export type Decided =
  | { readonly outcome: 'kept' }
  /** Another person decided the same question first. */
  | { readonly outcome: 'taken'; readonly by: LeftDecision }
  /** The run has continued since the person looked at it. */
  | { readonly outcome: 'moved' }

/** How a record is known to be a copy. */
export type CopiedRecord = Omit<FactOf<'record.copied'>, 'type'>

/** A run to which only this holder may append, until it is closed or another process acquires its lease. */
export interface OpenRun extends StoredRun {
  readonly epoch: number
  /**
   * Its record is a copy, and the `record.copied` event that says so is not appended yet: it comes before whatever
   * continues the run.
   */
  readonly copied?: CopiedRecord
  /**
   * Appends events, in the order of the calls. They are committed when it returns or its promise resolves. The
   * events are stored only if no other process has acquired the lease and the last event on record precedes the
   * first of these: a compare-and-swap on (epoch, seq).
   * @throws RUN_TAKEN_OVER if either differs: this holder must stop, and no event of this append is on record
   */
  append(events: readonly RunEvent[], options: AppendOptions): Later<void>
  /** Releases the lease. May be called twice. */
  close(): Later<void>
}

export interface AppendOptions {
  /**
   * The append must survive a power cut: a call that may write is about to be sent, or it contains a person's
   * decision.
   */
  readonly durable: boolean
  /** State of the run after these events, from which its list entry is derived. */
  readonly state: RunState
  /** Stored in the same transaction, so that no event lacks its audit entry. */
  readonly audit?: readonly AuditFact[]
  /** Sealed personal data that these events name by placeholders; kept with the root run. */
  readonly sealed?: readonly string[]
}

export interface ImportedRun extends Omit<NewRun, 'sealed'> {
  readonly events: readonly RunEvent[]
}

export interface RestoredRecord extends NewRun {
  readonly events: readonly RunEvent[]
  /** How many events come before these, and are stored with them; absent: none. */
  readonly stored?: number
}

export interface RunFilter {
  /** `waiting`: a person must decide about a call. */
  readonly status?: RunState['status']
  readonly agent_id?: string
  readonly user?: string
  readonly batch?: string
  /** Created at or after this moment (ms since the epoch). */
  readonly since?: number
  /** Only runs that have calls waiting for a person, whatever their status. */
  readonly questions?: true
  /** Only runs of root agents, and sub-agents' runs whose root is missing. */
  readonly roots?: true
  /** Only the run with this id and the runs of its sub-agents. */
  readonly root?: string
}

export interface Page {
  /** At most this many; default 100. */
  readonly limit?: number
  /** `next` of the previous page. */
  readonly cursor?: string
}

export interface PageOf<T> {
  readonly items: readonly T[]
  /** The cursor of the next page; null after the last one. */
  readonly next: string | null
}

export type RunPage = PageOf<ListedRecord>

/** The list entry of a run. Stored beside the events, so that a list need not fold them. */
export interface ListedRecord {
  readonly run_id: string
  /** Null when the record cannot be read. */
  readonly header: RunHeader | null
  readonly status: RunState['status']
  readonly stop_reason?: string
  /** Sequence number of the last event; 0: the run has not begun. */
  readonly seq: number
  /** How many calls wait for a person. */
  readonly questions: number
  /** A live process holds the lease. */
  readonly live: boolean
  readonly imported: boolean
  /** Milliseconds since the epoch. */
  readonly created_at: number
  readonly updated_at: number
  /** It is being moved, or was moved, and cannot be continued here. */
  readonly moved?: MovedTo
  /** Why it cannot be read. */
  readonly damaged?: { readonly code: AnyCode; readonly message: string }
}

/** A request for one of the slots of an agent, which limit its concurrent runs (AAIF §4.6 concurrency). */
export interface SlotRequest {
  /** The agent that the slots belong to: every run of the same agent names the same. */
  readonly agent: string
  readonly agent_name: string
  readonly limit: number
  readonly run_id: string
  /** The runs that wait for this one and keep their own slots meanwhile, the root first. */
  readonly above: readonly { readonly agent: string; readonly run_id: string }[]
}

export interface SlotHolder {
  readonly run_id: string
  /** Absent when the holder is not on this machine. */
  readonly pid?: number
}

export interface SlotOptions {
  readonly signal?: AbortSignal
  /** False: refuse instead of waiting. */
  readonly wait?: boolean
  /** Called once, if it has to wait. */
  readonly onWait?: (holders: readonly SlotHolder[]) => void
}

export interface SlotRecords {
  /**
   * Takes a slot, in the order of the requests. The slot is released when its process dies.
   * @returns a function that releases the slot
   * @throws CONCURRENCY_EXCEEDED if it may not wait; CONCURRENCY_DEADLOCK if waiting would close a circle of runs
   * that wait for one another, which is checked in the transaction that queues; the signal's reason
   */
  take(request: SlotRequest, options?: SlotOptions): Later<() => Later<void>>
}

export interface GrantRecords {
  /** Lists all grants, including those that have expired, oldest first. */
  list(): Later<readonly Grant[]>
  /** Lists grants as {@link list} does, a page at a time. @throws CURSOR_INVALID */
  page(page: Page): Later<PageOf<Grant>>
  /** Stores a grant with its audit entries; one with the same id is replaced. Durable. */
  give(grant: Grant, audit: readonly AuditFact[]): Later<void>
  /** Removes grants, durably; an unknown id is not an error. @returns the removed grants */
  revoke(
    ids: ReadonlySet<string>,
    audit: (revoked: readonly Grant[]) => readonly AuditFact[],
  ): Later<readonly Grant[]>
  /**
   * Uses a grant once, durably if its uses are limited. @returns false if it was revoked, has expired or has no
   * uses left
   * @param call that a rule decides: false also if an approval policy of the store does not let this rule decide it
   */
  spend(id: string, at: number, call?: CallOfRule): Later<boolean>
}

export interface AuditRecords {
  /**
   * Appends entries; durable when it resolves. @throws AUDIT_DAMAGED if the end of the log does not match its head
   */
  append(facts: readonly AuditFact[]): Later<void>
  /** Returns entries after number `after` (default 0) as they were written, one JSON text each, at most `limit`. */
  lines(after?: number, limit?: number): Later<readonly string[]>
  /** Returns the signed head: the last entry. Null if the log is empty. */
  head(): Later<AuditEntry | null>
}

/** The memory items that an operator selects; an absent member selects all. */
export interface MemoryFilter {
  readonly definition?: string
  readonly agent_id?: string
  readonly user?: string
  readonly session?: string
  readonly key?: string
}

export interface KeptItem extends MemoryOwner, MemoryItem {
  /** How often the item was written. */
  readonly revision: number
  readonly source: 'definition' | 'agent'
  /** On a platform, of an item that an agent wrote: the run, and the member in whose name the agent acted. */
  readonly run_id?: string
  readonly on_behalf_of?: string
}

export interface MemoryRecords extends MemoryStore {
  /** Lists items of all owners. */
  list(filter: MemoryFilter, at: number): Later<readonly KeptItem[]>
  /** Lists items of all owners, a page at a time, in an order of the store. @throws CURSOR_INVALID */
  page(filter: MemoryFilter, at: number, page: Page): Later<PageOf<KeptItem>>
  /** Removes items; no content of them is left in the files. @returns how many items were removed */
  forget(filter: MemoryFilter): Later<number>
  /**
   * Ends a session: removes its items; the definition's own items are stored again in a later session. @returns how
   * many items were removed
   */
  endSession(session: string, filter?: Pick<MemoryFilter, 'agent_id' | 'user'>): Later<number>
}

export interface RouteRecords {
  read(): Later<ReadonlyMap<string, RouteHistory>>
  /** Merges observations with those of other processes. May be lost in a crash. */
  merge(seen: ReadonlyMap<string, RouteHistory>): Later<void>
}
