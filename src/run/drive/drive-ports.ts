import type { Json } from '../../document/json.ts'
import type { Fact, RunEvent } from '../event.ts'
import type { Clock, ContextPort, HookPort, MemoryPort, ModelPort, RouteBoard, ToolPort } from '../ports.ts'
import type { EventSink } from '../record-port.ts'
import type { CallEntry, Interruption, RunState } from '../state.ts'
import type { PiiPort } from './pii-port.ts'

/** The ports of a driver. */
export interface DrivePorts {
  readonly model: ModelPort
  readonly tools: ToolPort
  /** Absent: there is no memory, and a plan with memory gets a warning. */
  readonly memory?: MemoryPort
  readonly clock: Clock
  readonly sink: EventSink
  /** Asks a person. Null, or a promise of null: no person can answer here now, so the run waits. */
  readonly ask?: (call: CallEntry, state: RunState, signal: AbortSignal) => Promise<Fact | null> | null
  /**
   * Drives a sub-agent's run: starts or resumes it. Returns the fact for its parent, or null if the run was stopped
   * before its end.
   * @throws whatever prevents the run from being driven or recorded: this is never a failure of the sub-agent
   */
  readonly agents?: (call: CallEntry, parent: RunState, options: AgentOptions) => Promise<Fact | null>
  /** Fetches texts of the prompt again that are too old. Absent: the older texts are used. */
  readonly context?: ContextPort
  /**
   * Calls the hooks that the plan names. Absent: no hook is called, and a call that a hook must allow is not sent.
   */
  readonly hooks?: HookPort
  /** Stores observations of routes. Absent: strategies that need them keep the declared order. */
  readonly routes?: RouteBoard
  /** Removes secrets from a fact before it becomes an event; must return the same object if nothing changes. */
  readonly redact?: (fact: Fact) => Fact
  /** Keeps personal data out of the record and from models, as the plan says. */
  readonly pii?: PiiPort
}

export interface AgentOptions {
  /** The run is driven only to be cancelled, which may require a person's decision. */
  readonly cancelled: boolean
  /** When aborted, the sub-agent's run stops at once and records nothing more. */
  readonly signal: AbortSignal
  /** The trace context of the call, for the run that it starts. */
  readonly trace_parent: string
  /** Receives the control of the sub-agent's run, so that a pause of the parent reaches it. */
  readonly control: (control: Control) => void
}

export interface DriveOptions {
  readonly onEvent?: (event: RunEvent, state: RunState) => void
  /** Text as it is generated: a side channel, never recorded. */
  readonly onText?: (delta: string) => void
  readonly control?: (control: Control) => void
  /**
   * Time for calls in flight, in milliseconds: after a pause until they are abandoned, and before the end of a run
   * until a person is asked about their outcome.
   */
  readonly drainMs?: number
  /** When aborted, the drive stops at once and records nothing more. */
  readonly signal?: AbortSignal
}

/** Controls a run from outside while it is driven. */
export interface Control {
  pause(by: string): void
  cancel(by: string): void
  /** Stops the turn in progress without waiting for a person; the run accepts its next input after that. */
  interrupt(by: string, how: Interruption): void
  /** Adds a message of the user to the turn in progress; it never answers a question to a person. */
  steer(input: Json): void
  /**
   * Adds a fact to the run, such as a decision that a person made elsewhere. A `user.said` waits for the end of the turn
   * in progress.
   */
  submit(fact: Fact): void
}
