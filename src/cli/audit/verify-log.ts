import type { Home } from '../../session/home.ts'
import { auditKeysOf, verifyHomeAudit } from '../../session/verify-audit.ts'
import { type AuditVerdict, verifyAuditExport } from '../../trust/verify-audit-chain.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type FormatOptions, wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, serverFor } from '../remote/with-records.ts'
import { count } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { logNotFound } from './read-log.ts'

/** The largest number of problems that are printed; the total is always printed. */
const SHOWN = 20

export interface VerifyOptions extends FormatOptions, PlaceOptions {
  readonly expect?: string
}

/**
 * Verifies the audit log of the home, or an exported log, and prints the verdict.
 * @returns 0 if the log is unchanged, else 1
 * @throws AUDIT_NOT_FOUND, FILE_UNREADABLE
 */
export async function verifyLog(file: string | undefined, options: VerifyOptions, io: Io): Promise<ExitCode> {
  const exported = file === undefined ? undefined : await readExport(file, io)
  const server = exported === undefined ? serverFor(options, io) : undefined
  const found =
    server !== undefined
      ? ((await server.send('GET', '/v1/audit/verify')) as unknown as AuditVerdict)
      : await withHome(io, (home) =>
          exported === undefined ? verifyHome(home, io) : verifyAuditExport(exported, auditKeysOf(home)),
        )
  const verdict = withExpectedHead(found, options.expect)
  if (wantsJson(options)) io.out(`${jsonText(verdict)}\n`)
  else io.err(verdictText(verdict, io))
  return verdict.ok ? EXIT.ok : EXIT.no
}

async function verifyHome(home: Home, io: Io): Promise<AuditVerdict> {
  const verdict = await verifyHomeAudit(home, auditKeysOf(home))
  if (verdict.entries > 0 || verdict.problems.length > 0) return verdict
  throw logNotFound(io)
}

/** An older copy of the log together with its head is valid, so only a hash stored in another place detects it. */
function withExpectedHead(verdict: AuditVerdict, hash: string | undefined): AuditVerdict {
  if (hash === undefined || hash === verdict.head) return verdict
  const message = `the log ends with ${verdict.head}, but ${hash} is expected`
  return { ...verdict, ok: false, problems: [...verdict.problems, { code: 'AUDIT_TRUNCATED', message }] }
}

async function readExport(file: string, io: Io): Promise<string> {
  const hint = '`waybill audit export -o FILE` writes an exported log'
  return (await readFileOrInput(file, io, { hint })).toString('utf8')
}

function verdictText({ ok, entries, head, problems, not_listed = 0 }: AuditVerdict, io: Io): string {
  const paint = painter(io.color)
  const lines = problems
    .slice(0, SHOWN)
    .map(
      ({ line, code, message }) =>
        `${paint('bad', '✗')} ${line === undefined ? '' : `line ${line}: `}${plainLine(message, 300)} ${paint('faint', code)}`,
    )
  const found = problems.length + not_listed
  const more = found - SHOWN
  if (more > 0) lines.push(paint('faint', `and ${count(more, 'more problem')}: --json shows more`))
  const sum = ok
    ? `${paint('good', '✓')} ${count(entries, 'entry', 'entries')}, all unchanged; last hash: ${head}`
    : `${count(found, 'problem')} in ${count(entries, 'entry', 'entries')}`
  return `${[...lines, sum].join('\n')}\n`
}
