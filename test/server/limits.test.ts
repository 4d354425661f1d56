import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Limiter } from '../../src/http/limits.ts'

const LIMITS = { requestsPerSecond: 1, burst: 2, concurrentRequests: 3, concurrentStreams: 1 }

function limited() {
  let now = 0
  const limiter = new Limiter(LIMITS, () => now)
  return { limiter, pass: (ms: number) => (now += ms) }
}

const member = (user: string, organisation = 'acme') => ({ organisation, user })
const code = (expected: string) => (error: unknown) => (error as { code?: string }).code === expected

describe('the limits of principals and of their organisation', () => {
  test('an organisation may do ten times as much as a member, in requests per second', () => {
    const { limiter, pass } = limited()
    for (let n = 0; n < 20; n++) limiter.request(member(`m${Math.floor(n / 2)}`))()
    assert.throws(() => limiter.request(member('new')), code('RATE_EXCEEDED'))
    limiter.request(member('new', 'other'))()
    pass(1000)
    for (let n = 0; n < 10; n++) limiter.request(member(`n${n}`))()
    assert.throws(() => limiter.request(member('n10')), /this organisation sends too many requests/)
  })

  test('the same in streams, and what is refused takes no place', () => {
    const { limiter } = limited()
    const ends = Array.from({ length: 10 }, (_, n) => limiter.stream(member(`m${n}`)))
    for (let n = 0; n < 3; n++)
      assert.throws(() => limiter.stream(member('new')), /10 event streams of this organisation/)
    assert.throws(() => limiter.stream(member('m0')), /1 event streams of this principal/)
    limiter.stream(member('m0', 'other'))
    ends[0]?.()
    ends[0]?.()
    limiter.stream(member('new'))
    assert.throws(() => limiter.stream(member('m0')), code('REQUESTS_EXCEEDED'))
  })

  test('a member that is refused takes nothing from the organisation', () => {
    const { limiter } = limited()
    for (let n = 0; n < 100; n++)
      try {
        limiter.request(member('greedy'))()
      } catch {}
    limiter.request(member('other'))()
  })
})
