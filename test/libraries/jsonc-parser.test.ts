import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyEdits, modify, parseTree, printParseErrorCode, visit } from 'jsonc-parser'

const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

/** What the readers and the editor of JSON texts rely on. */
describe('jsonc-parser', () => {
  test('a visitor gets offset, length and path of each name and value', () => {
    const seen: unknown[][] = []
    visit('{"a":[1,"x"],"a":-0.5e1}', {
      onObjectBegin: (offset) => void seen.push(['{', offset]),
      onObjectEnd: (offset) => void seen.push(['}', offset]),
      onObjectProperty: (name, offset, length, _line, _column, path) =>
        void seen.push(['name', name, offset, length, path()]),
      onLiteralValue: (value, offset, length, _line, _column, path) =>
        void seen.push(['value', value, offset, length, path()]),
    })
    assert.deepEqual(seen, [
      ['{', 0],
      ['name', 'a', 1, 3, []],
      ['value', 1, 6, 1, ['a', 0]],
      ['value', 'x', 8, 3, ['a', 1]],
      ['name', 'a', 13, 3, []],
      ['value', -5, 17, 6, ['a']],
      ['}', 23],
    ])
  })

  for (const [text, kind, offset] of [
    ['{"a":1 // x\n}', 'InvalidCommentToken', 7],
    ['{"a":1,}', 'PropertyNameExpected', 7],
    ["{'a':1}", 'InvalidSymbol', 1],
    ['[1,]', 'ValueExpected', 3],
    ['', 'ValueExpected', 0],
    ['{"a" 1}', 'ColonExpected', 5],
    ['[1 2]', 'CommaExpected', 3],
    ['{"a":1', 'CloseBraceExpected', 6],
    ['[1', 'CloseBracketExpected', 2],
    ['1 2', 'EndOfFileExpected', 2],
    ['tru', 'InvalidSymbol', 0],
    ['"a', 'UnexpectedEndOfString', 0],
    ['/* a', 'InvalidCommentToken', 0],
    ['1.', 'UnexpectedEndOfNumber', 0],
    ['"\\u00g0"', 'InvalidUnicode', 0],
    ['"\\q"', 'InvalidEscapeCharacter', 0],
    ['"\t"', 'InvalidCharacter', 0],
  ] as const) {
    test(`the first error of ${JSON.stringify(text)} is ${kind}`, () => {
      const found: unknown[] = []
      visit(text, { onError: (code, at) => void found.push([printParseErrorCode(code), at]) }, STRICT)
      assert.deepEqual(found[0], [kind, offset])
    })
  }

  test('what a visitor throws ends the visit', () => {
    const stop = new Error('stop')
    const work = () =>
      visit('[tru, fals]', {
        onError() {
          throw stop
        },
      })
    assert.throws(work, (error) => error === stop)
  })

  test('a tree has arrays, objects and properties of name and value, each with its place', () => {
    const root = parseTree('{"a":[true]}')
    assert.equal(root?.type, 'object')
    const [property] = root?.children ?? []
    assert.equal(property?.type, 'property')
    const [name, value] = property?.children ?? []
    assert.deepEqual([name?.value, name?.offset, name?.length], ['a', 1, 3])
    assert.deepEqual(
      [value?.type, value?.children?.[0]?.value, value?.offset, value?.length],
      ['array', true, 5, 6],
    )
  })

  test('an edit of one member leaves the rest of the text alone', () => {
    const text = '{\n    "b": 1,   "a": {}\n}\n'
    const formattingOptions = { insertSpaces: true, tabSize: 4, eol: '\n' }
    assert.equal(applyEdits(text, modify(text, ['b'], 2, { formattingOptions })), text.replace('1', '2'))
    const added = applyEdits(text, modify(text, ['a', 'c'], 'x', { formattingOptions }))
    assert.deepEqual(JSON.parse(added), { b: 1, a: { c: 'x' } })
    assert.ok(added.startsWith('{\n    "b": 1,'))
  })

  test('without formatting options an edit adds no line', () => {
    const edited = applyEdits('{"a":1}', modify('{"a":1}', ['b'], 2, {}))
    assert.deepEqual(JSON.parse(edited), { a: 1, b: 2 })
    assert.ok(!edited.includes('\n'))
  })
})
