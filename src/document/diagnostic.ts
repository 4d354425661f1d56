import { type Token, Tokenizer } from 'cborg'
import { WaybillError } from './issue.ts'
import { decodeUtf8 } from './utf8.ts'

/**
 * Writes CBOR in diagnostic notation (RFC 8949 §8), which also shows what JSON has no counterpart for. An argument
 * that is not in its shortest form is marked with its size (`1_0`). The lines of a JSON document are those that issues
 * about CBOR documents name.
 * @throws CBOR_SYNTAX if the bytes are not well-formed CBOR
 */
export function toDiagnostic(bytes: Uint8Array): string {
  try {
    return new DiagnosticWriter(bytes).write()
  } catch (cause) {
    const message = (cause as Error).message.replace(/^CBOR decode error: /, '')
    throw new WaybillError('CBOR_SYNTAX', {
      message: `this is not well-formed CBOR: ${message}`,
      hint: 'write the file again with a conforming encoder, or send it as JSON',
      cause,
    })
  }
}

const MAX_DEPTH = 1024
const BREAK = 0xff
const INDEFINITE = 31
const BYTES = 2
const TEXT = 3

/** The methods throw an Error that says what is malformed. */
class DiagnosticWriter {
  readonly #bytes: Uint8Array
  #tokens: Tokenizer
  /** Offset at which the tokenizer began. */
  #base = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#tokens = tokenizerOf(bytes)
  }

  write(): string {
    const text = this.#item(0)
    const left = this.#bytes.length - this.#offset
    if (left > 0) throw new Error(`${left} bytes follow after the end of the value`)
    return text
  }

  get #offset(): number {
    return this.#base + this.#tokens.pos()
  }

  #item(depth: number): string {
    const offset = this.#offset
    const text = this.#itemOrBreak(depth)
    if (text === undefined) throw new Error(`byte ${offset} is a break where a value is expected`)
    return text
  }

  /** @returns undefined for a break */
  #itemOrBreak(depth: number): string | undefined {
    if (depth > MAX_DEPTH) throw new Error(`values are nested more than ${MAX_DEPTH} deep`)
    const first = this.#firstByte()
    const [major, info] = [first >> 5, first & 31]
    // The tokenizer reads neither simple values without a name nor strings in pieces.
    if (major === 7 && (info < 20 || info === 24)) return this.#simple(info)
    if ((major === BYTES || major === TEXT) && info === INDEFINITE) return this.#pieces(major)
    const token = this.#tokens.next()
    switch (token.type.name) {
      case 'uint':
      case 'negint': {
        const value = BigInt(token.value)
        return `${value}${mark(info, value < 0n ? -1n - value : value)}`
      }
      case 'bytes':
        return `h'${Buffer.from(token.value).toString('hex')}'${mark(info, token.value.length)}`
      case 'string':
        return textOf(token, info)
      case 'float':
        return floatText(token.value, info)
      case 'array':
        return enclosed('[', ']', mark(info, token.value), this.#list(token.value, depth + 1), depth)
      case 'map':
        return enclosed('{', '}', mark(info, token.value), this.#members(token.value, depth + 1), depth)
      case 'tag':
        return `${token.value}${mark(info, token.value)}(\n${indent(depth + 1)}${this.#item(depth + 1)})`
      case 'break':
        return undefined
      default:
        return String(token.value)
    }
  }

  #firstByte(): number {
    const first = this.#bytes[this.#offset]
    if (first === undefined) throw new Error('the data ends in the middle of a value')
    return first
  }

  #list(size: number, depth: number): readonly string[] {
    const items: string[] = []
    while (items.length < size) {
      const item = size === Infinity ? this.#itemOrBreak(depth) : this.#item(depth)
      if (item === undefined) break
      items.push(item)
    }
    return items
  }

  #members(size: number, depth: number): readonly string[] {
    const members: string[] = []
    while (members.length < size) {
      const name = size === Infinity ? this.#itemOrBreak(depth) : this.#item(depth)
      if (name === undefined) break
      members.push(`${name}: ${this.#item(depth)}`)
    }
    return members
  }

  #simple(info: number): string {
    if (info < 20) {
      this.#jump(this.#offset + 1)
      return `simple(${info})`
    }
    const value = this.#bytes[this.#offset + 1] ?? 0
    if (value < 32) throw new Error(`byte ${this.#offset} begins a simple value that is not well-formed`)
    this.#jump(this.#offset + 2)
    return `simple(${value})`
  }

  /** A string in pieces (RFC 8949 §3.2.3). They are on one line, as the string that they make is in JSON. */
  #pieces(major: number): string {
    this.#jump(this.#offset + 1)
    const pieces: string[] = []
    while (this.#firstByte() !== BREAK) {
      const first = this.#firstByte()
      if (first >> 5 !== major || (first & 31) === INDEFINITE) {
        throw new Error(`byte ${this.#offset} begins no piece of the string around it`)
      }
      pieces.push(this.#item(0))
    }
    this.#jump(this.#offset + 1)
    if (pieces.length === 0) return major === TEXT ? '""_' : "''_"
    return `(_ ${pieces.join(', ')})`
  }

  #jump(offset: number): void {
    this.#base = offset
    this.#tokens = tokenizerOf(this.#bytes.subarray(offset))
  }
}

function tokenizerOf(bytes: Uint8Array): Tokenizer {
  return new Tokenizer(bytes, { retainStringBytes: true, allowBigInt: true })
}

function indent(depth: number): string {
  return '  '.repeat(depth)
}

function enclosed(
  open: string,
  close: string,
  mark: string,
  items: readonly string[],
  depth: number,
): string {
  if (items.length === 0) return `${open}${mark === '' ? '' : `${mark} `}${close}`
  const lines = items.map((item) => `${indent(depth + 1)}${item}`)
  return `${open}${mark}\n${lines.join(',\n')}\n${indent(depth)}${close}`
}

/** The tokenizer replaces bad UTF-8 silently: texts are decoded here. */
function textOf({ byteValue = new Uint8Array() }: Token, info: number): string {
  const text = decodeUtf8(byteValue)
  if (text === undefined) throw new Error('a text is not valid UTF-8')
  return JSON.stringify(text) + mark(info, byteValue.length)
}

function floatText(value: number, info: number): string {
  const text = Object.is(value, -0) ? '-0.0' : String(value)
  const decimal = !Number.isFinite(value) || /[.e]/.test(text) ? text : `${text}.0`
  const shortest = isHalf(value) ? 25 : Object.is(Math.fround(value), value) ? 26 : 27
  return decimal + (info === shortest ? '' : `_${info - 24}`)
}

/** Whether a float of two bytes holds the number: 11 bits, and none below 2^-24. */
function isHalf(value: number): boolean {
  const size = Math.abs(value)
  if (size === 0 || !Number.isFinite(value)) return true
  const unit = 2 ** Math.max(Math.floor(Math.log2(size)) - 10, -24)
  return size <= 65_504 && Number.isInteger(size / unit)
}

/**
 * The encoding indicator of an argument (RFC 8949 §8.1): the size that it has, when a shorter one would do.
 * @param info the lower five bits of the first byte
 */
function mark(info: number, argument: number | bigint): string {
  if (info === INDEFINITE) return '_'
  if (info < 24) return ''
  const shortest =
    argument < 24 ? 23 : argument < 0x100 ? 24 : argument < 0x10000 ? 25 : argument < 0x100000000 ? 26 : 27
  return info === shortest ? '' : `_${info - 24}`
}
