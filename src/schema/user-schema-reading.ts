import { isObject, type Json, type JsonObject, valueAt } from '../document/json.ts'
import { escapeStep } from '../document/json-pointer.ts'
import type { SchemaAddress } from './schema-address.ts'
import { isDraft4, SchemaResources } from './schema-resources.ts'
import { compileLinearPattern } from './user-pattern.ts'
import {
  IN_PLACE,
  KEYWORDS,
  type KeywordShape,
  meantKeyword,
  meantType,
  TYPES,
} from './user-schema-keywords.ts'

/** A problem of a schema. `pointer` is relative to the schema. */
export interface SchemaProblem {
  /** An `error` makes the schema unusable; a `warning` explains how it is interpreted, or what is not enforced. */
  readonly severity: 'error' | 'warning'
  readonly pointer: string
  readonly message: string
  readonly hint?: string
  /** The address of a document that is not available; absent for all other problems. */
  readonly unavailable?: string
  /** The pointer of the keyword or the schema without which the problem does not exist; absent: `pointer`. */
  readonly part?: string
  /** Whether the part was removed from a schema of another party, so that it is not checked. */
  readonly unusable?: true
}

/** The result of reading a schema: its problems, and the targets of its references. */
export interface SchemaReading {
  readonly problems: readonly SchemaProblem[]
  /** The target pointer of every reference, by the pointer of the schema that contains it. */
  readonly targets: ReadonlyMap<string, string>
  /** The references to other documents, by the same pointer. */
  readonly outside: ReadonlyMap<string, SchemaAddress>
  /** A pattern cannot be enforced, so keywords that depend on its failure must be relaxed as well. */
  readonly hasUnenforcedPattern: boolean
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef']

const MAX_DEPTH = 100
const MAX_NODES = 20_000
/** Maximum number of schemas that may apply to one value; more count as an attack. */
const MAX_EXPANSION = 10_000

/** Reads a user's schema without compiling it. Never throws for any input. */
export function readUserSchema(schema: Json): SchemaReading {
  const size = tooBig(schema)
  if (size !== null) {
    const problem: SchemaProblem = { severity: 'error', pointer: '', message: size }
    return { problems: [problem], targets: new Map(), outside: new Map(), hasUnenforcedPattern: false }
  }
  const reader = new SchemaReader(schema)
  reader.read()
  return reader
}

/**
 * Returns why a schema is too large to be read, or null. Not recursive, so that a document with a nesting depth of a
 * million is refused and does not overflow the stack.
 */
export function tooBig(schema: Json): string | null {
  let level: Json[] = [schema]
  let nodes = 0
  for (let depth = 0; level.length > 0; depth++) {
    nodes += level.length
    if (nodes > MAX_NODES) return `the schema has more than ${MAX_NODES} values`
    if (depth > MAX_DEPTH) return `the schema is nested deeper than ${MAX_DEPTH} levels`
    const next: Json[] = []
    for (const value of level) {
      if (value === null || typeof value !== 'object') continue
      for (const member of Object.values(value)) next.push(member as Json)
    }
    level = next
  }
  return null
}

/** Shapes that a check of the value alone decides. */
const PLAIN_SHAPES = new Map<KeywordShape, { fits(value: Json): boolean; expected: string }>([
  ['schemas', { fits: Array.isArray, expected: 'an array of schemas' }],
  ['schema-map', { fits: isObject, expected: 'an object of schemas' }],
  ['schema-or-names-map', { fits: isObject, expected: 'an object of schemas or name lists' }],
  ['names-map', { fits: isObject, expected: 'an object of name lists' }],
  ['number', { fits: (v) => typeof v === 'number', expected: 'a number' }],
  ['positive', { fits: (v) => typeof v === 'number' && v > 0, expected: 'a number above 0' }],
  ['bound', { fits: (v) => typeof v === 'number' || typeof v === 'boolean', expected: 'a number' }],
  ['count', { fits: (v) => Number.isInteger(v) && (v as number) >= 0, expected: 'a whole number from 0' }],
  ['boolean', { fits: (v) => typeof v === 'boolean', expected: 'true or false' }],
  ['array', { fits: Array.isArray, expected: 'an array' }],
  ['pattern', { fits: (v) => typeof v === 'string', expected: 'a regular expression as a string' }],
  ['reference', { fits: (v) => typeof v === 'string', expected: 'a reference as a string' }],
  ['text', { fits: (v) => typeof v === 'string', expected: 'a string' }],
  ['note-text', { fits: (v) => typeof v === 'string', expected: 'a string' }],
  ['note-array', { fits: Array.isArray, expected: 'an array' }],
  ['note-boolean', { fits: (v) => typeof v === 'boolean', expected: 'true or false' }],
])

/** Reads a document that contains schemas; see {@link readUserSchema}, which also limits the size. */
export class SchemaReader implements SchemaReading {
  readonly problems: SchemaProblem[] = []
  readonly targets = new Map<string, string>()
  readonly outside = new Map<string, SchemaAddress>()
  hasUnenforcedPattern = false
  readonly #root: Json
  readonly #visited = new Set<string>()
  readonly #names: SchemaResources
  readonly #idKeyword: '$id' | 'id'
  readonly #references: { from: string; keyword: string; to: string }[] = []
  readonly #inPlace = new Map<string, string[]>()

