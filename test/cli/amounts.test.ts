import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { count, dollars, duration, grouped } from '../../src/cli/terminal/amounts.ts'
import { ago } from '../../src/session/ago.ts'

describe('amounts as text', () => {
  const numbers: readonly (readonly [amount: number, text: string])[] = [
    [0, '0'],
    [999, '999'],
    [1_000, '1,000'],
    [12_345, '12,345'],
    [999_999, '999,999'],
    [1_000_000, '1,000,000'],
    [Number.MAX_SAFE_INTEGER, '9,007,199,254,740,991'],
    [-1_234, '-1,234'],
    [-123, '-123'],
  ]
  for (const [amount, text] of numbers) {
    test(`${amount} is written as ${text}, as the locale en-US writes it`, () => {
      assert.equal(grouped(amount), text)
      assert.equal(grouped(amount), amount.toLocaleString('en-US'))
    })
  }

  test('one thing has the singular, every other number the plural', () => {
    assert.equal(count(1, 'call'), '1 call')
    assert.equal(count(0, 'call'), '0 calls')
    assert.equal(count(2_000, 'entry', 'entries'), '2,000 entries')
  })

  const durations: readonly (readonly [ms: number, text: string])[] = [
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [59_900, '59.9 s'],
    [60_000, '1 min'],
    [200_000, '3 min 20 s'],
    [3_599_000, '59 min 59 s'],
    [3_600_000, '1 h'],
    [3_660_000, '1 h 1 min'],
  ]
  for (const [ms, text] of durations) {
    test(`${ms} milliseconds are written as ${text}`, () => assert.equal(duration(ms), text))
  }

  const prices: readonly (readonly [usd: number, text: string])[] = [
    [0, '$0'],
    [0.01, '$0.01'],
    [0.0099, '$0.0099'],
    [0.001234, '$0.0012'],
    [12.345, '$12.35'],
  ]
  for (const [usd, text] of prices) {
    test(`${usd} US dollars are written as ${text}`, () => assert.equal(dollars(usd), text))
  }

  const ages: readonly (readonly [ms: number, text: string])[] = [
    [59_999, 'now'],
    [60_000, '1 min ago'],
    [3_599_999, '59 min ago'],
    [3_600_000, '1 h ago'],
    [172_799_999, '47 h ago'],
    [172_800_000, '2 d ago'],
  ]
  for (const [ms, text] of ages) {
    test(`an age of ${ms} milliseconds is written as ${text}`, () => assert.equal(ago(ms), text))
  }
})
