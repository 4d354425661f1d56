import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { parseJson } from '../../src/document/parse-json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { repetitions } from '../repetitions.ts'

/**
 * The reader of JSON parses first, and reads a text again only when a quick look finds something suspicious. These tests
 * compare it with a scanner that reads every text to the letter.
 */

interface Mark {
  readonly code: string
  readonly offset: number
}

const MAX_DEPTH = 6

/** What a text has to report, from one pass over its characters. Only `JSON.parse` decides whether it is JSON. */
function scan(text: string): Mark[] {
  const deep = tooDeepAt(text)
  if (deep !== undefined) return [{ code: 'DOCUMENT_TOO_DEEP', offset: deep }]
  try {
    JSON.parse(text)
  } catch {
    return [{ code: 'JSON_SYNTAX', offset: -1 }]
  }
  const marks: Mark[] = []
  const names: Set<string>[] = []
  for (const token of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}]|-?\d[\d.eE+-]*/gu)) {
    const { 0: written, 1: colon, index: offset } = token
    if (written === '{') names.push(new Set())
    else if (written === '}') names.pop()
    else if (written.startsWith('"')) {
      const read = JSON.parse(colon === undefined ? written : written.slice(0, -colon.length)) as string
      const seen = names.at(-1)
      if (colon !== undefined && seen?.has(read) === true) marks.push({ code: 'DUPLICATE_KEY', offset })
      if (colon !== undefined) seen?.add(read)
      if (/\p{Surrogate}/u.test(read)) marks.push({ code: 'LONE_SURROGATE', offset })
    } else {
      const read = Number(written)
      if (!Number.isFinite(read)) marks.push({ code: 'NUMBER_OVERFLOW', offset })
      else if (Number.isInteger(read) && Math.abs(read) >= 2 ** 53)
        marks.push({ code: 'INTEGER_IMPRECISE', offset })
    }
  }
  const errors = marks.filter(({ code }) => code !== 'INTEGER_IMPRECISE')
  return errors.length > 0 ? errors : marks
}

function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (const { 0: written, index } of text.matchAll(/"(?:[^"\\]|\\.)*(?:"|\\?$)|[{}[\]]/gs)) {
    if (written === '{' || written === '[') depth++
    else if (written === '}' || written === ']') depth--
    if (depth > MAX_DEPTH) return index
  }
  return undefined
}

function marksOf(text: string): Mark[] {
  const parsed = parseJson(text, MAX_DEPTH)
  const problems = 'problems' in parsed ? parsed.problems : parsed.warnings
  return problems.map(({ code, offset }) => ({ code, offset: code === 'JSON_SYNTAX' ? -1 : offset }))
}

/** As they are written: the same names in several spellings, and names of the machinery. */
const NAMES = [
  ...['"a"', '"\\u0061"', '"b"', '"a:b"', '"a\\":"', '"\\\\"', '""', '"1"', '"01"', '"__proto__"'],
  ...['"constructor"', '"\\u005f_proto__"', '"\\ud800"', '"\\ud83d\\ude00"', '"😀"', '"é"', '"e\\u0301"'],
]
const SCALARS = [
  ...['"x"', '"say \\":\\" or \\" : \\""', '" : "', '"http://a.b:80/"', '"\\\\ud800"', '"\\ud800"', '"😀"'],
  ...['"\\uDC00"', '"\\"', '"{[\\"a\\": 1"', '"\ud800"', '"\udc00\ud800"', '"\\ud83d\\ude00"', '"]}"'],
  ...[
    '1',
    '-0',
    '0.1',
    '1e400',
    '-1e400',
    '9007199254740991',
    '9007199254740992',
    '-1e300',
    '1E2',
    '12345678901234567890',
  ],
  ...['true', 'false', 'null', '[]', '{}', '[[]]'],
]
const BLANKS = ['', '', '', ' ', '\n  ', '\t', '\r\n', '  ']

class Writer {
  readonly #random: () => number
  /** How willingly it writes what has to be reported: a document with ten faults proves little about one fault. */
  readonly #risk: number

  constructor(random: () => number) {
    this.#random = random
    this.#risk = random() < 0.5 ? 0.02 : random()
  }

