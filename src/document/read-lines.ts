import { decodeText } from './decode-text.ts'
import { Document, type SourceMap } from './document.ts'
import { exactValue } from './exact-numbers.ts'
import { MAX_PROBLEMS, type TextProblem } from './finding.ts'
import type { Issue } from './issue.ts'
import type { Json } from './json.ts'
import type { Span } from './line-index.ts'
import { JsonMap, parseJson } from './parse-json.ts'
import { MAX_BYTES, placeProblems, type ReadResult } from './read-document.ts'

export interface ReadLinesOptions {
  /** The file name; issues name it. */
  readonly file?: string
  /** Maximum size of all lines in bytes; default 64 MiB. */
  readonly maxBytes?: number
  /** Maximum size of one line in bytes; default 8 MiB. */
  readonly maxLineBytes?: number
  /** Maximum nesting of objects and arrays in one line; default 64. */
  readonly maxDepth?: number
  /** Numbers that a double cannot hold become marked digits, see `parseExact`. */
  readonly exactNumbers?: true
}

export const MAX_STREAM_BYTES = 8 * MAX_BYTES

/** Returns true if the extension of a file name means one JSON value per line. */
export function isLinesFile(file: string): boolean {
  return /\.(ndjson|jsonl)$/i.test(file)
}

interface Line extends Span {
  readonly text: string
}

/**
 * Reads newline-delimited JSON: the value is the array of the values of the lines, so `/2/index` is a member of the
 * third line. A final line break is optional; a blank line is an error. Empty input gives an empty array.
 */
export function readLines(source: Uint8Array | string, options: ReadLinesOptions = {}): ReadResult {
  const {
    file,
    maxBytes = MAX_STREAM_BYTES,
    maxLineBytes = MAX_BYTES,
    maxDepth = 64,
    exactNumbers = false,
  } = options
  const size = typeof source === 'string' ? Buffer.byteLength(source) : source.byteLength
  if (size > maxBytes) return { issues: [tooLarge(maxBytes)] }
  const decoded = typeof source === 'string' ? { text: source } : decodeText(source)
  if (!('text' in decoded)) {
    const { code, message, hint, before } = decoded
    return {
      issues: placeProblems([{ severity: 'error', code, message, hint, offset: before.length }], before),
    }
  }
  const { text } = decoded
  const lines = linesOf(text)
  const values: Json[] = []
  const problems: TextProblem[] = []
  for (const [index, line] of lines.entries()) {
    if (problems.length >= MAX_PROBLEMS) break
    const read = readLine(line, maxLineBytes, maxDepth)
    if ('value' in read) values.push(exactNumbers ? exactValue(line.text, read.value) : read.value)
    for (const problem of read.problems) {
      problems.push({
        ...problem,
        offset: line.offset + problem.offset,
        pointer: `/${index}${problem.pointer ?? ''}`,
      })
    }
  }
  const issues = problems.length === 0 ? [] : placeProblems(problems, text)
  if (problems.some(({ severity }) => severity === 'error')) return { issues }
  const openMap = () => new LinesMap(lines)
  return {
    document: new Document({ value: values, encoding: 'json', text, file, warnings: issues, openMap }),
  }
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    lines.push({ text: text.slice(start, end), offset: start, length: Math.max(1, end - start) })
    start = end + 1
  }
  return lines
}

type ReadLine =
  | { readonly value: Json; readonly problems: readonly TextProblem[] }
  | { readonly problems: readonly TextProblem[] }

function readLine({ text }: Line, maxBytes: number, maxDepth: number): ReadLine {
  if (text.trim() === '') return { problems: [blank] }
  if (Buffer.byteLength(text) > maxBytes) return { problems: [longLine(maxBytes)] }
  const parsed = parseJson(text, maxDepth)
  return 'problems' in parsed ? parsed : { value: parsed.value, problems: parsed.warnings }
}

const blank: TextProblem = {
  severity: 'error',
  code: 'LINE_BLANK',
  offset: 0,
  message: 'this line is blank, but each line must be a JSON value',
  hint: 'remove it; only the last line may end with a line break',
}

function longLine(maxBytes: number): TextProblem {
  return {
    severity: 'error',
    code: 'LINE_TOO_LONG',
    offset: 0,
    message: `this line has more than ${maxBytes} bytes`,
    hint: 'send the content in smaller pieces',
  }
}

function tooLarge(maxBytes: number): Issue {
  return {
    severity: 'error',
    code: 'DOCUMENT_TOO_LARGE',
    pointer: '',
    line: 1,
    column: 1,
    message: `the lines have more than ${maxBytes} bytes together`,
    hint: 'send less, or raise the limit (--max-bytes)',
  }
}

/** Positions in lines of JSON; a line is parsed for positions on first use. */
class LinesMap implements SourceMap {
  readonly #lines: readonly Line[]
  readonly #maps = new Map<number, JsonMap>()

  constructor(lines: readonly Line[]) {
    this.#lines = lines
  }

  find(steps: readonly string[], key: boolean): Span | undefined {
    const [first, ...rest] = steps
    if (first === undefined) return key ? undefined : { offset: 0, length: 1 }
    const index = Number(first)
    const line = this.#lines[index]
    if (line === undefined) return undefined
    const map = this.#maps.get(index) ?? new JsonMap(line.text)
    this.#maps.set(index, map)
    const span = map.find(rest, key)
    return span && { offset: line.offset + span.offset, length: span.length }
  }
}
