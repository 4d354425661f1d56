import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import { defined } from '../document/defined.ts'
import type { Finding } from '../document/finding.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { explainSchemaErrors } from '../spec/explain-schema-errors.ts'
import type { Schema } from '../spec/schema-builder.ts'

/**
 * Returns the findings about a value; empty if it is valid.
 * @param all false: only the first one, for a value that may have hundreds of thousands
 */
export type SchemaCheck = (value: Json, all?: boolean) => readonly Finding[]

const OPTIONS: Options = {
  ownProperties: true,
  allowUnionTypes: true,
  strict: true,
  // A choice names members that are defined beside it.
  strictRequired: false,
  // A value is never changed: nothing is converted, removed or added.
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  formats: { 'date-time': isMoment },
  discriminator: true,
}

const findsAll = validator({ ...OPTIONS, allErrors: true })
const findsFirst = validator(OPTIONS)

function validator(options: Options): Ajv2020 {
  return (
    new Ajv2020(options)
      // For readers of the OpenAPI document: the code that uses the value checks what they announce.
      .addVocabulary(['x-opaque', 'x-further-rule'])
      .addKeyword({
        keyword: 'x-well-formed',
        type: 'string',
        schemaType: 'boolean',
        validate: (wanted: boolean, text: string) => !wanted || text.isWellFormed(),
        error: { message: 'contains an unpaired surrogate' },
      })
  )
}

/** Compiles the schema of a request to a function that returns all findings about it. */
export function compileCheck(schema: Schema): SchemaCheck {
  // Compiled with the first request: compiling all routes takes 300 ms.
  const checkAll = once(() => findsAll.compile(schema))
  const checkFirst = once(() => findsFirst.compile(schema))
  return (value, all = true) => {
    const check = all ? checkAll() : checkFirst()
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

/**
 * Compiles the schema of a request to a function for callers that no server has checked: commands on a local database,
 * and users of the library.
 * @throws (the function) REQUEST_INVALID, also for a member that the schema does not name
 */
export function compileAssertion(schema: Schema): (request: unknown) => void {
  const check = compileCheck(schema)
  return (request) => {
    const [first] = check(request as Json, false)
    if (first !== undefined) throw requestInvalid(first)
  }
}

/** Returns the refusal of a request because of a finding about it. */
export function requestInvalid({ message, pointer, hint }: Finding): WaybillError {
  return new WaybillError('REQUEST_INVALID', { message, at: pointer, ...defined({ hint }) })
}

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Returns whether a text is a moment of RFC 3339 that exists, within the years that four digits can name. */
function isMoment(text: string): boolean {
  const moment = /^\d{4}-\d\d-(\d\d)T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.exec(text)
  if (moment === null || Number.isNaN(Date.parse(text))) return false
  // `Date` reads 30 February as 1 March.
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(moment[1])
}
