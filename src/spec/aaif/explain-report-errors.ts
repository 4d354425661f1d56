import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import { conformanceReportSchema } from './conformance-report.schema.ts'
import { type PlaceTable, ruleAt } from './place-table.ts'

const PLACES: PlaceTable = [
  [/^\/claims\/\*\/level$/, 'AAIF-6-01'],
  [/^\/claims\/\*\/direction$/, 'SPEC-Y-03'],
]

/** Explains the schema errors of a conformance report. Loaded only when there are errors. */
export function explainReportErrors(errors: readonly ErrorObject[], report: Json): Finding[] {
  return explainSchemaErrors(errors, report, {
    schema: conformanceReportSchema,
    ruleOfMissing: () => 'AAIF-6-13',
    ruleOfValue: (pointer) => ruleAt(pointer, PLACES, 'AAIF-6-13'),
    ruleOfUnknown: (pointer, name) =>
      name.startsWith('x-') ? 'SPEC-W-06' : pointer === '/sc_version' ? 'AAIF-6-13' : 'SPEC-W-01',
    hintFor,
  })
}

function hintFor({ code, pointer }: Finding): string | undefined {
  if (code !== 'UNKNOWN_MEMBER') return undefined
  if (pointer === '/sc_version') return 'a report has none: write the versions in report.aaif_versions'
  return /\/x-[^/]*$/.test(pointer) ? 'x- members are allowed only at the root of a report' : undefined
}
