/**
 * The protocol of a migration (AAIF §8.2) as two small machines, which the platform drives and a test checks
 * exhaustively. The receiver's row for a token is the arbiter: it is written once, either by the import or by a
 * withdrawal, and never changed. The sender never decides by itself who owns the run: it gives the run away, or takes it
 * back, only because of an answer that says what the row is. So a lost answer, a crash or a repeated message delays a
 * move, and never leads to two owners or to none.
 */

/**
 * How far the sender is. `pausing`: the run is still its own. `sending`: frozen, and the state is sent until there is an
 * answer. `withdrawing`: frozen, and the token is withdrawn until there is an answer. `moved` and `kept` are final.
 */
export type MovePhase = 'pausing' | 'sending' | 'withdrawing' | 'moved' | 'kept'

/** The receiver's row for a token; null: there is none yet. */
export type ArrivalState = 'owned' | 'refused' | null

/** `ask` changes nothing. `import`: the receiver has verified the state and the token. */
export type ArrivalRequest = 'import' | 'withdraw' | 'ask'

/**
 * What the sender learns: the row, `rejected` (the state was not imported, but a copy of the same request may still
 * arrive), or `nothing` (no answer).
 */
export type MoveAnswer = ArrivalState | 'rejected' | 'nothing'

/** Returns the row after a request: the first import or withdrawal decides. */
export function arrivalAfter(row: ArrivalState, request: ArrivalRequest): ArrivalState {
  if (row !== null || request === 'ask') return row
  return request === 'import' ? 'owned' : 'refused'
}

/**
 * Returns the phase after an answer.
 * @param expired the token is not accepted any more, or the move was given up: a withdrawal makes sure
 */
export function phaseAfter(phase: MovePhase, answer: MoveAnswer, expired: boolean): MovePhase {
  if (phase !== 'sending' && phase !== 'withdrawing') return phase
  if (answer === 'owned') return 'moved'
  if (answer === 'refused') return 'kept'
  return answer === 'rejected' || expired ? 'withdrawing' : phase
}

/** Returns what the sender sends next; null: nothing. */
export function requestIn(phase: MovePhase): ArrivalRequest | null {
  if (phase === 'sending') return 'import'
  return phase === 'withdrawing' ? 'withdraw' : null
}

/** Returns whether the sender may run the run. */
export function senderOwns(phase: MovePhase): boolean {
  return phase === 'pausing' || phase === 'kept'
}
