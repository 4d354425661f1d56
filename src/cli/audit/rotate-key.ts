import { rotateAuditKey } from '../../compose/audit-keys.ts'
import { homeFolder, withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { logNotFound } from './read-log.ts'

/**
 * Rotates the key that signs the audit log.
 * @throws AUDIT_NOT_FOUND, AUDIT_KEY_WRONG, AUDIT_DAMAGED
 */
export async function rotateKey(options: FormatOptions, io: Io): Promise<void> {
  const [by, at] = [personName(io.env), new Date().toISOString()]
  const rotated = await withHome(io, ({ audit }) => rotateAuditKey(homeFolder(io), audit, { by, at }))
  if (rotated === null) throw logNotFound(io)
  const { from, to } = rotated
  if (wantsJson(options)) {
    io.out(`${jsonText({ name: to.name, key_id: to.keyId, previous_key_id: from })}\n`)
    return
  }
  io.err(
    `the audit log is now signed with "${to.name}" (${to.keyId}), announced by the key ${from}
Back up keys/${to.name}.key and keys/${to.name}.pub, and keep the files of the old key: they verify the older entries.
`,
  )
}
