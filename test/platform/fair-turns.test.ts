import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as tick } from 'node:timers/promises'
import { FairTurns } from '../../src/platform/engine/fair-turns.ts'

/** Tasks that begin in turns and end when the test says so. */
function stage(limit: number) {
  const turns = new FairTurns(limit)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const begin = (name: string): Promise<void> =>
    turns.during(name.slice(0, 1), async () => {
      begun.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      await end.promise
    })
  const over = async (name: string) => {
    ends.get(name)?.resolve()
    await tick()
  }
  return { begin, begun, over, fail: (name: string) => ends.get(name)?.reject(new Error('failed')) }
}

describe('fair turns', () => {
  it('begin as many tasks as the limit allows, and the others when one is over', async () => {
    const { begin, begun, over } = stage(2)
    for (const name of ['a1', 'a2', 'a3']) void begin(name)
    await tick()
    assert.deepEqual(begun, ['a1', 'a2'])
    await over('a2')
    assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  })

  it('alternate between the organisations that wait, each in the order of its tasks', async () => {
    const { begin, begun, over } = stage(1)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) void begin(name)
    await tick()
    for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']) await over(name)
    assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('a task that fails rejects, and gives its turn to the next', async () => {
    const { begin, begun, fail } = stage(1)
    const first = begin('a1')
    void begin('b1')
    await tick()
    fail('a1')
    await assert.rejects(first, /failed/)
    assert.deepEqual(begun, ['a1', 'b1'])
  })

  it('free turns are not lost or doubled after the last task', async () => {
    const { begin, begun, over } = stage(2)
    for (const name of ['a1', 'a2', 'a3']) void begin(name)
    await tick()
    for (const name of ['a1', 'a2', 'a3']) await over(name)
    for (const name of ['b1', 'b2', 'b3']) void begin(name)
    await tick()
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'b2'])
  })
})
