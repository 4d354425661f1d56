import { isDeepStrictEqual } from 'node:util'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { appendStep } from '../document/json-pointer.ts'

/** A difference between two schemas: some values that fit the first do not fit the second. */
export interface SchemaGap {
  /** JSON Pointer into the value. */
  readonly pointer: string
  /** What the first says there, and what the second says. */
  readonly written: string
  readonly needed: string
  /** No value that fits the first fits the second. */
  readonly total: boolean
}

/**
 * Returns why values of one schema may not fit another, keyword by keyword. Schemas that say the same in different
 * words may give a gap, so a gap that is not total is a note. Annotations, and members beyond `properties`, do not count.
 * @param written the schema that the author of the values sees
 * @param needed the schema that the receiver checks
 */
export function schemaGaps(written: JsonObject, needed: JsonObject): readonly SchemaGap[] {
  return isDeepStrictEqual(written, needed) ? [] : gapsAt('', written, needed)
}

type Comparison = (written: JsonObject, needed: JsonObject, pointer: string) => readonly SchemaGap[]

const COMPARISONS: readonly Comparison[] = [typeGaps, valueGaps, boundGaps, memberGaps, itemGaps, otherGaps]

function gapsAt(pointer: string, written: Json, needed: Json): readonly SchemaGap[] {
  if (needed === false) return [{ pointer, written: 'a schema', needed: 'no value', total: true }]
  if (!isObject(needed)) return []
  const shown = isObject(written) ? written : {}
  return COMPARISONS.flatMap((compare) => compare(shown, needed, pointer))
}

function typeGaps(written: JsonObject, needed: JsonObject, pointer: string): readonly SchemaGap[] {
  const wanted = typesOf(needed)
  if (wanted === undefined) return []
  const given = typesOf(written) ?? typesOfValues(written)
  const total = given?.every((type) => !wanted.some((one) => meets(type, one) || meets(one, type))) ?? false
  if (given?.every((type) => wanted.some((one) => meets(type, one)))) return []
  return [{ pointer, written: given?.join(' or ') ?? 'any value', needed: wanted.join(' or '), total }]
}

function typesOf({ type, nullable }: JsonObject): readonly string[] | undefined {
  if (typeof type !== 'string' && !Array.isArray(type)) return undefined
  const types = [type].flat().filter((one) => typeof one === 'string')
  return nullable === true ? [...types, 'null'] : types
}

function typesOfValues(schema: JsonObject): readonly string[] | undefined {
  const values = valuesOf(schema)?.map((value) => {
    if (value === null) return 'null'
    return Array.isArray(value) ? 'array' : typeof value
  })
  return values === undefined ? undefined : [...new Set(values)]
}

function meets(type: string, wanted: string): boolean {
  return type === wanted || (type === 'integer' && wanted === 'number')
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema.const as Json]
  return Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : undefined
}

