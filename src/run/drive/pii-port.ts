import type { Json } from '../../document/json.ts'
import type { Plan, Program } from '../../plan/plan.ts'
import type { Fact } from '../event.ts'
import type { RunState } from '../state.ts'

/** Keeps personal data out of records and models as the plan says, and puts it back where a tool must act on it. */
export interface PiiPort {
  /** The fact as it may be recorded. What stands in for personal data can be read again when this returns. */
  clean(fact: Fact, program: Program, state: RunState): Fact
  /** Values with the real data in place of what stands for it; the same reference when there is none. */
  reveal<T extends Json>(value: T): T
  /** A value that outlives the run, such as an item of memory: a placeholder means nothing to another run. */
  lasting<T extends Json>(value: T): T
  /** For text as it is generated: hands it on when it may be seen, or null when nobody may before it is whole. */
  stream(plan: Plan, emit: (text: string) => void): TextGate | null
}

export interface TextGate {
  push(delta: string): void
  /** No more comes. */
  flush(): void
}
