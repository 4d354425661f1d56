import { isObject, type Json } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'

/** A plain 2020-12 schema with unresolved references. */
export type PlainSchema = { readonly [keyword: string]: Json | undefined }

const LARGER = new Set([
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
  'minContains',
])
const SMALLER = new Set([
  'maximum',
  'exclusiveMaximum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'maxContains',
])
const BOTH_JUDGE = new Set([
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
])

/**
 * Returns a schema whose values satisfy both, as far as one schema can express that; null if they contradict each
 * other.
 */
export function mergeSchemas(a: PlainSchema, b: PlainSchema): PlainSchema | null {
  const merged: Record<string, Json | undefined> = { ...a }
  for (const [keyword, theirs] of Object.entries(b)) {
    const ours = ownMember(merged, keyword)
    if (ours === undefined || theirs === undefined) merged[keyword] = ours ?? theirs
    else if (keyword === 'type') {
      const types = commonTypes(ours, theirs)
      if (types.length === 0) return null
      merged.type = types.length === 1 ? (types[0] as string) : types
    } else if (keyword === 'enum') {
      const known = new Set((theirs as Json[]).map((v) => JSON.stringify(v)))
      merged.enum = (ours as Json[]).filter((v) => known.has(JSON.stringify(v)))
    } else if (keyword === 'const') {
      if (JSON.stringify(ours) !== JSON.stringify(theirs)) return null
    } else if (keyword === 'required')
      merged.required = [...new Set([...(ours as string[]), ...(theirs as string[])])]
    else if (LARGER.has(keyword)) merged[keyword] = Math.max(ours as number, theirs as number)
    else if (SMALLER.has(keyword)) merged[keyword] = Math.min(ours as number, theirs as number)
    else if (keyword === 'multipleOf') merged.multipleOf = commonMultiple(ours as number, theirs as number)
    else if (keyword === 'properties' || keyword === 'patternProperties' || keyword === 'dependentRequired')
      merged[keyword] = mergeMembers(ours, theirs, keyword === 'dependentRequired')
    else if (keyword === 'prefixItems') merged.prefixItems = mergeLists(ours as Json[], theirs as Json[])
    else if (BOTH_JUDGE.has(keyword)) merged[keyword] = both(ours, theirs)
    // A second pattern, default or format cannot be expressed in one schema; the final check of the value covers
    // it.
  }
  return merged
}

function both(a: Json, b: Json): Json {
  if (a === true) return b
  if (b === true || JSON.stringify(a) === JSON.stringify(b)) return a
  return a === false || b === false ? false : { allOf: [a, b] }
}

function mergeMembers(a: Json, b: Json, lists: boolean): Json {
  if (!isObject(a) || !isObject(b)) return a
  const merged = new Map(Object.entries(a))
  for (const [name, theirs] of Object.entries(b)) {
    const ours = merged.get(name)
    if (ours === undefined) merged.set(name, theirs)
    else merged.set(name, lists ? [...(ours as Json[]), ...(theirs as Json[])] : both(ours, theirs))
  }
  return Object.fromEntries(merged)
}

function mergeLists(a: readonly Json[], b: readonly Json[]): Json[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => both(a[i] ?? true, b[i] ?? true))
}

function commonTypes(a: Json, b: Json): string[] {
  const list = (types: Json) => (Array.isArray(types) ? types : [types]) as string[]
  const theirs = list(b)
  return list(a).flatMap((type) => {
    if (theirs.includes(type)) return type
    if (type === 'number' && theirs.includes('integer')) return 'integer'
    return type === 'integer' && theirs.includes('number') ? 'integer' : []
  })
}

function commonMultiple(a: number, b: number): number {
  const [large, small] = a > b ? [a, b] : [b, a]
  for (let k = 1; k <= 100; k++) if (Number.isInteger((large * k) / small)) return large * k
  return large
}
