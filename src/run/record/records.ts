import type { AnyCode } from '../../document/codes.ts'
import type { Plan } from '../../plan/plan.ts'
import type { AuditEntry, AuditFact } from '../../trust/audit-chain.ts'
import type { RouteHistory } from '../decide/route-history.ts'
import type { FactOf, RunEvent } from '../event.ts'
import type { MemoryOwner, MemoryStore } from '../extension.ts'
import type { MemoryItem, RunState } from '../state.ts'
import type { Grant } from './grant.ts'
import type { LeftDecision } from './left-decision.ts'
import type { RunHeader } from './run-header.ts'

/** Returned at once where a store is synchronous, as the one in memory is. Callers await it in any case. */
export type Later<T> = T | Promise<T>

/**
 * Everything that is stored for runs: the port between the life of a run and a database. A store belongs to one
 * organisation; who may see it was decided when it was opened.
 *
 * Every promise that resolves says that the change is committed. A change that was asked for with `durable`, and
 * every decision, grant and audit entry, also survives a power cut.
 *
 * Every operation may throw the codes of the place itself: HOME_UNREADABLE, HOME_UNWRITABLE, DISK_FULL,
 * TOO_MANY_FILES, RECORD_DAMAGED, RECORD_NEWER.
 */
export interface Records {
  readonly runs: RunRecords
  readonly slots: SlotRecords
  readonly grants: GrantRecords
  readonly memory: MemoryRecords
  readonly audit: AuditRecords
  readonly routes: RouteRecords
  /** Waits for what is being written, then gives back leases, slots and files. May be called twice. */
  close(): Later<void>
}

/** The fact that a run begins with: what a run whose process died before its first event is started from. */
export type FirstFact = FactOf<'run.started'>

export interface NewRun {
  readonly header: RunHeader
  /** Of the agent whose run it is. Stored once for all runs that share it. */
  readonly plan: Plan
  /** Plans of the other agents that may take part; empty for a sub-agent's run, which has those of its root. */
  readonly family: readonly Plan[]
  /** Without secrets, and with personal data handled as the plan says: it is stored as it is. */
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
  /** Read from a file with `runs import`: evidence, which cannot be resumed. */
  readonly imported: boolean
}

export interface RunRecords {
  /**
   * Stores a new run with its input and opens it. It appears whole or not at all.
   * @param options.durable it must survive a power cut before this resolves: its id is given out, or a write follows
   */
  create(run: NewRun, options?: { readonly durable?: boolean }): Later<OpenRun>
  /**
   * Takes the lease of a run: its epoch rises by one, and from then on the previous holder cannot append.
   * @throws RUN_NOT_FOUND; RUN_LOCKED while a live process holds the lease; RUN_IMPORTED; RECORD_DAMAGED;
   * RECORD_NEWER when a later version wrote something that this one does not know
   */
  open(runId: string): Later<OpenRun>
  /** Tells whether there is a record of this run, also one that is damaged or imported. Reads nothing else of it. */
  has(runId: string): Later<boolean>
  /** Reads a run without touching it; another process may be driving it. @throws RUN_NOT_FOUND */
  read(runId: string): Later<StoredRun>
  /** The events after a sequence number (default 0: all), in order. @throws RUN_NOT_FOUND */
  events(runId: string, after?: number): Later<readonly RunEvent[]>
  /** What a list shows of one run, without folding its events. @throws RUN_NOT_FOUND */
  listed(runId: string): Later<ListedRecord>
  /** Newest first. A run that cannot be read is listed with `damaged`, and hides no other. */
  list(filter?: RunFilter, page?: Page): Later<RunPage>
  /** Ids that begin or end with this text, newest first, at most `limit`. */
  find(part: string, limit: number): Later<readonly string[]>
  /**
   * Removes a run with its events and decisions, and the runs of its sub-agents.
   * @param audit appended in the same transaction: a removal that is on record is no gap of the audit log
   * @throws RUN_NOT_FOUND; RUN_LOCKED while a live process holds the lease
   * @returns the ids of all removed runs
   */
  remove(
    runId: string,
    audit?: (removed: readonly string[]) => readonly AuditFact[],
  ): Later<readonly string[]>
  /**
   * Stores runs that were read from a file, all or none; they cannot be resumed.
   * @throws RUN_EXISTS when this store already has one of them
   */
  import(runs: readonly ImportedRun[], audit?: readonly AuditFact[]): Later<void>
  /** Decisions that people left for a run, oldest first. @throws RUN_NOT_FOUND */
  decisions(runId: string): Later<readonly LeftDecision[]>
  /**
   * Stores a person's decision. There is one for each question: who comes second is told who was first. Durable.
   * @param seen the last event that the person saw; when there are later ones, nothing is stored and `moved` returned
   */
  decide(runId: string, question: Question, decision: LeftDecision): Later<Decided>
  /** What stands for personal data in a run and its sub-agents' runs: sealed lines in the order they were appended. */
  sealed(rootRunId: string): Later<readonly string[]>
}

/** One thing that a run asks of people: a call that waits, at one moment of its life. */
export interface Question {
  /** The call's idempotency key. */
  readonly key: string
  /** The event by which the call came to ask; a call that asks again asks another question. */
  readonly asked: number
}

export type Decided =
  | { readonly outcome: 'kept' }
  /** Somebody else decided the same question first. */
  | { readonly outcome: 'taken'; readonly by: LeftDecision }
  /** The run has moved on since it was looked at. */
  | { readonly outcome: 'moved' }

