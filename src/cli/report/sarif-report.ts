import type { Issue } from '../../document/issue.ts'
import type { FileReport } from './report.ts'

const LEVELS = { error: 'error', warning: 'warning', info: 'note' } as const

/** SARIF 2.1.0, for code scanning: one rule for each code that occurs. */
export function sarifReport(reports: readonly FileReport[]): string {
  const codes = [...new Set(reports.flatMap(({ issues }) => issues.map(({ code }) => code)))].sort()
  const log = {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'waybill', rules: codes.map(describeRule) } },
        // Our columns count UTF-16 units.
        columnKind: 'utf16CodeUnits',
        results: reports.flatMap(({ file, issues }) => issues.map((issue) => result(file, issue, codes))),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}

function describeRule(code: string) {
  const words = code.toLowerCase().replaceAll('_', ' ')
  return { id: code, shortDescription: { text: words.charAt(0).toUpperCase() + words.slice(1) } }
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

/** A relative URI reference, as SARIF wants; standard input has no file. */
function uriOf(file: string): string {
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}
