import { encode, Token, Tokenizer, Type } from 'cborg'
import {
  type BinaryItem,
  type BinaryItems,
  type BinaryLimits,
  buildBinaryJson,
  errorOfBinary,
  jsonInteger,
  jsonNumber,
  type ParsedBinary,
  REWRITE,
  refuse,
} from './binary-json.ts'
import type { Json } from './json.ts'
import { assertJsonData, MAX_DEPTH } from './json-data.ts'
import { decodeUtf8, decodeUtf8Part } from './utf8.ts'

const CBOR = { name: 'CBOR', syntaxCode: 'CBOR_SYNTAX', notJsonCode: 'CBOR_NOT_JSON' } as const

/**
 * Encodes JSON data as CBOR (RFC 8949): string keys in their order, definite lengths, each number in its shortest form.
 * Integers beyond 2^53 are doubles and are written as doubles.
 * @throws NOT_JSON, DOCUMENT_TOO_DEEP
 */
export function encodeCbor(value: Json): Uint8Array {
  assertJsonData(value)
  return encode(value, {
    // The type requires a sorter, but undefined keeps the order.
    mapSorter: undefined as never,
    typeEncoders: {
      number: (number: number) =>
        Number.isInteger(number) && !Number.isSafeInteger(number) ? [new Token(Type.float, number)] : null,
    },
  })
}

/**
 * Reads CBOR as JSON data and refuses ambiguous input (AAIF §9): byte strings, tags, undefined and other simple values,
 * NaN, infinities, integers beyond 2^53, names that are not strings or are duplicates, invalid UTF-8, trailing bytes.
 * Accepts indefinite lengths, which have the same meaning as definite lengths.
 * @throws CBOR_SYNTAX, CBOR_NOT_JSON, DUPLICATE_KEY, ENCODING_NOT_UTF8, DOCUMENT_TOO_DEEP; `column` is the byte, from 1
 */
export function decodeCbor(bytes: Uint8Array, options: { readonly maxDepth?: number } = {}): Json {
  const parsed = parseCbor(bytes, { maxDepth: options.maxDepth ?? MAX_DEPTH })
  if ('problem' in parsed) throw errorOfBinary(parsed.problem)
  return parsed.value
}

/** {@link decodeCbor} for callers that collect problems. */
export function parseCbor(bytes: Uint8Array, limits: BinaryLimits): ParsedBinary {
  return buildBinaryJson(new CborItems(bytes), CBOR, limits)
}

const INDEFINITE_TEXT = 0x7f
const BREAK = 0xff
/** Maximum number of chunks: empty chunks take time, and millions of them fit into a document. */
const MAX_PIECES = 100_000

/**
 * Splits CBOR into items. Common items are read here; rare, truncated and invalid items go to the tokenizer of the
 * library.
 */