  value(depth: number): string {
    if (depth <= 0 || this.#random() < 0.3) return this.#random() < this.#risk ? this.#pick(SCALARS) : '"x"'
    const length = Math.floor(this.#random() * 4)
    if (this.#random() < 0.4) return `[${this.#list(length, () => this.value(depth - 1))}]`
    const fresh = NAMES.filter(() => this.#random() < 0.6)
    const members = () => {
      const name = this.#random() < this.#risk ? this.#pick(NAMES) : (fresh.shift() ?? '"z"')
      return `${name}${this.#blank()}:${this.#blank()}${this.value(depth - 1)}`
    }
    return `{${this.#list(length, members)}}`
  }

  #list(length: number, item: () => string): string {
    const items = Array.from({ length }, () => `${this.#blank()}${item()}${this.#blank()}`)
    return items.length === 0 ? this.#blank() : items.join(',')
  }

  #blank(): string {
    return this.#pick(BLANKS)
  }

  #pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)] as T
  }
}

/** One character taken out, doubled, or replaced by another one of the text. */
function damage(text: string, random: () => number): string {
  const at = Math.floor(random() * text.length)
  const other = text.charAt(Math.floor(random() * text.length))
  return (
    text.slice(0, at) + ['', text.charAt(at).repeat(2), other][Math.floor(random() * 3)] + text.slice(at + 1)
  )
}

const TEXTS = repetitions(30_000)

describe('the quick look at JSON', () => {
  test('finds what a scanner finds that reads every text to the letter', () => {
    const random = randomNumbers(23)
    const met = new Map<string, number>()
    for (let round = 0; round < TEXTS; round++) {
      let text = new Writer(random).value(1 + Math.floor(random() * (MAX_DEPTH + 1)))
      if (random() < 0.3) text = damage(text, random)
      const expected = scan(text)
      assert.deepEqual(marksOf(text), expected, JSON.stringify(text))
      for (const code of new Set(expected.map((mark) => mark.code))) met.set(code, (met.get(code) ?? 0) + 1)
      if (expected.length === 0) met.set('clean', (met.get('clean') ?? 0) + 1)
    }
    for (const sort of [
      ...['clean', 'DUPLICATE_KEY', 'LONE_SURROGATE', 'INTEGER_IMPRECISE', 'NUMBER_OVERFLOW'],
      ...['DOCUMENT_TOO_DEEP', 'JSON_SYNTAX'],
    ])
      assert.ok((met.get(sort) ?? 0) > TEXTS / 100, `${sort}: ${met.get(sort) ?? 0}`)
  })

  for (const [what, text, expected] of [
    ['the same name in two spellings', '{"a": 1, "\\u0061": 2}', 'DUPLICATE_KEY'],
    ['a duplicate beside a colon that a string hides', '{"a": " :", "b": 1, "b": 2}', 'DUPLICATE_KEY'],
    ['a duplicate beside a name that only looks like two', '{"a\\":": 1, "b": 1, "b": 1}', 'DUPLICATE_KEY'],
    ['a duplicate whose colons follow line breaks', '{"a"\n:1,"a"\n:2}', 'DUPLICATE_KEY'],
    ['two members __proto__', '{"__proto__": 1, "__proto__": 2}', 'DUPLICATE_KEY'],
    ['depth under a name that is written again', '{"a": [[[[[[[]]]]]]], "a": 1}', 'DOCUMENT_TOO_DEEP'],
    ['depth before a fault of syntax', '[[[[[[[]]]]]],', 'DOCUMENT_TOO_DEEP'],
    ['half a character under a name that is written again', '{"a": "\\ud800", "a": 1}', 'LONE_SURROGATE'],
    ['an escape that is none', '{"a": "\\\\ud800"}', undefined],
    ['a pair in two escapes', '{"a": "\\ud83d\\uDE00"}', undefined],
    ['JSON within JSON', '{"a": "{\\"b\\": 1, \\"b\\": 2}"}', undefined],
    ['one member __proto__', '{"__proto__": {"a": 1}}', undefined],
  ] as const) {
    test(`${what}: ${expected ?? 'no finding'}`, () => {
      assert.deepEqual(marksOf(text), scan(text))
      assert.equal(marksOf(text)[0]?.code, expected)
    })
  }

  test('a long text is measured before it is parsed, with the same findings', () => {
    const filler = 'x'.repeat(300_000)
    for (const text of [
      `{"a": "${filler}", "b": [[[[[[[]]]]]]]}`,
      `{"a": "${filler}", "b": 1, "b": 2}`,
      `{"a": "${filler}"}`,
      `[[[[[[["${filler}`,
    ])
      assert.deepEqual(marksOf(text), scan(text))
  })

  test('reads a name as it is written, whatever names were read before', () => {
    for (const [before, text, names] of [
      ['{"a": 1, "\\\\": 2}', '{"a": 1, "\\u0062": 2}', ['a', 'b']],
      ['{"a": 1, "\\\\": 2}', '{"a": 1, "\\"": 2, "__proto__": [3, null]}', ['a', '"', '__proto__']],
      ['{"c": 1, "ab\\\\": 2}', '{"c": 1, "ab\\u0063": 2}', ['c', 'abc']],
      ['{"d": 1, "\\\\u0061": 2}', '{"d": 1, "\\u0061bcdef": 2}', ['d', 'abcdef']],
    ] as const) {
      JSON.parse(before)
      const parsed = parseJson(text, MAX_DEPTH)
      assert.deepEqual('value' in parsed && Object.keys(parsed.value as object), names)
    }
    JSON.parse('{"a": 1, "\\\\": 2}')
    assert.deepEqual(marksOf('{"a": 1, "\\u0061": 2}'), [{ code: 'DUPLICATE_KEY', offset: 9 }])
    JSON.parse('{"a": 1, "\\\\": 2}')
    assert.deepEqual(marksOf('{"a": 1, "\\n": 2, "\\\\": 3}'), [])
  })

  test('finds a duplicate although a library has put a member into every object', () => {
    const prototype = Object.prototype as unknown as Record<string, unknown>
    const text = '{"a": 1, "a": 2}'
    try {
      prototype.planted = 1
      assert.deepEqual(marksOf(text), [{ code: 'DUPLICATE_KEY', offset: 9 }])
      assert.deepEqual(marksOf('{"a": 1}'), [])
    } finally {
      delete prototype.planted
    }
  })

  test('the limit counts bytes of UTF-8, wherever the characters are', () => {
    for (const [text, bytes] of [
      ['["a"]', 5],
      ['["é"]', 6],
      ['["€"]', 7],
      ['["😀"]', 8],
    ] as const) {
      assert.equal(readDocument(text, { maxBytes: bytes }).issues, undefined, text)
      assert.equal(readDocument(text, { maxBytes: bytes - 1 }).issues?.[0]?.code, 'DOCUMENT_TOO_LARGE', text)
    }
  })
})
