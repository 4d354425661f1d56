import type { Fact, RunEvent } from '../../run/event.ts'
import type { PersonDecided } from '../../run/record/left-decision.ts'
import type { RunState } from '../../run/state.ts'
import type { AskedCall } from '../../session/session.ts'

/** How a run shows itself to whoever is watching. */
export interface RunView {
  event?(event: RunEvent, state: RunState): void
  /** Text as it is generated. Absent: the model is not asked to stream. */
  text?(delta: string): void
  /**
   * Asks the person at the terminal about a call; null when there is none.
   * @param interrupt what Ctrl-C does, for a question that takes the key itself
   */
  ask?(asked: AskedCall, interrupt: () => void): Promise<Fact | null> | null
  /** Somebody else decided first what the person here has just decided. */
  overruled?(by: PersonDecided): void
  /** The first Ctrl-C: the run is being stopped and saved. */
  stopping?(): void
  /** Nothing more comes, for whatever reason. */
  close?(): void
}
