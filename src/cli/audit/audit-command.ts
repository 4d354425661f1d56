import { Command } from 'commander'
import { WaybillError } from '../../document/issue.ts'
import type { Home } from '../../session/home.ts'
import { logText, verifyHomeAudit } from '../../session/verify-audit.ts'
import {
  type AuditVerdict,
  exportHead,
  NO_ENTRY,
  parseEntry,
  verifyAuditExport,
} from '../../trust/audit-chain.ts'
import { readFileOrInput } from '../files/read-any-document.ts'
import { writeWhole } from '../files/write-result.ts'
import { withHome } from '../home.ts'
import { EXIT, type Io } from '../io.ts'
import { formatOption, jsonOption, wantsJson } from '../options/run-options.ts'
import { count } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

/** Problems that are printed; their number is always said. */
const SHOWN = 20

interface Output {
  readonly json?: boolean
  readonly format?: string
}

export function auditCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('audit')
    .description('read the audit log, and prove that nobody has changed it')
    .addHelpText('after', EXAMPLES)
    .addCommand(verifyCommand(io, exit))
    .addCommand(showCommand(io))
    .addCommand(exportCommand(io))
}

function verifyCommand(io: Io, exit: (code: number) => void): Command {
  return new Command('verify')
    .description('find any change, insertion, deletion, reordering or truncation')
    .argument('[file]', 'an exported log (default: the one of this home)')
    .option('--expect <hash>', 'the hash that the log must end in, written down elsewhere')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill audit verify\n  $ waybill audit verify exported.ndjson --json\n',
    )
    .action(async (file: string | undefined, options: Output & { readonly expect?: string }) => {
      const exported = file === undefined ? undefined : await readExport(file, io)
      const found = await withHome(io, (home) =>
        exported === undefined ? verifyHome(home) : verifyAuditExport(exported, keysOf(home)),
      )
      const verdict = expected(found, options.expect)
      if (wantsJson(options)) io.out(`${jsonText(verdict)}\n`)
      else io.err(verdictText(verdict, io))
      exit(verdict.ok ? EXIT.ok : EXIT.no)
    })
}

async function verifyHome(home: Home): Promise<AuditVerdict> {
  const verdict = await verifyHomeAudit(home, keysOf(home))
  if (verdict.entries > 0 || verdict.problems.length > 0) return verdict
  throw noLog()
}

/** A log that was cut back to an earlier state, head and all, is whole by itself: only its last hash, kept elsewhere, tells. */
function expected(verdict: AuditVerdict, hash: string | undefined): AuditVerdict {
  if (hash === undefined || hash === verdict.head) return verdict
  const message = `the log ends in ${verdict.head}, and ${hash} is expected`
  return { ...verdict, ok: false, problems: [...verdict.problems, { code: 'AUDIT_TRUNCATED', message }] }
}

function exportCommand(io: Io): Command {
  return new Command('export')
    .description('write the whole log as NDJSON; its last line is a signed head')
    .option('-o, --output <file>', 'a file (default: standard output)')
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill audit export -o audit.ndjson\n  $ waybill audit verify audit.ndjson\n',
    )
    .action(async ({ output }: { readonly output?: string }) => {
      const text = await withHome(io, exportText)
      if (output === undefined) io.out(text)
      else writeWhole(output, text, io, 0o600)
    })
}

async function exportText(home: Home): Promise<string> {
  const text = await logText(home)
  if (text === '') throw noLog()
  const last = parseEntry(text.trimEnd().split('\n').at(-1) ?? '')
  const head = exportHead({ n: last?.n ?? 0, hash: last?.hash ?? NO_ENTRY }, new Date().toISOString())
  return `${text}${JSON.stringify({ ...head, ...home.sign(head) })}\n`
}

function showCommand(io: Io): Command {
  return new Command('show')
    .description('print the entries, one line each')
    .option('--run <id>', 'only those of a run')
    .addOption(jsonOption())
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nExamples:\n  $ waybill audit show --run 0198c0de\n  $ waybill audit show --json > audit.json\n',
    )
    .action(async (options: Output & { readonly run?: string }) => {
      const text = await withHome(io, logText)
      if (text === '') throw noLog()
      const entries = text.split('\n').flatMap((line) => {
        const entry = line === '' ? null : parseEntry(line)
        return entry === null ? [] : [entry]
      })
      const { run } = options
      const shown = entries.filter(
        ({ fact }) => run === undefined || String(fact.run_id ?? '').startsWith(run),
      )
      if (wantsJson(options)) return io.out(`${jsonText({ entries: shown })}\n`)
      for (const { n, fact } of shown) {
        const { at, kind, run_id, event: _event, agent_id: _agent, ...rest } = fact
        io.out(
          `${n}  ${at}  ${plainLine(kind, 30).padEnd(16)}  ${plainLine(String(run_id ?? ''), 40)}  ${plainLine(jsonText(rest), 300)}\n`,
        )
      }
    })
}

/** One's own keys, and those of others that were trusted for everything: a key for an author's documents writes no log. */
function keysOf({ trust }: Home) {
  const known = trust
    .keys()
    .filter(
      ({ revokedAt, signsFor: { authoredBy, sourcePlatform } }) =>
        revokedAt === undefined && authoredBy === undefined && sourcePlatform === undefined,
    )
  return (keyId: string) => known.find((key) => key.keyId === keyId)?.publicKey
}

async function readExport(file: string, io: Io): Promise<string> {
  const hint = '`waybill audit export -o FILE` writes one'
  return (await readFileOrInput(file, io, { hint })).toString('utf8')
}

function noLog(): WaybillError {
  return new WaybillError('AUDIT_NOT_FOUND', {
    fault: 'usage',
    message: 'there is no audit log',
    hint: 'the first run of an agent with compliance.audit_log: true creates it',
  })
}

function verdictText({ ok, entries, head, problems }: AuditVerdict, io: Io): string {
  const paint = painter(io.color)
  const lines = problems
    .slice(0, SHOWN)
    .map(
      ({ line, code, message }) =>
        `${paint('bad', '✗')} ${line === undefined ? '' : `line ${line}: `}${plainLine(message, 300)} ${paint('faint', code)}`,
    )
  const more = problems.length - SHOWN
  if (more > 0) lines.push(paint('faint', `and ${count(more, 'more problem')}: --json shows all`))
  const sum = ok
    ? `${paint('good', '✓')} ${entries} entries, none changed; the last is ${head}`
    : `${problems.length} problem${problems.length === 1 ? '' : 's'} in ${entries} entries`
  return `${[...lines, sum].join('\n')}\n`
}

const EXAMPLES = `
Examples:
  $ waybill audit verify
  $ waybill audit show --run 0198c0de

Write the last hash down elsewhere from time to time: whoever can write to this home could put an older log back
as a whole, and only that hash would tell (--expect).
`
