import type { Fact, RunEvent } from '../event.ts'
import type { Clock, ContextPort, HookPort, MemoryPort, ModelPort, RouteBoard, ToolPort } from '../ports.ts'
import type { EventSink } from '../record-port.ts'
import type { CallEntry, RunState } from '../state.ts'
import type { PiiPort } from './pii-port.ts'

/** What a driver needs of the world. */
export interface DrivePorts {
  readonly model: ModelPort
  readonly tools: ToolPort
  /** Absent: nothing is remembered, and a plan with memory is told so in a warning. */
  readonly memory?: MemoryPort
  readonly clock: Clock
  readonly sink: EventSink
  /** Asks a person. Null, or a promise of null: nobody here can answer now, so the run waits. */
  readonly ask?: (call: CallEntry, state: RunState, signal: AbortSignal) => Promise<Fact | null> | null
  /**
   * Drives a sub-agent's run: begins it, or goes on with it when it has begun. Returns the fact for its parent, or
   * null when the run was stopped before its end.
   * @throws whatever keeps the run from being driven or recorded: this is never a failure of the sub-agent
   */
  readonly agents?: (call: CallEntry, parent: RunState, options: AgentOptions) => Promise<Fact | null>
  /** Fetches again what has become too old. Absent: it stays as it was. */
  readonly context?: ContextPort
  /** Calls the hooks that the plan names. Absent: none is called, and no call leaves that one would have to allow. */
  readonly hooks?: HookPort
  /** Remembers how routes fare; absent: strategies that need it keep to the declared order. */
  readonly routes?: RouteBoard
  /** Takes secrets out of a fact before it becomes an event; must return the same object when nothing changes. */
  readonly redact?: (fact: Fact) => Fact
  /** Keeps personal data out of the record and from models, as the plan says. */
  readonly pii?: PiiPort
}

export interface AgentOptions {
  /** The run is driven only to be cancelled, which may need a person. */
  readonly cancelled: boolean
  /** Aborted: the sub-agent's run stops at once and records nothing more. */
  readonly signal: AbortSignal
  /** The trace context of the call, for the run that it starts. */
  readonly trace_parent: string
  /** Takes what steers the sub-agent's run, so that a pause of the parent reaches it. */
  readonly control: (control: Control) => void
}

export interface DriveOptions {
  readonly onEvent?: (event: RunEvent, state: RunState) => void
  /** Text as it is generated: a side channel, never recorded. */
  readonly onText?: (delta: string) => void
  readonly control?: (control: Control) => void
  /**
   * How long calls that are under way may go on after a pause before they are left behind, and when the run is about to
   * end before a person is asked what became of them; in milliseconds.
   */
  readonly drainMs?: number
  /** Aborted: the drive stops at once and records nothing more. */
  readonly signal?: AbortSignal
}

/** Steers a run from outside while it is driven. */
export interface Control {
  pause(by: string): void
  cancel(by: string): void
  tell(fact: Fact): void
}
