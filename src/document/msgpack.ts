import { encode } from '@msgpack/msgpack'
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
import { decodeUtf8Part } from './utf8.ts'

const MSGPACK = {
  name: 'MessagePack',
  syntaxCode: 'MSGPACK_SYNTAX',
  notJsonCode: 'MSGPACK_NOT_JSON',
} as const

/**
 * Encodes JSON data as MessagePack: string keys in their order, integers in their shortest form, other numbers as
 * doubles.
 * @throws NOT_JSON, DOCUMENT_TOO_DEEP
 */
export function encodeMsgpack(value: Json): Uint8Array {
  assertJsonData(value)
  return encode(value, { maxDepth: MAX_DEPTH + 1 })
}

/**
 * Reads MessagePack as JSON data and refuses ambiguous input: binary and extension types, NaN, infinities, integers
 * beyond 2^53, names that are not strings or are duplicates, invalid UTF-8, trailing bytes. The library that writes
 * MessagePack accepts all of these and reports no offsets, so this module has its own reader.
 * @throws MSGPACK_SYNTAX, MSGPACK_NOT_JSON, DUPLICATE_KEY, ENCODING_NOT_UTF8, DOCUMENT_TOO_DEEP; `column` is the byte
 */
export function decodeMsgpack(bytes: Uint8Array, options: { readonly maxDepth?: number } = {}): Json {
  const parsed = parseMsgpack(bytes, { maxDepth: options.maxDepth ?? MAX_DEPTH })
  if ('problem' in parsed) throw errorOfBinary(parsed.problem)
  return parsed.value
}

/** {@link decodeMsgpack} for callers that collect problems. */
export function parseMsgpack(bytes: Uint8Array, limits: BinaryLimits): ParsedBinary {
  return buildBinaryJson(new MsgpackItems(bytes), MSGPACK, limits)
}

class MsgpackItems implements BinaryItems {
  offset = 0
  readonly length: number
  readonly #bytes: Buffer
  readonly #view: DataView
  /** Start of the current item. */
  #start = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.length = bytes.byteLength
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** The format table, in the order of the first byte. */
  next(): BinaryItem {
    this.#start = this.offset
    const first = this.#view.getUint8(this.#take(1))
    if (first <= 0x7f) return scalar(first)
    if (first <= 0x8f) return { kind: 'map', size: first & 0x0f }
    if (first <= 0x9f) return { kind: 'array', size: first & 0x0f }
    if (first <= 0xbf) return scalar(this.#text(first & 0x1f))
    if (first >= 0xe0) return scalar(first - 0x100)
    switch (first) {
      case 0xc0:
        return scalar(null)
      case 0xc2:
        return scalar(false)
      case 0xc3:
        return scalar(true)
      case 0xca:
        return scalar(jsonNumber(this.#view.getFloat32(this.#take(4)), this.#start, MSGPACK))
      case 0xcb:
        return scalar(jsonNumber(this.#view.getFloat64(this.#take(8)), this.#start, MSGPACK))
      case 0xcc:
        return scalar(this.#view.getUint8(this.#take(1)))
      case 0xcd:
        return scalar(this.#view.getUint16(this.#take(2)))
      case 0xce:
        return scalar(this.#view.getUint32(this.#take(4)))
      case 0xcf:
        return scalar(jsonInteger(this.#view.getBigUint64(this.#take(8)), this.#start, MSGPACK))
      case 0xd0:
        return scalar(this.#view.getInt8(this.#take(1)))
      case 0xd1:
        return scalar(this.#view.getInt16(this.#take(2)))
      case 0xd2:
        return scalar(this.#view.getInt32(this.#take(4)))
      case 0xd3:
        return scalar(jsonInteger(this.#view.getBigInt64(this.#take(8)), this.#start, MSGPACK))
      case 0xd9:
        return scalar(this.#text(this.#view.getUint8(this.#take(1))))
      case 0xda:
        return scalar(this.#text(this.#view.getUint16(this.#take(2))))
      case 0xdb:
        return scalar(this.#text(this.#view.getUint32(this.#take(4))))
      case 0xdc:
        return { kind: 'array', size: this.#view.getUint16(this.#take(2)) }
      case 0xdd:
        return { kind: 'array', size: this.#view.getUint32(this.#take(4)) }
      case 0xde:
        return { kind: 'map', size: this.#view.getUint16(this.#take(2)) }
      case 0xdf:
        return { kind: 'map', size: this.#view.getUint32(this.#take(4)) }
      case 0xc1:
        return refuse(MSGPACK.syntaxCode, this.#start, 'the byte 0xC1 is never used in MessagePack', REWRITE)
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#notJson('binary data', 'write binary contents as a Base64 string, or refer to a file')
      default:
        return this.#notJson(
          'extension types',
          'write the value as a string or a number, such as an RFC 3339 time',
        )
    }
  }

  /** Skips `count` bytes and returns their offset. */
  #take(count: number): number {
    const at = this.offset
    if (count > this.length - at) {
      refuse(
        MSGPACK.syntaxCode,
        this.#start,
        `${count} bytes are declared here, but only ${this.length - at} follow`,
        'the file is truncated; fetch it again',
      )
    }
    this.offset += count
    return at
  }

  #text(byteLength: number): string {
    const at = this.#take(byteLength)
    return (
      decodeUtf8Part(this.#bytes, at, at + byteLength) ??
      refuse('ENCODING_NOT_UTF8', this.#start, 'this text is not valid UTF-8', REWRITE)
    )
  }

  #notJson(what: string, hint: string): never {
    return refuse(MSGPACK.notJsonCode, this.#start, `JSON has no ${what}`, hint)
  }
}

function scalar(value: null | boolean | number | string): BinaryItem {
  return { kind: 'scalar', value }
}
