import type { Home } from '../../session/home.ts'
import { NO_ENTRY, nextKeyOf, parseEntry } from '../../trust/audit-chain.ts'
import { exportHead } from '../../trust/verify-audit-chain.ts'
import { writeWhole } from '../files/write-result.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { readLog } from './read-log.ts'

/**
 * Writes the audit log with a signed head to a file, or to standard output.
 * @throws AUDIT_NOT_FOUND, FILE_UNWRITABLE
 */
export async function exportLog(output: string | undefined, io: Io): Promise<void> {
  const text = await withHome(io, (home) => textWithHead(home, io))
  if (output === undefined) io.out(text)
  else writeWhole(output, text, io, 0o600)
}

async function textWithHead(home: Home, io: Io): Promise<string> {
  const text = await readLog(home, io)
  const last = parseEntry(text.trimEnd().split('\n').at(-1) ?? '')
  const head = exportHead({ n: last?.n ?? 0, hash: last?.hash ?? NO_ENTRY }, new Date().toISOString())
  return `${text}${JSON.stringify({ ...head, ...home.sign(head, last === null ? undefined : nextKeyOf(last)) })}\n`
}
