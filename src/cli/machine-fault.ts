import { WaybillError } from '../document/issue.ts'

/** Converts a fault of the machine (disk, files, permissions) into an error with its own code and hint, else null. */
export function machineFault(error: unknown): WaybillError | null {
  const { code, path } = error as NodeJS.ErrnoException
  const at = path === undefined ? {} : { file: path }
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new WaybillError('DISK_FULL', {
        fault: 'failed',
        ...at,
        message: 'no space left on the disk',
        hint: 'free some space; resume a run that had started with `waybill resume`',
        cause: error,
      })
    case 'EMFILE':
    case 'ENFILE':
      return new WaybillError('TOO_MANY_FILES', {
        fault: 'failed',
        ...at,
        message: 'too many files are open',
        hint: 'raise the limit (`ulimit -n`); resume a run that had started with `waybill resume`',
        cause: error,
      })
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new WaybillError('HOME_UNWRITABLE', {
        fault: 'usage',
        ...at,
        message: `${path ?? 'a file'} cannot be opened: ${code}`,
        hint: 'check its permissions, or use another home with WAYBILL_HOME',
        cause: error,
      })
    default:
      return null
  }
}

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
