import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { keepLast } from '../../src/adapters/models/keep-last.ts'

describe('the last result', () => {
  test('is cached for the same key, and created again for another', async () => {
    const made: (string | undefined)[] = []
    const get = keepLast(async (key: string | undefined) => made.push(key))
    const given = [undefined, undefined, 'a', 'a', 'b', 'a', undefined]
    const got: number[] = []
    for (const key of given) got.push(await get(key))
    assert.deepEqual(made, [undefined, 'a', 'b', 'a', undefined])
    assert.deepEqual(got, [1, 1, 2, 2, 3, 4, 5])
  })

  test('is shared by concurrent callers', async () => {
    const get = keepLast(async () => ({}))
    const [one, two] = await Promise.all([get('a'), get('a')])
    assert.equal(one, two)
  })

  test('is not cached if it failed, and a failure does not remove a later one', async () => {
    const failures: ((error: Error) => void)[] = []
    const values: unknown[] = []
    const get = keepLast(
      (key: string) =>
        new Promise<unknown>((resolve, reject) => {
          values.push(key)
          if (key === 'bad') failures.push(reject)
          else resolve(key)
        }),
    )
    const [failed, good] = [get('bad'), get('good')]
    failures[0]?.(new Error('not loaded'))
    await assert.rejects(failed, /not loaded/)
    assert.equal(await good, 'good')
    await get('good')
    const again = get('bad')
    failures[1]?.(new Error('not loaded'))
    await assert.rejects(again)
    const third = get('bad')
    failures[2]?.(new Error('not loaded'))
    await assert.rejects(third)
    assert.deepEqual(values, ['bad', 'good', 'bad', 'bad'])
  })
})
