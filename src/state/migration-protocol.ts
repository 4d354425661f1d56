import type { MovePhase } from '../run/record/move-records.ts'

/**
 * The protocol of a migration (AAIF §8.2) as two small machines, which the platform drives and a test checks
 * exhaustively. The receiver's row for a token is the arbiter: it is written once, either by the import or by a
 * withdrawal, and never changed. The sender never decides by itself who owns the run: it gives the run away, or takes it
 * back, only because of an answer that says what the row is. So a lost answer, a crash or a repeated message delays a
 * move, and never leads to two owners or to none.
 *
 * A receiver without a URL fetches the state itself. Its sender begins in the phase `offered`, and is in the phase `sending`
 * before it answers the first fetch; the answers are the signed reports of the receiver. A fetch in the phase `withdrawing`
 * is answered with the withdrawal.
 */

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
  if (phase !== 'offered' && phase !== 'sending' && phase !== 'withdrawing') return phase
  if (answer === 'owned') return 'moved'
  if (answer === 'refused') return 'kept'
  // The token has not left the sender, so it needs no withdrawal.
  if (phase === 'offered') return expired ? 'kept' : phase
  return answer === 'rejected' || expired ? 'withdrawing' : phase
}

/** Returns the phase after a receiver has asked for the state. @param expired the token is not accepted any more */
export function phaseAfterFetch(phase: MovePhase, expired: boolean): MovePhase {
  if (expired) return phaseAfter(phase, 'nothing', true)
  return phase === 'offered' ? 'sending' : phase
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
