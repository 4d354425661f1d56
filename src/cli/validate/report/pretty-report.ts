import type { Issue, Severity } from '../../../document/issue.ts'
import { Excerpts, printable } from './excerpt.ts'
import type { FileReport } from './report.ts'

const COLORS = { error: '31;1', warning: '33;1', info: '36' } as const

/** Returns a report like that of a compiler: place, severity, code, message, source line, hint and rule; then a summary. */
export function prettyReport(reports: readonly FileReport[], color: boolean): string {
  const paint = (code: string, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text)
  let out = ''
  for (const report of reports) {
    if (!wasRead(report)) {
      out += `${unreadText(report, paint)}\n`
      continue
    }
    const excerpts = report.issues.length === 0 ? undefined : new Excerpts(report)
    for (const issue of report.issues) out += block(report.file, issue, excerpts, paint)
  }
  return `${out}${summary(reports, paint)}\n`
}

/** Returns false for a file that could not be read, so that it is neither valid nor invalid. */
function wasRead({ issues: [first] }: FileReport): boolean {
  return first?.code !== 'FILE_UNREADABLE'
}

/** Returns the error like every command reports it: such a file has no lines. */
function unreadText({ file, issues }: FileReport, paint: Paint): string {
  return issues
    .map(({ code, message, hint }) => {
      const line = `${paint(COLORS.error, 'error')} ${code} ${printable(file)}: ${printable(message)}\n`
      return hint === undefined ? line : `${line}  ${paint('2', 'hint')} ${printable(hint)}\n`
    })
    .join('')
}

type Paint = (code: string, text: string) => string

function block(file: string, issue: Issue, excerpts: Excerpts | undefined, paint: Paint): string {
  const { severity, code, line, column, message, hint, rule } = issue
  const place = `${printable(file)}:${line}:${column}`
  let text = `${paint('1', place)} ${paint(COLORS[severity], severity)} ${code} ${printable(message)}\n`
  const excerpt = excerpts?.of(issue)
  if (excerpt !== undefined) {
    const gutter = String(line)
    const mark = ' '.repeat(excerpt.start) + paint(COLORS[severity], '^'.repeat(excerpt.length))
    text += `  ${paint('2', `${gutter} |`)} ${excerpt.text}\n  ${paint('2', `${' '.repeat(gutter.length)} |`)} ${mark}\n`
  }
  if (hint !== undefined) text += `  ${paint('2', 'hint')} ${printable(hint)}\n`
  if (rule !== undefined) text += `  ${paint('2', `rule ${rule}`)}\n`
  return `${text}\n`
}

function summary(all: readonly FileReport[], paint: Paint): string {
  const reports = all.filter(wasRead)
  const unread = all.length - reports.length
  const rest = unread === 0 ? [] : [paint('31;1', `${plural(unread, 'file')} could not be read`)]
  return [...(reports.length === 0 ? [] : [readSummary(reports, paint)]), ...rest].join(', ')
}

function readSummary(reports: readonly FileReport[], paint: Paint): string {
  const count = (wanted: Severity) =>
    reports.reduce((sum, { issues }) => sum + issues.filter(({ severity }) => severity === wanted).length, 0)
  const bad = reports.filter(({ ok }) => !ok).length
  const verdict =
    bad === 0
      ? paint('32;1', `${plural(reports.length, 'file')} valid`)
      : paint('31;1', `${bad} of ${plural(reports.length, 'file')} invalid`)
  const counts = [
    [count('error'), 'error'],
    [count('warning'), 'warning'],
    [count('info'), 'note'],
  ] as const
  const found = counts.filter(([number]) => number > 0).map(([number, noun]) => plural(number, noun))
  return [verdict, ...found].join(', ') + kindsOf(reports)
}

/** Returns the number of files of each kind, if there are several files: `: 2 aaif.agent, 1 agentcard`. */
function kindsOf(reports: readonly FileReport[]): string {
  if (reports.length < 2) return ''
  const kinds = [...Map.groupBy(reports, ({ kind }) => kind ?? 'of unknown kind')]
    .map(([kind, files]) => [files.length, kind] as const)
    .sort((a, b) => b[0] - a[0] || a[1].localeCompare(b[1]))
  return `: ${kinds.map(([count, kind]) => `${count} ${kind}`).join(', ')}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
