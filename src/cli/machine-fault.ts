import { WaybillError } from '../document/issue.ts'

/** Faults of the machine, which are none of Waybill: each has a code and a way out. Null for all others. */
export function machineFault(error: unknown): WaybillError | null {
  const { code, path } = error as NodeJS.ErrnoException
  const at = path === undefined ? {} : { file: path }
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new WaybillError('DISK_FULL', {
        fault: 'failed',
        ...at,
        message: 'there is no space left on the disk',
        hint: 'free some space; a run that had begun is continued with `waybill resume`',
        cause: error,
      })
    case 'EMFILE':
    case 'ENFILE':
      return new WaybillError('TOO_MANY_FILES', {
        fault: 'failed',
        ...at,
        message: 'too many files are open',
        hint: 'raise the limit (`ulimit -n`); a run that had begun is continued with `waybill resume`',
        cause: error,
      })
    case 'EROFS':
    case 'EACCES':
    case 'EPERM':
      return new WaybillError('HOME_UNWRITABLE', {
        fault: 'usage',
        ...at,
        message: `${path ?? 'a file'} cannot be opened: ${code}`,
        hint: 'check its permissions; WAYBILL_HOME names another home',
        cause: error,
      })
    default:
      return null
  }
}

/** Standard output could not be written: the record is complete, what was printed is not. */
export function outputLost(cause: NodeJS.ErrnoException): WaybillError {
  return new WaybillError('OUTPUT_LOST', {
    fault: 'failed',
    message: `standard output could not be written (${cause.code ?? cause.message}), so what was printed is not complete`,
    hint: 'run the command again with another output; runs are recorded in full: `waybill runs show last`',
    cause,
  })
}

/** A signal that came before a run had begun. */
export function interruptedEarly(): WaybillError {
  return new WaybillError('INTERRUPTED', {
    fault: 'refused',
    message: 'stopped by a signal while no run was active',
    hint: 'start it again when you are ready',
  })
}