class CborItems implements BinaryItems {
  offset = 0
  readonly length: number
  readonly #bytes: Buffer

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.length = bytes.byteLength
  }

  next(): BinaryItem {
    return this.#usual() ?? this.#unusual()
  }

  /** @returns undefined for a rare, truncated or invalid item, of which no byte was consumed */
  #usual(): BinaryItem | undefined {
    const { offset } = this
    const first = this.#bytes[offset] ?? BREAK
    switch (first) {
      case 0xf4:
      case 0xf5:
      case 0xf6:
        this.offset = offset + 1
        return scalar(first === 0xf6 ? null : first === 0xf5)
      case 0xfb:
        if (offset + 9 > this.length) return undefined
        this.offset = offset + 9
        return scalar(jsonNumber(this.#bytes.readDoubleBE(offset + 1), offset, CBOR))
    }
    const width = WIDTHS[first & 0x1f]
    const major = first >> 5
    const end = offset + 1 + (width ?? 0)
    if (width === undefined || major === 2 || major > 5 || end > this.length) return undefined
    const argument = width === 0 ? first & 0x1f : this.#bytes.readUIntBE(offset + 1, width)
    if (major === 3) return this.#text(offset, end, end + argument)
    this.offset = end
    if (major === 0) return scalar(argument)
    return major === 1 ? scalar(-1 - argument) : { kind: major === 4 ? 'array' : 'map', size: argument }
  }

  #text(offset: number, start: number, end: number): BinaryItem | undefined {
    if (end > this.length) return undefined
    this.offset = end
    return scalar(decodeUtf8Part(this.#bytes, start, end) ?? refuseText(offset))
  }

  #unusual(): BinaryItem {
    const { offset } = this
    if (this.#bytes[offset] === INDEFINITE_TEXT) return scalar(this.#readPieces(offset))
    const token = this.#token(offset)
    switch (token.type.name) {
      case 'uint':
      case 'negint':
        return scalar(jsonInteger(token.value, offset, CBOR))
      case 'float':
        return scalar(jsonNumber(token.value, offset, CBOR))
      case 'string':
        return scalar(textOf(token, offset))
      case 'array':
      case 'map': {
        const size = token.value === Infinity ? undefined : Number(token.value)
        return { kind: token.type.name, size }
      }
      case 'break':
        return { kind: 'break' }
      case 'tag':
        return notJson(offset, `a tag (${token.value})`, 'write the value without its tag')
      case 'undefined':
        return notJson(offset, 'undefined', 'remove the member, or write null')
      default:
        return notJson(offset, `such a value (${token.type.name})`, REWRITE)
    }
  }

  #token(offset: number): Token {
    const first = this.#bytes[offset] ?? 0
    const [major, minor] = [first >> 5, first & 31]
    if (major === 7 && (minor < 20 || minor === 24)) notJson(offset, 'simple values', REWRITE)
    // JSON has no byte strings, neither chunked nor whole.
    if (major === 2)
      notJson(offset, 'byte strings', 'write binary contents as a Base64 string, or refer to a file')
    try {
      const tokens = new Tokenizer(this.#bytes.subarray(offset), {
        retainStringBytes: true,
        allowBigInt: true,
      })
      const token = tokens.next()
      this.offset = offset + tokens.pos()
      return token
    } catch (error) {
      const message = (error as Error).message.replace(/^CBOR decode error: /, '')
      return refuse(CBOR.syntaxCode, offset, `this is not well-formed CBOR: ${message}`, REWRITE)
    }
  }

  /** A text in chunks (RFC 8949 §3.2.3): each chunk is a definite text of complete characters. */
  #readPieces(start: number): string {
    this.offset = start + 1
    const parts: string[] = []
    while (this.#bytes[this.offset] !== BREAK) {
      const { offset } = this
      const isText = (this.#bytes[offset] ?? 0) >> 5 === 3 && this.#bytes[offset] !== INDEFINITE_TEXT
      if (offset >= this.length || !isText) {
        refuse(CBOR.syntaxCode, offset, 'a chunked string contains an item that is not a string', REWRITE)
      }
      if (parts.length >= MAX_PIECES) {
        const hint = 'write it in fewer chunks, or in one'
        refuse('CBOR_TOO_COMPLEX', start, `this string has more than ${MAX_PIECES} chunks`, hint)
      }
      const piece = this.next()
      parts.push(piece.kind === 'scalar' ? String(piece.value) : '')
    }
    this.offset++
    return parts.join('')
  }
}

/** The bytes that follow the first one, by its last five bits (RFC 8949 §3): the value or size of an item. */
const WIDTHS: readonly (0 | 1 | 2 | 4 | undefined)[] = [...Array<0>(24).fill(0), 1, 2, 4]

function scalar(value: null | boolean | number | string): BinaryItem {
  return { kind: 'scalar', value }
}

/** The tokenizer silently replaces invalid UTF-8 and drops byte order marks, so texts are decoded here. */
function textOf(token: Token, offset: number): string {
  return decodeUtf8(token.byteValue ?? new Uint8Array()) ?? refuseText(offset)
}

function refuseText(offset: number): never {
  return refuse('ENCODING_NOT_UTF8', offset, 'this text is not valid UTF-8', REWRITE, 'AAIF-9-05')
}

function notJson(offset: number, what: string, hint: string): never {
  return refuse(CBOR.notJsonCode, offset, `JSON has no ${what.replace(/^an? /, '')}`, hint, 'AAIF-9-08')
}
