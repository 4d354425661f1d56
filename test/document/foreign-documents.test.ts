import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'

function read(text: string | Uint8Array): { readonly value: Json; readonly codes: readonly string[] } {
  const { document, issues } = readDocument(text, { foreign: true })
  assert.ok(document !== undefined, JSON.stringify(issues))
  assert.ok(document.warnings.every(({ severity }) => severity === 'warning'))
  return { value: document.value, codes: document.warnings.map(({ code }) => code) }
}

describe('a document of another format is read as other readers do, and our own are not', () => {
  for (const [what, text, value, code] of [
    ['numbers as names', '200: a\n1.10: b\n', { '200': 'a', '1.10': 'b' }, undefined],
    [
      'dates and words as names',
      '2024-01-01: a\ntrue: b\n~: c\n',
      { '2024-01-01': 'a', true: 'b', '~': 'c' },
      undefined,
    ],
    ['an alias as name', 'a: &n x\n*n : 1\n', { a: 'x', x: 1 }, undefined],
    [
      'merge keys',
      'a: &a {x: 1, y: 2}\nb:\n  y: 3\n  <<: *a\n',
      { a: { x: 1, y: 2 }, b: { y: 3, x: 1 } },
      'YAML_MERGE_KEY',
    ],
    [
      'several merged objects',
      'a: &a {x: 1}\nb: &b {x: 2, z: 4}\nc:\n  <<: [*a, *b]\n  w: 0\n',
      { a: { x: 1 }, b: { x: 2, z: 4 }, c: { w: 0, x: 1, z: 4 } },
      'YAML_MERGE_KEY',
    ],
    ['a timestamp', 'a: !!timestamp 2024-01-01\n', { a: '2024-01-01' }, 'YAML_NOT_JSON'],
    ['bytes', 'a: !!binary aGk=\n', { a: 'aGk=' }, 'YAML_NOT_JSON'],
    ['a tag of its own', 'a: !Ref b\nc: !Map {d: 1}\n', { a: 'b', c: { d: 1 } }, 'YAML_NOT_JSON'],
    ['a set', 'a: !!set {x, y}\n', { a: { x: null, y: null } }, 'YAML_NOT_JSON'],
    ['YAML 1.1', '%YAML 1.1\n---\na: 2024-01-01\n1: x\n', { a: '2024-01-01', 1: 'x' }, undefined],
    ['a number that JSON lacks', 'a: .inf\n', { a: '.inf' }, 'YAML_NOT_JSON'],
    ['a repeated name in YAML', 'a: 1\nb: 2\na: 3\n', { a: 3, b: 2 }, 'DUPLICATE_KEY'],
    ['two YAML documents', 'a: 1\n---\nb: 2\n', { a: 1 }, 'YAML_MULTIPLE_DOCUMENTS'],
    ['a byte order mark', '\u{FEFF}a: 1\n', { a: 1 }, undefined],
    ['a byte order mark in JSON', '\u{FEFF}{"a":1}', { a: 1 }, undefined],
    ['a repeated name in JSON', '{"a":1,"b":2,"a":3}', { a: 3, b: 2 }, 'DUPLICATE_KEY'],
    ['comments and trailing commas', '{// so\n"a":[1,],}', { a: [1] }, 'JSON_SYNTAX'],
    ['half a character', '{"a":"x\\ud83d"}', { a: 'x\ufffd' }, 'LONE_SURROGATE'],
    ['a number that is too large', '{"a":1e999}', { a: null }, 'NUMBER_OVERFLOW'],
    ['YAML that begins like JSON', '{a: 1, b: [x]}', { a: 1, b: ['x'] }, undefined],
  ] as readonly (readonly [string, string, Json, string | undefined])[]) {
    test(what, () => {
      const found = read(text)
      assert.deepEqual(found.value, value)
      if (code === undefined) assert.deepEqual(found.codes, [])
      else assert.ok(found.codes.includes(code), found.codes.join())
      const strict = readDocument(text)
      if (what.startsWith('a byte order mark') || text.startsWith('{a')) return
      assert.equal(strict.document, undefined, 'our own documents are read strictly')
    })
  }

  test('members of the prototype are data', () => {
    const { value } = read('a: &a {__proto__: 1}\nb: {<<: *a}\n')
    assert.deepEqual(Object.keys((value as { b: object }).b), ['__proto__'])
  })

  test('what no reader accepts stays an error, with its place', () => {
    for (const text of ['{"a":', 'a: [1\nb: 2', '- a\n b: "', 'a: *none\n']) {
      const { document, issues } = readDocument(text, { foreign: true })
      assert.equal(document, undefined)
      assert.ok((issues?.[0]?.line ?? 0) > 0)
    }
  })

  test('aliases that expand without bound stay an error', () => {
    const lines = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
    for (let n = 1; n < 8; n++)
      lines.push(
        `a${n}: &a${n} [${Array(10)
          .fill(`*a${n - 1}`)
          .join(',')}]`,
      )
    const { issues } = readDocument(lines.join('\n'), { foreign: true })
    assert.equal(issues?.[0]?.code, 'YAML_ALIAS_BOMB')
  })
})
