import { WaybillError } from './issue.ts'

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
