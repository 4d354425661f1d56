import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { resolveReference } from '../../schema/schema-address.ts'
import { TYPES } from '../../schema/user-schema-keywords.ts'
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
  'unevaluatedItems',
  'additionalItems',
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
  'minContains',
  'maxContains',
  'required',
  'dependentRequired',
  'contentEncoding',
  'contentMediaType',
  'deprecated',
]

/** Maximum characters of a tool's schema: deeper schemas are left open, so that plans and prompts stay readable. */
const LARGEST_SCHEMA = 24_000
const MOST_DEFINITIONS = 300

/** What is kept of a schema. */
interface Extent {
  /** References from the operation; what is further away is open. */
  readonly references: number
  /** Levels of schemas in one another; what is deeper is open. */
  readonly levels: number
  /** Characters of a description. */
  readonly text: number
}

const WHOLE: Extent = { references: Number.POSITIVE_INFINITY, levels: Number.POSITIVE_INFINITY, text: 600 }
const SHORTER: readonly Extent[] = [
  ...[8, 4, 2, 1, 0].map((references) => ({ ...WHOLE, references })),
  { references: 0, levels: Number.POSITIVE_INFINITY, text: 80 },
  ...[8, 6, 4, 3, 2, 1, 0].map((levels) => ({ references: 0, levels, text: 80 })),
]

export interface SelfContained {
  readonly schema: JsonObject
  /** Says that parts of the schema were left open. */
  readonly note?: string
}

/**
 * Combines schemas of one document into one schema: references point to its own `$defs`, or to the address of another
 * document, which is not read here. Recursive schemas stay recursive. If the result is too large, schemas that are many
 * references away are left open. A part that cannot be used is copied unchanged: the plan opens it, and names it.
 * @param build builds the result with a function that copies a schema of the document
 */
export function selfContained(
  document: ApiDocument,
  build: (copy: (schema: Json | undefined) => Json) => JsonObject,
): SelfContained {
  let schema: JsonObject = {}
  for (const extent of [WHOLE, ...SHORTER]) {
    const copier = new Copier(document, extent)
    schema = copier.finish(build((part) => copier.copy(part, 0, 0)))
    if (JSON.stringify(schema).length > LARGEST_SCHEMA) continue
    return extent === WHOLE ? { schema } : { schema, note: TOO_LARGE }
  }
  return { schema, note: TOO_LARGE }
}

const TOO_LARGE = 'its schema is larger than 24 KB: the deeper parts of its arguments are not checked'

class Copier {
  readonly #document: ApiDocument
  readonly #extent: Extent
  /** Visited references, with their shortest distance. */
  readonly #names = new Map<string, string>()
  readonly #pending: { readonly ref: string; readonly depth: number }[] = []

  constructor(document: ApiDocument, extent: Extent) {
    this.#document = document
    this.#extent = extent
  }

