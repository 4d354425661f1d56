import type { Json } from './json.ts'

/** Counts the values in a value, itself included. Stops as soon as there are more than `most`. */
export function countValues(value: Json, most: number): number {
  let count = 0
  const waiting: Json[] = [value]
  while (waiting.length > 0 && count <= most) {
    const next = waiting.pop() as Json
    count++
    if (Array.isArray(next)) {
      count += Math.max(0, next.length - most)
      if (count <= most) for (const item of next) waiting.push(item)
    } else if (next !== null && typeof next === 'object') {
      for (const member of Object.values(next)) waiting.push(member as Json)
    }
  }
  return count
}