function valueGaps(written: JsonObject, needed: JsonObject, pointer: string): readonly SchemaGap[] {
  const wanted = valuesOf(needed)
  if (wanted === undefined) return []
  const given = valuesOf(written)
  const others = given?.filter((value) => !wanted.some((one) => isDeepStrictEqual(one, value)))
  if (others?.length === 0) return []
  return [
    {
      pointer,
      written: given === undefined ? 'any value' : `one of ${JSON.stringify(given)}`,
      needed: `one of ${JSON.stringify(wanted)}`,
      total: others !== undefined && others.length === given?.length,
    },
  ]
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']

function boundGaps(written: JsonObject, needed: JsonObject, pointer: string): readonly SchemaGap[] {
  const wider = (keyword: string, beyond: (given: number, wanted: number) => boolean): SchemaGap[] => {
    const wanted = needed[keyword]
    const given = written[keyword]
    // The bounds that libraries write for every integer, and lengths of at least 0, exclude no value.
    if (typeof wanted !== 'number' || Math.abs(wanted) >= Number.MAX_SAFE_INTEGER) return []
    if (/^min[LIP]/.test(keyword) && wanted <= 0) return []
    if (typeof given === 'number' && !beyond(given, wanted)) return []
    const own = typeof given === 'number' ? `${keyword} ${given}` : `no ${keyword}`
    return [{ pointer, written: own, needed: `${keyword} ${wanted}`, total: false }]
  }
  return [
    ...LOWER.flatMap((keyword) => wider(keyword, (given, wanted) => given < wanted)),
    ...UPPER.flatMap((keyword) => wider(keyword, (given, wanted) => given > wanted)),
  ]
}

function memberGaps(written: JsonObject, needed: JsonObject, pointer: string): readonly SchemaGap[] {
  const given = membersOf(written)
  const wanted = membersOf(needed)
  const always = namesIn(written.required)
  const required = namesIn(needed.required).flatMap((name): SchemaGap[] => {
    if (always.includes(name)) return []
    const total = !Object.hasOwn(given, name)
    const own = total ? 'not declared' : 'optional'
    return [{ pointer: appendStep(pointer, name), written: own, needed: 'required', total }]
  })
  const members = Object.entries(given).flatMap(([name, schema]): readonly SchemaGap[] => {
    const at = appendStep(pointer, name)
    if (!Object.hasOwn(wanted, name)) {
      if (!closes(needed)) return []
      const total = needed.additionalProperties === false && always.includes(name)
      return [{ pointer: at, written: 'declared', needed: 'unknown', total }]
    }
    const below = gapsAt(at, schema, wanted[name] as Json)
    // Without an optional member the value may fit.
    return always.includes(name) ? below : below.map((gap) => ({ ...gap, total: false }))
  })
  return [...required, ...members]
}

/** Returns whether a schema names its members, so that others are refused or have no meaning. */
function closes({ properties, additionalProperties: others }: JsonObject): boolean {
  return others === false || (properties !== undefined && others === undefined)
}

function membersOf({ properties }: JsonObject): JsonObject {
  return isObject(properties) ? properties : {}
}

function namesIn(names: Json | undefined): readonly string[] {
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}

function itemGaps(written: JsonObject, needed: JsonObject, pointer: string): readonly SchemaGap[] {
  if (!isObject(needed.items)) return []
  // An empty list may fit.
  return gapsAt(appendStep(pointer, '*'), written.items ?? true, needed.items).map((gap) => ({
    ...gap,
    total: false,
  }))
}

/** Keywords that are compared above, and those that accept every value. */
const COMPARED: ReadonlySet<string> = new Set([
  ...LOWER,
  ...UPPER,
  ...['type', 'nullable', 'enum', 'const', 'required', 'properties', 'additionalProperties', 'items'],
  ...['$schema', '$id', '$comment', '$defs', 'definitions', 'title', 'description', 'default', 'examples'],
  ...['deprecated', 'readOnly', 'writeOnly', 'format', 'contentMediaType', 'contentEncoding'],
])

/** In characters. */
const LONGEST = 80

function otherGaps(written: JsonObject, needed: JsonObject, pointer: string): readonly SchemaGap[] {
  return (
    Object.keys(needed)
      .filter((keyword) => !COMPARED.has(keyword) && !isDeepStrictEqual(written[keyword], needed[keyword]))
      // Libraries write the pattern of a format beside it.
      .filter((keyword) => !(keyword === 'pattern' && sameFormat(written, needed)))
      .map((keyword) => ({
        pointer,
        written: `${Object.hasOwn(written, keyword) ? 'another' : 'no'} ${keyword}`,
        needed: `${keyword} ${JSON.stringify(needed[keyword]).slice(0, LONGEST)}`,
        total: false,
      }))
  )
}

function sameFormat(written: JsonObject, needed: JsonObject): boolean {
  return needed.format !== undefined && written.format === needed.format
}
