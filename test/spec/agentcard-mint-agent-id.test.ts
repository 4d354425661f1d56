import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { describe, test } from 'node:test'
import { mintAgentId, timeOfAgentId } from 'waybill/spec'
import { having, isValid } from './agentcard-samples.ts'

describe('AgentCard §2.1: creating an agent_id', () => {
  test('CARD-1.1-02: 100,000 ids, made without a registry, are unique', () => {
    const ids = new Set(Array.from({ length: 100_000 }, () => mintAgentId(1_764_000_000_000)))
    assert.equal(ids.size, 100_000)
    for (const id of [...ids].slice(0, 100)) assert.ok(isValid(having({ agent_id: id })))
  })
  test('CARD-2.1-01: 48 bits of time and 80 random bits; the time can be read, and later ids sort after', () => {
    assert.equal(
      mintAgentId(0, (size) => new Uint8Array(size)),
      '0'.repeat(26),
    )
    assert.equal(
      mintAgentId(2 ** 48 - 1, (size) => new Uint8Array(size).fill(255)),
      `7${'Z'.repeat(25)}`,
    )
    assert.equal(
      mintAgentId(1, () => Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 33)),
      '00000000010000000000000011',
    )
    const times = [0, 1, 31, 32, 1_764_000_000_000, 1_764_000_000_001, 2 ** 48 - 1]
    assert.deepEqual(
      times.map((time) => timeOfAgentId(mintAgentId(time))),
      times,
    )
    const ids = times.map((time) => mintAgentId(time))
    assert.deepEqual([...ids].sort(), ids)
    const before = Date.now()
    const now = timeOfAgentId(mintAgentId()) ?? 0
    assert.ok(now >= before && now <= Date.now())
  })
  test('CARD-2.1-02: the random part comes from the secure generator of the system', (t) => {
    t.after(() => syncBuiltinESMExports())
    const given = Uint8Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const secure = t.mock.method(crypto, 'randomBytes', () => Buffer.from(given))
    const weak = t.mock.method(Math, 'random')
    syncBuiltinESMExports()
    const id = mintAgentId(5)
    assert.deepEqual(
      secure.mock.calls.map(({ arguments: asked }) => asked),
      [[10]],
    )
    assert.equal(weak.mock.callCount(), 0)
    t.mock.restoreAll()
    assert.equal(
      id,
      mintAgentId(5, () => given),
    )
  })
  test('CARD-2.1-03: ids of one millisecond are not a sequence', () => {
    const randomPart = (id: string) => {
      let value = 0n
      for (const character of id.slice(10)) {
        value = value * 32n + BigInt('0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(character))
      }
      return value
    }
    const parts = Array.from({ length: 1000 }, () => randomPart(mintAgentId(7)))
    let rises = 0
    for (const [index, part] of parts.slice(1).entries()) {
      const step = part - (parts[index] ?? 0n)
      assert.ok(step > 2n ** 40n || step < -(2n ** 40n), 'no small step')
      if (step > 0n) rises++
    }
    assert.ok(rises > 400 && rises < 600, `${rises} of 999 rise`)
  })
  test('times that do not fit into 48 bits are refused', () => {
    for (const time of [-1, 2 ** 48, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.throws(() => mintAgentId(time), { code: 'AGENT_ID_TIME' })
    }
    for (const id of ['', 'x', '8'.padEnd(26, '0'), '0'.repeat(25), 'u'.repeat(26)]) {
      assert.equal(timeOfAgentId(id), undefined)
    }
  })
})
