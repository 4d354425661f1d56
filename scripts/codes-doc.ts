import type { CodeArea, CodeEntry } from '../src/document/codes/code-entry.ts'
import { CODE_AREAS } from '../src/document/codes.ts'

/** Returns the page `docs/codes.md`, generated from the catalogue of codes. */
export function codesPage(): string {
  return `${HEAD}\n${CODE_AREAS.map(sectionOf).join('\n')}`
}

const HEAD = `<!-- Generated from src/document/codes by \`npm run generate\`. Do not edit. -->

# Codes

Every error, warning and finding of Waybill has a code. Codes are stable: scripts can rely on them, and a code never changes its meaning. Messages and hints are for people and can change.

An error object is \`{code, message, pointer?, line?, column?, file?, hint?, rule?}\`. \`pointer\` is a JSON Pointer into the document, \`rule\` the requirement that was violated. The model also receives the codes of failed tool calls, and the record of a run contains the codes of its models and tools. Extensions have their own codes, which are not listed here.

The exit code depends on the kind of the answer: 1 for a negative answer, 2 for wrong usage or unreadable input, 3 for a failed run.

A code is an error unless the column Severity says otherwise. In TypeScript, \`Code\` is the union of all codes.
`

function sectionOf({ title, introduction, codes }: CodeArea): string {
  const rows = Object.entries(codes).map(([code, entry]) => rowOf(code, entry))
  const intro = introduction === undefined ? '' : `${introduction}\n\n`
  return `## ${title}\n\n${intro}| Code | Severity | What happened | What to do |\n| --- | --- | --- | --- |\n${rows.join('\n')}\n`
}

const SEVERITIES = { warning: 'warning', info: 'info', varies: 'error or warning' } as const

function rowOf(code: string, { meaning, remedy, severity }: CodeEntry): string {
  const cells = [`\`${code}\``, severity === undefined ? 'error' : SEVERITIES[severity], meaning, remedy]
  // Escapes bars, which would end the cell.
  return `| ${cells.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`
}
