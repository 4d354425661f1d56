import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { WaybillError } from '../document/issue.ts'
import { auditLogPath, readHead } from '../run/record/audit-log.ts'
import { auditFolder } from '../settings/audit.ts'
import { homeOf } from '../settings/home.ts'
import { type AuditVerdict, parseEntry, verifyAudit } from '../trust/audit-chain.ts'
import { readTrustedKeys } from '../trust/trust-store.ts'
import { EXIT, type Io } from './io.ts'
import { formatOption, jsonOption, wantsJson } from './run-options.ts'
import { painter } from './terminal/paint.ts'
import { plainLine } from './terminal/plain-text.ts'

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
    .action((file: string | undefined, options: Output & { readonly expect?: string }) => {
      const folder = auditFolder(io.env)
      const text = readLog(file === undefined ? auditLogPath(folder) : resolve(io.cwd, file))
      const head = file === undefined ? readHead(folder) : null
      const found = verifyAudit(text, keysOf(io), head ?? undefined)
      const verdict = expected(
        found,
        options.expect,
        file === undefined && head === null && found.entries > 0,
      )
      if (wantsJson(options)) io.out(`${JSON.stringify(verdict)}\n`)
      else io.err(verdictText(verdict, io))
      exit(verdict.ok ? EXIT.ok : EXIT.no)
    })
}

/** A log that was cut back to an earlier state, head and all, is whole by itself: only its last hash, kept elsewhere, tells. */
function expected(verdict: AuditVerdict, hash: string | undefined, headless: boolean): AuditVerdict {
  const problems = [
    ...verdict.problems,
    ...(headless ? [{ code: 'AUDIT_HEAD' as const, message: 'the head of the log is missing' }] : []),
    ...(hash !== undefined && hash !== verdict.head
      ? [
          {
            code: 'AUDIT_TRUNCATED' as const,
            message: `the log ends in ${verdict.head}, and ${hash} is expected`,
          },
        ]
      : []),
  ]
  return { ...verdict, ok: problems.length === 0, problems }
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
    .action((options: Output & { readonly run?: string }) => {
      const text = readLog(auditLogPath(auditFolder(io.env)))
      const entries = text.split('\n').flatMap((line) => {
        const entry = line === '' ? null : parseEntry(line)
        return entry === null ? [] : [entry]
      })
      const { run } = options
      const shown = entries.filter(
        ({ fact }) => run === undefined || String(fact.run_id ?? '').startsWith(run),
      )
      if (wantsJson(options)) return io.out(`${JSON.stringify({ entries: shown })}\n`)
      for (const { n, fact } of shown) {
        const { at, kind, run_id, event: _event, agent_id: _agent, ...rest } = fact
        io.out(
          `${n}  ${at}  ${plainLine(kind, 30).padEnd(16)}  ${plainLine(String(run_id ?? ''), 40)}  ${plainLine(JSON.stringify(rest), 300)}\n`,
        )
      }
    })
}

/** One's own keys, and those of others that were trusted for everything: a key for an author's documents writes no log. */
function keysOf(io: Io) {
  const known = readTrustedKeys(homeOf(io.env)).filter(
    ({ revokedAt, signsFor: { authoredBy, sourcePlatform } }) =>
      revokedAt === undefined && authoredBy === undefined && sourcePlatform === undefined,
  )
  return (keyId: string) => known.find((key) => key.keyId === keyId)?.publicKey
}

function readLog(path: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8')
  throw new WaybillError('AUDIT_NOT_FOUND', {
    fault: 'usage',
    file: path,
    message: 'there is no audit log',
    hint: 'one begins with the first run of an agent whose compliance.audit_log is true',
  })
}

function verdictText({ ok, entries, head, problems, notes }: AuditVerdict, io: Io): string {
  const paint = painter(io.color)
  const lines = problems.map(
    ({ line, code, message }) =>
      `${paint('bad', '✗')} ${line === undefined ? '' : `line ${line}: `}${plainLine(message, 300)} ${paint('faint', code)}`,
  )
  const said = notes.map((note) => `${paint('warn', '!')} ${plainLine(note, 300)}`)
  const sum = ok
    ? `${paint('good', '✓')} ${entries} entries, none changed; the last is ${head}`
    : `${problems.length} problem${problems.length === 1 ? '' : 's'} in ${entries} entries`
  return `${[...lines, ...said, sum].join('\n')}\n`
}

const EXAMPLES = `
Examples:
  $ waybill audit verify
  $ waybill audit show --run 0198c0de

Write the last hash down elsewhere from time to time: whoever can write to this home could put an older log back
as a whole, and only that hash would tell (--expect).
`
