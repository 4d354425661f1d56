import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  afterAnswered,
  afterAsked,
  afterFailed,
  merged,
  type RouteHistory,
  sightOf,
  UNSEEN,
} from '../../src/run/decide/route-history.ts'
import type { ModelFailureKind } from '../../src/run/ports.ts'

const NOW = 100_000_000
const DAY = 86_400_000
const answers = (count: number, from = 1): RouteHistory['answers'] =>
  Array.from({ length: count }, (_, index) => [from + index, 5] as const)

describe('how long a failing route is closed', () => {
  const probes: readonly (readonly [failures: number, rest: number | undefined])[] = [
    [0, undefined],
    [2, undefined],
    [3, 60_000],
    [4, 120_000],
    [6, 480_000],
    [7, 600_000],
    [50, 600_000],
  ]
  for (const [failures, rest] of probes) {
    test(`a request to a route with ${failures} failures closes it for ${rest ?? 'no'} ms`, () => {
      const { closed_until, ...others } = afterAsked({ at: 1, turn: 1, failures, answers: [] }, 9, NOW)
      assert.deepEqual(others, { at: NOW, turn: 9, failures, answers: [] })
      assert.equal(closed_until, rest === undefined ? undefined : NOW + rest)
    })
  }

  test('a question to a route that its provider paused does not change the pause', () => {
    assert.equal(afterAsked({ ...UNSEEN, closed_until: 7 }, 1, NOW).closed_until, 7)
  })

  const before: RouteHistory = { at: 1, turn: 4, failures: 1, closed_until: 7, answers: [[1, 5]] }
  const failures: readonly {
    readonly rule: string
    readonly kind: ModelFailureKind
    readonly asked?: number
    readonly failures?: number
    readonly after: { readonly failures: number; readonly closed_until?: number }
  }[] = [
    { rule: 'a second failure closes nothing', kind: 'unavailable', after: { failures: 2 } },
    {
      rule: 'the third closes it',
      kind: 'timeout',
      failures: 2,
      after: { failures: 3, closed_until: NOW + 60_000 },
    },
    {
      rule: 'the fourth closes it for twice as long',
      kind: 'malformed',
      failures: 3,
      after: { failures: 4, closed_until: NOW + 120_000 },
    },
    {
      rule: 'a pause that the provider asks for counts from the first failure',
      kind: 'rate_limited',
      asked: 5,
      failures: 0,
      after: { failures: 1, closed_until: NOW + 5 },
    },
    {
      rule: 'the pause that the provider requests replaces the computed one',
      kind: 'rate_limited',
      asked: 5,
      failures: 5,
      after: { failures: 6, closed_until: NOW + 5 },
    },
    {
      rule: 'a pause of an hour is kept',
      kind: 'rate_limited',
      asked: 3_600_000,
      after: { failures: 2, closed_until: NOW + 3_600_000 },
    },
    {
      rule: 'a longer pause is cut to an hour',
      kind: 'rate_limited',
      asked: 3_600_001,
      after: { failures: 2, closed_until: NOW + 3_600_000 },
    },
    {
      rule: 'a request that the provider rejects shows that the route is available',
      kind: 'request',
      after: { failures: 0 },
    },
    {
      rule: 'a rejected key or model does not change the history',
      kind: 'route',
      after: { failures: 1, closed_until: 7 },
    },
  ]
  for (const { rule, kind, asked, failures: had = 1, after } of failures) {
    test(`${kind}: ${rule}`, () => {
      const failure = { kind, ...(asked !== undefined && { retry_after_ms: asked }) }
      const history = afterFailed({ ...before, failures: had }, failure, NOW)
      assert.deepEqual(history, { at: NOW, turn: 4, answers: [[1, 5]], ...after })
    })
  }

  test('an answer reopens the route and clears the failures', () => {
    assert.deepEqual(afterAnswered({ ...before, failures: 9 }, 12.6, NOW), {
      at: NOW,
      turn: 4,
      failures: 0,
      answers: [
        [1, 5],
        [NOW, 13],
      ],
    })
  })

  test('the latest 32 answers are kept', () => {
    for (const [had, first] of [
      [31, 1],
      [32, 2],
    ] as const) {
      const kept = afterAnswered({ ...before, answers: answers(had) }, 5, NOW).answers
      assert.equal(kept.length, 32)
      assert.deepEqual(
        [kept[0], kept.at(-1)],
        [
          [first, 5],
          [NOW, 5],
        ],
      )
    }
  })
})

describe('which entries of a history are still in force', () => {
  const medians: readonly (readonly [rule: string, times: readonly number[], p50: number | undefined])[] = [
    ['no answer has no median', [], undefined],
    ['one answer is its own median', [7], 7],
    ['the lower of two', [8, 7], 7],
    ['the middle of three, by number and not by text', [100, 9, 20], 20],
    ['the lower middle of four', [100, 9, 20, 30], 20],
  ]
  for (const [rule, times, p50_ms] of medians) {
    test(rule, () => {
      const history = { ...UNSEEN, turn: 3, failures: 1, answers: times.map((ms) => [NOW, ms] as const) }
      const expected = { turn: 3, failures: 1, ...(p50_ms !== undefined && { p50_ms }) }
      assert.deepEqual(sightOf(history, NOW), expected)
    })
  }

  test('an answer counts for one day', () => {
    const history = { ...UNSEEN, answers: [[NOW - DAY, 1] as const, [NOW - DAY + 1, 9] as const] }
    assert.equal(sightOf(history, NOW).p50_ms, 9)
    assert.equal(sightOf(history, NOW + 1).p50_ms, undefined)
  })

  test('a route is open again when its closing time has passed', () => {
    assert.equal(sightOf({ ...UNSEEN, closed_until: NOW }, NOW - 1).closed_until, NOW)
    assert.ok(!('closed_until' in sightOf({ ...UNSEEN, closed_until: NOW }, NOW)))
  })
})

describe('two histories of one route', () => {
  const history = (at: number, members: Partial<RouteHistory> = {}): RouteHistory => ({
    ...UNSEEN,
    at,
    ...members,
  })

  test('the later entry counts, and of two at the same time the first', () => {
    const a = history(5, { failures: 1 })
    assert.equal(merged(a, history(6, { failures: 2 })).failures, 2)
    assert.equal(merged(a, history(4, { failures: 2 })).failures, 1)
    assert.equal(merged(a, history(5, { failures: 2 })).failures, 1)
  })

  test('the later question counts, whichever history holds it', () => {
    assert.equal(merged(history(1, { turn: 8 }), history(2, { turn: 3 })).turn, 8)
    assert.equal(merged(history(1, { turn: 3 }), history(2, { turn: 8 })).turn, 8)
  })

  test('answers of both histories are merged without duplicates, oldest first', () => {
    const a = history(9, {
      answers: [
        [1, 5],
        [4, 6],
      ],
    })
    const b = history(9, {
      answers: [
        [1, 5],
        [2, 7],
        [4, 8],
      ],
    })
    assert.deepEqual(merged(a, b).answers, [
      [1, 5],
      [2, 7],
      [4, 6],
      [4, 8],
    ])
  })

  test('the latest 32 answers of both histories are kept', () => {
    const { answers: kept } = merged(
      history(1, { answers: answers(20, 1) }),
      history(1, { answers: answers(20, 21) }),
    )
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [32, [9, 5], [40, 5]])
  })
})
