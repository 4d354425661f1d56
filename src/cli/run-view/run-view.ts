import type { Fact, RunEvent } from '../../run/event.ts'
import type { PersonDecided } from '../../run/record/left-decision.ts'
import type { RunState } from '../../run/state.ts'
import type { AskedCall } from '../../session/session.ts'

/** Shows the progress of a run to its observer. */
export interface RunView {
  event?(event: RunEvent, state: RunState): void
  /** Receives text as it is generated. If absent, the model does not stream. */
  text?(delta: string): void
  /**
   * Asks the person at the terminal about a call; returns null if there is no terminal.
   * @param interrupt pauses the run; a prompt that handles Ctrl-C itself calls it
   */
  ask?(asked: AskedCall, interrupt: () => void): Promise<Fact | null> | null
  /** Reports that another person decided this question first. */
  overruled?(by: PersonDecided): void
  /** Reports the first Ctrl-C: the run is being stopped and saved. */
  stopping?(): void
  /** Ends the output of the run. Always called once. */
  close?(): void
}
