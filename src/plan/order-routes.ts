import type { Plan, PlannedModel, PlannedRouting, RoutingStrategy } from './plan.ts'

/**
 * Returns the eligible routes in the order of the strategy (AAIF §4.2 step 3). `preferred_first` keeps the declared
 * order; other strategies sort the primary and the fallbacks together, and ties keep the declared order. Latency and
 * round robin are known only at run time, so here these routes stay in declared order.
 */
export function planRouting(strategy: RoutingStrategy, models: readonly PlannedModel[]): PlannedRouting {
  const eligible = models.flatMap((model, index) => (model.eligible ? [index] : []))
  return { strategy, order: ordered(strategy, eligible, models) }
}

function ordered(
  strategy: RoutingStrategy,
  routes: readonly number[],
  models: readonly PlannedModel[],
): readonly number[] {
  const of = (route: number) => models[route] as PlannedModel
  switch (strategy) {
    case 'cost':
      return [...routes].sort((a, b) => compare(typicalPrice(of(a)), typicalPrice(of(b))))
    case 'quality':
      return [...routes].sort((a, b) => compare(lower(of(a)), lower(of(b))))
    case 'preferred_first':
    case 'latency':
    case 'round_robin':
      return routes
  }
}

/** Returns the blended price: agents read about three times as many tokens as they write. Unknown prices are last. */
function typicalPrice({ price }: PlannedModel): number {
  return price === undefined ? Number.POSITIVE_INFINITY : (3 * price.input + price.output) / 4
}

/** Compares ranks; unknown ranks are last. */
function lower({ quality }: PlannedModel): number {
  return quality === undefined ? Number.POSITIVE_INFINITY : -quality
}

function compare(a: number, b: number): number {
  // The difference of two infinities is NaN, but they are equal.
  return a === b ? 0 : a - b
}

/** Returns the routing of a plan; a plan without it uses the declared order. */
export function routingOf(plan: Plan): PlannedRouting {
  return plan.routing ?? planRouting('preferred_first', plan.models)
}

/** Returns a route as text: `PROVIDER/MODEL`. */
export function routeName({
  provider,
  provider_id,
  model,
}: Pick<PlannedModel, 'provider' | 'provider_id' | 'model'>): string {
  return `${provider_id ?? provider}/${model}`
}
