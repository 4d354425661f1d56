import { defined } from '../document/defined.ts'
import type { Document } from '../document/document.ts'
import type { Finding } from '../document/finding.ts'
import type { Issue } from '../document/issue.ts'
import { parentOf } from '../document/json-pointer.ts'
import { redactFormats } from '../secret/redact.ts'

/** Maximum number of issues reported for one document. */
const MAX_ISSUES = 1000

/**
 * Adds line and column to each finding and sorts the findings in reading order. Without a document (plain data) every
 * finding is at line 1, column 1, and only the pointer gives the place.
 */
export function placeFindings(findings: readonly Finding[], document: Document | undefined): Issue[] {
  if (findings.length === 0) return []
  const listed = findings.length > MAX_ISSUES ? findings.slice(0, MAX_ISSUES) : findings
  const issues = listed.map((finding) => placeFinding(finding, document))
  issues.sort((a, b) => a.line - b.line || a.column - b.column)
  if (listed.length < findings.length) issues.push(omittedIssues(findings.length - listed.length))
  return issues
}

function placeFinding(finding: Finding, document: Document | undefined): Issue {
  const place = document && locateFinding(finding, document)
  return {
    severity: finding.severity,
    code: finding.code,
    // The name of a member may be the secret.
    pointer: redactFormats(finding.pointer),
    line: place?.line ?? 1,
    column: place?.column ?? 1,
    message: redactFormats(finding.message),
    ...(finding.hint !== undefined && { hint: redactFormats(hintOf(finding, finding.hint, document)) }),
    ...defined({ rule: finding.rule }),
  }
}

const QUOTE_IT = 'put it in quotes'
/** A number, a date or a word of YAML as text; longer ones may be secrets. */
const PLAIN = /^(?:[-+]?\d[\d.:_-]{0,15}|true|false|yes|no|on|off|null|~)$/i

/** Shows a value in quotes as it is written: YAML reads `1.10` as 1.1, and a message about 1.1 would hide that. */
function hintOf({ code, pointer }: Finding, hint: string, document: Document | undefined): string {
  if (code !== 'WRONG_TYPE' || !hint.includes(QUOTE_IT)) return hint
  const written = document?.written(pointer)
  return written !== undefined && PLAIN.test(written)
    ? hint.replace(QUOTE_IT, () => `${QUOTE_IT}: "${written}"`)
    : hint
}

function locateFinding(finding: Finding, document: Document) {
  if (finding.mark === 'parent') return document.locate(parentOf(finding.pointer), { key: true })
  return document.locate(finding.pointer, { key: finding.mark === 'key' })
}

function omittedIssues(count: number): Issue {
  return {
    severity: 'info',
    code: 'ISSUES_OMITTED',
    pointer: '',
    line: 1,
    column: 1,
    message: `${count} more issues are not listed`,
    hint: 'correct the issues above and validate again',
  }
}
