import { defined } from '../../../document/defined.ts'
import type { FileReport } from './report.ts'

/** The machine form of `validate` (contracts: validate). */
export function jsonReport(reports: readonly FileReport[]): string {
  const files = reports.map(({ file, kind, shape, ok, issues }) => ({
    file,
    kind,
    ...defined({ shape }),
    ok,
    issues,
  }))
  return `${JSON.stringify({ ok: reports.every(({ ok }) => ok), files }, null, 2)}\n`
}
