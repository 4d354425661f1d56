import { isObject, type Json, type JsonObject, valueAt } from '../document/json.ts'
import { escapeStep, lastStep } from '../document/json-pointer.ts'
import type { SchemaAddress } from './schema-address.ts'
import { readUserSchema, type SchemaProblem, SchemaReader } from './user-schema-reading.ts'
import { mayBeWeakened } from './user-schema-translation.ts'

/** Returns the document with an address, or the reason why it is not available. Must not fetch anything. */
export type FindSchema = (address: string) => FoundSchema
export type FoundSchema = { readonly document: Json } | { readonly reason: string }

export interface BundledSchema {
  /** Refers to no other document. The given object itself if it refers to none. */
  readonly schema: JsonObject
  /** One warning for each reference to a part that is not available. */
  readonly problems: readonly SchemaProblem[]
}

const NEVER_FETCHED = 'it is never fetched'

export const noOtherSchemas: FindSchema = () => ({ reason: NEVER_FETCHED })

/**
 * Adds the schemas of other documents to a schema, under `$defs`. The documents may refer to other documents in turn.
 * Where a document is not available, any value is accepted: the schema then accepts more than its author wrote, never
 * less. Returns a schema with errors unchanged.
 */
export function bundleUserSchema(schema: JsonObject, find: FindSchema = noOtherSchemas): BundledSchema {
  const reading = readUserSchema(schema)
  const unusable = reading.problems.some(({ severity }) => severity === 'error')
  if (unusable || reading.outside.size === 0) return { schema, problems: [] }
  const exact = new Bundler(schema, find)
  const whole = exact.bundle()
  if (exact.problems.length === 0) return { schema: whole, problems: [] }
  return { schema: new Bundler(schema, find, true).bundle(), problems: exact.problems }
}

/** A document that takes part. */
interface Source {
  readonly value: Json
  readonly reader: SchemaReader
  readonly address: string
}

class Bundler {
  readonly problems: SchemaProblem[] = []
  readonly #root: Source
  readonly #find: FindSchema
  /** Whether a part is not available, so that keywords that depend on its failure must be relaxed. */
  readonly #weak: boolean
  readonly #sources = new Map<string, Source | string>()
  readonly #names = new Map<string, string>()
  readonly #taken: Set<string>
  readonly #pending: { source: Source; pointer: string; name: string; from: string }[] = []
  /** The reference of the root that leads to the part that is copied; undefined in the root itself. */
  #from: string | undefined

  constructor(schema: JsonObject, find: FindSchema, weak = false) {
    const reader = new SchemaReader(schema)
    reader.read()
    this.#root = { value: schema, reader, address: '' }
    this.#find = find
    this.#weak = weak
    this.#taken = new Set(isObject(schema.$defs) ? Object.keys(schema.$defs) : [])
  }

