import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { columnsOf, fitColumns } from '../../src/cli/terminal/fit-columns.ts'

describe('columns of a terminal', () => {
  const cases: readonly [text: string, columns: number][] = [
    ['abc', 3],
    ['漢字', 4],
    ['ｗｉｄｅ', 8],
    ['한글', 4],
    ['e\u0301', 1],
    ['🚀!', 3],
    ['שלום', 4],
    ['', 0],
  ]
  for (const [text, columns] of cases)
    test(`${JSON.stringify(text)}: ${columns}`, () => assert.equal(columnsOf(text), columns))

  test('a text is cut where the columns end', () => {
    assert.equal(fitColumns('abcdef', 6), 'abcdef')
    assert.equal(fitColumns('abcdef', 5), 'abcd…')
    assert.equal(fitColumns('漢字かな', 8), '漢字かな')
    assert.equal(fitColumns('漢字かな', 7), '漢字か…')
    assert.equal(fitColumns('漢字かな', 6), '漢字…')
    assert.equal(fitColumns('a b c', 3), 'a…')
    assert.equal(fitColumns('abc', 0), '')
  })
})
