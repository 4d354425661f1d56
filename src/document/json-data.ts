import { WaybillError } from './issue.ts'
import type { Json } from './json.ts'
import { appendStep } from './json-pointer.ts'
import { isExact } from './json-value-check.ts'

/** Maximum nesting of objects and arrays in all encodings, for reading and writing. */
export const MAX_DEPTH = 64

/**
 * Throws for data without an exact JSON counterpart, which an encoder would change silently: undefined, functions,
 * class instances, NaN and infinities, half surrogate pairs, cycles and deep nesting. With `exactNumbers` also for
 * integers beyond ±(2^53 - 1), which readers may round (I-JSON, RFC 7493 §2.2).
 * @throws NOT_JSON or DOCUMENT_TOO_DEEP with the pointer of the value
 */
export function assertJsonData(
  value: unknown,
  options: { readonly exactNumbers?: boolean } = {},
): asserts value is Json {
  visit(value, '', 0, options.exactNumbers === true)
}

function visit(value: unknown, at: string, depth: number, exactNumbers: boolean): void {
  switch (typeof value) {
    case 'boolean':
      return
    case 'string':
      checkText(value, at, 'this text')
      return
    case 'number':
      if (!Number.isFinite(value)) throw notJson(at, `JSON has no number ${value}`, 'remove the member')
      if (exactNumbers && !isExact(value)) {
        throw notJson(
          at,
          `the integer ${value} is beyond 2^53`,
          'write it as a string: readers interpret it differently',
        )
      }
      return
    case 'object':
      if (value === null) return
      if (depth >= MAX_DEPTH) {
        throw new WaybillError('DOCUMENT_TOO_DEEP', {
          at,
          message: `objects and arrays are nested more than ${MAX_DEPTH} deep`,
          hint: 'documents of these formats do not need such depth; look for data that contains itself',
        })
      }
      visitContainer(value, at, depth, exactNumbers)
      return
    default:
      throw notJson(at, `JSON has no ${typeof value}`, 'remove the member, or write null')
  }
}

function visitContainer(value: object, at: string, depth: number, exactNumbers: boolean): void {
  if (Array.isArray(value)) {
    // Holes must not count as null: an index loop visits them, an iteration method skips them.
    for (let index = 0; index < value.length; index++) {
      visit(value[index], appendStep(at, index), depth + 1, exactNumbers)
    }
    return
  }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    const name = (value as { constructor?: { name?: string } }).constructor?.name ?? 'object'
    throw notJson(at, `a ${name} is not JSON data`, 'convert it to plain objects, arrays and strings first')
  }
  for (const [name, member] of Object.entries(value)) {
    const pointer = appendStep(at, name)
    checkText(name, pointer.toWellFormed(), 'this member name')
    visit(member, pointer, depth + 1, exactNumbers)
  }
}

function checkText(text: string, at: string, what: string): void {
  if (text.isWellFormed()) return
  throw notJson(
    at,
    `${what} contains half of a surrogate pair, so it is not Unicode`,
    'write the whole character',
  )
}

function notJson(at: string, message: string, hint: string): WaybillError {
  return new WaybillError('NOT_JSON', { at, message, hint })
}
