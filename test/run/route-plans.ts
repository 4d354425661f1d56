import { compileProgram } from '../../src/plan/compile-program.ts'
import type { Plan, PlannedModel, PlannedRouting, Program, RoutingStrategy } from '../../src/plan/plan.ts'
import { chooseRoute, type RouteQuestion } from '../../src/run/decide/choose-route.ts'
import type { RouteFailure } from '../../src/run/state.ts'
import { planOf } from './fixture.ts'

export const NOW = 1_000_000

const BASE = planOf()

export function model(name: string, members: Partial<PlannedModel> = {}): PlannedModel {
  return { provider: 'openai', model: name, eligible: true, ...members }
}

export const ABC = [model('a'), model('b'), model('c')]

/** A plan with these models, all of them in the order of the routing. */
export function planWith(
  models: readonly PlannedModel[] = ABC,
  strategy: RoutingStrategy = 'preferred_first',
  params: Plan['params'] = {},
  order: PlannedRouting['order'] = models.map((_, index) => index),
): Plan {
  return { ...BASE, models, params, routing: { strategy, order } }
}

/** A program with the routes a and b, or with the models of `members`. */
export function programWith(members: Partial<Plan> = {}): Program {
  const models = members.models ?? [model('a'), model('b')]
  const order = models.flatMap(({ eligible }, index) => (eligible ? [index] : []))
  return compileProgram({ ...BASE, models, routing: { strategy: 'preferred_first', order }, ...members })
}

export function broken(route: number): RouteFailure {
  return { route, code: 'MODEL_UNAVAILABLE', message: 'no answer' }
}

/** Returns the route that the core chooses at {@link NOW}. */
export function chosen(plan: Plan, question: Partial<RouteQuestion> = {}) {
  return chooseRoute(plan, { down: {}, tried: [], length: null, at: NOW, ...question })
}
