import type { Json, JsonObject } from './json.ts'

/** Returns a value with all its texts changed, also the names of members; the same reference if none changes. */
export function mapTexts<T extends Json>(value: T, change: (text: string) => string): T {
  return mapped(value, change) as T
}

function mapped(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value)
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items = value.map((item) => mapped(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value as JsonObject)
  const changed = entries.map(([name, member]) => [change(name), mapped(member, change)] as const)
  return changed.some(
    ([name, member], index) => name !== entries[index]?.[0] || member !== entries[index]?.[1],
  )
    ? Object.fromEntries(changed)
    : value
}
