import type { AuditFact } from '../../trust/audit-chain.ts'
import type { Later, RestoredRecord } from './records.ts'

/**
 * How far the sender of a run is; `migration-protocol.ts` says which phase follows. `pausing`: the run is still its own.
 * `offered`: frozen, and the receiver has not fetched the state. `sending`: frozen, and the state is sent, or was fetched,
 * until there is an answer. `withdrawing`: frozen, and the token is withdrawn until there is an answer. `moved` and
 * `kept` are final.
 */
export type MovePhase = 'pausing' | 'offered' | 'sending' | 'withdrawing' | 'moved' | 'kept'

/** Why a move has not led to a new owner. */
export interface MoveFailure {
  readonly code: string
  readonly why: string
}

/** A move that is to begin. */
export interface NewMove {
  /** Id of the migration token. */
  readonly jti: string
  readonly run_id: string
  /** Who sends, as the URI of its place. */
  readonly source: string
  /** Who receives, as the URI of its place. */
  readonly target: string
  /** The server of the receiver. */
  readonly url: string
  readonly method: 'document' | 'stream'
  readonly by: string
  /** Only the move has stopped the run, so it continues after the import. */
  readonly paused: boolean
}

/** A move as it is stored. */
export interface StoredMove extends NewMove {
  readonly phase: MovePhase
  /** The state with its token, as JSON, while it is being sent. */
  readonly document: string | null
  readonly state_id: string | null
  readonly checksum: string | null
  /** Of the token, in milliseconds since the epoch. */
  readonly expires_at: number | null
  readonly target_run_id: string | null
  readonly code: string | null
  readonly why: string | null
}

/** The captured state of a move. */
export interface StoredState {
  readonly document: string
  readonly state_id: string
  readonly checksum: string
  /** Milliseconds since the epoch. */
  readonly expires_at: number
}

/** What was decided about a token that another platform has issued: written once. */
export interface Arrival {
  readonly jti: string
  readonly state: 'owned' | 'refused'
  /** The run here; null: it was not imported. */
  readonly run_id: string | null
  /** The sender, as the URI of its place. */
  readonly source: string
  readonly source_run_id: string
  /** The server of the sender. */
  readonly url: string
  readonly state_id: string | null
  readonly checksum: string | null
}

export interface StoredArrival extends Arrival {
  /** Whether the sender has confirmed that it knows the decision. */
  readonly reported: boolean
}

/**
 * The moves of a home's runs: those that it sends, and those that it receives. A run that is being moved, or was moved, is
 * changed by nothing else: the store itself refuses leases, events, decisions and requests to pause with RUN_MOVING or
 * RUN_MOVED. Every change is durable when it resolves.
 */
export interface MoveRecords {
  /** Returns a text that changes with each event and each decision of a run and the runs of its sub-agents. @throws RUN_NOT_FOUND */
  mark(runId: string): Later<string>
  /**
   * Freezes a run with the runs of its sub-agents, and stores its move in the phase `sending`.
   * @param mark what `mark` returned before the caller looked at the run
   * @returns false if the run has continued since, or has a new decision
   * @throws RUN_NOT_FOUND; RUN_LOCKED while a live process drives it; RUN_MOVING, RUN_MOVED
   */
  begin(move: NewMove, mark: string, audit: readonly AuditFact[]): Later<boolean>
  read(jti: string): Later<StoredMove | undefined>
  /** Returns the move of a run that is under way, or that has moved it. */
  ofRun(runId: string): Later<StoredMove | undefined>
  /** Returns the move that has led to this run of another platform. */
  ofTarget(targetRunId: string): Later<StoredMove | undefined>
  /** Stores the state that is sent, unless there is one already. */
  storeState(jti: string, state: StoredState): Later<void>
  /** Stores that the token of a move is to be withdrawn, if its state is being sent. */
  withdraw(jti: string, failure: MoveFailure): Later<void>
  /** Gives a run away. @returns false if the move has ended already */
  giveAway(jti: string, targetRunId: string | null, audit: readonly AuditFact[]): Later<boolean>
  /** Ends a move whose run stays here. @returns false if the move has ended already */
  takeBack(jti: string, failure: MoveFailure, audit: readonly AuditFact[]): Later<boolean>

  arrival(jti: string): Later<StoredArrival | undefined>
  /** Returns the newest decision about a run of another platform. */
  arrivalOf(url: string, sourceRunId: string): Later<StoredArrival | undefined>
  /**
   * Stores the runs that continue a state together with the decision that they are owned here, all or nothing.
   * @returns the decision that counts: this one, or the one that was made before
   * @throws RUN_EXISTS
   */
  receive(
    arrival: Arrival,
    runs: readonly RestoredRecord[],
    audit: readonly AuditFact[],
  ): Later<StoredArrival>
  /** Decides that a token is not used here. @returns the decision that counts, as `receive` */
  refuse(arrival: Arrival, audit: readonly AuditFact[]): Later<StoredArrival>
  /** Stores that the sender knows the decision. */
  reported(jti: string): Later<void>
}
