import { createRequire } from 'node:module'
import type { Document } from '../../document/document.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type * as Explain from './explain-report-errors.ts'
import type { ConformanceReport } from './generated/conformance-report.ts'
import { validate } from './generated/conformance-report.validate.js'
import { type DocumentKind, judgeDocument } from './judge-document.ts'
import {
  checkClaims,
  checkReportExtensions,
  checkReportFormats,
  checkSkippedLevels,
} from './rules/report-rules.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-report-errors.ts'))

const CONFORMANCE_REPORT: DocumentKind<ConformanceReport> = {
  name: 'a conformance report',
  rule: 'AAIF-6-13',
  validate,
  explain: (errors, value) => loadExplain().explainReportErrors(errors, value),
  rules: [checkReportFormats, checkClaims, checkSkippedLevels, checkReportExtensions],
}

/**
 * Validates a conformance report (AAIF §6) and returns all issues in reading order. Does not prove the claims. If no
 * issue is an error, the value is a `ConformanceReport`.
 */
export function validateConformanceReport(input: Document | Json): Issue[] {
  return judgeDocument(input, CONFORMANCE_REPORT)
}
