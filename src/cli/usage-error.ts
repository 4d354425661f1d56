import { WaybillError } from '../document/issue.ts'

/** Returns the error for a command line that cannot be carried out (exit 2). */
export function usageError(message: string, hint: string): WaybillError {
  return new WaybillError('USAGE', { fault: 'usage', message, hint })
}
