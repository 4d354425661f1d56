import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'
import { plainPattern } from './plain-pattern.ts'
import { firstEqualPair } from './unique-items.ts'

type Fits = (value: Json) => boolean

/**
 * Compiles a schema of common keywords to a function that returns whether a value is valid. Ajv takes 20 to 40 ms to
 * load and to compile a schema; most schemas do not need it, and most values are valid. The caller uses Ajv for the
 * message about an invalid value, and for all other schemas.
 * @param schema a schema that `isPlainlyRight` accepts
 * @returns null for a schema with a name or a keyword that this function does not support
 */
export function compilePlainCheck(schema: Json): Fits | null {
  if (typeof schema === 'boolean') return () => schema
  if (!isObject(schema)) return null
  const checks: Fits[] = []
  for (const [keyword, expected] of Object.entries(schema)) {
    if (ANNOTATIONS.has(keyword) || keyword === 'additionalProperties') continue
    const check = ownMember(KEYWORDS, keyword)?.(expected) ?? null
    if (check === null) return null
    checks.push(check)
  }
  const others = othersCheck(schema)
  if (others === null) return null
  checks.push(others)
  return (value) => {
    for (const check of checks) if (!check(value)) return false
    return true
  }
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'title', 'format', 'default'])
const always: Fits = () => true

/** The check of each keyword. Most accept every value of a type that they do not apply to. */
const KEYWORDS: { readonly [keyword: string]: (expected: Json) => Fits | null } = {
  type: (type) => ownMember(TYPES, String(type)) ?? null,
  const: (only) => (value) => value === only,
  enum: (choices) => (value) => (choices as readonly Json[]).includes(value),
  minimum: (limit) => (value) => typeof value !== 'number' || value >= (limit as number),
  maximum: (limit) => (value) => typeof value !== 'number' || value <= (limit as number),
  exclusiveMinimum: (limit) => (value) => typeof value !== 'number' || value > (limit as number),
  exclusiveMaximum: (limit) => (value) => typeof value !== 'number' || value < (limit as number),
  minLength: (limit) => (value) => typeof value !== 'string' || lengthOf(value) >= (limit as number),
  maxLength: (limit) => (value) => typeof value !== 'string' || lengthOf(value) <= (limit as number),
  minItems: (limit) => (value) => !Array.isArray(value) || value.length >= (limit as number),
  maxItems: (limit) => (value) => !Array.isArray(value) || value.length <= (limit as number),
  uniqueItems: (wanted) =>
    wanted === true ? (value) => !Array.isArray(value) || firstEqualPair(value) === null : always,
  pattern: patternCheck,
  items: itemsCheck,
  required: requiredCheck,
  properties: propertiesCheck,
  minProperties: (limit) => (value) => !isObject(value) || Object.keys(value).length >= (limit as number),
  maxProperties: (limit) => (value) => !isObject(value) || Object.keys(value).length <= (limit as number),
  propertyNames: propertyNamesCheck,
  dependentRequired: dependentCheck,
  anyOf: (schemas) => ofSchemas(schemas, (fits, value) => fits.some((one) => one(value))),
  oneOf: (schemas) => ofSchemas(schemas, (fits, value) => fits.filter((one) => one(value)).length === 1),
  allOf: (schemas) => ofSchemas(schemas, (fits, value) => fits.every((one) => one(value))),
  not: (schema) => ofSchemas([schema], (fits, value) => !fits.some((one) => one(value))),
}

const TYPES: { readonly [type: string]: Fits } = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  object: (value) => isObject(value),
  array: (value) => Array.isArray(value),
  null: (value) => value === null,
}

/** Returns the length in code points, as JSON Schema defines it. */
function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}

function patternCheck(source: Json): Fits | null {
  const pattern = plainPattern(String(source))
  return pattern && ((value) => typeof value !== 'string' || pattern.test(value))
}

function itemsCheck(items: Json): Fits | null {
  const fits = compilePlainCheck(items)
  return fits && ((value) => !Array.isArray(value) || value.every(fits))
}

function requiredCheck(required: Json): Fits | null {
  const names = required as readonly string[]
  if (names.some(isSpecial)) return null
  return (value) => !isObject(value) || names.every((name) => Object.hasOwn(value, name))
}

function propertiesCheck(properties: Json): Fits | null {
  const checks: (readonly [name: string, fits: Fits])[] = []
  for (const [name, schema] of Object.entries(properties as JsonObject)) {
    const fits = compilePlainCheck(schema)
    if (fits === null || isSpecial(name)) return null
    checks.push([name, fits])
  }
  return (value) => {
    if (!isObject(value)) return true
    for (const [name, fits] of checks)
      if (Object.hasOwn(value, name) && !fits(value[name] as Json)) return false
    return true
  }
}

function propertyNamesCheck(names: Json): Fits | null {
  const fits = compilePlainCheck(names)
  return fits && ((value) => !isObject(value) || Object.keys(value).every(fits))
}

function dependentCheck(dependent: Json): Fits | null {
  const rules = Object.entries(dependent as Readonly<Record<string, readonly string[]>>)
  if (rules.flat(2).some(isSpecial)) return null
  return (value) =>
    !isObject(value) ||
    rules.every(
      ([name, others]) => !Object.hasOwn(value, name) || others.every((other) => Object.hasOwn(value, other)),
    )
}

function ofSchemas(schemas: Json, check: (fits: readonly Fits[], value: Json) => boolean): Fits | null {
  const fits = (schemas as readonly Json[]).map(compilePlainCheck)
  return fits.every((one) => one !== null) ? (value) => check(fits, value) : null
}

/** Compiles `additionalProperties`, which applies to the members that `properties` does not name. */
function othersCheck({ properties, additionalProperties }: JsonObject): Fits | null {
  if (additionalProperties === undefined || additionalProperties === true) return always
  const fits = compilePlainCheck(additionalProperties)
  if (fits === null) return null
  const named = new Set(isObject(properties) ? Object.keys(properties) : [])
  return (value) =>
    !isObject(value) || Object.keys(value).every((name) => named.has(name) || fits(value[name] as Json))
}

/** Returns true for the name that Ajv ignores in a schema. */
function isSpecial(name: string): boolean {
  return name === '__proto__'
}
