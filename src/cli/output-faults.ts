import { WaybillError } from '../document/issue.ts'

/** Returns the error for incomplete standard output. The records of runs are complete. */
export function outputLost(cause: NodeJS.ErrnoException): WaybillError {
  return new WaybillError('OUTPUT_LOST', {
    fault: 'failed',
    message: `standard output could not be written (${cause.code ?? cause.message}), so the output is incomplete`,
    hint: 'run the command again with another output; the records of runs are complete: `waybill runs show last`',
    cause,
  })
}

/** Returns the error for a signal before a run had started. */
export function interruptedEarly(): WaybillError {
  return new WaybillError('INTERRUPTED', {
    fault: 'refused',
    message: 'stopped by a signal while no run was active',
    hint: 'run the command again',
  })
}
