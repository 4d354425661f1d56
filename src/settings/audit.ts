import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { AuditLog } from '../run/record/audit-log.ts'
import { createKey, openPrivateKey } from '../trust/key-file.ts'
import { homeOf, makeHome } from './home.ts'

/** The own key that signs audit logs; made with the first entry. */
export const AUDIT_KEY = 'audit'

export function auditFolder(env: Readonly<Record<string, string | undefined>>): string {
  return join(homeOf(env), 'audit')
}

/** The audit log of Waybill's home. Nothing is made before there is something to write. */
export function openAuditLog(env: Readonly<Record<string, string | undefined>>): AuditLog {
  return new AuditLog(auditFolder(env), () => {
    const keys = join(makeHome(env), 'keys')
    if (!existsSync(join(keys, `${AUDIT_KEY}.key`))) createKey(keys, AUDIT_KEY)
    return openPrivateKey(keys, AUDIT_KEY)
  })
}
