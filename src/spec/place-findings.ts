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
    ...(finding.hint !== undefined && { hint: redactFormats(finding.hint) }),
    ...defined({ rule: finding.rule }),
  }
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
