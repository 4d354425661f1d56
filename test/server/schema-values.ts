import fc from 'fast-check'
import { resolved } from '../../scripts/suites/is-announced.ts'
import { isObject, type Json, type JsonObject } from '../../src/document/json.ts'

/** What a generator needs of a document. */
export interface Documented {
  readonly document: Json
  /** Returns whether a value matches a schema. */
  readonly fits: (schema: JsonObject, value: unknown) => boolean
}

/** How often a value is made again that does not fit. */
const TRIES = 2000

/** Keeps the values that pass. @throws Error if too few do: a generator that never finds one would not end */
function kept<T>(made: fc.Arbitrary<T>, passes: (value: T) => boolean, what: string): fc.Arbitrary<T> {
  let failed = 0
  return made.filter((value) => {
    if (passes(value)) return true
    if (++failed > TRIES) throw new Error(`no value is made for ${what.slice(0, 300)}`)
    return false
  })
}

/** Generates values that match a schema. Numbers are near their minimum: some are times to wait. */
export function validValues(schema: JsonObject, of: Documented): fc.Arbitrary<unknown> {
  return kept(built(schema, of, 0), (value) => of.fits(schema, value), JSON.stringify(schema))
}

function built(given: JsonObject, of: Documented, depth: number): fc.Arbitrary<unknown> {
  const schema = resolved(of.document, given)
  const { enum: values, examples, const: only, discriminator, oneOf, anyOf } = schema
  if (only !== undefined) return fc.constant(only)
  if (Array.isArray(values)) return fc.constantFrom(...values)
  if (Array.isArray(examples)) return fc.constantFrom(...examples)
  if (discriminator !== undefined && Array.isArray(oneOf))
    return fc.oneof(...oneOf.filter(isObject).map((variant) => built(variant, of, depth)))
  const types = [schema.type ?? 'any'].flat().map(String)
  if (types.length > 1) return fc.oneof(...types.map((type) => built({ ...schema, type }, of, depth)))
  switch (types[0]) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer(boundsOf(schema))
    case 'number':
      return fc.double({ ...numberBoundsOf(schema), noNaN: true })
    case 'string':
      return texts(schema)
    case 'array':
      return lists(schema, of, depth)
    case 'object': {
      const choice = [oneOf, anyOf].find((one) => Array.isArray(one))
      const needed = (Array.isArray(choice) ? choice.filter(isObject) : []).map(
        ({ required }) => required as readonly string[],
      )
      if (needed.length === 0) return objects(schema, of, depth, [], [])
      return fc.oneof(
        ...needed.map((one) =>
          objects(
            schema,
            of,
            depth,
            one,
            oneOf === undefined ? [] : needed.flat().filter((name) => !one.includes(name)),
          ),
        ),
      )
    }
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function boundsOf({ minimum, maximum }: JsonObject): { readonly min: number; readonly max: number } {
  const min = typeof minimum === 'number' ? minimum : -10
  return { min, max: Math.min(typeof maximum === 'number' ? maximum : Number.POSITIVE_INFINITY, min + 1000) }
}

function numberBoundsOf({ minimum, exclusiveMinimum }: JsonObject) {
  if (typeof exclusiveMinimum === 'number') return { min: exclusiveMinimum + 0.01, max: exclusiveMinimum + 5 }
  return typeof minimum === 'number' ? { min: minimum, max: minimum + 0.01 } : { min: -10, max: 10 }
}

function texts({ pattern, format, minLength = 0, maxLength = 1000 }: JsonObject): fc.Arbitrary<string> {
  const fits = (text: string) => {
    const length = [...text].length
    return length >= Number(minLength) && length <= Number(maxLength)
  }
  if (format === 'date-time')
    return fc
      .date({ min: new Date('1990-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString())
  if (typeof pattern === 'string')
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }).filter(fits)
  return fc
    .string({ unit: 'grapheme', minLength: Number(minLength), maxLength: Math.min(Number(maxLength), 30) })
    .filter(fits)
}

function lists({ items, minItems = 0, maxItems = 3 }: JsonObject, of: Documented, depth: number) {
  const item = isObject(items) ? built(items, of, depth + 1) : fc.jsonValue({ maxDepth: 1 })
  return fc.array(item, {
    minLength: Number(minItems),
    maxLength: Math.max(Number(minItems), Math.min(Number(maxItems), depth > 2 ? 1 : 2)),
  })
}

function objects(
  schema: JsonObject,
  of: Documented,
  depth: number,
  also: readonly string[],
  without: readonly string[],
): fc.Arbitrary<unknown> {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const members = Object.entries(properties).filter(([name]) => !without.includes(name))
  const required = [...(Array.isArray(schema.required) ? schema.required.map(String) : []), ...also]
  const names = new Set(members.map(([name]) => name))
  return fc.record(
    Object.fromEntries(
      members.map(([name, member]) => [name, built(isObject(member) ? member : {}, of, depth + 1)]),
    ),
    { requiredKeys: required.filter((name) => names.has(name)), noNullPrototype: true },
  )
}

/** Generates values near a valid one that do not match the schema. */
export function invalidValues(schema: JsonObject, of: Documented): fc.Arbitrary<unknown> {
  const other = fc.constantFrom<unknown>(null, true, -1, 1.5, '', '\u0007', 'x'.repeat(5000), [], {}, [null])
  const made = fc
    .tuple(built(schema, of, 0), other, fc.nat(), fc.constantFrom('replace', 'remove', 'add'))
    .map(([value, put, seed, how]) => changed(value, put, seed, how))
  return kept(made, (value) => !of.fits(schema, value), JSON.stringify(schema))
}

/** Changes one place of a value. */
function changed(value: unknown, put: unknown, seed: number, how: string): unknown {
  if (Array.isArray(value) && value.length > 0 && seed % 3 !== 0) {
    const at = seed % value.length
    return value.map((item, index) => (index === at ? changed(item, put, Math.floor(seed / 3), how) : item))
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    if (how === 'add') return { ...value, unknown_member: put }
    const names = Object.keys(value)
    const name = names[seed % Math.max(1, names.length)]
    if (name === undefined) return put
    const { [name]: member, ...others } = value as Record<string, unknown>
    if (how === 'remove') return others
    return { ...others, [name]: changed(member, put, Math.floor(seed / 3), how) }
  }
  return put
}
