import type { Code } from './codes.ts'
import { defined } from './defined.ts'
import { type Issue, WaybillError } from './issue.ts'
import type { Json, JsonObject } from './json.ts'
import { toPointer } from './json-pointer.ts'

/** A problem of binary data, at a byte offset. */
export interface BinaryProblem {
  readonly code: Code
  /** 0-based offset of the byte where the offending item begins. */
  readonly offset: number
  readonly pointer: string
  readonly message: string
  readonly hint?: string
  readonly rule?: string
}

export type ParsedBinary = { readonly value: Json } | { readonly problem: BinaryProblem }

/**
 * One data item of a binary encoding. A container is followed by its items; a container without a size ends at a break.
 */
export type BinaryItem =
  | { readonly kind: 'scalar'; readonly value: null | boolean | number | string }
  | { readonly kind: 'array' | 'map'; readonly size: number | undefined }
  | { readonly kind: 'break' }

/** Splits binary data into items. Refuses malformed items and items without a JSON counterpart. */
export interface BinaryItems {
  /** Offset of the next item. */
  readonly offset: number
  readonly length: number
  /** @throws BinaryRefusal */
  next(): BinaryItem
}

/** Stops the reader. The pointer is added by the function that builds the value. */
export class BinaryRefusal extends Error {
  readonly problem: Omit<BinaryProblem, 'pointer'>
  constructor(problem: Omit<BinaryProblem, 'pointer'>) {
    super(problem.message)
    this.problem = problem
  }
}

export interface BinaryLimits {
  readonly maxDepth: number
  /** Values and names; default: any number. */
  readonly maxValues?: number | undefined
}

/** Names an encoding in codes and messages. */
export interface BinaryFormat {
  readonly name: 'CBOR' | 'MessagePack'
  readonly syntaxCode: 'CBOR_SYNTAX' | 'MSGPACK_SYNTAX'
  readonly notJsonCode: 'CBOR_NOT_JSON' | 'MSGPACK_NOT_JSON'
}

/**
 * Builds the value from the items. Memory use depends on the bytes read, never on declared sizes; nesting and the number of
 * values are limited; member names are strings and unique.
 */
export function buildBinaryJson(
  items: BinaryItems,
  format: BinaryFormat,
  { maxDepth, maxValues = Number.POSITIVE_INFINITY }: BinaryLimits,
): ParsedBinary {
  const builder = new Builder(items, format, { maxDepth, maxValues })
  try {
    const value = builder.readItem(0)
    if (items.offset < items.length) {
      refuse(
        format.syntaxCode,
        items.offset,
        `${items.length - items.offset} bytes follow after the end of the value`,
        'a file contains exactly one value',
      )
    }
    return { value }
  } catch (error) {
    if (error instanceof BinaryRefusal)
      return { problem: { ...error.problem, pointer: toPointer(builder.steps) } }
    throw error
  }
}

class Builder {
  /** Pointer of the current value, for the error that stops the reader. */
  readonly steps: (string | number)[] = []
  readonly #items: BinaryItems
  readonly #format: BinaryFormat
  readonly #maxDepth: number
  readonly #maxValues: number
  #values = 0

  constructor(items: BinaryItems, format: BinaryFormat, { maxDepth, maxValues }: Required<BinaryLimits>) {
    this.#items = items
    this.#format = format
    this.#maxDepth = maxDepth
    this.#maxValues = maxValues ?? Number.POSITIVE_INFINITY
  }

  readItem(depth: number): Json {
    const { offset } = this.#items
    const value = this.#readOrBreak(depth)
    if (value === undefined) {
      refuse(this.#format.syntaxCode, offset, 'a break was found where a value is expected', REWRITE)
    }
    return value
  }

  /** @returns undefined for a break, which is not a JSON value */
  #readOrBreak(depth: number): Json | undefined {
    const { offset } = this.#items
    const item = this.#next()
    switch (item.kind) {
      case 'scalar':
        return item.value
      case 'break':
        return undefined
      case 'array':
        this.#checkContainer(item.size, 1, depth, offset)
        return this.#readArray(item.size, depth + 1)
      case 'map':
        this.#checkContainer(item.size, 2, depth, offset)
        return this.#readMap(item.size, depth + 1)
    }
  }

