import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Issue } from '../../src/document/issue.ts'
import { readDocument } from '../../src/document/read-document.ts'

/** Returns the only issue of an unreadable text. */
function refusal(source: string | Uint8Array, file?: string, maxBytes?: number): Issue {
  const { issues } = readDocument(source, {
    ...(file !== undefined && { file }),
    ...(maxBytes !== undefined && { maxBytes }),
  })
  assert.equal(issues?.length, 1, `one issue: ${JSON.stringify(issues)?.slice(0, 300)}`)
  const [issue] = issues as [Issue]
  assert.ok(issue.hint, 'every refusal has a hint')
  return issue
}

function refused(
  source: string | Uint8Array,
  file: string | undefined,
  code: string,
  line: number,
  column: number,
): void {
  const issue = refusal(source, file)
  assert.deepEqual(
    [issue.severity, issue.code, issue.line, issue.column],
    ['error', code, line, column],
    issue.message,
  )
}

function dataOf(source: string | Uint8Array, file?: string) {
  const read = readDocument(source, file === undefined ? {} : { file })
  assert.ok(read.document, JSON.stringify(read.issues))
  return read.document.value
}

const bytes = (...values: (number | string)[]) =>
  Buffer.concat(values.map((value) => (typeof value === 'number' ? Buffer.of(value) : Buffer.from(value))))

describe('JSON is parsed strictly by RFC 8259', () => {
  const cases: readonly [what: string, text: string, line: number, column: number][] = [
    ['line comment', '{\n  // note\n  "a": 1}', 2, 3],
    ['block comment', '{"a": /* note */ 1}', 1, 7],
    ['trailing comma in an object', '{"a": 1,\n}', 2, 1],
    ['trailing comma in an array', '[1,\n]', 2, 1],
    ['single quotes', "{'a': 1}", 1, 2],
    ['leading zero', '[01]', 1, 3],
    ['NaN', '[NaN]', 1, 2],
    ['control character in a text', '["a\tb"]', 1, 2],
    ['two values', '{}\n{}', 2, 1],
    ['a word', '{"a": True}', 1, 7],
    ['missing colon', '{"a" 1}', 1, 6],
    ['missing comma', '{"a": 1 "b": 2}', 1, 9],
    ['wrong escape', '["\\x"]', 1, 2],
    ['no-break space', '{\u00a0}', 1, 2],
  ]
  for (const [what, text, line, column] of cases) {
    test(`refuses ${what}`, () => refused(text, 'a.json', 'JSON_SYNTAX', line, column))
  }
  test('refuses truncated text', () => refused('{"a": [1', 'a.json', 'JSON_SYNTAX', 1, 9))
  test('a .json file is never read as YAML', () => refused('a: 1\n', 'a.json', 'JSON_SYNTAX', 1, 1))
})

describe('data that would change when read is refused', () => {
  for (const [file, text] of [
    ['a.json', '{"a": 1,\n "b": {"c": 1, "c": 2}}'],
    ['a.yaml', 'a: 1\nb: {cc: 1, "cc": 2}\n'],
  ] as const) {
    test(`duplicate keys in ${file}`, () =>
      refused(text, file, 'DUPLICATE_KEY', 2, file === 'a.json' ? 16 : 12))
  }
  test('the same key in two objects is not a duplicate', () => {
    assert.deepEqual(dataOf('[{"a":1},{"a":{"a":2}}]'), [{ a: 1 }, { a: { a: 2 } }])
  })
  test('a colon inside a string is not a member', () =>
    assert.deepEqual(dataOf('{"a":":\\":"}'), { a: ':":' }))
  test('a lone surrogate, in a value and in a name', () => {
    refused('["\\ud83d"]', 'a.json', 'LONE_SURROGATE', 1, 2)
    refused('{"\\udc00": 1}', 'a.json', 'LONE_SURROGATE', 1, 2)
    refused('"\\uD83D"', 'a.yaml', 'LONE_SURROGATE', 1, 1)
    assert.deepEqual(dataOf('["\\ud83d\\ude00"]'), ['\u{1F600}'])
  })
  test('numbers beyond the range of a double', () => {
    refused('[1, 1e999]', 'a.json', 'NUMBER_OVERFLOW', 1, 5)
    refused('a: -1e999', 'a.yaml', 'NUMBER_OVERFLOW', 1, 4)
  })
  test('an integer beyond 2^53 is a warning, at its place', () => {
    for (const [file, text] of [
      ['a.json', '{"a":\n 9007199254740993}'],
      ['a.yaml', 'b: 1\na: 9007199254740993'],
    ] as const) {
      const { document } = readDocument(text, { file })
      const [warning, ...others] = document?.warnings ?? []
      assert.deepEqual(
        [warning?.code, warning?.severity, warning?.pointer, warning?.line, others],
        ['INTEGER_IMPRECISE', 'warning', '/a', 2, []],
      )
    }
    assert.deepEqual(readDocument('[9007199254740991, 1.5e3]').document?.warnings, [])
  })
  test('__proto__ is data and sets no prototype, in JSON and in YAML', () => {
    for (const [file, text] of [
      ['a.json', '{"__proto__": {"admin": true}}'],
      ['a.yaml', '__proto__:\n  admin: true\n'],
    ] as const) {
      const value = dataOf(text, file) as { admin?: unknown }
      assert.equal(value.admin, undefined)
      assert.equal(Object.getPrototypeOf(value), Object.prototype)
      assert.deepEqual(Object.keys(value), ['__proto__'])
    }
  })
})

