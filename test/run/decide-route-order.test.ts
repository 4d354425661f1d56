import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedModel, RoutingStrategy } from '../../src/plan/plan.ts'
import { type RouteQuestion, standsInFor } from '../../src/run/decide/choose-route.ts'
import type { RouteFailure, RouteSkip } from '../../src/run/state.ts'
import { ABC, broken, chosen, model, NOW, planWith } from './route-plans.ts'

describe('AAIF §4.2 the order of a strategy, and the reason for a choice', () => {
  const seen = (p50_ms: number) => ({ turn: 1, failures: 0, p50_ms })
  const asked = { turn: 1, failures: 1 }
  const never = { turn: 0, failures: 0 }
  const turn = (number: number) => ({ turn: number, failures: 0 })
  const priced = (input: number, output: number) => ({ price: { input, output } })
  const cases: readonly {
    readonly rule: string
    readonly strategy: RoutingStrategy
    readonly models?: readonly PlannedModel[]
    readonly order?: readonly number[]
    readonly sights?: RouteQuestion['sights']
    readonly down?: RouteQuestion['down']
    readonly route: number
    readonly why: string
  }[] = [
    {
      rule: 'AAIF-4.2-09: preferred_first ignores what was observed',
      strategy: 'preferred_first',
      sights: [seen(9), seen(1), seen(5)],
      route: 0,
      why: 'first in declared order',
    },
    {
      rule: 'AAIF-4.2-05: cost names the price',
      strategy: 'cost',
      models: [model('a', priced(1, 4)), model('b')],
      sights: [seen(9), seen(1)],
      route: 0,
      why: 'cheapest: 1 USD in, 4 out per million tokens',
    },
    {
      rule: 'AAIF-4.2-05: cost says that no price is known',
      strategy: 'cost',
      models: [model('a'), model('b')],
      route: 0,
      why: 'no cheaper route is known: its own price is not',
    },
    {
      rule: 'AAIF-4.2-07: quality names the rank',
      strategy: 'quality',
      models: [model('a', { quality: 7 }), model('b')],
      route: 0,
      why: 'ranked highest: 7',
    },
    {
      rule: 'AAIF-4.2-07: quality says that no rank is known',
      strategy: 'quality',
      route: 0,
      why: 'no route with a known rank is better: it has none itself',
    },
    {
      rule: 'AAIF-4.2-06: latency takes the fastest',
      strategy: 'latency',
      sights: [seen(9), seen(10), seen(2)],
      route: 2,
      why: 'fastest: half of its answers came within 2 ms',
    },
    {
      rule: 'AAIF-4.2-06: latency tries a route that was never asked before all others',
      strategy: 'latency',
      sights: [seen(0), never, seen(2)],
      route: 1,
      why: 'not observed yet',
    },
    {
      rule: 'AAIF-4.2-06: latency takes a route without an answer to its request last',
      strategy: 'latency',
      sights: [asked, asked, seen(600_000)],
      route: 2,
      why: 'fastest: half of its answers came within 600000 ms',
    },
    {
      rule: 'AAIF-4.2-06: latency keeps the declared order of routes without an answer',
      strategy: 'latency',
      sights: [asked, asked, asked],
      route: 0,
      why: 'first in declared order: no answer was observed',
    },
    {
      rule: 'AAIF-4.2-06: latency names the place of a route without an answer',
      strategy: 'latency',
      sights: [asked, asked, asked],
      down: { 0: NOW + 1 },
      route: 1,
      why: 'next in declared order: no answer was observed',
    },
    {
      rule: 'AAIF-4.2-06: latency without observations keeps the declared order',
      strategy: 'latency',
      route: 0,
      why: 'first in declared order: no answer was observed',
    },
    {
      rule: 'AAIF-4.2-06: a route that the observations do not list counts as never asked',
      strategy: 'latency',
      sights: [seen(9), seen(3)],
      route: 2,
      why: 'next in declared order: no answer was observed',
    },
    {
      rule: 'AAIF-4.2-08: round_robin takes the route that was used least recently',
      strategy: 'round_robin',
      sights: [turn(10), turn(9), turn(11)],
      route: 1,
      why: 'it is next in turn',
    },
    {
      rule: 'AAIF-4.2-08: round_robin takes a route that was never asked first',
      strategy: 'round_robin',
      sights: [turn(1), turn(2)],
      route: 2,
      why: 'it is next in turn',
    },
    {
      rule: 'AAIF-4.2-08: round_robin keeps the order of routes that were never asked',
      strategy: 'round_robin',
      order: [2, 0, 1],
      sights: [turn(0), turn(2)],
      route: 2,
      why: 'it is next in turn',
    },
    {
      rule: 'AAIF-4.2-08: round_robin without counted turns keeps the declared order',
      strategy: 'round_robin',
      route: 0,
      why: 'first in declared order: turns are not counted here',
    },
    {
      rule: 'AAIF-4.2-08: round_robin without counted turns names the place in that order',
      strategy: 'round_robin',
      down: { 0: NOW + 1 },
      route: 1,
      why: 'next in declared order: turns are not counted here',
    },
  ]
  for (const { rule, strategy, models = ABC, order, sights, down = {}, route, why } of cases) {
    test(rule, () => {
      const choice = chosen(planWith(models, strategy, {}, order), {
        down,
        ...(sights !== undefined && { sights }),
      })
      assert.deepEqual([choice.route, choice.why], [route, why])
    })
  }
})

describe('AAIF-3-01: which model a route stands in for', () => {
  const primary = (members: Partial<PlannedModel>) => [model('a', members), model('b'), model('c')]
  const skip = { route: 1, reason: 'it rests' }
  const cases: readonly (readonly [
    rule: string,
    models: readonly PlannedModel[],
    order: readonly number[],
    route: number,
    failed: readonly RouteFailure[],
    skipped: readonly RouteSkip[],
    replaced: readonly [model: string, reason: string] | null,
  ])[] = [
    ['the first in order replaces none', ABC, [0, 1, 2], 0, [], [], null],
    [
      'the one that failed first',
      ABC,
      [0, 1, 2],
      2,
      [broken(0), broken(1)],
      [skip],
      ['openai/a', 'MODEL_UNAVAILABLE'],
    ],
    ['else the one that was skipped first', ABC, [0, 1, 2], 2, [], [skip], ['openai/b', 'it rests']],
    [
      'else the primary, if it may not be used',
      primary({ eligible: false, reason: 'no key' }),
      [1, 2],
      1,
      [],
      [],
      ['openai/a', 'no key'],
    ],
    [
      'a primary that may not be used for no known reason',
      primary({ eligible: false }),
      [1, 2],
      1,
      [],
      [],
      ['openai/a', 'it is not eligible'],
    ],
    [
      'only the first in order replaces the primary',
      primary({ eligible: false, reason: 'no key' }),
      [1, 2],
      2,
      [],
      [],
      null,
    ],
    ['without models, none', [], [], 0, [], [], null],
  ]
  for (const [rule, models, order, route, failed, skipped, replaced] of cases) {
    test(rule, () => {
      const plan = planWith(models, 'preferred_first', {}, order)
      const expected = replaced === null ? null : { model: replaced[0], reason: replaced[1] }
      assert.deepEqual(standsInFor(plan, route, failed, skipped), expected)
    })
  }
})
