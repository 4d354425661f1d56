import type { Issue } from '../../../document/issue.ts'
import { KINDS, type Kind } from '../../../spec/kinds.ts'
import { rulesOf } from '../../../spec/rule-catalogue.ts'
import { anchorOf, type RuleEntry } from '../../../spec/rule-entry.ts'
import { jsonText } from '../../terminal/plain-text.ts'
import type { FileReport } from './report.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** Returns a SARIF 2.1.0 log for code scanning: one SARIF rule per code, with the entries of the rule catalogue. */
export function sarifReport(reports: readonly FileReport[]): string {
  const codes = [...new Set(reports.flatMap(({ issues }) => issues.map(({ code }) => code)))].sort()
  const broken = brokenRules(reports)
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'waybill', rules: codes.map((code) => describeRule(code, broken.get(code) ?? [])) },
        },
        // Columns count UTF-16 units.
        columnKind: 'utf16CodeUnits',
        results: reports.flatMap(({ file, issues }) => issues.map((issue) => result(file, issue, codes))),
      },
    ],
  }
  return `${jsonText(log, 2)}\n`
}

/** Returns the catalogue entries of each code, limited to the kinds and rules that occur. */
function brokenRules(reports: readonly FileReport[]): ReadonlyMap<string, readonly RuleEntry[]> {
  const broken = new Map<string, Map<string, RuleEntry>>()
  for (const { kind, issues } of reports) {
    if (!isKind(kind)) continue
    for (const { code, rule } of issues) {
      const entry = rulesOf(kind).find(({ id }) => id === rule)
      if (entry === undefined) continue
      const entries = broken.get(code) ?? new Map<string, RuleEntry>()
      broken.set(code, entries.set(anchorOf(entry), entry))
    }
  }
  return new Map([...broken].map(([code, entries]) => [code, [...entries.values()]]))
}

function describeRule(code: string, entries: readonly RuleEntry[]) {
  const words = code.toLowerCase().replaceAll('_', ' ')
  const shortDescription = { text: words.charAt(0).toUpperCase() + words.slice(1) }
  if (entries.length === 0) return { id: code, shortDescription }
  const lines = entries.map(({ id, sentence, source }) => `${id}: ${sentence} (${source})`)
  return {
    id: code,
    shortDescription,
    fullDescription: { text: [...new Set(entries.map(({ sentence }) => sentence))].join(' ') },
    help: {
      text: lines.join('\n'),
      markdown: [...lines.map((line) => `- ${line}`), '', `\`waybill rules ${code}\` shows examples.`].join(
        '\n',
      ),
    },
    properties: { documentation: entries.map((entry) => `docs/rules.md#${anchorOf(entry)}`) },
  }
}

function isKind(kind: string | null): kind is Kind {
  return (KINDS as readonly (string | null)[]).includes(kind)
}

function result(file: string, issue: Issue, codes: readonly string[]) {
  const { code, severity, message, hint, rule, pointer, line, column } = issue
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: LEVELS[severity],
    message: { text: hint === undefined ? message : `${message}. ${hint}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          region: { startLine: line, startColumn: column },
        },
        logicalLocations: [{ fullyQualifiedName: pointer, kind: 'member' }],
      },
    ],
    ...(rule !== undefined && { properties: { rule } }),
  }
}

/** Returns the path as a relative URI reference, as SARIF requires. */
function uriOf(file: string): string {
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}
