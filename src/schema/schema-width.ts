import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { sameJson } from '../document/same-json.ts'

/** How the values that a schema accepts changed. `undecidable`: some may be new; it is not proved that none is. */
export type Width = 'same' | 'narrower' | 'wider' | 'undecidable'

/** Members that accept or reject no value. */
const NOTES: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly', '$comment'],
  '$schema',
])

/** Members whose meaning depends on other members or on other places of the schema. */
const ENTANGLED: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', '$recursiveRef', '$defs', 'definitions', '$dynamicAnchor'],
  ...['unevaluatedProperties', 'unevaluatedItems', 'additionalItems', 'prefixItems'],
  ...['contains', 'minContains', 'maxContains', 'if', 'then', 'else'],
])

/** Each adds a condition of its own: adding one accepts less, and removing one accepts more. */
const CONDITIONS: ReadonlySet<string> = new Set([
  ...['const', 'enum', 'pattern', 'format', 'multipleOf'],
  ...['allOf', 'anyOf', 'oneOf', 'not', 'propertyNames'],
  ...['dependentRequired', 'dependentSchemas', 'contentEncoding', 'contentMediaType', 'contentSchema'],
])

const LEAST: ReadonlySet<string> = new Set([
  ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'],
])
const MOST: ReadonlySet<string> = new Set([
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'],
])

const OF_PROPERTIES: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'additionalProperties',
])
const TYPES: readonly Json[] = ['null', 'boolean', 'object', 'array', 'string', 'integer', 'fraction']

/**
 * Compares the values that two JSON Schemas accept. It proves only what it can see from the members of the schemas, side
 * by side: every other change is undecidable.
 * @param before absent: accepts every value
 */
export function schemaWidth(before: Json | undefined, after: Json | undefined): Width {
  const [was, is] = [before ?? {}, after ?? {}]
  const width = compare(was, is)
  return width !== 'same' && (isEntangled(was) || isEntangled(is)) ? 'undecidable' : width
}

/** References, for example, may refer to a changed part from a place where less means more. */
function isEntangled(schema: Json): boolean {
  if (Array.isArray(schema)) return schema.some(isEntangled)
  if (!isObject(schema)) return false
  // Also names of properties are looked up: a wrong alarm only makes the change undecidable.
  return Object.entries(schema).some(([name, value]) => ENTANGLED.has(name) || isEntangled(value))
}

/** Removes notes at the top of a schema only: below, the same names may be names of properties. */
function withoutNotes(schema: Json): Json {
  if (!isObject(schema)) return schema === true ? {} : schema
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !NOTES.has(name)))
}

function compare(before: Json, after: Json): Width {
  const [was, is] = [withoutNotes(before), withoutNotes(after)]
  if (sameJson(was, is)) return 'same'
  if (is === false) return 'narrower'
  if (was === false) return 'wider'
  if (!isObject(was) || !isObject(is)) return 'undecidable'
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return joined([
    ...names.filter((name) => !OF_PROPERTIES.has(name)).map((name) => memberWidth(name, was, is)),
    propertiesWidth(was, is),
  ])
}

function joined(widths: readonly Width[]): Width {
  const all = new Set(widths)
  all.delete('same')
  const [only = 'same'] = all
  return all.size > 1 ? 'undecidable' : only
}

function memberWidth(name: string, was: JsonObject, is: JsonObject): Width {
  const [b, a] = [own(was, name), own(is, name)]
  if (sameJson(b, a)) return 'same'
  if (name === 'type') return subset(typesOf(b), typesOf(a))
  if (name === 'required') return opposite(subset(list(b), list(a)))
  if (name === 'uniqueItems') return a === true ? 'narrower' : b === true ? 'wider' : 'same'
  if (name === 'items') return itemsWidth(b, a)
  if (CONDITIONS.has(name) || LEAST.has(name) || MOST.has(name)) {
    if (b === undefined) return 'narrower'
    if (a === undefined) return 'wider'
  }
  if (name === 'enum') return subset(list(b), list(a))
  if (name === 'allOf' || name === 'anyOf') return joined(inPairs(list(b), list(a)))
  if (name === '$defs' || name === 'definitions') return tableWidth(b, a)
  if (typeof b === 'number' && typeof a === 'number') {
    if (LEAST.has(name)) return a > b ? 'narrower' : 'wider'
    if (MOST.has(name)) return a < b ? 'narrower' : 'wider'
  }
  return 'undecidable'
}

/** Of parts that are not in both, only that they differ is known. */
function inPairs(before: readonly Json[], after: readonly Json[]): readonly Width[] {
  if (before.length !== after.length) return ['undecidable']
  return before.map((schema, index) => compare(schema, after[index] as Json))
}

/** Parts that are not in both tables may be referred to from anywhere. */
function tableWidth(before: Json | undefined, after: Json | undefined): Width {
  if (!isObject(before) || !isObject(after)) return 'undecidable'
  const names = Object.keys(before)
  const sameNames = names.length === Object.keys(after).length && names.every((n) => Object.hasOwn(after, n))
  if (!sameNames) return 'undecidable'
  return joined(names.map((name) => compare(own(before, name) as Json, own(after, name) as Json)))
}

/** An array of schemas, one for each place, is the form of older drafts. */
function itemsWidth(before: Json | undefined, after: Json | undefined): Width {
  if (Array.isArray(before) || Array.isArray(after)) return 'undecidable'
  return compare(before ?? {}, after ?? {})
}

/** Compares what is accepted for each name: its own schema, or else that of additional properties. */
function propertiesWidth(was: JsonObject, is: JsonObject): Width {
  const [b, a] = [objectOf(was, 'properties'), objectOf(is, 'properties')]
  const rest = [own(was, 'additionalProperties') ?? {}, own(is, 'additionalProperties') ?? {}] as const
  const names = [...new Set([...Object.keys(b), ...Object.keys(a)])]
  const patterns = [own(was, 'patternProperties'), own(is, 'patternProperties')] as const
  if (!sameJson(...patterns)) return 'undecidable'
  const sameNames = names.every((name) => Object.hasOwn(b, name) && Object.hasOwn(a, name))
  // A name without a schema may match a pattern, and is then not additional.
  if (patterns[0] !== undefined && !sameNames) return 'undecidable'
  return joined([
    compare(...rest),
    ...names.map((name) => compare(own(b, name) ?? rest[0], own(a, name) ?? rest[1])),
  ])
}

function subset(before: readonly Json[], after: readonly Json[]): Width {
  const isIn = (all: readonly Json[]) => (one: Json) => all.some((other) => sameJson(one, other))
  const fewer = after.every(isIn(before))
  const more = before.every(isIn(after))
  if (fewer && more) return 'same'
  return fewer ? 'narrower' : more ? 'wider' : 'undecidable'
}

function opposite(width: Width): Width {
  return width === 'narrower' ? 'wider' : width === 'wider' ? 'narrower' : width
}

function typesOf(type: Json | undefined): readonly Json[] {
  if (type === undefined) return TYPES
  return list(type).flatMap((one) => (one === 'number' ? ['integer', 'fraction'] : [one]))
}

function list(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as Json]
}

function objectOf(schema: JsonObject, name: string): JsonObject {
  const value = own(schema, name)
  return isObject(value) ? value : {}
}

function own(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}
