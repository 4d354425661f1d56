import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { Finding } from '../document/finding.ts'
import type { Json } from '../document/json.ts'
import { explainSchemaErrors } from '../spec/explain-schema-errors.ts'
import type { Schema } from '../spec/schema-builder.ts'

/** Returns all findings about a value; empty if it is valid. */
export type SchemaCheck = (value: Json) => readonly Finding[]

const ajv = new Ajv2020({
  allErrors: true,
  ownProperties: true,
  allowUnionTypes: true,
  strict: true,
  // A value is never changed: nothing is converted, removed or added.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  formats: { 'date-time': isMoment },
})

/** Compiles the schema of a request. */
export function compileCheck(schema: Schema): SchemaCheck {
  let check: ValidateFunction | undefined
  return (value) => {
    // Compiled with the first request: compiling all routes takes 300 ms.
    check ??= ajv.compile(schema)
    if (check(value)) return []
    return explainSchemaErrors(check.errors ?? [], value, {
      schema,
      ruleOfMissing: () => undefined,
      ruleOfValue: () => undefined,
      ruleOfUnknown: () => undefined,
      hintFor: () => undefined,
    })
  }
}

/** Returns whether a text is a moment of RFC 3339 that exists, within the years that four digits can name. */
function isMoment(text: string): boolean {
  const moment = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.exec(text)
  if (moment === null || Number.isNaN(Date.parse(text))) return false
  // `Date` reads 30 February as 1 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(moment[1])
}
