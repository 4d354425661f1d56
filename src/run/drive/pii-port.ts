import type { Json } from '../../document/json.ts'
import type { Plan, Program } from '../../plan/plan.ts'
import type { Fact } from '../event.ts'
import type { RunState } from '../state.ts'

/** Keeps personal data out of records and models as the plan says, and restores it where a tool needs it. */
export interface PiiPort {
  /** Returns the fact as it may be recorded. Values behind its placeholders can be read again when this returns. */
  clean(fact: Fact, program: Program, state: RunState): Fact
  /** Replaces placeholders by the real values; returns the same reference if there are none. */
  reveal<T extends Json>(value: T): T
  /** Prepares a value that outlives the run, such as a memory item: a placeholder has no meaning in another run. */
  lasting<T extends Json>(value: T): T
  /**
   * Returns a gate for generated text: passes it on as soon as it may be seen. Null: no text may be shown before it
   * is complete.
   */
  stream(plan: Plan, emit: (text: string) => void): TextGate | null
}

export interface TextGate {
  push(delta: string): void
  /** Ends the text. */
  flush(): void
}
