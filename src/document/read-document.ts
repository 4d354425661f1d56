import { type BinaryLimits, issueOfBinary } from './binary-json.ts'
import { decodeText } from './decode-text.ts'
import { defined } from './defined.ts'
import { Document, type Encoding } from './document.ts'
import { exactValue } from './exact-numbers.ts'
import type { TextProblem } from './finding.ts'
import type { Issue } from './issue.ts'
import { parseCbor, parseMsgpack } from './lazy-encodings.ts'
import { LineIndex } from './line-index.ts'
import { findLostDigits } from './lost-digits.ts'
import { encodingOfFile } from './media-types.ts'
import { parseForeignJson } from './parse-foreign-json.ts'
import { JsonMap, type ParsedText, parseJson } from './parse-json.ts'
import { parseYaml } from './parse-yaml.ts'

export interface ReadOptions {
  /** The file name: its extension selects the encoding, and issues name it. */
  readonly file?: string
  /** The encoding, for example from a media type; default: detected from the file name and the first bytes. */
  readonly encoding?: Encoding
  /** Maximum size in bytes; default 8 MiB. */
  readonly maxBytes?: number
  /** Maximum nesting of objects and arrays; default 64. */
  readonly maxDepth?: number
  /** Maximum number of values and names in a long JSON text, or in CBOR or MessagePack; default: any. */
  readonly maxValues?: number
  /**
   * The document is of another format, and is read as other readers do: names and values of any scalar type, merge keys,
   * tags, comments in JSON, the last of equal names, the first of several YAML documents. Each is a warning.
   */
  readonly foreign?: true
  /** Numbers that a double cannot hold become marked digits, see `parseExact`; such a number in YAML is an error. */
  readonly exactNumbers?: true
}

export type ReadResult =
  | { readonly document: Document; readonly issues?: undefined }
  | { readonly document?: undefined; readonly issues: readonly Issue[] }

export const MAX_BYTES = 8 * 1024 * 1024
const MAX_DEPTH = 64

/**
 * Parses bytes or decoded text. Runs in linear time and with limited depth for any input; unreadable input gives issues
 * with reason and position, never an exception.
 */
export function readDocument(source: Uint8Array | string, options: ReadOptions = {}): ReadResult {
  const { file, maxBytes = MAX_BYTES, maxDepth = MAX_DEPTH, maxValues, foreign = false } = options
  if (isLarger(source, maxBytes)) return { issues: [tooLarge(maxBytes)] }
  const given = options.encoding ?? encodingOfFile(file ?? '')
  if (typeof source !== 'string') {
    const binary = given ?? binaryEncodingOf(source)
    if (binary === 'cbor' || binary === 'msgpack')
      return readBinary(source, binary, file, { maxDepth, maxValues })
  }
  const decoded = typeof source === 'string' ? { text: withoutMark(source) } : decodeText(source)
  if (!('text' in decoded)) {
    const { code, message, hint, before } = decoded
    return {
      issues: placeProblems([{ severity: 'error', code, message, hint, offset: before.length }], before),
    }
  }
  const { text } = decoded
  if (text.trim() === '') return { issues: placeProblems([empty], text) }
  const encoding = given === 'json' || given === 'yaml' ? given : textEncodingOf(text)
  const parsed = parseText(text, encoding, { maxDepth, maxValues, foreign })
  if ('problems' in parsed) return { issues: placeProblems(parsed.problems, text) }
  const { value, openMap } = parsed
  const warnings = parsed.warnings.length === 0 ? [] : placeProblems(parsed.warnings, text)
  const document = new Document({ value, encoding, text, file, warnings, openMap })
  return options.exactNumbers === true ? withExactNumbers(document) : { document }
}

function withExactNumbers(document: Document): ReadResult {
  const { text, encoding, file } = document
  if (encoding === 'json') {
    const value = exactValue(text, document.value)
    if (value === document.value) return { document }
    return {
      document: new Document({ value, encoding, text, file, warnings: [], openMap: () => new JsonMap(text) }),
    }
  }
  const lost = findLostDigits(document)
  if (lost === undefined) return { document }
  const { pointer, written, read } = lost
  const { line, column } = document.locate(pointer)
  const message = `the number ${written.slice(0, 40)} would be read as ${read}`
  const hint = 'write it as a string'
  return { issues: [{ severity: 'error', code: 'DIGITS_LOST', pointer, line, column, message, hint }] }
}

