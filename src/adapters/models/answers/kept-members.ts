import { isObject, type Json, type JsonObject } from '../../../document/json.ts'
import { toJsonData } from '../../tools/json-data.ts'

/**
 * The members of a message or a call that a provider needs back: reasoning, in all its spellings, and signatures. Others,
 * such as `annotations`, are refused by strict providers when they come back.
 */
const KEPT = /^(reasoning|thinking|thought|encrypted|signature|extra_content$|provider_specific_fields$)/

export function isKept(name: string): boolean {
  return KEPT.test(name)
}

/** Returns true for a part of the content that a provider needs back. */
export function isKeptPart({ type }: JsonObject): boolean {
  return type === 'thinking' || type === 'reasoning'
}

/** Members that arrive in pieces. */
export type Kept = Map<string, Json>

/** Adds the members of one event: texts and lists grow, everything else is replaced. */
export function keepMembers(kept: Kept, message: JsonObject): void {
  for (const [name, value] of Object.entries(message)) {
    if (!isKept(name) || value === null || value === undefined) continue
    const before = kept.get(name)
    kept.set(name, before === undefined ? value : joinedValue(before, value))
  }
}

function joinedValue(before: Json, next: Json): Json {
  if (typeof before === 'string' && typeof next === 'string') return before + next
  if (Array.isArray(before) && Array.isArray(next)) return next.reduce<Json[]>(withItem, [...before])
  return isObject(before) && isObject(next) ? joinedObject(before, next) : next
}

/** Pieces of one item of a list have the same `index`, and arrive one after the other. */
function withItem(list: Json[], item: Json): Json[] {
  const last = list.at(-1)
  if (!isObject(last) || !isObject(item)) return [...list, item]
  const continues = item.index !== undefined && last.index === item.index && last.type === item.type
  return continues ? [...list.slice(0, -1), joinedObject(last, item)] : [...list, item]
}

/** Members of an item that are written in pieces; its other texts, such as its type, are repeated. */
const PIECES = new Set(['text', 'summary', 'data', 'signature', 'thinking', 'reasoning', 'content'])

function joinedObject(before: JsonObject, next: JsonObject): JsonObject {
  const added = Object.entries(next).flatMap(([name, value]): [string, Json][] => {
    if (value === null || value === undefined) return []
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    const grows = PIECES.has(name) && typeof old === 'string' && typeof value === 'string'
    return [[name, grows ? old + value : value]]
  })
  return Object.fromEntries([...Object.entries(before), ...added])
}

/** Returns the members as data that can be recorded; a value that cannot is left out. */
export function recordable(kept: Kept): readonly (readonly [name: string, value: Json])[] {
  return [...kept].flatMap(([name, value]) => {
    try {
      return [[name, toJsonData(value)] as const]
    } catch {
      return []
    }
  })
}
