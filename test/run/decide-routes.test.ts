import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Plan } from '../../src/plan/plan.ts'
import type { RouteQuestion } from '../../src/run/decide/choose-route.ts'
import type { RouteSkip } from '../../src/run/state.ts'
import { broken, chosen, model, NOW, planWith } from './route-plans.ts'

describe('AAIF §4.2 which route a question takes', () => {
  const rest = { turn: 1, failures: 3, closed_until: NOW + 5 }
  const well = { turn: 1, failures: 0 }
  const paused = { turn: 1, failures: 2, closed_until: NOW + 5 }
  const sinceWhen = 'so it is not used until 1970-01-01T00:16:40.005Z'
  const cases: readonly {
    readonly rule: string
    readonly plan?: Plan
    readonly question?: Partial<RouteQuestion>
    readonly route: number | null
    readonly why?: string
    readonly skipped?: readonly RouteSkip[]
  }[] = [
    { rule: 'the first route in order is taken', route: 0, why: 'first in declared order' },
    { rule: 'the only route needs no reason', plan: planWith([model('a')]), route: 0 },
    { rule: 'without routes, none is taken', plan: planWith([]), route: null },
    {
      rule: 'a route that failed for this request is not asked again',
      question: { tried: [broken(0)] },
      route: 1,
      why: 'first in declared order',
    },
    {
      rule: 'if all routes have failed, none is left',
      question: { tried: [broken(0), broken(1), broken(2)] },
      route: null,
    },
    {
      rule: 'a route that this run closed is skipped until its closing time has passed',
      question: { down: { 0: NOW + 1 } },
      route: 1,
      why: 'next in declared order',
      skipped: [{ route: 0, reason: 'it was given up in this run' }],
    },
    {
      rule: 'a route is asked again when its closing time has passed',
      question: { down: { 0: NOW } },
      route: 0,
      why: 'first in declared order',
    },
    {
      rule: 'a route that other runs closed is skipped while it is closed',
      question: { sights: [rest, well, well] },
      route: 1,
      why: 'next in declared order',
      skipped: [{ route: 0, reason: `it failed 3 times in a row, ${sinceWhen}` }],
    },
    {
      rule: 'with fewer than three failures the reason is a pause that the provider requested',
      question: { sights: [paused, well, well] },
      route: 1,
      why: 'next in declared order',
      skipped: [{ route: 0, reason: `its provider asked for a pause, ${sinceWhen}` }],
    },
    {
      rule: 'the later of both times counts: this run closed it for longer',
      question: { down: { 0: NOW + 5 }, sights: [rest, well, well] },
      route: 1,
      why: 'next in declared order',
      skipped: [{ route: 0, reason: 'it was given up in this run' }],
    },
    {
      rule: 'the later of both times counts: other runs closed it for longer',
      question: { down: { 0: NOW + 4 }, sights: [rest, well, well] },
      route: 1,
      why: 'next in declared order',
      skipped: [{ route: 0, reason: `it failed 3 times in a row, ${sinceWhen}` }],
    },
    {
      rule: 'if all routes are closed, the one that opens first is taken',
      question: { down: { 0: NOW + 9, 1: NOW + 3, 2: NOW + 6 } },
      route: 1,
      why: 'no other route is left, although it was given up in this run',
      skipped: [
        { route: 0, reason: 'it was given up in this run' },
        { route: 2, reason: 'it was given up in this run' },
      ],
    },
  ]
  for (const { rule, plan = planWith(), question = {}, route, why, skipped = [] } of cases) {
    test(rule, () => {
      assert.deepEqual(chosen(plan, question), { route, ...(why !== undefined && { why }), skipped })
    })
  }
})

describe('AAIF-4.2-11: a question and the context windows', () => {
  const small = [model('a', { context_window: 100 }), model('b', { context_window: 300 }), model('c')]
  const length = (most: number, estimate = most) => ({ atMost: () => most, estimate: () => estimate })
  const tooSmall = (route: number, window: number, tokens: number, answer = '') => ({
    route,
    reason: `its context window of ${window} tokens is too small for this question of about ${tokens}${answer}`,
  })
  const cases: readonly {
    readonly rule: string
    readonly max_tokens?: number
    readonly length: RouteQuestion['length']
    readonly route: number
    readonly tokens?: number
    readonly skipped?: readonly RouteSkip[]
  }[] = [
    { rule: 'a length that is not known yet excludes no route', length: null, route: 0 },
    { rule: 'a request that certainly fits is not estimated', length: length(100, 1), route: 0 },
    { rule: 'a request that may not fit is estimated', length: length(101, 100), route: 0, tokens: 100 },
    {
      rule: 'a request that is too long by one token goes to the next route',
      length: length(101),
      route: 1,
      tokens: 101,
      skipped: [tooSmall(0, 100, 101)],
    },
    {
      rule: 'a request that fits no window goes to the route with an unknown window',
      length: length(301),
      route: 2,
      tokens: 301,
      skipped: [tooSmall(0, 100, 301), tooSmall(1, 300, 301)],
    },
    { rule: 'max_tokens counts in the length: it fits', max_tokens: 40, length: length(60, 1), route: 0 },
    {
      rule: 'max_tokens counts in the length: it fits by its estimate',
      max_tokens: 40,
      length: length(61, 60),
      route: 0,
      tokens: 60,
    },
    {
      rule: 'max_tokens counts in the length: it does not fit',
      max_tokens: 40,
      length: length(61),
      route: 1,
      tokens: 61,
      skipped: [tooSmall(0, 100, 61, ' and up to 40 for the answer')],
    },
  ]
  for (const { rule, max_tokens, length, route, tokens, skipped = [] } of cases) {
    test(rule, () => {
      const plan = planWith(small, 'preferred_first', max_tokens === undefined ? {} : { max_tokens })
      const choice = chosen(plan, { length })
      assert.deepEqual([choice.route, choice.prompt_tokens, choice.skipped], [route, tokens, skipped])
    })
  }

  test('a question is estimated once for all routes', () => {
    let estimates = 0
    const counting = {
      atMost: () => 900,
      estimate: () => {
        estimates++
        return 900
      },
    }
    assert.equal(chosen(planWith(small), { length: counting }).route, 2)
    assert.equal(estimates, 1)
  })

  test('a route with too small a window is not taken, even if all others are closed', () => {
    const { route } = chosen(planWith(small), {
      length: length(101),
      down: { 1: NOW + 2, 2: NOW + 1 },
    })
    assert.equal(route, 2)
  })
})