  bundle(): JsonObject {
    const root = this.#copy(this.#root, this.#root.value, '') as JsonObject
    const added: [string, Json][] = []
    for (let next = this.#pending.shift(); next !== undefined; next = this.#pending.shift()) {
      const { source, pointer, name, from } = next
      this.#from = from
      added.push([name, this.#copy(source, valueAt(source.value, pointer) as Json, pointer)])
    }
    if (added.length === 0) return root
    const own = isObject(root.$defs) ? root.$defs : {}
    return withoutDetour({ ...root, $defs: { ...own, ...Object.fromEntries(added) } })
  }

  #copy(source: Source, value: Json, at: string): Json {
    if (Array.isArray(value))
      return value.map((item: Json, index) => this.#copy(source, item, `${at}/${index}`))
    if (!isObject(value)) return value
    const isSchema = source.reader.isSchema(at)
    const copied: [string, Json][] = []
    const links: string[] = []
    for (const [keyword, content] of Object.entries(value)) {
      const place = `${at}/${escapeStep(keyword)}`
      if (isSchema && REFERENCES.has(keyword)) {
        const link = this.#link(source, place)
        if (link !== null) links.push(link)
      } else if (!(isSchema && this.#leavesOut(source, value, keyword))) {
        const name =
          isSchema && this.#weak && keyword === 'oneOf' && mayBeWeakened(content) ? 'anyOf' : keyword
        copied.push([name, this.#copy(source, content, place)])
      }
    }
    const [only, ...others] = links
    if (only !== undefined) copied.push(['$ref', only])
    if (others.length === 0) return Object.fromEntries(copied)
    return { allOf: [Object.fromEntries(copied), ...others.map(($ref) => ({ $ref }))] }
  }

  #leavesOut(source: Source, schema: JsonObject, keyword: string): boolean {
    const isRoot = source === this.#root
    switch (keyword) {
      case '$id':
      case '$anchor':
      case '$dynamicAnchor':
      case '$recursiveAnchor':
        return true
      case '$schema':
      case '$defs':
      case 'definitions':
        // Everything in them that is used is added under its own name.
        return !isRoot
      case 'id':
        return !isRoot && typeof schema.id === 'string'
      case 'not':
        return this.#weak && mayBeWeakened(schema.not)
      case 'if':
      case 'then':
      case 'else':
        return this.#weak && mayBeWeakened(schema.if)
      case 'maxContains':
        return this.#weak && mayBeWeakened(schema.contains)
      case 'unevaluatedProperties':
      case 'unevaluatedItems':
        return this.#weak && mayBeWeakened(schema)
      default:
        return false
    }
  }

  /** Returns the reference within the result, or null if its target is not available. */
  #link(source: Source, place: string): string | null {
    const target = source.reader.targets.get(place)
    if (target !== undefined)
      return source === this.#root ? asFragment(target) : this.#named(source, target, place)
    const to = source.reader.outside.get(place)
    if (to === undefined) return null
    const own = this.#root.reader.include(to)
    if (own !== undefined) return asFragment(own)
    const found = this.#open(to.address)
    if (typeof found === 'string') return this.#miss(source, to, place, found)
    const pointer = found.reader.include(to)
    if (pointer === undefined)
      return this.#miss(source, to, place, `that document has no part "${to.fragment ?? ''}"`)
    const wrong = found.reader.problems.find(({ severity }) => severity === 'error')
    if (wrong !== undefined)
      return this.#miss(source, to, place, `it is not a usable JSON Schema: ${wrong.message}`)
    return this.#named(found, pointer, place)
  }

  #miss(source: Source, { address }: SchemaAddress, place: string, reason: string): null {
    const via = source === this.#root ? '' : ` to which ${clip(source.address)} refers`
    this.problems.push({
      severity: 'warning',
      pointer: this.#from ?? place,
      message: `"${clip(address)}"${via} is another document, and ${reason}: any value is accepted here`,
      hint: `map it to a file: --schema ${clip(address)}=FILE, or "schemas" in the configuration; or put the schema under $defs`,
      unavailable: address,
    })
    return null
  }

  #open(address: string): Source | string {
    let source = this.#sources.get(address)
    if (source === undefined) {
      const found = this.#find(address)
      source = 'reason' in found ? found.reason : opened(found.document, address)
      this.#sources.set(address, source)
    }
    return source
  }

  #named(source: Source, pointer: string, place: string): string {
    const key = `${source.address}#${pointer}`
    let name = this.#names.get(key)
    if (name === undefined) {
      const wanted = nameOf(pointer === '' ? source.address : lastStep(pointer))
      name = wanted
      for (let n = 2; this.#taken.has(name); n++) name = `${wanted}_${n}`
      this.#taken.add(name)
      this.#names.set(key, name)
      this.#pending.push({ source, pointer, name, from: this.#from ?? place })
    }
    return `#/$defs/${name}`
  }
}

const REFERENCES: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

function opened(document: Json, address: string): Source | string {
  const wrong = readUserSchema(document).problems.find(({ severity }) => severity === 'error')
  if (wrong !== undefined)
    return `it is not a usable JSON Schema: ${wrong.pointer === '' ? '' : `${wrong.pointer}: `}${wrong.message}`
  const reader = new SchemaReader(document, address)
  reader.read()
  return { value: document, reader, address }
}

/** A schema that is only a reference to an added schema becomes that schema: APIs of models refuse a `$ref` there. */
function withoutDetour(schema: JsonObject): JsonObject {
  const { $ref, $defs, ...rest } = schema
  const target = typeof $ref === 'string' ? valueAt(schema, $ref.slice(1)) : undefined
  if (!isObject(target) || !Object.keys(rest).every((name) => TEXTS.has(name))) return schema
  const { [lastStep(String($ref))]: _moved, ...others } = $defs as JsonObject
  const inlined = { ...target, ...rest }
  const stillUsed = JSON.stringify([target, others]).includes(JSON.stringify($ref))
  const definitions = stillUsed ? ($defs as JsonObject) : others
  return Object.keys(definitions).length === 0 ? inlined : { ...inlined, $defs: definitions }
}

const TEXTS: ReadonlySet<string> = new Set(['$schema', '$comment', 'title', 'description'])

function asFragment(pointer: string): string {
  return `#${pointer.split('/').map(encodeURIComponent).join('/')}`
}

/** Returns a name for `$defs` from the last part of an address or a pointer. */
function nameOf(address: string): string {
  const last =
    address
      .replace(/[?#].*$/s, '')
      .split(/[/:]/)
      .filter(Boolean)
      .at(-1) ?? ''
  return last.replace(/\.(schema\.)?(json|ya?ml)$/i, '').replaceAll(/[^a-zA-Z0-9_-]/g, '_') || 'schema'
}

function clip(text: string): string {
  return text.length <= 120 ? text : `${text.slice(0, 119)}…`
}
