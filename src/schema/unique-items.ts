import type { FuncKeywordDefinition } from 'ajv/dist/2020.js'
import type { SchemaValidateFunction } from 'ajv/dist/types/index.js'
import type { Json, JsonObject } from '../document/json.ts'

/**
 * Implements `uniqueItems` in time linear in the value. Ajv compares all pairs of items, which takes seconds for a
 * tool's answer of 20,000 objects.
 */
export function linearUniqueItems(): FuncKeywordDefinition {
  const validate: SchemaValidateFunction = (wanted: boolean, items: readonly Json[]): boolean => {
    const pair = wanted ? firstEqualPair(items) : null
    validate.errors = pair === null ? [] : [{ keyword: 'uniqueItems', params: { j: pair[0], i: pair[1] } }]
    return pair === null
  }
  return { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: 'full', validate }
}

/** Returns the indexes of the first two equal items, in ascending order; null if all items differ. */
export function firstEqualPair(items: readonly Json[]): readonly [number, number] | null {
  const seen = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item, sortMembers)
    const earlier = seen.get(text)
    if (earlier !== undefined) return [earlier, index]
    seen.set(text, index)
  }
  return null
}

/** Equal objects have equal texts, independent of the order of their members. */
function sortMembers(_name: string, value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const object = value as JsonObject
  const names = Object.keys(object)
  return names.length < 2
    ? value
    : Object.fromEntries(names.sort().map((name) => [name, object[name] as Json]))
}
