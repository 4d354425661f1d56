import type { AnyCode } from '../../document/codes.ts'
import type { ErrorObject } from '../../document/issue.ts'
import type { RunEnd, StopReason } from '../state.ts'

/** Returns the end of a run that did not succeed. */
export function failed(
  stop_reason: StopReason,
  code: AnyCode,
  message: string,
  details: Pick<ErrorObject, 'pointer' | 'rule' | 'hint' | 'details'> = {},
): RunEnd {
  return { status: 'failed', stop_reason, error: { code, message, ...details } }
}
