import type { Program } from '../../plan/plan.ts'
import type { Effect, Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import type { RunTrace } from '../trace/run-trace.ts'
import type { Control, DrivePorts } from './drive-ports.ts'

/** An effect that leads to a fact. The other effects steer those that are under way. */
export type Performed = Exclude<Effect, { type: 'abort' | 'cancel' }>

/** What an effect performer is given. Performers keep no state of their own, so that every driver can use them. */
export interface EffectContext {
  readonly program: Program
  /** The state after the event that the effect follows from. */
  readonly state: RunState
  readonly ports: DrivePorts
  /** Aborted when nobody waits for the effect's fact any more. */
  readonly signal: AbortSignal
  /** Whether the run was about to end before the effect has left: then it must not leave. */
  readonly takenBack: boolean
  /** Settles when on_start has been called; nothing leaves before. */
  readonly begun: Promise<unknown>
  readonly trace: RunTrace
  /** Takes each piece of text that a model generates, before any gate; an empty text begins a new answer. */
  partial(text: string): void
  /** Takes text that a person may see. Absent: nobody watches. */
  readonly onText: ((delta: string) => void) | undefined
  /**
   * Resolves when the fact is on record.
   * @throws RecordFailure
   */
  record(fact: Fact): Promise<void>
  /** Takes what steers a sub-agent's run. */
  control(control: Control): void
}
