import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rateLimitResetMs } from '../../src/adapters/models/rate-limit-reset.ts'

const NOW = Date.parse('2026-03-01T09:00:00Z')
const openai = (limit: string, remaining: string, reset: string) => ({
  [`x-ratelimit-limit-${limit}`]: '60',
  [`x-ratelimit-remaining-${limit}`]: remaining,
  [`x-ratelimit-reset-${limit}`]: reset,
})
const anthropic = (limit: string, remaining: string, reset: string) => ({
  [`anthropic-ratelimit-${limit}-remaining`]: remaining,
  [`anthropic-ratelimit-${limit}-reset`]: reset,
})

describe('the delay that rate limits ask for', () => {
  for (const [what, headers, expected] of [
    ['requests', { ...openai('requests', '0', '1s'), ...openai('tokens', '149984', '6m0s') }, 1000],
    ['tokens', { ...openai('requests', '59', '1s'), ...openai('tokens', '0', '6m0s') }, 360_000],
    ['both', { ...openai('requests', '0', '1s'), ...openai('tokens', '0', '1m30.5s') }, 90_500],
    ['neither', { ...openai('requests', '59', '1s'), ...openai('tokens', '10', '6m0s') }, undefined],
    ['milliseconds', openai('requests', '0', '17ms'), 17],
    ['days', openai('requests', '0', '1d2h'), 93_600_000],
    ['a number of seconds', openai('requests', '0', '7.66'), 7660],
    ['seconds since the epoch', openai('requests', '0', String(NOW / 1000 + 5)), 5000],
    ['milliseconds since the epoch', openai('requests', '0', String(NOW + 5)), 5],
    ['a moment in the past', openai('requests', '0', String(NOW / 1000 - 5)), 0],
    [
      'a date',
      {
        ...anthropic('input-tokens', '0', '2026-03-01T09:00:03Z'),
        ...anthropic('requests', '49', '2026-03-01T10:00:00Z'),
      },
      3000,
    ],
    ['one limit of which the rest is not known', { 'x-ratelimit-reset': '4' }, 4000],
    ['the draft of the IETF', { 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9000],
    [
      'several of which no rest is known',
      { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' },
      undefined,
    ],
    ['a text', openai('requests', '0', 'soon'), undefined],
    ['an absurd number', openai('requests', '0', '999999999d'), 31_536_000_000],
    ['nothing', {}, undefined],
    ['no headers', undefined, undefined],
  ] as const)
    test(what, () => assert.equal(rateLimitResetMs(headers, NOW), expected))
})