  #next(): BinaryItem {
    const { offset, length } = this.#items
    if (offset >= length) {
      refuse(
        this.#format.syntaxCode,
        offset,
        'the data ends in the middle of a value',
        'the file is truncated; fetch it again',
      )
    }
    if (++this.#values > this.#maxValues) {
      refuse(
        'DOCUMENT_TOO_LARGE',
        offset,
        `the document has more than ${this.#maxValues} values and names`,
        'send it in several parts, or long lists as text',
      )
    }
    return this.#items.next()
  }

  #checkContainer(size: number | undefined, bytesEach: number, depth: number, offset: number): void {
    if (depth >= this.#maxDepth) {
      refuse(
        'DOCUMENT_TOO_DEEP',
        offset,
        `objects and arrays are nested more than ${this.#maxDepth} deep`,
        'documents of these formats do not need such depth',
      )
    }
    const left = this.#items.length - this.#items.offset
    if (size !== undefined && size * bytesEach > left) {
      refuse(
        this.#format.syntaxCode,
        offset,
        `${size} items are declared here, but only ${left} bytes follow`,
        'the file is truncated, or was made to exhaust memory',
      )
    }
  }

  #readArray(size: number | undefined, depth: number): Json {
    const array: Json[] = []
    while (size === undefined || array.length < size) {
      this.steps.push(array.length)
      const value = size === undefined ? this.#readOrBreak(depth) : this.readItem(depth)
      this.steps.pop()
      if (value === undefined) break
      array.push(value)
    }
    return array
  }

  #readMap(size: number | undefined, depth: number): Json {
    const object: Record<string, Json> = {}
    for (let count = 0; size === undefined || count < size; count++) {
      const name = this.#readName(size === undefined, object)
      if (name === undefined) break
      this.steps.push(name)
      // Defined, not assigned: assigning `__proto__` would set the prototype.
      if (name === '__proto__') {
        Object.defineProperty(object, name, {
          value: this.readItem(depth),
          enumerable: true,
          configurable: true,
          writable: true,
        })
      } else {
        object[name] = this.readItem(depth)
      }
      this.steps.pop()
    }
    return object
  }

  #readName(mayBreak: boolean, object: JsonObject): string | undefined {
    const { offset } = this.#items
    const item = this.#next()
    if (item.kind === 'break' && mayBreak) return undefined
    if (item.kind !== 'scalar' || typeof item.value !== 'string') {
      const what = item.kind === 'scalar' ? `${item.value}` : `a ${item.kind}`
      throw new BinaryRefusal({
        code: this.#format.notJsonCode,
        offset,
        message: `a member name must be a string, but this one is ${what}`,
        hint: 'write the names as strings: numbers are not allowed',
        rule: 'AAIF-9-05',
      })
    }
    if (Object.hasOwn(object, item.value)) {
      throw new BinaryRefusal({
        code: 'DUPLICATE_KEY',
        offset,
        message: `"${item.value.slice(0, 80).toWellFormed()}" is a duplicate name in this map`,
        hint: 'keep one: readers differ in which of the two they use',
        rule: 'AAIF-9-08',
      })
    }
    return item.value
  }
}

export const REWRITE = 'write the file again with a conforming encoder, or send it as JSON'

export function refuse(code: Code, offset: number, message: string, hint: string, rule?: string): never {
  throw new BinaryRefusal({ code, offset, message, hint, ...defined({ rule }) })
}

/** @throws BinaryRefusal for a number that JSON cannot represent. -0 becomes 0, as in canonical JSON. */
export function jsonNumber(value: number, offset: number, { notJsonCode }: BinaryFormat): number {
  if (!Number.isFinite(value)) {
    const hint = 'remove the member, or write null'
    refuse(notJsonCode, offset, `JSON has no number ${value}`, hint, 'AAIF-9-08')
  }
  return value === 0 ? 0 : value
}

/** @throws BinaryRefusal for an integer that JSON readers would round. */
export function jsonInteger(value: number | bigint, offset: number, { notJsonCode }: BinaryFormat): number {
  if (!Number.isSafeInteger(Number(value))) {
    const hint = 'write it as a string if every digit counts'
    refuse(notJsonCode, offset, `the integer ${value} is beyond 2^53`, hint, 'AAIF-9-08')
  }
  return Number(value)
}

/** Converts a problem to an issue: binary data has no lines, so the column is the byte, from 1. */
export function issueOfBinary(problem: BinaryProblem): Issue {
  const { code, offset, pointer, message, hint, rule } = problem
  return {
    severity: 'error',
    code,
    pointer,
    line: 1,
    column: offset + 1,
    message: `byte ${offset}: ${message}`,
    ...defined({ hint, rule }),
  }
}

export function errorOfBinary(problem: BinaryProblem): WaybillError {
  const { code, pointer, line, column, message, hint, rule } = issueOfBinary(problem)
  return new WaybillError(code, {
    at: pointer,
    line,
    column,
    message,
    ...defined({ hint, rule }),
  })
}
