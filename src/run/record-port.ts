import { messageOf } from '../document/message-of.ts'
import type { Program } from '../plan/plan.ts'
import type { RunEvent } from './event.ts'
import type { FirstFact, Later } from './record/records.ts'
import type { AgentCall, CallEntry, RunState } from './state.ts'

/**
 * A record that cannot be read or written. Without its record a run must not go on: this is never the failure of an
 * agent, of a call or of a model, and no event may say so. `cause` is what the record threw.
 */
export class RecordFailure extends Error {
  override readonly name = 'RecordFailure'

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
  }
}

/** Where events go. They are on record when `append` returns or its promise resolves. */
export interface EventSink {
  /**
   * @param durable a call that may write is about to leave: the events must survive even a power cut
   * @param state of the run after the last of them
   */
  append(events: readonly RunEvent[], durable: boolean, state: RunState): Later<void>
}

/** The record of a sub-agent's run: new, or as far as it had come. */
export interface AgentRecord {
  readonly state: RunState
  /** What the run begins with. */
  readonly first: FirstFact
  readonly sink: EventSink
  close(): Later<void>
}

/** Where the runs of sub-agents are recorded. */
export interface AgentRecords {
  /** Whether there is a record of this run. Absent: there is none before `open`. */
  has?(runId: string): Later<boolean>
  /** @param first what the run begins with; called when there is no record of it yet */
  open(
    agent: AgentCall,
    call: CallEntry,
    parent: RunState,
    program: Program,
    first: () => Promise<FirstFact>,
  ): Later<AgentRecord>
}
