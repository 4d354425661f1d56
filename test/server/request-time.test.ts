import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { withinIdle } from '../../src/server/request-time.ts'

/** Parts of a body, each after a pause in milliseconds. */
async function* parts(...pauses: readonly number[]): AsyncGenerator<Uint8Array> {
  for (const [n, pause] of pauses.entries()) {
    await sleep(pause)
    yield Uint8Array.of(n)
  }
}

describe('a body that must not be idle', () => {
  test('arrives in order, however long it takes in all', async () => {
    const all: number[] = []
    for await (const [n] of withinIdle(parts(300, 300, 300, 300), 1000)) all.push(n ?? -1)
    assert.deepEqual(all, [0, 1, 2, 3])
  })

  test('is refused when its next part is late, also after parts in time', async () => {
    const all: number[] = []
    const read = async () => {
      for await (const [n] of withinIdle(parts(1, 1, 5000), 100)) all.push(n ?? -1)
    }
    await assert.rejects(read, { code: 'REQUEST_TOO_SLOW' })
    assert.deepEqual(all, [0, 1])
  })

  test('may wait for its reader', async () => {
    const all: number[] = []
    for await (const [n] of withinIdle(parts(1, 1), 400)) {
      all.push(n ?? -1)
      await sleep(600)
    }
    assert.deepEqual(all, [0, 1])
  })

  test('passes its errors on', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Uint8Array.of(1)
      throw new Error('the connection was cut')
    }
    await assert.rejects(async () => {
      for await (const _ of withinIdle(broken(), 1000));
    }, /was cut/)
  })
})
