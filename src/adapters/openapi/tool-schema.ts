import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { checkUserSchema } from '../../schema/user-schema.ts'
import { type ApiDocument, follow, lookUp } from './api-document.ts'

/** Members of a schema that hold one schema, a list of them, or schemas by name. */
const ONE = [
  'additionalProperties',
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
]
const LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const NAMED = ['properties', 'patternProperties', 'dependentSchemas']
/** Members that are kept as they are. What is not listed here tells a model and a check nothing. */
const PLAIN = [
  'type',
  'format',
  'title',
  'description',
  'enum',
  'const',
  'default',
  'examples',
  'example',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'nullable',
  'deprecated',
]

/** Characters of one tool's schema: what is deeper is left open, so that a plan and a prompt stay readable. */
const LARGEST_SCHEMA = 24_000
const LONGEST_TEXT = 600
const MOST_DEFINITIONS = 300

/**
 * Schemas of one document put together as one that needs nothing around it: references lead to its own `$defs`,
 * those that lead out of the document are left open. Recursive schemas stay recursive. When all would be too
 * large, schemas that are many references away are left open.
 * @param build makes the whole from a function that copies a schema of the document
 */
export function selfContained(
  document: ApiDocument,
  build: (copy: (schema: Json | undefined) => JsonObject) => JsonObject,
): JsonObject {
  for (const depth of [Number.POSITIVE_INFINITY, 8, 4, 2, 1, 0]) {
    const copier = new Copier(document, depth)
    const whole = copier.finish(build((schema) => copier.copy(schema, 0)))
    if (depth === 0 || JSON.stringify(whole).length <= LARGEST_SCHEMA) return usable(whole)
  }
  throw new Error('the last depth returns')
}

/** A schema that cannot be compiled must not keep a whole agent from running: the API itself still checks. */
function usable(schema: JsonObject): JsonObject {
  if (!checkUserSchema(schema).some(({ severity }) => severity === 'error')) return schema
  const description = 'the document describes these in a way that cannot be checked here'
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  return { type: 'object', description, properties, ...(schema.required && { required: schema.required }) }
}

class Copier {
  readonly #document: ApiDocument
  readonly #depth: number
  /** References that were met, by the nearest way to them. */
  readonly #names = new Map<string, string>()
  readonly #pending: { readonly ref: string; readonly depth: number }[] = []

  constructor(document: ApiDocument, depth: number) {
    this.#document = document
    this.#depth = depth
  }

  copy(schema: Json | undefined, depth: number): JsonObject {
    if (!isObject(schema)) return schema === false ? { not: {} } : {}
    if (typeof schema.$ref === 'string') return this.#reference(schema.$ref, depth)
    const copied: Record<string, Json> = {}
    for (const name of PLAIN) if (Object.hasOwn(schema, name)) copied[name] = schema[name] as Json
    if (copied.description !== undefined) copied.description = shortened(copied.description)
    for (const name of ONE) {
      const value = schema[name]
      if (typeof value === 'boolean') copied[name] = value
      else if (isObject(value)) copied[name] = this.copy(value, depth)
    }
    for (const name of LIST) {
      const list = schema[name]
      if (Array.isArray(list)) copied[name] = list.map((each: Json) => this.copy(each, depth))
    }
    for (const name of NAMED) {
      const members = schema[name]
      if (isObject(members)) {
        copied[name] = Object.fromEntries(
          Object.entries(members).flatMap(([key, value]) =>
            this.#sentByServers(value) ? [] : [[key, this.copy(value, depth)]],
          ),
        )
      }
    }
    return this.#withoutReadOnly(schema, copied)
  }

  /** OpenAPI: a readOnly member is for answers; a request neither needs nor sends it. */
  #sentByServers(schema: Json): boolean {
    return follow(this.#document, schema)?.readOnly === true || (isObject(schema) && schema.readOnly === true)
  }

  #withoutReadOnly(schema: JsonObject, copied: Record<string, Json>): JsonObject {
    const { properties, required } = schema
    if (!isObject(properties) || !Array.isArray(required)) return copied
    const { required: _required, ...rest } = copied
    const kept = required.filter(
      (name: Json) =>
        typeof name === 'string' &&
        !(Object.hasOwn(properties, name) && this.#sentByServers(properties[name] as Json)),
    )
    return kept.length === 0 ? rest : { ...rest, required: kept }
  }

  #reference(ref: string, depth: number): JsonObject {
    const target = lookUp(this.#document.root, ref)
    if (!isObject(target)) {
      return { description: 'described outside of this document, which is not followed' }
    }
    const known = this.#names.get(ref)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    if (depth >= this.#depth || this.#names.size >= MOST_DEFINITIONS) {
      const { type, description } = target
      return {
        ...(typeof type === 'string' && { type }),
        ...(typeof description === 'string' && { description: shortened(description) }),
      }
    }
    const wanted = (ref.split('/').at(-1) ?? '').replaceAll(/[^a-zA-Z0-9_]/g, '_') || 'schema'
    const taken = new Set(this.#names.values())
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`
    this.#names.set(ref, name)
    this.#pending.push({ ref, depth: depth + 1 })
    return { $ref: `#/$defs/${name}` }
  }

  /** Copies what was referred to, breadth first, so that a depth counts the shortest way. */
  finish(whole: JsonObject): JsonObject {
    const definitions: Record<string, JsonObject> = {}
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      definitions[this.#names.get(next.ref) as string] = this.copy(
        lookUp(this.#document.root, next.ref),
        next.depth,
      )
    }
    return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions }
  }
}

function shortened(value: Json): Json {
  return typeof value === 'string' && value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value
}
