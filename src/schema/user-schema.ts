import { createRequire } from 'node:module'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import { nearestNumbers } from '../document/exact-numbers.ts'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { compilePlainCheck } from './plain-check.ts'
import { linearUniqueItems } from './unique-items.ts'
import { compileLinearPattern, type LinearPattern } from './user-pattern.ts'
import { bundleUserSchema, type FindSchema, noOtherSchemas } from './user-schema-bundle.ts'
import { isPlainlyRight } from './user-schema-plain.ts'
import { readUserSchema, type SchemaProblem } from './user-schema-reading.ts'
import { translateUserSchema } from './user-schema-translation.ts'
import { describeViolations } from './user-schema-violations.ts'

/** A compiled schema: returns the violations as text for a model, or null. */
export type Check = (value: Json) => string | null

export type { SchemaProblem }

const require = createRequire(import.meta.url)

/**
 * Keyed by the schema object: a plan that runs a thousand times compiles once, and a released plan frees the memory.
 */
const compiled = new WeakMap<JsonObject, Check>()

/**
 * Checks whether a schema written by a user (tool parameters, input, output) is a usable JSON Schema. Interprets it as
 * 2020-12, with draft-07 tuples and `definitions`, draft-04 exclusive bounds and OpenAPI's `nullable`. A reference to
 * a document that is not available is a warning.
 * @param use `parameters` adds the requirement of function-calling APIs: an object at the top level.
 * @param find returns other documents; without it, none is available
 * @returns all problems. Never throws.
 */
export function checkUserSchema(
  schema: Json,
  use?: 'parameters',
  find: FindSchema = noOtherSchemas,
): SchemaProblem[] {
  const problems = isPlainlyRight(schema) ? [] : problemsOf(schema, find)
  if (use === 'parameters' && isObject(schema) && !describesObject(schema)) {
    const message =
      'parameters are the members of an object: function-calling APIs require "type": "object" here'
    problems.push({ severity: 'warning', pointer: '', message })
  }
  return problems
}

function problemsOf(schema: Json, find: FindSchema): SchemaProblem[] {
  const { problems, outside } = readUserSchema(schema)
  if (outside.size === 0 || !isObject(schema)) return [...problems]
  const whole = bundleUserSchema(schema, find)
  // Together, documents may form a circle, or be too large.
  const together = whole.schema === schema ? [] : readUserSchema(whole.schema).problems
  const first = [...outside.keys()][0] ?? ''
  return [
    ...problems,
    ...whole.problems,
    ...together
      .filter(({ severity }) => severity === 'error')
      .map((problem) => ({
        ...problem,
        pointer: first,
        message: `with the documents that it refers to, ${problem.message}`,
      })),
  ]
}

function describesObject(schema: JsonObject): boolean {
  return (
    schema.type === 'object' || (schema.type === undefined && ('$ref' in schema || 'properties' in schema))
  )
}

/**
 * Compiles a user's schema to a check function. Synchronous, pure and safe for hostile schemas and values. `format` is
 * only an annotation. A number with marked digits is checked as the nearest double. A pattern outside the linear-time subset is not enforced ({@link checkUserSchema} gives a
 * warning). Unknown keywords are ignored. The same object is compiled once, so it must not be changed later.
 * @throws SCHEMA_INVALID if {@link checkUserSchema} returns errors.
 */
export function compileUserSchema(schema: JsonObject): Check {
  let check = compiled.get(schema)
  if (check === undefined) {
    const checkPlain = compile(schema)
    check = (value) => checkPlain(nearestNumbers(value))
    compiled.set(schema, check)
  }
  return check
}

/** Values that fit are settled without Ajv; it is loaded at the first value that does not, to say why. */
function compile(schema: JsonObject): Check {
  const fits = isPlainlyRight(schema) ? compilePlainCheck(schema) : null
  if (fits === null) return compileWithAjv(schema)
  let thorough: Check | undefined
  return (value) => {
    if (fits(value)) return null
    thorough ??= compileWithAjv(schema)
    return thorough(value)
  }
}

function compileWithAjv(schema: JsonObject): Check {
  const { schema: whole } = bundleUserSchema(schema)
  const reading = readUserSchema(whole)
  const wrong = reading.problems.find((problem) => problem.severity === 'error')
  if (wrong !== undefined) {
    throw new WaybillError('SCHEMA_INVALID', {
      at: wrong.pointer,
      message: `not a usable JSON Schema: ${wrong.message}`,
      hint: 'write the schema in JSON Schema 2020-12, with references only inside the schema',
    })
  }
  const plain = translateUserSchema(whole, reading)
  if (plain === true || (typeof plain === 'object' && Object.keys(plain).length === 0)) return () => null
  const validate = newCompiler().compile(plain)
  return (value) => {
    try {
      return validate(value) ? null : describeViolations(validate.errors ?? [])
    } catch (error) {
      // A recursive schema recurses with the value: a hostile value may overflow the stack.
      if (error instanceof RangeError) return '(root): nested too deeply to be checked'
      throw error
    } finally {
      // Ajv keeps the last errors, which refer to the value.
      validate.errors = null
    }
  }
}

/** One compiler per schema: a shared compiler never frees compiled schemas. Creating one takes about 0.1 ms. */
function newCompiler(): Ajv2020 {
  // Loaded synchronously with the first schema, so that program start does not load it.
  const { Ajv2020: Compiler } = require('ajv/dist/2020.js') as { Ajv2020: typeof Ajv2020 }
  const compiler = new Compiler({
    meta: false,
    validateSchema: false,
    strict: false,
    allErrors: true,
    verbose: true,
    ownProperties: true,
    validateFormats: false,
    logger: false,
    multipleOfPrecision: 8,
    inlineRefs: 20,
    code: { regExp: linear },
  })
  compiler.removeKeyword('uniqueItems')
  compiler.addKeyword(linearUniqueItems())
  return compiler
}

const linear = Object.assign(
  (pattern: string): LinearPattern =>
    compileLinearPattern(pattern) ?? { test: () => true, toString: () => `/${pattern}/` },
  { code: 'linear' },
)
