import type { Plan, PlannedModel, PlannedRouting, RoutingStrategy } from './plan.ts'

/**
 * The eligible routes in the order of the strategy (AAIF §4.2 step 3). `preferred_first` keeps the declared order;
 * any other strategy orders the primary and the fallbacks alike, and the declared order breaks ties. What only the
 * moment tells (latency, whose turn it is) is left to the run: here they stay in declared order.
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

/** Agents read about three times as many tokens as they write. Unknown prices come last. */
function typicalPrice({ price }: PlannedModel): number {
  return price === undefined ? Number.POSITIVE_INFINITY : (3 * price.input + price.output) / 4
}

/** Unknown ranks come last. */
function lower({ quality }: PlannedModel): number {
  return quality === undefined ? Number.POSITIVE_INFINITY : -quality
}

function compare(a: number, b: number): number {
  // Two infinities are equal, and their difference is no number.
  return a === b ? 0 : a - b
}

/** How a plan chooses among its routes; a plan without the member keeps to the declared order. */
export function routingOf(plan: Plan): PlannedRouting {
  return plan.routing ?? planRouting('preferred_first', plan.models)
}

/** A route as people write it: `PROVIDER/MODEL`. */
export function routeName({
  provider,
  provider_id,
  model,
}: Pick<PlannedModel, 'provider' | 'provider_id' | 'model'>): string {
  return `${provider_id ?? provider}/${model}`
}