function parseText(
  text: string,
  encoding: 'json' | 'yaml',
  { maxDepth, maxValues, foreign }: { maxDepth: number; maxValues: number | undefined; foreign: boolean },
): ParsedText {
  if (encoding === 'yaml') return parseYaml(text, maxDepth, foreign)
  if (!foreign) return parseJson(text, maxDepth, maxValues)
  const parsed = parseForeignJson(text, maxDepth)
  if (!('problems' in parsed)) return parsed
  // YAML can begin like JSON: `{openapi: 3.1.0, …}`.
  const yaml = parseYaml(text, maxDepth, true)
  return 'problems' in yaml ? parsed : yaml
}

/** A character of UTF-16 takes at most three bytes of UTF-8, so only texts near the limit have to be measured. */
function isLarger(source: Uint8Array | string, maxBytes: number): boolean {
  if (typeof source !== 'string') return source.byteLength > maxBytes
  return source.length * 3 > maxBytes && Buffer.byteLength(source) > maxBytes
}

/** Text that begins like JSON is read as JSON. */
function textEncodingOf(text: string): 'json' | 'yaml' {
  return /^\s*(?:[[{"]|-?\d+\s*$|(?:true|false|null)\s*$)/.test(text.slice(0, 256)) ? 'json' : 'yaml'
}

/**
 * Documents are objects, and UTF-8 text never begins with the first byte of a CBOR or MessagePack map: 0x80 to 0xBF
 * never begin a character, and a second byte below 0x80 never follows 0xDE.
 */
function binaryEncodingOf(bytes: Uint8Array): 'cbor' | 'msgpack' | undefined {
  const [first = 0, second = 0xff, third] = bytes
  if (first >= 0xa0 && first <= 0xbf) return 'cbor'
  if (first >= 0x80 && first <= 0x8f) return 'msgpack'
  if ((first === 0xde || first === 0xdf) && second < 0x80) return 'msgpack'
  // The self-described CBOR tag (RFC 8949 §3.4.6).
  return first === 0xd9 && second === 0xd9 && third === 0xf7 ? 'cbor' : undefined
}

function readBinary(
  bytes: Uint8Array,
  encoding: 'cbor' | 'msgpack',
  file: string | undefined,
  limits: BinaryLimits,
): ReadResult {
  if (bytes.byteLength === 0) return { issues: placeProblems([empty], '') }
  const parsed = encoding === 'cbor' ? parseCbor(bytes, limits) : parseMsgpack(bytes, limits)
  if ('problem' in parsed) return { issues: [issueOfBinary(parsed.problem)] }
  const { value } = parsed
  const text = JSON.stringify(value, null, 2)
  return {
    document: new Document({ value, encoding, text, file, warnings: [], openMap: () => new JsonMap(text) }),
  }
}

function withoutMark(text: string): string {
  return text.startsWith('\u{FEFF}') ? text.slice(1) : text
}

const empty: TextProblem = {
  severity: 'error',
  code: 'DOCUMENT_EMPTY',
  offset: 0,
  message: 'the file is empty',
  hint: '`waybill init` writes a first definition',
}

function tooLarge(maxBytes: number): Issue {
  return {
    severity: 'error',
    code: 'DOCUMENT_TOO_LARGE',
    pointer: '',
    line: 1,
    column: 1,
    message: `the document has more than ${maxBytes} bytes`,
    hint: 'refer to large contents by file or URL, or raise the limit (--max-bytes)',
  }
}

/** Converts problems of a text to issues with line and column. */
export function placeProblems(problems: readonly TextProblem[], text: string): Issue[] {
  const lines = new LineIndex(text)
  return problems.map((problem) => {
    const { line, column } = lines.place({ offset: problem.offset, length: problem.length ?? 1 })
    return {
      severity: problem.severity,
      code: problem.code,
      pointer: problem.pointer ?? '',
      line,
      column,
      message: problem.message,
      ...defined({ hint: problem.hint }),
    }
  })
}
