import { defined } from '../../../document/defined.ts'
import { jsonText } from '../../terminal/plain-text.ts'
import type { FileReport } from './report.ts'

/** Returns the JSON output of `validate` (contracts: validate). */
export function jsonReport(reports: readonly FileReport[]): string {
  const files = reports.map(({ file, kind, shape, format, ok, issues }) => ({
    file,
    kind,
    ...defined({ shape, format }),
    ok,
    issues,
  }))
  return `${jsonText({ ok: reports.every(({ ok }) => ok), files }, 2)}\n`
}
