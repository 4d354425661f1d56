import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { checkUserSchema, compileUserSchema } from '../../schema/user-schema.ts'

/** The form that output.schema defines for a result. */
export type OutputForm =
  | { readonly kind: 'json-schema' | 'sketch'; readonly schema: JsonObject }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** Keywords of a schema that has `type`. */
const KEYWORDS: ReadonlySet<string> = new Set(
  [
    'type title description default examples enum const format pattern minLength maxLength minimum maximum',
    'exclusiveMinimum exclusiveMaximum multipleOf items prefixItems contains minItems maxItems uniqueItems',
    'required additionalProperties patternProperties propertyNames minProperties maxProperties',
  ].flatMap((line) => line.split(' ')),
)

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  text: 'string',
  number: 'number',
  float: 'number',
  integer: 'integer',
  int: 'integer',
  boolean: 'boolean',
  bool: 'boolean',
  object: 'object',
  array: 'array',
  null: 'null',
}

/**
 * Reads output.schema, an object or a string that contains one: a JSON Schema if it has JSON Schema keywords, else a
 * sketch `{key: type name}` in which arrays contain the form of their items and all keys are required. Unknown type
 * names accept any value.
 */
export function readOutputForm(written: Json): OutputForm {
  const value = typeof written === 'string' ? parse(written) : written
  if (value === undefined) return { kind: 'unreadable', reason: 'it is not JSON' }
  if (!isObject(value)) return { kind: 'unreadable', reason: 'it is not an object' }
  if (!looksLikeSchema(value)) return { kind: 'sketch', schema: schemaOfSketch(value) }
  const problem = checkUserSchema(value).find(({ severity }) => severity === 'error')
  if (problem === undefined) return { kind: 'json-schema', schema: value }
  return { kind: 'unreadable', reason: `${problem.pointer} ${problem.message}`.trim() }
}

/**
 * Returns true for a JSON Schema: `{"type": "string"}` is a schema; `{"type": "string", "title": "string"}` is a sketch
 * of an object with a member `type`.
 */
function looksLikeSchema(value: JsonObject): boolean {
  const names = Object.keys(value)
  if (isObject(value.properties) || names.some((name) => name.startsWith('$'))) return true
  if (['anyOf', 'oneOf', 'allOf'].some((name) => isListOfObjects(value[name]))) return true
  if (!isType(value.type) || !names.every((name) => KEYWORDS.has(name))) return false
  return names.length === 1 || !names.every((name) => isType(value[name]))
}

function isListOfObjects(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isObject)
}

function isType(value: Json | undefined): boolean {
  const types: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value]
  return types.length > 0 && types.every((type) => Object.values(TYPE_NAMES).includes(type as string))
}

function schemaOfSketch(sketch: Json): JsonObject {
  if (typeof sketch === 'string') {
    const name = sketch.trim().toLowerCase()
    if (name.endsWith('[]')) return { type: 'array', items: schemaOfSketch(name.slice(0, -2)) }
    const type = Object.hasOwn(TYPE_NAMES, name) ? TYPE_NAMES[name] : undefined
    return type === undefined ? {} : { type }
  }
  if (Array.isArray(sketch)) {
    return { type: 'array', ...(sketch.length === 1 && { items: schemaOfSketch(sketch[0] as Json) }) }
  }
  if (!isObject(sketch)) return {}
  const entries = Object.entries(sketch)
  return {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, inner]) => [name, schemaOfSketch(inner)])),
  }
}

/**
 * Validates a result against the form that its task requires. Applies only to json: a schema cannot describe other
 * results (IAP-output-02).
 * @returns the violations as text, or null if there are none or the task requires no form.
 */
export function breachesOfOutput(
  output: { readonly format?: string; readonly schema?: string | JsonObject } | undefined,
  result: Json,
): string | null {
  if (output?.format !== 'json' || output.schema === undefined) return null
  const form = readOutputForm(output.schema)
  return form.kind === 'unreadable' ? null : compileUserSchema(form.schema)(result)
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