  /**
   * @param depth references between the operation and the schema
   * @param level schemas that contain it
   */
  copy(schema: Json | undefined, depth: number, level: number): Json {
    if (!isObject(schema)) return schema === undefined ? {} : schema === false ? { not: {} } : schema
    if (level > this.#extent.levels) return this.#opened(schema)
    const { $ref, ...siblings } = schema
    if (typeof $ref !== 'string') return this.#members(schema, depth, level)
    // Version 3.0 ignores the siblings of a reference; later versions are JSON Schema, in which both apply.
    const isAlone = this.#document.version === '3.0' || Object.keys(siblings).length === 0
    if (isAlone) return this.#reference($ref, depth)
    const own = this.#members(siblings, depth, level)
    const target = this.#reference($ref, depth)
    return typeof target.$ref === 'string' ? { ...own, ...target } : { ...target, ...own }
  }

  #members(schema: JsonObject, depth: number, level: number): JsonObject {
    const deeper = (part: Json) => this.copy(part, depth, level + 1)
    const copied: Record<string, Json> = {}
    for (const name of PLAIN) if (Object.hasOwn(schema, name)) copied[name] = schema[name] as Json
    // Not a text, or relative to where it is used: the plan says that it is not checked.
    for (const name of ['$ref', '$dynamicRef']) if (Object.hasOwn(schema, name)) copied[name] = null
    if (copied.description !== undefined) copied.description = this.#shortened(copied.description)
    for (const name of ONE) {
      const value = schema[name]
      if (value === undefined) continue
      copied[name] = isObject(value) ? deeper(value) : Array.isArray(value) ? value.map(deeper) : value
    }
    for (const name of LIST) {
      const list = schema[name]
      if (list !== undefined) copied[name] = Array.isArray(list) ? list.map(deeper) : list
    }
    for (const name of NAMED) {
      const members = schema[name]
      if (!isObject(members)) {
        if (members !== undefined) copied[name] = members
        continue
      }
      copied[name] = Object.fromEntries(
        Object.entries(members).flatMap(([key, value]) =>
          this.#sentByServers(value) ? [] : [[key, deeper(value)]],
        ),
      )
    }
    return inVersion(this.#document.version, schema, withTexts(this.#withoutReadOnly(schema, copied)))
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
        !(Object.hasOwn(properties, String(name)) && this.#sentByServers(properties[String(name)] as Json)),
    )
    return kept.length === 0 ? rest : { ...rest, required: kept }
  }

  #reference(ref: string, depth: number): JsonObject {
    const target = lookUp(this.#document, ref)
    if (target === undefined) {
      // The plan completes it if the operator maps that document, and else says that it is not available.
      if (!ref.startsWith('#')) return { $ref: this.#addressOf(ref) }
      // The plan says that it has no target. It must not find one in the schema that is made here.
      return { $ref: /^#\/(?:\$defs|properties)(?:\/|$)|^#$/.test(ref) ? `#/nowhere${ref.slice(1)}` : ref }
    }
    const known = this.#names.get(ref)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    if (depth >= this.#extent.references || this.#names.size >= MOST_DEFINITIONS) return this.#opened(target)
    const wanted = (ref.split('/').at(-1) ?? '').replaceAll(/[^a-zA-Z0-9_]/g, '_') || 'schema'
    const taken = new Set(this.#names.values())
    let name = wanted
    for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`
    this.#names.set(ref, name)
    this.#pending.push({ ref, depth: depth + 1 })
    return { $ref: `#/$defs/${name}` }
  }

  /** Returns what is left of a schema whose parts are not copied. */
  #opened(target: Json): JsonObject {
    if (!isObject(target)) return {}
    const { type, description, nullable } = target
    const isType = typeof type === 'string' && (TYPES as readonly Json[]).includes(type) && nullable !== true
    return {
      ...(isType && { type }),
      ...(typeof description === 'string' && { description: this.#shortened(description) }),
    }
  }

  #shortened(value: Json): Json {
    const { text } = this.#extent
    return typeof value === 'string' && value.length > text ? `${value.slice(0, text)}…` : value
  }

  #addressOf(ref: string): string {
    const { address, fragment } = resolveReference(ref, this.#document.url ?? '')
    return fragment === null || fragment === '' ? address : `${address}#${encodeURI(fragment)}`
  }

  /** Copies the referenced schemas, breadth first, so that the depth is that of the shortest path. */
  finish(whole: JsonObject): JsonObject {
    const definitions: Record<string, Json> = {}
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      definitions[this.#names.get(next.ref) as string] = this.copy(
        lookUp(this.#document, next.ref),
        next.depth,
        0,
      )
    }
    return Object.keys(definitions).length === 0 ? whole : { ...whole, $defs: definitions }
  }
}

/** Numbers without quotes, where a schema names members or texts, are these texts. */
function withTexts(copied: JsonObject): JsonObject {
  const { required, type, enum: choices, const: only } = copied
  const asText = (value: Json) =>
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
  return {
    ...copied,
    ...(Array.isArray(required) && { required: required.map(asText) }),
    ...(type === 'string' && Array.isArray(choices) && { enum: choices.map(asText) }),
    ...(type === 'string' && only !== undefined && { const: asText(only) }),
  }
}

/** Version 3.0 has keywords of its own, which JSON Schema expresses differently. */
function inVersion(
  version: ApiDocument['version'],
  { nullable }: JsonObject,
  copied: JsonObject,
): JsonObject {
  if (version !== '3.0') return copied
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...rest } = copied
  const bounds = {
    ...boundOf('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...boundOf('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
  }
  const bounded = { ...rest, ...bounds }
  if (nullable !== true) return bounded
  const { type, enum: choices, description, ...others } = bounded as Record<string, Json | undefined>
  const ofNull = {
    ...(Array.isArray(choices) && { enum: choices.includes(null) ? choices : [...choices, null] }),
    ...defined({ description }),
  }
  if (typeof type === 'string') return { ...(others as JsonObject), ...ofNull, type: [type, 'null'] }
  if (type !== undefined || Object.keys(others).length === 0) return { ...(bounded as JsonObject), ...ofNull }
  return { ...ofNull, anyOf: [others as JsonObject, { type: 'null' }] }
}

function boundOf(
  name: string,
  bound: Json | undefined,
  exclusiveName: string,
  exclusive: Json | undefined,
): JsonObject {
  if (exclusive === true && typeof bound === 'number') return { [exclusiveName]: bound }
  if (typeof exclusive === 'boolean') return { ...(bound !== undefined && { [name]: bound }) }
  return {
    ...(bound !== undefined && { [name]: bound }),
    ...(exclusive !== undefined && { [exclusiveName]: exclusive }),
  }
}
