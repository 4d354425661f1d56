import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { resolveReference } from '../../schema/schema-address.ts'
import { checkUserSchema } from '../../schema/user-schema.ts'
import { type ApiDocument, follow, lookUp } from './api-document.ts'

/** Members of a schema that contain one schema, a list of schemas, or schemas by name. */
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
/** Members that are kept unchanged. Others are of no use for models and validation. */
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

/** Maximum characters of a tool's schema: deeper schemas are left open, so that plans and prompts stay readable. */
const LARGEST_SCHEMA = 24_000
const LONGEST_TEXT = 600
const MOST_DEFINITIONS = 300

/**
 * Combines schemas of one document into one schema: references point to its own `$defs`, or to the address of another
 * document, which is not read here. Recursive schemas stay recursive. If the result is too large, schemas that are many
 * references away are left open.
 * @param build builds the result with a function that copies a schema of the document
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

/** A schema that cannot be compiled must not prevent the run of an agent: the API still validates. */
function usable(schema: JsonObject): JsonObject {
  if (!checkUserSchema(schema).some(({ severity }) => severity === 'error')) return schema
  const description = 'the schema of these in the document cannot be checked'
  const names = isObject(schema.properties) ? Object.keys(schema.properties) : []
  const properties = Object.fromEntries(names.map((name) => [name, {}]))
  return { type: 'object', description, properties, ...(schema.required && { required: schema.required }) }
}

class Copier {
  readonly #document: ApiDocument
  readonly #depth: number
  /** Visited references, with their shortest distance. */
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

  /** OpenAPI: a readOnly member occurs only in answers; requests do not contain it. */
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
    // The plan completes it if the operator maps that document, and else says that it is not available.
    if (target === undefined && !ref.startsWith('#')) return { $ref: this.#addressOf(ref) }
    if (!isObject(target)) {
      return { description: 'described in another document, which is not read' }
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

  #addressOf(ref: string): string {
    const { address, fragment } = resolveReference(ref, this.#document.url ?? '')
    return fragment === null || fragment === '' ? address : `${address}#${encodeURI(fragment)}`
  }

  /** Copies the referenced schemas, breadth first, so that the depth is that of the shortest path. */
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