  /** @param address the address of the document; empty if it is not known */
  constructor(root: Json, address = '') {
    this.#root = root
    this.#names = new SchemaResources(address)
    this.#idKeyword = isObject(root) && isDraft4(root) ? 'id' : '$id'
  }

  /** Returns whether there is a schema at a pointer, and not another value that looks like one. */
  isSchema(pointer: string): boolean {
    return this.#visited.has(pointer)
  }

  /** Returns the pointer of a part that another document refers to, and reads the schema there. */
  include(to: SchemaAddress): string | undefined {
    const pointer = (this.#names.locate(to) ?? []).find((at) => valueAt(this.#root, at) !== undefined)
    if (pointer !== undefined) this.#readFrom(pointer)
    return pointer
  }

  #readFrom(pointer: string): void {
    this.#schema(valueAt(this.#root, pointer), pointer)
    // A reference may point into an unknown keyword, whose value is a schema only because of the reference.
    for (let next = this.#references.shift(); next !== undefined; next = this.#references.shift())
      this.#follow(next)
  }

  read(): void {
    this.#readFrom('')
    if (!this.problems.some((p) => p.severity === 'error')) this.#refuseLoopsAndBombs()
  }

  #say(severity: 'error' | 'warning', pointer: string, message: string): void {
    this.problems.push({ severity, pointer, message })
  }

  #schema(value: Json | undefined, at: string): void {
    if (this.#visited.has(at)) return
    this.#visited.add(at)
    if (typeof value === 'boolean') return
    if (!isObject(value)) {
      this.#say('error', at, `a schema must be an object or a boolean, got ${describe(value)}`)
      return
    }
    // First, because the other members are read relative to it.
    const id = value[this.#idKeyword]
    if (typeof id === 'string') this.#names.identify(at, id)
    for (const [keyword, content] of Object.entries(value)) {
      const shape = KEYWORDS.get(keyword)
      if (shape !== undefined) this.#keyword(at, keyword, shape, content)
      else this.#unknown(at, keyword)
    }
  }

  /** An unknown keyword is an annotation; one that is nearly a keyword checks nothing, which its author does not expect. */
  #unknown(parent: string, keyword: string): void {
    const meant = meantKeyword(keyword)
    if (meant === undefined) return
    const message = `"${clip(keyword, 40)}" is not a keyword of JSON Schema, and checks nothing`
    const pointer = `${parent}/${escapeStep(keyword)}`
    this.problems.push({ severity: 'warning', pointer, message, hint: `did you mean "${meant}"?` })
  }

  #child(value: Json | undefined, parent: string, keyword: string, at: string): void {
    if (IN_PLACE.has(keyword)) listAt(this.#inPlace, parent).push(at)
    this.#schema(value, at)
  }

