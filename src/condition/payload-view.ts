import { digitsOf, nearestNumbers } from '../document/exact-numbers.ts'
import type { Json } from '../document/json.ts'
import { MAX_PAYLOAD_DEPTH, MAX_PAYLOAD_TEXT, MAX_PAYLOAD_VALUES } from './limits.ts'
import { Unevaluable } from './unevaluable.ts'

/** The payload for expressions: a copy that cannot be changed from outside, without inherited members. */
export type ViewValue = null | boolean | number | string | ViewValue[] | ViewObject
export interface ViewObject {
  [member: string]: ViewValue
}

interface Room {
  values: number
  text: number
}

/**
 * Copies a payload into plain data without prototypes, so that `constructor` and `__proto__` are ordinary names.
 * @throws Unevaluable if it is not JSON, or exceeds the limits.
 */
export function viewPayload(payload: unknown): ViewValue {
  return copy(payload, { values: MAX_PAYLOAD_VALUES, text: MAX_PAYLOAD_TEXT }, MAX_PAYLOAD_DEPTH)
}

/**
 * The whole payload is also `input`, unless it has a member of that name. `input` is found only by its name: `$..x`,
 * `*` and `length(@)` see the payload without it.
 */
export function withInput(payload: ViewValue): ViewValue {
  if (payload === null || typeof payload !== 'object' || Array.isArray(payload)) return payload
  if (Object.hasOwn(payload, 'input')) return payload
  const root: ViewObject = Object.assign(Object.create(null) as ViewObject, payload)
  Object.defineProperty(root, 'input', { value: payload, enumerable: false })
  return root
}

function copy(value: unknown, room: Room, depth: number): ViewValue {
  room.values -= 1
  if (room.values < 0) throw tooLarge(`more than ${MAX_PAYLOAD_VALUES} values`)
  switch (typeof value) {
    case 'string':
      takeText(value, room)
      return value
    case 'boolean':
      return value
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value))
      return value
    case 'object':
      break
    default:
      throw notJson(typeof value)
  }
  if (value === null) return null
  // Comparisons see the nearest double: a large amount must stay larger than a limit.
  const digits = digitsOf(value as Json)
  if (digits !== undefined) return nearestNumbers(value as Json) as number
  if (depth === 0) throw tooLarge(`more than ${MAX_PAYLOAD_DEPTH} levels`)
  if (Array.isArray(value)) return Array.from(value, (item) => copy(item, room, depth - 1))
  const result: ViewObject = Object.create(null)
  for (const [name, member] of Object.entries(value)) {
    // Members that JSON.stringify omits are omitted here as well.
    if (member === undefined) continue
    takeText(name, room)
    result[name] = copy(member, room, depth - 1)
  }
  return result
}

function takeText(text: string, room: Room): void {
  room.text -= text.length
  if (room.text < 0) throw tooLarge(`more than ${MAX_PAYLOAD_TEXT} characters`)
}

function tooLarge(what: string): Unevaluable {
  return new Unevaluable(`the payload has ${what}`, 'pass only the part that the condition tests')
}

function notJson(what: string): Unevaluable {
  return new Unevaluable(`the payload is not JSON: it contains ${what}`)
}
