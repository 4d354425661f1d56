import { WaybillError } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { compileLinearPattern } from '../schema/user-pattern.ts'
import { compileUserSchema } from '../schema/user-schema.ts'
import { bundleUserSchema } from '../schema/user-schema-bundle.ts'
import { readUserSchema } from '../schema/user-schema-reading.ts'
import { translateUserSchema } from '../schema/user-schema-translation.ts'
import { exampleNumber, exampleString } from './example-scalar.ts'
import { mergeSchemas, type PlainSchema } from './merge-schemas.ts'

/** One way to build a value; strategies are tried in this order until a value satisfies the schema. */
interface Strategy {
  /** Build all declared members, or only the required ones. */
  readonly members: 'all' | 'required'
  /** Use the author's `default` and `examples`. */
  readonly authored: boolean
  /** Satisfy the condition of an `if`. */
  readonly condition: boolean
  /** Rotates through alternatives, choices and characters. */
  readonly turn: number
}

const STRATEGIES: readonly Strategy[] = [
  ...[0, 1, 2, 3].flatMap((turn): Strategy[] => [
    { members: 'all', authored: true, condition: true, turn },
    { members: 'all', authored: false, condition: true, turn },
    { members: 'all', authored: true, condition: false, turn },
    { members: 'required', authored: true, condition: true, turn },
    { members: 'required', authored: false, condition: false, turn },
  ]),
  ...[4, 5, 6, 7, 8, 9, 11, 13, 17, 23].map(
    (turn): Strategy => ({ members: 'required', authored: false, condition: turn % 2 === 0, turn }),
  ),
]

/** Below this depth optional members are left out: a recursive schema would not end. */
const OPTIONAL_DEPTH = 5
const MAX_DEPTH = 40
/** Values built in one try; beyond half of it only required members are built. */
const MAX_VALUES = 4_000

/**
 * Returns a value that satisfies a JSON Schema. Uses the author's constants, choices, defaults and examples first,
 * and generated values for the rest. The same schema and seed always give the same value.
 * @throws SCHEMA_INVALID; EXAMPLE_IMPOSSIBLE if no value was found (there may be none)
 */
export function exampleOf(schema: JsonObject, seed = 0): Json {
  const check = compileUserSchema(schema)
  const { schema: whole } = bundleUserSchema(schema)
  const plain = translateUserSchema(whole, readUserSchema(whole), [
    'default',
    'examples',
    'example',
    'format',
  ])
  let breach = 'the schema accepts no value'
  for (const strategy of STRATEGIES) {
    try {
      const value = new ExampleMaker(plain, { ...strategy, turn: strategy.turn + seed }).make()
      const found = check(value)
      if (found === null) return value
      breach = found
    } catch (error) {
      if (!(error instanceof Impossible)) throw error
      breach = error.message
    }
  }
  throw new WaybillError('EXAMPLE_IMPOSSIBLE', {
    fault: 'failed',
    message: `no example could be made for the schema: ${breach}`,
    hint: 'give the schema an "examples" or "default" value that satisfies it',
  })
}

/** This strategy cannot succeed; another may. */
class Impossible extends Error {}

class ExampleMaker {
  readonly #root: JsonObject | boolean
  readonly #strategy: Strategy
  #values = 0

  constructor(root: JsonObject | boolean, strategy: Strategy) {
    this.#root = root
    this.#strategy = strategy
  }

  make(): Json {
    return this.#value(this.#root, '', 0, 0)
  }

  /** @param salt distinguishes the items of a list */
  #value(from: Json, name: string, depth: number, salt: number): Json {
    if (++this.#values > MAX_VALUES || depth > MAX_DEPTH)
      throw new Impossible('it describes an infinite value')
    const schema = this.#flat(from, 0)
    const turn = this.#strategy.turn + salt
    if ('const' in schema) return schema.const as Json
    if (Array.isArray(schema.enum)) return pick(schema.enum as Json[], turn)
    if (this.#strategy.authored) {
      if (schema.default !== undefined && salt === 0) return schema.default as Json
      const examples = Array.isArray(schema.examples) ? (schema.examples as Json[]) : []
      if (examples.length > 0) return pick(examples, turn)
      if (schema.example !== undefined && salt === 0) return schema.example as Json
    }
    switch (typeOf(schema, turn)) {
      case 'null':
        return null
      case 'boolean':
        return turn % 2 === 0
      case 'integer':
        return numberOr(exampleNumber(schema, true, turn))
      case 'number':
        return numberOr(exampleNumber(schema, false, turn))
      case 'array':
        return this.#array(schema, name, depth)
      case 'object':
        return this.#object(schema, depth)
      default: {
        const text = exampleString(schema, name, turn)
        if (text === null) throw new Impossible(`no text was found for its pattern and lengths`)
        return text
      }
    }
  }

