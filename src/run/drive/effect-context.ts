import type { Program } from '../../plan/plan.ts'
import type { Effect, Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import type { RunTrace } from '../trace/run-trace.ts'
import type { Control, DrivePorts } from './drive-ports.ts'

/** An effect that leads to a fact. The other effects abort or cancel effects in flight. */
export type Performed = Exclude<Effect, { type: 'abort' | 'cancel' }>

/** The context of an effect performer. Performers keep no state of their own, so that every driver can use them. */
export interface EffectContext {
  readonly program: Program
  /** The state after the event that the effect follows from. */
  readonly state: RunState
  readonly ports: DrivePorts
  /** Aborted when the effect's fact is no longer needed. */
  readonly signal: AbortSignal
  /** True if the run was about to end before the effect was sent; then it must not be sent. */
  readonly isWithdrawn: boolean
  /** Settles when on_start has been called; no call is sent before. */
  readonly begun: Promise<unknown>
  readonly trace: RunTrace
  /** Receives each piece of text that a model generates, before any gate; an empty text begins a new answer. */
  partial(text: string): void
  /** The model has begun to call tools in its answer. */
  calling(): void
  /** Receives text that a person may see. Absent: there is no reader. */
  readonly onText: ((delta: string) => void) | undefined
  /**
   * Resolves when the fact is on record.
   * @throws RecordFailure
   */
  record(fact: Fact): Promise<void>
  /** Receives the control of a sub-agent's run. */
  control(control: Control): void
}
