import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { appendStep, fromPointer, toPointer } from '../../src/document/json-pointer.ts'
import { readDocument } from '../../src/document/read-document.ts'

function read(text: string, file: string) {
  const { document, issues } = readDocument(text, { file })
  assert.ok(document, JSON.stringify(issues))
  return (pointer: string, key = false) => {
    const { line, column, length } = document.locate(pointer, { key })
    return [line, column, length]
  }
}

describe('places in JSON', () => {
  const locate = read('{\r\n  "a": "é\\n",\r\n  "b/c": [1, {"~": true}],\r\n  "d": {\r\n  }\r\n}', 'a.json')
  const cases: readonly [pointer: string, key: boolean, place: number[]][] = [
    ['', false, [1, 1, 1]],
    ['/a', false, [2, 8, 5]],
    ['/a', true, [2, 3, 3]],
    ['/b~1c', true, [3, 3, 5]],
    ['/b~1c/0', false, [3, 11, 1]],
    ['/b~1c/1/~0', false, [3, 20, 4]],
    ['/b~1c/0', true, [3, 11, 1]],
    ['/d', false, [4, 8, 1]],
    ['/d/none/deeper', false, [4, 8, 1]],
    ['/d/none', true, [4, 3, 3]],
    ['/nowhere', false, [1, 1, 1]],
  ]
  for (const [pointer, key, place] of cases) {
    test(`${pointer || 'the root'}${key ? ' (name)' : ''}`, () =>
      assert.deepEqual(locate(pointer, key), place))
  }
})

describe('places in YAML', () => {
  const locate = read(
    '# note\na: é\n"b/c":\n  - 1\n  - {"~": yes please}\nd: &d\n  e: |\n    long\n    text\nf: *d\n',
    'a.yaml',
  )
  const cases: readonly [pointer: string, key: boolean, place: number[]][] = [
    ['/a', false, [2, 4, 1]],
    ['/a', true, [2, 1, 1]],
    ['/b~1c', true, [3, 1, 5]],
    ['/b~1c/0', false, [4, 5, 1]],
    ['/b~1c/1/~0', false, [5, 11, 10]],
    ['/d/e', true, [7, 3, 1]],
    ['/d/e', false, [7, 6, 1]],
    ['/f', false, [10, 4, 2]],
    ['/f/e', true, [7, 3, 1]],
  ]
  for (const [pointer, key, place] of cases) {
    test(`${pointer}${key ? ' (name)' : ''}`, () => assert.deepEqual(locate(pointer, key), place))
  }
})

test('a hundred thousand positions are found without a search for each', () => {
  const { document } = readDocument(`{${Array.from({ length: 100_000 }, (_, i) => `"k${i}":\n${i}`).join()}}`)
  for (let i = 0; i < 100_000; i++) assert.equal(document?.locate(`/k${i}`).line, i + 2)
})

test('JSON Pointers survive a round trip with every special character', () => {
  const steps = ['', 'a/b', '~1', '~', '0', ' ', '"', '__proto__']
  assert.deepEqual(fromPointer(toPointer(steps)), steps)
  assert.equal(appendStep('', 'a/~b'), '/a~1~0b')
  assert.deepEqual(fromPointer(''), [])
})
