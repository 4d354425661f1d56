import type { MoveFailure } from '../../run/record/move-records.ts'
import type { MoveAnswer } from '../../state/migration-protocol.ts'

/** What the sender of a run learns from a request to its receiver. */
export interface MoveReply {
  readonly answer: MoveAnswer
  /** The run there, if it is known. */
  readonly targetRunId: string | null
  /** Why the state was not imported, as the receiver says. */
  readonly failure?: MoveFailure
}
