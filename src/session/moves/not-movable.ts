import { WaybillError } from '../../document/issue.ts'

/** Returns the error for a run that cannot be moved by its nature, here and on a platform. */
export function notMovable(runId: string, why: string): WaybillError {
  return new WaybillError('MOVE_REFUSED', {
    fault: 'refused',
    message: `run ${runId} cannot be moved: ${why}`,
    hint: 'start the agent on the other platform',
  })
}

/** Returns the error for a move of a run that has ended. */
export function endedBeforeMove(runId: string, status: string): WaybillError {
  return new WaybillError('RUN_ENDED', {
    fault: 'usage',
    message: `run ${runId} has ended: ${status}`,
    hint: 'start a new run on the other platform',
  })
}
