import type { LocalHome } from '../../compose/local-home.ts'
import { WaybillError } from '../../document/issue.ts'
import { findRun } from '../../session/find-run.ts'
import type { ExitCode, Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { confirmTakeBack } from './confirm-take-back.ts'
import type { MigrateOptions } from './migrate-options.ts'
import { showMove } from './show-move.ts'

/** Says of a run of this machine that a platform which is not Waybill runs it (`--confirm`), or does not (`--take-back`). @throws MOVE_REFUSED */
export async function decideHere(
  home: LocalHome,
  wanted: string,
  options: MigrateOptions,
  io: Io,
): Promise<ExitCode> {
  const { records } = home.moves
  const runId = await findRun(home, wanted)
  const move = await records.ofRun(runId)
  // A platform that has a URL is asked, and never a person.
  if (move === undefined || move.url !== '') throw notByHand(runId)
  const { jti, source, target, state_id, checksum } = move
  const goes = options.confirm === true
  if (!goes) await confirmTakeBack(runId, options, io)
  const about = { run_id: runId, to: target, jti, state_id, checksum }
  const fact = { at: new Date().toISOString(), by: personName(io.env), ...about }
  const changed = goes
    ? await records.giveAway(jti, null, [{ ...fact, kind: 'run.moved' }])
    : await records.takeBack(jti, TAKEN_BACK, [{ ...fact, kind: 'run.kept', code: TAKEN_BACK.code }])
  if (!changed && !(goes && move.phase === 'moved')) throw notByHand(runId)
  const state = goes ? 'moved' : 'kept'
  return showMove({ run_id: runId, state, owner: goes ? target : source, jti }, options, io)
}

const TAKEN_BACK = { code: 'MOVE_REFUSED', why: 'a person stated that the other platform does not run it' }

function notByHand(runId: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `the state of run ${runId} was not written for another platform, or that was decided already`,
    hint: '`waybill state export RUN --to PEER` writes it; a run that was moved to a Waybill platform is continued as a fork: `waybill state export RUN`, and `waybill resume STATE`',
  })
}
