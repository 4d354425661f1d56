import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CloseStack, openTogether } from '../../src/document/close-stack.ts'

describe('things that are opened together', () => {
  const opening = (names: readonly string[], closed: string[]) => async (opened: CloseStack) => {
    for (const name of names) {
      if (name === 'fails') throw new Error('it cannot be opened')
      opened.add(name, async (one) => {
        await Promise.resolve()
        closed.push(one)
        if (one === 'bad') throw new Error('it cannot be closed')
      })
    }
    return () => opened.close()
  }

  test('are closed once, the last one first, also if one of them cannot be closed', async () => {
    const closed: string[] = []
    const close = await openTogether(opening(['a', 'bad', 'c'], closed))
    assert.deepEqual(closed, [])
    await assert.rejects(close(), /it cannot be closed/)
    assert.deepEqual(closed, ['c', 'bad', 'a'])
    await close()
    assert.equal(closed.length, 3)
  })

  test('are closed if a later one cannot be opened, and the error says why it could not', async () => {
    const closed: string[] = []
    await assert.rejects(
      openTogether(opening(['a', 'bad', 'c', 'fails', 'e'], closed)),
      /it cannot be opened/,
    )
    assert.deepEqual(closed, ['c', 'bad', 'a'])
  })
})
