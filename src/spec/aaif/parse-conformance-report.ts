import type { ReadOptions } from '../../document/read-document.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { ConformanceReport } from './generated/conformance-report.ts'
import { validateConformanceReport } from './validate-conformance-report.ts'

/**
 * Reads a conformance report (AAIF §6) and returns its data unchanged.
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parseConformanceReport(source: Source, options: ReadOptions = {}): ConformanceReport {
  return parseDocument(source, validateConformanceReport, options)
}
