import type { Issue } from '../../../document/issue.ts'
import { escapeHidden } from '../../../document/shown-text.ts'
import type { FileReport } from './report.ts'

/** Returns workflow commands for GitHub Actions: an annotation on the line of each issue. */
export function githubReport(reports: readonly FileReport[]): string {
  return reports.flatMap(({ file, issues }) => issues.map((issue) => annotation(file, issue))).join('')
}

const LEVELS = { error: 'error', warning: 'warning', info: 'notice' } as const

function annotation(file: string, { severity, code, line, column, message, hint, rule }: Issue): string {
  const where = `file=${property(file)},line=${line},col=${column},title=${property(code)}`
  const text = `${message}${hint === undefined ? '' : `. ${hint}`}${rule === undefined ? '' : ` (${rule})`}`
  return `::${LEVELS[severity]} ${where}::${data(text)}\n`
}

function data(text: string): string {
  return escapeHidden(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'))
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