describe('only YAML that is JSON data is read', () => {
  const cases: readonly [what: string, text: string, code: string, line: number, column: number][] = [
    ['a number as key', 'a: 1\n2: b\n', 'YAML_KEY_NOT_STRING', 2, 1],
    ['a boolean as key', 'true: b\n', 'YAML_KEY_NOT_STRING', 1, 1],
    ['a collection as key', '[a]: b\n', 'YAML_KEY_NOT_STRING', 1, 1],
    ['not a number', 'a: .nan', 'YAML_NOT_JSON', 1, 4],
    ['infinity', 'a: -.inf', 'YAML_NOT_JSON', 1, 4],
    ['binary', 'a: !!binary aGk=', 'YAML_NOT_JSON', 1, 13],
    ['a timestamp tag', 'a: !!timestamp 2026-01-01', 'YAML_NOT_JSON', 1, 16],
    ['a custom tag', 'a: !env TOKEN', 'YAML_NOT_JSON', 1, 9],
    ['a custom tag on a map', 'a: !obj {b: 1}', 'YAML_NOT_JSON', 1, 9],
    ['a second document', 'a: 1\n---\nb: 2\n', 'YAML_MULTIPLE_DOCUMENTS', 2, 1],
    ['a merge key', 'a: &a {x: 1}\nb:\n  <<: *a\n', 'YAML_MERGE_KEY', 3, 3],
    ['an unknown alias', 'a: *b', 'YAML_SYNTAX', 1, 4],
    ['a cycle', 'a: &a [*a]', 'YAML_ALIAS_BOMB', 1, 8],
    ['tabs', 'a:\n\tb: 1', 'YAML_SYNTAX', 2, 1],
    ['a colon in plain text', 'a: b: c', 'YAML_SYNTAX', 1, 4],
  ]
  for (const [what, text, code, line, column] of cases) {
    test(`refuses ${what}`, () => refused(text, 'a.yaml', code, line, column))
  }
  test('YAML 1.2: on, yes and dates are strings', () => {
    assert.deepEqual(dataOf('on: yes\nday: 2026-01-01\n', 'a.yaml'), { on: 'yes', day: '2026-01-01' })
  })
  test('an alias repeats its anchor', () => {
    assert.deepEqual(dataOf('a: &a {x: [1]}\nb: *a\n', 'a.yml'), { a: { x: [1] }, b: { x: [1] } })
  })
})

describe('bytes and encodings', () => {
  test('a byte order mark at the start is dropped', () => {
    assert.deepEqual(dataOf(bytes(0xef, 0xbb, 0xbf, '{"a":1}'), 'a.json'), { a: 1 })
    assert.deepEqual(dataOf(bytes(0xef, 0xbb, 0xbf, 'a: 1'), 'a.yaml'), { a: 1 })
  })
  // A map of indefinite length begins with 0xbf, and the last short one with 0xb7.
  for (const [what, encoded] of [
    ['an empty map', [0xa0]],
    ['a map', [0xa1, 0x61, 0x61, 0x01]],
    ['a map whose length has a byte of its own', [0xb8, 0x01, 0x61, 0x61, 0x01]],
    ['a map of indefinite length', [0xbf, 0x61, 0x61, 0x01, 0xff]],
  ] as const) {
    test(`${what} without a file name is CBOR`, () => {
      const read = readDocument(bytes(...encoded))
      assert.equal(read.document?.encoding, 'cbor')
    })
  }
  test('AAIF-9-08: the self-described CBOR tag is recognised, and refused as a tag', () => {
    refused(bytes(0xd9, 0xd9, 0xf7, 0xa1, 0x61, 0x61, 0x01), undefined, 'CBOR_NOT_JSON', 1, 1)
    refused(bytes(0xd9, 0xd9, 0xf6, 0xa1, 0x61, 0x61, 0x01), undefined, 'ENCODING_NOT_UTF8', 1, 1)
  })
  for (const first of [0x9f, 0xc0]) {
    test(`a first byte of 0x${first.toString(16)} is not CBOR`, () => {
      assert.equal(readDocument(bytes(first, 0x61, 0x61, 0x01)).document, undefined)
    })
  }
  test('invalid UTF-8 is refused with line and column', () => {
    refused(bytes('{\n "é": "', 0xff, '"}'), 'a.json', 'ENCODING_NOT_UTF8', 2, 8)
    refused(bytes('a: ', 0xc0, 0xaf), 'a.yaml', 'ENCODING_NOT_UTF8', 1, 4)
    refused(bytes('["', 0xed, 0xa0, 0x80, '"]'), 'a.json', 'ENCODING_NOT_UTF8', 1, 3)
    refused(bytes('"', 0xe2, 0x82), 'a.json', 'ENCODING_NOT_UTF8', 1, 2)
  })
  test('UTF-16 is named', () => assert.match(refusal(bytes(0xff, 0xfe, '{', 0), 'a.json').message, /UTF-16/))
  test('an empty file gives DOCUMENT_EMPTY', () => {
    for (const source of ['', ' \n\t', '\u{FEFF}']) refused(source, 'a.json', 'DOCUMENT_EMPTY', 1, 1)
  })
  test('without a file extension, text that begins like JSON is read as JSON', () => {
    assert.equal(readDocument('{"a":1}').document?.encoding, 'json')
    assert.equal(readDocument(' [1]').document?.encoding, 'json')
    assert.equal(readDocument('a: 1').document?.encoding, 'yaml')
    refused('{"a": 1,}', 'notes.txt', 'JSON_SYNTAX', 1, 9)
  })
  test('a file above the limit is refused without parsing, a file at the limit is read', () => {
    assert.equal(refusal('{"a":"é"}', 'a.json', 9).code, 'DOCUMENT_TOO_LARGE')
    assert.ok(readDocument('{"a":"é"}', { maxBytes: 10 }).document)
  })
})

