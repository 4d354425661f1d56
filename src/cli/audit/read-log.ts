import { WaybillError } from '../../document/issue.ts'
import type { Home } from '../../session/home.ts'
import { logText } from '../../session/verify-audit.ts'

/**
 * Returns the audit log of a home as NDJSON.
 * @throws AUDIT_NOT_FOUND if the log has no entry
 */
export async function readLog(home: Home): Promise<string> {
  const text = await logText(home)
  if (text === '') throw logNotFound()
  return text
}

export function logNotFound(): WaybillError {
  return new WaybillError('AUDIT_NOT_FOUND', {
    fault: 'usage',
    message: 'there is no audit log',
    hint: 'the first run of an agent with compliance.audit_log: true creates the log',
  })
}
