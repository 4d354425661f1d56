import { messageOf } from '../document/message-of.ts'
import type { Program } from '../plan/plan.ts'
import type { RunEvent } from './event.ts'
import type { CopiedRecord, FirstFact, Later } from './record/records.ts'
import type { AgentCall, CallEntry, RunState } from './state.ts'

/**
 * A record that cannot be read or written. A run must not continue without its record. This is never a
 * failure of an agent, a call or a model, and no event may report it as one. `cause` is the record's error.
 */
export class RecordFailure extends Error {
  override readonly name = 'RecordFailure'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

/**
 * Stores events, in the order of the calls. They are on record when `append` returns or its promise resolves. After an
 * append that failed it stores no later ones.
 */
export interface EventSink {
  /**
   * @param durable a call that may write is about to leave: the events must survive even a power cut
   * @param state of the run after the last of them
   */
  append(events: readonly RunEvent[], durable: boolean, state: RunState): Later<void>
}

/** The record of a sub-agent's run, new or partly filled. */
export interface AgentRecord {
  readonly state: RunState
  /** The fact that the run begins with. */
  readonly first: FirstFact
  /** See `OpenRun.copied`. */
  readonly copied?: CopiedRecord
  readonly sink: EventSink
  close(): Later<void>
}

/** Stores the runs of sub-agents. */
export interface AgentRecords {
  /** Returns whether there is a record of this run. Absent: there is none before `open`. */
  has?(runId: string): Later<boolean>
  /** @param first returns the fact that the run begins with; called if there is no record of it yet */
  open(
    agent: AgentCall,
    call: CallEntry,
    parent: RunState,
    program: Program,
    first: () => Promise<FirstFact>,
  ): Later<AgentRecord>
}