/** A run that this holder alone may append to, until it is closed or another takes its lease over. */
export interface OpenRun extends StoredRun {
  readonly epoch: number
  /**
   * Appends events, in the order of the calls. They are committed when it returns or its promise resolves.
   * The events are stored only if nobody has taken the lease since and the last event on record is the one before the
   * first of these: a compare-and-swap on (epoch, seq).
   * @throws RUN_TAKEN_OVER when either differs: this holder must stop, and nothing of this append is on record
   */
  append(events: readonly RunEvent[], options: AppendOptions): Later<void>
  /** Gives the lease back. May be called twice. */
  close(): Later<void>
}

export interface AppendOptions {
  /** It must survive a power cut: a call that may write is about to leave, or a person's decision is among them. */
  readonly durable: boolean
  /** Of the run after these events; what lists show is taken from it. */
  readonly state: RunState
  /** Stored in the same transaction, so that no event lacks its entry. */
  readonly audit?: readonly AuditFact[]
  /** Sealed personal data that these events name by placeholders; kept with the root run. */
  readonly sealed?: readonly string[]
}

export interface ImportedRun extends Omit<NewRun, 'sealed'> {
  readonly events: readonly RunEvent[]
}

export interface RunFilter {
  /** `waiting`: somebody has to decide about a call. */
  readonly status?: RunState['status']
  readonly agent_id?: string
  readonly user?: string
  readonly batch?: string
  /** Created at or after this moment (ms since the epoch). */
  readonly since?: number
  /** Only runs that have calls waiting for a person, whatever their status. */
  readonly questions?: true
  /** Only runs that are not a sub-agent's, and sub-agents' runs whose root is gone. */
  readonly roots?: true
  /** Only the run with this id and the runs of its sub-agents. */
  readonly root?: string
}

export interface Page {
  /** At most this many; default 100. */
  readonly limit?: number
  /** `next` of the page before. */
  readonly cursor?: string
}

export interface RunPage {
  readonly items: readonly ListedRecord[]
  readonly next: string | null
}

/** What a list shows of a run. It is kept beside the events, so that no list has to fold them. */
export interface ListedRecord {
  readonly run_id: string
  /** Null when the record cannot be read. */
  readonly header: RunHeader | null
  readonly status: RunState['status']
  readonly stop_reason?: string
  /** Of the last event; 0: not begun. */
  readonly seq: number
  /** How many calls wait for a person. */
  readonly questions: number
  /** A live process holds the lease. */
  readonly live: boolean
  readonly imported: boolean
  /** Milliseconds since the epoch. */
  readonly created_at: number
  readonly updated_at: number
  /** Why it cannot be read. */
  readonly damaged?: { readonly code: AnyCode; readonly message: string }
}

/** A place among the runs of an agent that may be under way at once (AAIF §4.6 concurrency). */
export interface SlotRequest {
  /** Whose slots: every run of the same agent names the same. */
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
  /** Called once, when it has to wait. */
  readonly onWait?: (holders: readonly SlotHolder[]) => void
}

export interface SlotRecords {
  /**
   * Takes a slot, in the order of asking. The slot is given back when its process dies.
   * @returns what gives the slot back
   * @throws CONCURRENCY_EXCEEDED when it may not wait; CONCURRENCY_DEADLOCK when waiting would close a circle of runs
   * that wait for one another, which is checked in the transaction that queues; the signal's reason
   */
  take(request: SlotRequest, options?: SlotOptions): Later<() => Later<void>>
}

export interface GrantRecords {
  /** All grants, those that have run out included, oldest first. */
  list(): Later<readonly Grant[]>
  /** Stores a grant with its audit entries; one with the same id is replaced. Durable. */
  give(grant: Grant, audit: readonly AuditFact[]): Later<void>
  /** Removes grants; an id that is gone already is no error. Durable. @returns those that were there */
  revoke(
    ids: ReadonlySet<string>,
    audit: (revoked: readonly Grant[]) => readonly AuditFact[],
  ): Later<readonly Grant[]>
  /** Uses a grant once. @returns false when it was revoked, has run out or has no uses left. Durable when it counts uses */
  spend(id: string, at: number): Later<boolean>
}

export interface AuditRecords {
  /** Appends entries; durable when it resolves. @throws AUDIT_DAMAGED when the log does not end as its head says */
  append(facts: readonly AuditFact[]): Later<void>
  /** Entries after number `after` (default 0) as they were written, one JSON text each, at most `limit`. */
  lines(after?: number, limit?: number): Later<readonly string[]>
  /** The signed head: the last entry. Null when the log is empty. */
  head(): Later<AuditEntry | null>
}

/** Which items of memory an operator means; an absent member means all. */
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
}

export interface MemoryRecords extends MemoryStore {
  /** What an operator may look at, whoever owns it. */
  list(filter: MemoryFilter, at: number): Later<readonly KeptItem[]>
  /** @returns how many items were removed; nothing of them is left in the files */
  forget(filter: MemoryFilter): Later<number>
  /** Ends a session: what it left is removed, and the definition's own items are kept anew for a later one. */
  endSession(session: string, filter?: Pick<MemoryFilter, 'agent_id' | 'user'>): Later<number>
}

export interface RouteRecords {
  read(): Later<ReadonlyMap<string, RouteHistory>>
  /** Adds what was seen to what others have seen meanwhile. May be lost in a crash. */
  merge(seen: ReadonlyMap<string, RouteHistory>): Later<void>
}