  /** Returns the schema with all parts that apply to the same value merged: references, `allOf`, one alternative. */
  #flat(from: Json, depth: number): PlainSchema {
    if (from === true) return {}
    if (!isObject(from)) throw new Impossible('it accepts no value')
    if (depth > MAX_DEPTH) throw new Impossible('it describes an infinite value')
    const {
      $ref,
      allOf,
      anyOf,
      oneOf,
      if: condition,
      then: followed,
      else: otherwise,
      ...own
    } = from as PlainSchema
    let flat: PlainSchema = own
    const add = (part: Json) => {
      flat = mergeSchemas(flat, this.#flat(part, depth + 1)) ?? fail('its parts contradict one another')
    }
    if (typeof $ref === 'string') add(this.#target($ref))
    for (const part of (allOf as Json[] | undefined) ?? []) add(part)
    for (const alternatives of [anyOf, oneOf] as (Json[] | undefined)[])
      if (alternatives !== undefined) this.#choose(alternatives, add)
    if (condition !== undefined) {
      if (this.#strategy.condition) {
        add(condition)
        if (followed !== undefined) add(followed)
      } else if (otherwise !== undefined) add(otherwise)
    }
    return flat
  }

  /** Adds the first alternative, starting with the strategy's, that does not contradict the schema so far. */
  #choose(alternatives: readonly Json[], add: (part: Json) => void): void {
    let last: unknown
    for (let i = 0; i < alternatives.length; i++) {
      try {
        add(pick(alternatives, this.#strategy.turn + i))
        return
      } catch (error) {
        if (!(error instanceof Impossible)) throw error
        last = error
      }
    }
    throw last
  }

  #target(reference: string): Json {
    if (reference === '#') return this.#root
    const definitions = (this.#root as JsonObject).$defs as JsonObject
    return definitions[reference.slice('#/$defs/'.length)] as Json
  }

  #array(schema: PlainSchema, name: string, depth: number): Json[] {
    const fixed = (schema.prefixItems as Json[] | undefined) ?? []
    const max = (schema.maxItems as number | undefined) ?? Number.POSITIVE_INFINITY
    const contains = schema.contains === undefined ? 0 : ((schema.minContains as number | undefined) ?? 1)
    const least = Math.max((schema.minItems as number | undefined) ?? 0, contains)
    const wanted = this.#generous(depth) && schema.items !== false ? Math.max(least, fixed.length, 1) : least
    const items: Json[] = []
    for (let i = 0; i < Math.min(Math.max(wanted, least), max); i++) {
      const item = fixed[i] ?? (schema.items as Json | undefined) ?? true
      // `contains` items are the last ones: `prefixItems` are first.
      const described = i >= Math.max(wanted, least) - contains && schema.contains !== undefined
      const full = described ? { allOf: [item, schema.contains as Json] } : item
      try {
        items.push(this.#value(full, name, depth + 1, i))
      } catch (error) {
        if (!(error instanceof Impossible) || i < least) throw error
        break
      }
    }
    return items
  }

  #object(schema: PlainSchema, depth: number): JsonObject {
    const made = new Map<string, Json>()
    const properties = (schema.properties as JsonObject | undefined) ?? {}
    const max = (schema.maxProperties as number | undefined) ?? Number.POSITIVE_INFINITY
    const needed = requiredWith(schema)
    for (const name of needed) made.set(name, this.#value(memberSchema(schema, name), name, depth + 1, 0))
    if (this.#generous(depth))
      for (const name of Object.keys(properties)) {
        if (made.has(name) || made.size >= max || properties[name] === false) continue
        this.#optional(schema, name, depth, made)
      }
    const min = (schema.minProperties as number | undefined) ?? 0
    for (const name of this.#moreNames(schema)) {
      if (made.size >= min) break
      if (!made.has(name)) this.#optional(schema, name, depth, made)
    }
    // In declared order, then required members that are not declared.
    const order = [...Object.keys(properties), ...made.keys()].filter((name) => made.has(name))
    return Object.fromEntries([...new Set(order)].map((name) => [name, made.get(name) as Json]))
  }

  #optional(schema: PlainSchema, name: string, depth: number, made: Map<string, Json>): void {
    const extra: [string, Json][] = []
    try {
      for (const also of [name, ...dependents(schema, name)])
        if (!made.has(also)) extra.push([also, this.#value(memberSchema(schema, also), also, depth + 1, 0)])
    } catch (error) {
      if (!(error instanceof Impossible)) throw error
      return
    }
    for (const [also, value] of extra) made.set(also, value)
  }

  *#moreNames(schema: PlainSchema): Generator<string> {
    yield* Object.keys((schema.properties as JsonObject | undefined) ?? {})
    for (let i = 0; i < 64; i++) {
      for (const pattern of Object.keys((schema.patternProperties as JsonObject | undefined) ?? {})) {
        const name = exampleString({ pattern }, '', i)
        if (name !== null) yield name
      }
      if (schema.propertyNames !== undefined) {
        const name = this.#value(
          { type: 'string', allOf: [schema.propertyNames as Json] },
          '',
          MAX_DEPTH - 1,
          i,
        )
        if (typeof name === 'string') yield name
      }
      yield `member_${i + 1}`
    }
  }

  #generous(depth: number): boolean {
    return this.#strategy.members === 'all' && depth < OPTIONAL_DEPTH && this.#values < MAX_VALUES / 2
  }
}

function fail(reason: string): never {
  throw new Impossible(reason)
}

function numberOr(value: number | null): number {
  return value ?? fail('no number is within its bounds')
}

function pick<T>(from: readonly T[], turn: number): T {
  if (from.length === 0) throw new Impossible('it offers no choice')
  return from[turn % from.length] as T
}

/** Returns the required members, and those that their presence requires. */
function requiredWith(schema: PlainSchema): Set<string> {
  const names = new Set((schema.required as string[] | undefined) ?? [])
  for (const name of names) for (const also of dependents(schema, name)) names.add(also)
  return names
}

function dependents(schema: PlainSchema, name: string): readonly string[] {
  const needs = schema.dependentRequired as JsonObject | undefined
  return needs !== undefined && Object.hasOwn(needs, name) ? (needs[name] as string[]) : []
}

/** Returns the schema of one member, merged from all keywords that apply to it. */
function memberSchema(schema: PlainSchema, name: string): Json {
  const schemas: Json[] = []
  const properties = (schema.properties as JsonObject | undefined) ?? {}
  if (Object.hasOwn(properties, name)) schemas.push(properties[name] as Json)
  for (const [pattern, member] of Object.entries((schema.patternProperties as JsonObject | undefined) ?? {}))
    if (compileLinearPattern(pattern)?.test(name)) schemas.push(member)
  if (schemas.length === 0)
    schemas.push((schema.additionalProperties ?? schema.unevaluatedProperties ?? true) as Json)
  return schemas.length === 1 ? (schemas[0] as Json) : { allOf: schemas }
}

function typeOf(schema: PlainSchema, turn: number): string {
  const declared = schema.type
  if (typeof declared === 'string') return declared
  if (Array.isArray(declared)) {
    const types = (declared as string[]).filter((type) => type !== 'null')
    return types.length === 0 ? 'null' : pick(types, turn)
  }
  if (schema.properties !== undefined || schema.required !== undefined || schema.minProperties !== undefined)
    return 'object'
  if (schema.additionalProperties !== undefined || schema.patternProperties !== undefined) return 'object'
  if (schema.items !== undefined || schema.prefixItems !== undefined || schema.contains !== undefined)
    return 'array'
  if (schema.minItems !== undefined || schema.maxItems !== undefined) return 'array'
  const numeric = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
  return numeric.some((keyword) => schema[keyword] !== undefined) ? 'number' : 'string'
}
