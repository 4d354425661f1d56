import { WaybillError } from '../../document/issue.ts'
import type { StoredRun } from '../../run/record/records.ts'

/** Returns the error for a run that cannot be moved by its nature, here and on a platform. */
export function notMovable(runId: string, why: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `run ${runId} cannot be moved: ${why}`,
    hint: 'start the agent on the other platform',
  })
}

/**
 * Tests what the record says, here and on a platform.
 * @throws MOVE_REFUSED for a rehearsal and a replay; RUN_ENDED
 */
export function assertMovableRecord({ header, state }: Pick<StoredRun, 'header' | 'state'>): void {
  const { run_id: runId, rehearsal, replay } = header
  if (rehearsal) throw notMovable(runId, 'it is a rehearsal')
  if (replay !== undefined) throw notMovable(runId, 'it is a replay')
  if (state.end !== null) throw endedBeforeMove(runId, state.status)
}

/** Returns the error for a move of a run that has ended. */
function endedBeforeMove(runId: string, status: string): WaybillError {
  return new WaybillError('RUN_ENDED', {
    fault: 'usage',
    message: `run ${runId} has ended: ${status}`,
    hint: 'start a new run on the other platform',
  })
}