describe('hostile input gives one error within about a second', () => {
  const MiB8 = 8 * 1024 * 1024
  let bomb = 'a0: &a0 [x,x,x,x,x,x,x,x,x]\n'
  for (let level = 1; level < 15; level++)
    bomb += `a${level}: &a${level} [${Array(9)
      .fill(`*a${level - 1}`)
      .join(',')}]\n`
  const cases: readonly [what: string, file: string, text: string, code: string][] = [
    ['8 MiB of [', 'a.json', '['.repeat(MiB8), 'DOCUMENT_TOO_DEEP'],
    ['8 MiB of {"a":', 'a.json', '{"a":'.repeat(MiB8 / 5), 'DOCUMENT_TOO_DEEP'],
    ['8 MiB of commas', 'a.json', ','.repeat(MiB8), 'JSON_SYNTAX'],
    ['an endless text', 'a.json', `"${'\\'.repeat(MiB8 - 1)}`, 'JSON_SYNTAX'],
    ['8 MiB of [ as YAML', 'a.yaml', '['.repeat(MiB8), 'DOCUMENT_TOO_DEEP'],
    ['8 MiB of "- "', 'a.yaml', '- '.repeat(MiB8 / 2), 'DOCUMENT_TOO_DEEP'],
    ['8 MiB of "? "', 'a.yaml', '? '.repeat(MiB8 / 2), 'DOCUMENT_TOO_DEEP'],
    [
      '4,000 levels of indentation',
      'a.yaml',
      Array.from({ length: 4000 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      'DOCUMENT_TOO_DEEP',
    ],
    ['8 MiB of comments', 'a.yaml', '#\n'.repeat(MiB8 / 2), 'YAML_TOO_COMPLEX'],
    ['8 MiB of anchors', 'a.yaml', '&a '.repeat(MiB8 / 3), 'YAML_TOO_COMPLEX'],
    ['a billion laughs', 'a.yaml', bomb, 'YAML_ALIAS_BOMB'],
  ]
  for (const [what, file, text, code] of cases) {
    test(what, () => {
      // A reader that takes quadratic time does not end within minutes.
      assert.equal(refusal(text, file).code, code)
    })
  }
  test('100,000 members in one object are read, and a duplicate among them is found', () => {
    const members = Array.from({ length: 100_000 }, (_, i) => `"k${i}": ${i}`)
    assert.equal(Object.keys(dataOf(`{${members.join()}}`, 'a.json') as object).length, 100_000)
    assert.equal(refusal(`{${members.join()}, "k777": 1}`, 'a.json').pointer, '/k777')
    assert.equal(refusal(`${members.slice(0, 50_000).join('\n')}\n"k777": 1`, 'a.yaml').pointer, '/k777')
  })
  test('64 levels are read and 65 are not, in JSON and in YAML', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    for (const file of ['a.json', 'a.yaml']) {
      assert.ok(readDocument(nested(64), { file }).document)
      refused(nested(65), file, 'DOCUMENT_TOO_DEEP', 1, 65)
    }
    const steps = (depth: number) => Array.from({ length: depth }, (_, i) => `${' '.repeat(i)}a:\n`).join('')
    assert.ok(readDocument(`${steps(64)}`, { file: 'a.yaml' }).document)
    assert.equal(refusal(steps(65), 'a.yaml').code, 'DOCUMENT_TOO_DEEP')
    // Sequences at the column of their key hide half of the depth from the columns.
    const level = (i: number) => `${'  '.repeat(i)}- a:\n`
    assert.equal(
      refusal(Array.from({ length: 40 }, (_, i) => level(i)).join(''), 'a.yaml').code,
      'DOCUMENT_TOO_DEEP',
    )
  })
})