  #keyword(parent: string, keyword: string, shape: KeywordShape, value: Json): void {
    const at = `${parent}/${escapeStep(keyword)}`
    const plain = PLAIN_SHAPES.get(shape)
    if (plain !== undefined && !plain.fits(value)) {
      if (shape.startsWith('note-')) this.#note(at, plain.expected, value)
      else this.#wrong(at, plain.expected, value)
      return
    }
    switch (shape) {
      case 'schema':
        this.#child(value, parent, keyword, at)
        break
      case 'schema-or-tuple':
        if (!Array.isArray(value)) this.#child(value, parent, keyword, at)
        else {
          this.#say('warning', at, 'a list is the draft-07 form; it is interpreted as prefixItems')
          this.#children(value, parent, keyword, at)
        }
        break
      case 'schemas':
        if ((value as Json[]).length === 0) this.#say('error', at, 'must contain at least one schema')
        this.#children(value as Json[], parent, keyword, at)
        break
      case 'schema-map':
      case 'schema-or-names-map':
        for (const [name, member] of Object.entries(value as JsonObject)) {
          const place = `${at}/${escapeStep(name)}`
          if (keyword === 'patternProperties') this.#pattern(name, place)
          if (shape === 'schema-or-names-map' && Array.isArray(member)) this.#nameList(member, place)
          else this.#child(member, parent, keyword, place)
        }
        break
      case 'bound':
        if (typeof value === 'boolean')
          this.#say(
            'warning',
            at,
            'true and false are the draft-04 form; the bound is interpreted as exclusive',
          )
        break
      case 'array':
        if ((value as Json[]).length === 0) this.#say('warning', at, 'an empty list accepts no value')
        break
      case 'type':
        this.#type(value, at)
        break
      case 'names':
        this.#nameList(value, at)
        break
      case 'names-map':
        for (const [name, list] of Object.entries(value as JsonObject))
          this.#nameList(list, `${at}/${escapeStep(name)}`)
        break
      case 'pattern':
        this.#pattern(value as string, at)
        break
      case 'reference':
        this.#references.push({ from: parent, keyword, to: value as string })
        break
      case 'text':
        if (keyword === '$anchor' || keyword === '$dynamicAnchor') this.#names.anchor(parent, value as string)
        break
      // Handled above.
      case 'number':
      case 'positive':
      case 'count':
      case 'boolean':
      case 'note-text':
      case 'note-array':
      case 'note-boolean':
        break
    }
  }

  #children(values: readonly Json[], parent: string, keyword: string, at: string): void {
    values.forEach((value, index) => {
      this.#child(value, parent, keyword, `${at}/${index}`)
    })
  }

  #wrong(at: string, expected: string, value: Json): void {
    this.#say('error', at, `must be ${expected}, got ${describe(value)}`)
  }

  #note(at: string, expected: string, value: Json): void {
    this.#say('warning', at, `should be ${expected}, got ${describe(value)}; it is ignored`)
  }

  #nameList(value: Json, at: string): void {
    if (!Array.isArray(value)) this.#wrong(at, 'an array of member names', value)
    else if (value.some((name) => typeof name !== 'string'))
      this.#say('error', at, 'must contain only strings')
    else if (new Set(value).size < value.length) this.#say('warning', at, 'names a member twice')
  }

  #type(value: Json, at: string): void {
    const types: readonly Json[] = Array.isArray(value) ? value : [value]
    if (types.length === 0) this.#say('error', at, 'must name at least one type')
    for (const [index, type] of types.entries()) {
      const place = Array.isArray(value) ? `${at}/${index}` : at
      if (typeof type !== 'string') this.#wrong(place, 'the name of a type', type)
      else if (!TYPES.includes(type)) {
        const meant = meantType(type)
        const hint = meant === undefined ? `the types are ${TYPES.join(', ')}` : `did you mean "${meant}"?`
        this.#say('error', place, `"${clip(type, 40)}" is not a type; ${hint}`)
      }
    }
  }

  #pattern(source: string, at: string): void {
    if (compileLinearPattern(source) !== null) return
    this.hasUnenforcedPattern = true
    this.#say(
      'warning',
      at,
      isHostPattern(source)
        ? 'this pattern needs look-around, back-references or large counts, which take unbounded time to check; it is not enforced'
        : 'this is not a regular expression; it is not enforced',
    )
  }

  #follow(reference: { from: string; keyword: string; to: string }): void {
    const at = `${reference.from}/${reference.keyword}`
    const { to, places } = this.#names.resolve(reference.from, reference.to)
    if (places === null) {
      this.outside.set(at, to)
      return
    }
    const target = places.find((place) => valueAt(this.#root, place) !== undefined)
    if (target === undefined) {
      this.#say('error', at, `"${clip(reference.to, 80)}" has no target in this document`)
      return
    }
    this.targets.set(at, target)
    listAt(this.#inPlace, reference.from).push(target)
    this.#schema(valueAt(this.#root, target), target)
  }

  /**
   * A schema that refers to itself without descending into the value would never end; one that fans out in place (`a0 =
   * allOf[a1, a1]`, `a1 = allOf[a2, a2]`, …) would run for years.
   */
  #refuseLoopsAndBombs(): void {
    const cost = new Map<string, number>()
    const open = new Set<string>()
    const weigh = (at: string, from: string): number => {
      const known = cost.get(at)
      if (known !== undefined) return known
      if (open.has(at)) {
        const message = 'refers to itself without descending into a member or an item'
        this.problems.push({ severity: 'error', pointer: at, message, part: this.#linkBetween(from, at) })
        return 0
      }
      open.add(at)
      let sum = 1
      for (const child of this.#inPlace.get(at) ?? [])
        sum = Math.min(sum + weigh(child, at), MAX_EXPANSION + 1)
      open.delete(at)
      cost.set(at, sum)
      return sum
    }
    for (const at of this.#inPlace.keys()) {
      if (weigh(at, at) <= MAX_EXPANSION) continue
      const message = `combines more than ${MAX_EXPANSION} schemas for one value`
      this.problems.push({ severity: 'error', pointer: at, message, part: this.#largest(at, cost) })
      return
    }
  }

  /** Returns the pointer of the reference of one schema to another. */
  #linkBetween(from: string, to: string): string {
    const links = REFERENCES.map((keyword) => `${from}/${keyword}`)
    return links.find((link) => this.targets.get(link) === to) ?? from
  }

  /** Returns the innermost schema that combines too many. */
  #largest(at: string, cost: ReadonlyMap<string, number>): string {
    const inner = this.#inPlace.get(at)?.find((child) => (cost.get(child) ?? 0) > MAX_EXPANSION)
    return inner === undefined ? at : this.#largest(inner, cost)
  }
}

function listAt(map: Map<string, string[]>, key: string): string[] {
  const list = map.get(key) ?? []
  map.set(key, list)
  return list
}

function describe(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}

function isHostPattern(source: string): boolean {
  for (const flags of ['u', '']) {
    try {
      new RegExp(source, flags)
      return true
    } catch {}
  }
  return false
}
