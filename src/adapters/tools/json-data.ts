import { exactNumber } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import { appendStep } from '../../document/json-pointer.ts'

const MAX_DEPTH = 200

/**
 * Copies a value as JSON data; undefined becomes null, undefined members are omitted. The copy is needed because the
 * run records the result, and a function may change its result later.
 * @throws TypeError with the JSON Pointer of a value that JSON cannot represent
 */
export function toJsonData(value: unknown): Json {
  return value === undefined ? null : copy(value, null, 0)
}

/** The place of a value; the pointer is built only for an error. */
interface Place {
  readonly above: Place | null
  readonly step: string | number
}

function copy(value: unknown, at: Place | null, depth: number): Json {
  if (depth > MAX_DEPTH) throw refusal(`more than ${MAX_DEPTH} levels, or a cycle,`, at)
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'bigint':
      return exactNumber(value)
    case 'number':
      if (Number.isFinite(value)) return exactNumber(value)
      throw refusal(`the number ${value}`, at)
    case 'object': {
      if (value === null) return null
      if (Array.isArray(value)) {
        return Array.from(value, (item, step) => copy(item, { above: at, step }, depth + 1))
      }
      const prototype = Object.getPrototypeOf(value)
      if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
        throw refusal(`an instance of ${prototype.constructor?.name ?? 'a class'}`, at)
      }
      const entries: [string, Json][] = []
      for (const step of Object.keys(value)) {
        const member = (value as Readonly<Record<string, unknown>>)[step]
        if (member !== undefined) entries.push([step, copy(member, { above: at, step }, depth + 1)])
      }
      return Object.fromEntries(entries)
    }
    default:
      throw refusal(`a value of type ${typeof value}`, at)
  }
}

function refusal(what: string, at: Place | null): TypeError {
  return new TypeError(`${what} at "${pointerTo(at)}"`)
}

function pointerTo(at: Place | null): string {
  return at === null ? '' : appendStep(pointerTo(at.above), at.step)
}
