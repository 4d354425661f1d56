import type { Program } from '../plan/plan.ts'
import type { RunEvent } from './event.ts'
import type { AgentCall, CallEntry, RunState } from './state.ts'

/** Where events go. They are on record when `append` returns or its promise resolves. */
export interface EventSink {
  /** @param durable a call that may write is about to leave: the entry must survive even a power cut */
  append(events: readonly RunEvent[], durable: boolean): void | Promise<void>
}

/** The record of a sub-agent's run: new, or as far as it had come. */
export interface AgentRecord {
  readonly state: RunState
  readonly sink: EventSink
  close(): void
}

/** Where the runs of sub-agents are recorded. */
export interface AgentRecords {
  open(agent: AgentCall, call: CallEntry, parent: RunState, program: Program): AgentRecord
}
