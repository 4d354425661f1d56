import type { Json } from '../../document/json.ts'

/** Longer texts are not read: no tool takes a list of recipients of this size. */
const LONGEST = 1_000_000
const OPENED = /^\s*[[{"]/

/** Returns the object or list that a text is the JSON of, also if it was encoded twice; undefined for other texts. */
export function jsonWithin(text: string): Json | undefined {
  let value: unknown = text
  for (let level = 0; level < 2 && typeof value === 'string'; level++) {
    if (value.length > LONGEST || !OPENED.test(value)) return undefined
    try {
      value = JSON.parse(value)
    } catch {
      return undefined
    }
  }
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}
