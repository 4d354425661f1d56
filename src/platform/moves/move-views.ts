import { originalText } from '../database/stored-text.ts'
import type { MigrationView, MoveView } from './move.ts'
import type { MoveRow } from './move-rows.ts'
import { ownPlace } from './place.ts'

interface Here {
  readonly publicUrl: string | undefined
  readonly org: string
}

/** Returns how a move is shown to the organisation that sends the run. */
export function viewOf(move: MoveRow, here: string): MoveView {
  const { phase, state_id, checksum, target_run_id, why, code, jti } = move
  const owner = phase === 'moved' ? move.target : here
  return {
    run_id: originalText(move.run_id),
    state: phase === 'moved' || phase === 'kept' ? phase : 'moving',
    owner,
    jti,
    ...(target_run_id !== null && { target_run_id: originalText(target_run_id) }),
    ...(state_id !== null && { state_id }),
    ...(checksum !== null && { checksum }),
    ...(why !== null && { why: originalText(why) }),
    ...(code !== null && { code }),
  }
}

/** Returns the answer about a token that a state has arrived with, or that was withdrawn here. */
export function arrived(
  { publicUrl, org }: Here,
  { state, run_id }: { readonly state: 'owned' | 'refused'; readonly run_id: string | null },
): MigrationView {
  // Without a public URL, no token can name this platform.
  if (state === 'refused' && publicUrl === undefined)
    return { state: 'refused', owner: null, run_id: null, place: null }
  const place = ownPlace(publicUrl, org)
  return state === 'owned'
    ? { state: 'owned_here', owner: place, run_id: run_id === null ? null : originalText(run_id), place }
    : { state: 'refused', owner: null, run_id: null, place }
}

function takeBackHint({ run_id }: MoveRow): string {
  return `the receiver does not know the run any more: \`waybill migrate ${originalText(run_id)} --take-back\` takes it back`
}

/** Returns the answer about a token that was issued here. */
export function sent({ publicUrl, org }: Here, move: MoveRow): MigrationView {
  const { phase, target_run_id } = move
  const place = ownPlace(publicUrl, org)
  if (phase === 'moved')
    return {
      state: 'moved',
      owner: move.target,
      run_id: target_run_id === null ? null : originalText(target_run_id),
      place,
      ...(move.receiver !== null && { receiver: move.receiver, hint: takeBackHint(move) }),
    }
  return {
    state: phase === 'kept' ? 'refused' : 'pending',
    owner: phase === 'kept' ? place : null,
    run_id: originalText(move.run_id),
    place,
  }
}
