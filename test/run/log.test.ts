import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Log } from '../../src/run/log.ts'

describe('a log that states share', () => {
  const old = Log.empty<string>().append(['a', 'b'])
  const newer = old.append(['c'])
  const branch = old.append(['d', 'e'])

  const cases: readonly (readonly [name: string, log: Log<string>, items: readonly string[]])[] = [
    ['the empty log', Log.empty<string>(), []],
    ['an older log that two others were made from', old, ['a', 'b']],
    ['the first log made from it', newer, ['a', 'b', 'c']],
    ['the second log made from it', branch, ['a', 'b', 'd', 'e']],
    ['a log to which no entry was added', newer.append([]), ['a', 'b', 'c']],
  ]
  for (const [name, log, items] of cases) {
    test(`${name} contains its own entries only`, () => {
      assert.deepEqual(log.toArray(), items)
      assert.equal(log.length, items.length)
      assert.equal(JSON.stringify({ log }), JSON.stringify({ log: items }))
      const places = ['a', 'b', 'c', 'd', 'e']
      assert.deepEqual(
        places.map((_, index) => log.at(index)),
        places.map((_, index) => items[index]),
      )
      assert.deepEqual(
        places.filter((wanted) => log.some((item) => item === wanted)),
        items,
      )
    })
  }

  test('a changed copy does not change the log', () => {
    old.toArray().push('x')
    assert.deepEqual(old.append(['y']).toArray(), ['a', 'b', 'y'])
  })
})
