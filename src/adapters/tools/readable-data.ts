import { exactNumber } from '../../document/exact-numbers.ts'
import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'

const MAX_DEPTH = 200
/** A value of a program may be without an end. */
const MAX_VALUES = 1_000_000

/**
 * Copies the result of a function as JSON data, as far as it can be read; never throws, because the function has already
 * acted. A Map becomes an object or a list, a Set a list, a Date its text, an infinite number its name, an instance of a
 * class its members. Functions are omitted, as in `JSON.stringify`. A text in brackets replaces what cannot be read.
 */
export function readableData(value: unknown): Json {
  return new Reader().read(value, '') ?? null
}

class Reader {
  /** The objects around a value. */
  readonly #around = new Set<object>()
  #values = 0

  read(value: unknown, name: string): Json | undefined {
    this.#values += 1
    if (this.#values > MAX_VALUES) return '[too many values]'
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'bigint':
        return exactNumber(value)
      case 'number':
        return Number.isFinite(value) ? exactNumber(value) : String(value)
      case 'object':
        return value === null ? null : this.#object(value, name)
      default:
        return undefined
    }
  }

  #object(value: object, name: string): Json | undefined {
    if (this.#around.has(value)) return '[contains itself]'
    if (this.#around.size > MAX_DEPTH) return '[nested too deeply]'
    this.#around.add(value)
    try {
      return this.#members(value, name)
    } catch (error) {
      return `[cannot be read: ${messageOf(error).slice(0, 200)}]`
    } finally {
      this.#around.delete(value)
    }
  }

  #members(value: object, name: string): Json | undefined {
    if (Array.isArray(value)) return this.#list(value)
    if (value instanceof Set) return this.#list(value)
    if (value instanceof Map) return this.#map(value)
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${value.byteLength} bytes: not shown]`
    // An invalid date has no text.
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString()
    if (value instanceof Error) return { error: value.name, message: value.message }
    if (value instanceof RegExp || value instanceof Promise) return String(value)
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.read(value.toJSON(name), name)
    const primitive: unknown = boxed(value) ? value.valueOf() : value
    if (primitive !== value) return this.read(primitive, name)
    return this.#entries(Object.keys(value).map((key) => [key, memberOf(value, key)]))
  }

  #list(values: Iterable<unknown>): Json {
    const items: Json[] = []
    for (const item of values) {
      if (this.#values > MAX_VALUES) break
      items.push(this.read(item, String(items.length)) ?? null)
    }
    return items
  }

  #map(map: Map<unknown, unknown>): Json {
    const entries = [...map]
    return entries.every(([key]) => typeof key === 'string')
      ? this.#entries(entries as [string, unknown][])
      : this.#list(entries)
  }

  #entries(entries: readonly (readonly [string, unknown])[]): Json {
    const read: [string, Json][] = []
    for (const [key, member] of entries) {
      const data = this.read(member, key)
      if (data !== undefined) read.push([key, data])
    }
    return Object.fromEntries(read)
  }
}

function boxed(value: object): boolean {
  return (
    value instanceof Number || value instanceof String || value instanceof Boolean || value instanceof BigInt
  )
}

/** A member that throws costs only itself. */
function memberOf(value: object, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>>)[key]
  } catch (error) {
    return `[cannot be read: ${messageOf(error).slice(0, 200)}]`
  }
}
