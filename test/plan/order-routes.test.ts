import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { planRouting, routeName, routingOf } from '../../src/plan/order-routes.ts'
import type { Plan, PlannedModel, RoutingStrategy } from '../../src/plan/plan.ts'

const route = (members: Partial<PlannedModel>): PlannedModel => ({
  provider: 'p',
  model: 'm',
  eligible: true,
  ...members,
})

describe('AAIF §4.2 the order of routes', () => {
  const models = [
    route({}),
    route({ price: { input: 3, output: 3 }, quality: 2 }),
    route({ eligible: false, price: { input: 0, output: 0 }, quality: 9 }),
    route({ price: { input: 1, output: 8 }, quality: 5 }),
    route({}),
    route({ price: { input: 2, output: 5 }, quality: 5 }),
  ]
  const orders: Readonly<Record<RoutingStrategy, readonly number[]>> = {
    preferred_first: [0, 1, 3, 4, 5],
    latency: [0, 1, 3, 4, 5],
    round_robin: [0, 1, 3, 4, 5],
    // Three parts input and one part output: 3, 2.75 and 2.75; unknown prices come last.
    cost: [3, 5, 1, 0, 4],
    quality: [3, 5, 1, 0, 4],
  }
  for (const [strategy, order] of Object.entries(orders)) {
    test(`${strategy}: ${order.join(' ')}`, () => {
      assert.deepEqual(planRouting(strategy as RoutingStrategy, models), { strategy, order })
    })
  }

  test('input counts three times as much as output', () => {
    const dear = route({ price: { input: 4, output: 1 } })
    const cheap = route({ price: { input: 1, output: 9 } })
    assert.deepEqual(planRouting('cost', [dear, cheap]).order, [1, 0])
    assert.deepEqual(planRouting('cost', [dear, route({ price: { input: 1, output: 11 } })]).order, [0, 1])
  })

  test('a plan without a routing keeps the declared order of its eligible routes', () => {
    const plan = { models } as unknown as Plan
    assert.deepEqual(routingOf(plan), { strategy: 'preferred_first', order: [0, 1, 3, 4, 5] })
    const routing = { strategy: 'cost', order: [4] } as const
    assert.deepEqual(routingOf({ ...plan, routing }), routing)
  })

  test('a route is named by its provider_id when it has one', () => {
    assert.equal(routeName({ provider: 'openai', model: 'm' }), 'openai/m')
    assert.equal(routeName({ provider: 'custom', provider_id: 'own', model: 'm' }), 'own/m')
  })
})
