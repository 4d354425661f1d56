import { encode, Token, Tokenizer, Type } from 'cborg'
import {
  type BinaryItem,
  type BinaryItems,
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
import { decodeUtf8 } from './utf8.ts'

const CBOR = { name: 'CBOR', syntaxCode: 'CBOR_SYNTAX', notJsonCode: 'CBOR_NOT_JSON' } as const

/**
 * JSON data as CBOR (RFC 8949): text keys in the order they have, definite lengths, each number in its shortest form.
 * Integers beyond 2^53 are doubles already, and are written as such.
 * @throws NOT_JSON, DOCUMENT_TOO_DEEP
 */
export function encodeCbor(value: Json): Uint8Array {
  assertJsonData(value)
  return encode(value, {
    // Their type asks for a sorter; none at all is what keeps the order.
    mapSorter: undefined as never,
    typeEncoders: {
      number: (number: number) =>
        Number.isInteger(number) && !Number.isSafeInteger(number) ? [new Token(Type.float, number)] : null,
    },
  })
}

/**
 * Reads CBOR as JSON data and refuses everything that would need a guess (AAIF §9): byte strings, tags, undefined and
 * other simple values, NaN, infinities, integers beyond 2^53, names that are not texts or stand twice, bad UTF-8,
 * bytes that are left over. Indefinite lengths are read, since they mean nothing else than definite ones.
 * @throws CBOR_SYNTAX, CBOR_NOT_JSON, DUPLICATE_KEY, ENCODING_NOT_UTF8, DOCUMENT_TOO_DEEP; `column` is the byte, from 1
 */
export function decodeCbor(bytes: Uint8Array, options: { readonly maxDepth?: number } = {}): Json {
  const parsed = parseCbor(bytes, options.maxDepth ?? MAX_DEPTH)
  if ('problem' in parsed) throw errorOfBinary(parsed.problem)
  return parsed.value
}

/** {@link decodeCbor} for readers that collect problems. */
export function parseCbor(bytes: Uint8Array, maxDepth: number): ParsedBinary {
  return buildBinaryJson(new CborItems(bytes), CBOR, maxDepth)
}

const INDEFINITE_TEXT = 0x7f
const BREAK = 0xff
/** Empty pieces cost time and say nothing: millions of them fit into a document. */
const MAX_PIECES = 100_000

class CborItems implements BinaryItems {
  readonly length: number
  readonly #bytes: Uint8Array
  #tokens: Tokenizer
  /** Where in the bytes the tokenizer began. */
  #base = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.length = bytes.byteLength
    this.#tokens = tokenizerOf(bytes)
  }

  get offset(): number {
    return this.#base + this.#tokens.pos()
  }

  next(): BinaryItem {
    const { offset } = this
    if (this.#bytes[offset] === INDEFINITE_TEXT) return { kind: 'scalar', value: this.#readChunks(offset) }
    const token = this.#token(offset)
    switch (token.type.name) {
      case 'uint':
      case 'negint':
        return { kind: 'scalar', value: jsonInteger(token.value, offset, CBOR) }
      case 'float':
        return { kind: 'scalar', value: jsonNumber(token.value, offset, CBOR) }
      case 'string':
        return { kind: 'scalar', value: textOf(token, offset) }
      case 'true':
      case 'false':
      case 'null':
        return { kind: 'scalar', value: token.value }
      case 'array':
      case 'map': {
        const size = token.value === Infinity ? undefined : Number(token.value)
        return { kind: token.type.name, size }
      }
      case 'break':
        return { kind: 'break' }
      case 'bytes':
        return notJson(offset, 'a byte string', 'write binary contents as a Base64 text, or refer to a file')
      case 'tag':
        return notJson(offset, `a tag (${token.value})`, 'write the value without its tag')
      case 'undefined':
        return notJson(offset, 'undefined', 'leave the member out, or write null')
      default:
        return notJson(offset, `such a value (${token.type.name})`, REWRITE)
    }
  }

  #token(offset: number): Token {
    const [major, minor] = [(this.#bytes[offset] ?? 0) >> 5, (this.#bytes[offset] ?? 0) & 31]
    if (major === 7 && (minor < 20 || minor === 24)) notJson(offset, 'simple values', REWRITE)
    // Streamed in pieces or in one: JSON has no byte string.
    if (major === 2)
      notJson(offset, 'byte strings', 'write binary contents as a Base64 text, or refer to a file')
    try {
      return this.#tokens.next()
    } catch (error) {
      const message = (error as Error).message.replace(/^CBOR decode error: /, '')
      return refuse(CBOR.syntaxCode, offset, `this is not well-formed CBOR: ${message}`, REWRITE)
    }
  }

  /** A text in pieces (RFC 8949 §3.2.3): each is a definite text of its own, whole characters only. */
  #readChunks(start: number): string {
    this.#jump(start + 1)
    const parts: string[] = []
    for (let { offset } = this; this.#bytes[offset] !== BREAK; { offset } = this) {
      const isText = (this.#bytes[offset] ?? 0) >> 5 === 3 && this.#bytes[offset] !== INDEFINITE_TEXT
      if (offset >= this.length || !isText) {
        refuse(CBOR.syntaxCode, offset, 'a text in pieces holds something else than a piece of text', REWRITE)
      }
      if (parts.length >= MAX_PIECES) {
        const hint = 'write it in fewer pieces, or in one'
        refuse('CBOR_TOO_COMPLEX', start, `this text comes in more than ${MAX_PIECES} pieces`, hint)
      }
      parts.push(textOf(this.#token(offset), offset))
    }
    this.#jump(this.offset + 1)
    return parts.join('')
  }

  #jump(offset: number): void {
    this.#base = offset
    this.#tokens = tokenizerOf(this.#bytes.subarray(offset))
  }
}

function tokenizerOf(bytes: Uint8Array): Tokenizer {
  return new Tokenizer(bytes, { retainStringBytes: true, allowBigInt: true })
}

/** The tokenizer replaces bad UTF-8 and drops byte order marks silently: texts are decoded here. */
function textOf(token: Token, offset: number): string {
  return (
    decodeUtf8(token.byteValue ?? new Uint8Array()) ??
    refuse('ENCODING_NOT_UTF8', offset, 'this text is not valid UTF-8', REWRITE, 'AAIF-9-05')
  )
}

function notJson(offset: number, what: string, hint: string): never {
  return refuse(CBOR.notJsonCode, offset, `JSON has no ${what.replace(/^an? /, '')}`, hint, 'AAIF-9-08')
}
