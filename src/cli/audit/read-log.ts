import { WaybillError } from '../../document/issue.ts'
import type { Home } from '../../session/home.ts'
import { logText } from '../../session/verify-audit.ts'
import { homeName } from '../home.ts'
import type { Io } from '../io.ts'

/**
 * Returns the audit log of a home as NDJSON.
 * @throws AUDIT_NOT_FOUND if the log has no entry
 */
export async function readLog(home: Home, io: Io): Promise<string> {
  const text = await logText(home)
  if (text === '') throw logNotFound(io)
  return text
}

export function logNotFound(io: Io): WaybillError {
  return new WaybillError('AUDIT_NOT_FOUND', {
    fault: 'usage',
    message: `there is no audit log in ${homeName(io)}`,
    hint: 'the first run of an agent with compliance.audit_log: true creates the log',
  })
}
