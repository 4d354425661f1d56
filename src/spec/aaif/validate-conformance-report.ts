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
 * Everything there is to say about a conformance report (AAIF §6), in reading order. Without errors among the issues
 * the value is a `ConformanceReport`; whether its claims are true is for its tests to say.
 */
export function validateConformanceReport(input: Document | Json): Issue[] {
  return judgeDocument(input, CONFORMANCE_REPORT)
}
