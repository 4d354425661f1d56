import { defined } from '../../document/defined.ts'
import { routeName, routingOf } from '../../plan/order-routes.ts'
import type { Plan, PlannedModel, PlannedRouting } from '../../plan/plan.ts'
import type { RouteSight } from '../ports.ts'
import type { RouteFailure, RouteSkip, RunState } from '../state.ts'
import type { PromptLength } from './prompt-tokens.ts'
import { BREAK_AFTER } from './route-history.ts'

/** The inputs of a choice besides the plan. */
export interface RouteQuestion {
  readonly down: RunState['down']
  /** Routes that have failed for this question. */
  readonly tried: readonly RouteFailure[]
  /** Needed when a context window may be too small; null: not known yet. */
  readonly length: PromptLength | null
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Observations of each route of the plan; absent if the host keeps none. */
  readonly sights?: readonly RouteSight[] | undefined
}

export interface RouteChoice {
  /** Index into `plan.models`; null: no route is left. */
  readonly route: number | null
  readonly why?: string
  readonly skipped: readonly RouteSkip[]
  /** Estimated; absent if the question is far smaller than every context window. */
  readonly prompt_tokens?: number
}

/**
 * Chooses the route of a question (AAIF §4.2). The plan's strategy ranks the eligible routes. A route is
 * skipped if its context window is too small for the question, or while it is closed after failures; if all
 * are closed, the first is used anyway.
 */
export function chooseRoute(plan: Plan, question: RouteQuestion): RouteChoice {
  const routing = routingOf(plan)
  const { tried, sights, at, length } = question
  const left = routing.order.filter((route) => !tried.some((failure) => failure.route === route))
  const skipped: RouteSkip[] = []
  const resting: (RouteSkip & { readonly until: number })[] = []
  const { max_tokens = 0 } = plan.params
  let tokens: number | undefined
  let chosen: number | undefined
  for (const route of ranked(routing, left, sights)) {
    const model = plan.models[route] as PlannedModel
    const window = model.context_window
    if (window !== undefined && length !== null && length.atMost() + max_tokens > window) {
      tokens ??= length.estimate()
      const reason = tooLong(tokens, max_tokens, window)
      if (reason !== null) {
        skipped.push({ route, reason })
        continue
      }
    }
    const rest = restOf(route, question, sights?.[route])
    if (rest.until > at) {
      resting.push({ route, until: rest.until, reason: rest.reason })
      skipped.push({ route, reason: rest.reason })
      continue
    }
    chosen = route
    break
  }
  const [first] = resting.sort((a, b) => a.until - b.until)
  const route = chosen ?? first?.route ?? null
  const why =
    chosen !== undefined
      ? whyOf(plan, routing, chosen, left, sights)
      : `no other route is left, although ${first?.reason}`
  return {
    route,
    ...(route !== null && routing.order.length > 1 && { why }),
    skipped: skipped.filter((skip) => skip.route !== route),
    ...defined({ prompt_tokens: tokens }),
  }
}

function tooLong(tokens: number, max_tokens: number, window: number): string | null {
  if (tokens + max_tokens <= window) return null
  const answer = max_tokens === 0 ? '' : ` and up to ${max_tokens} for the answer`
  return `its context window of ${window} tokens is too small for this question of about ${tokens}${answer}`
}

/** Returns until when a route is closed, from the observations of this run and of other runs; 0 when it is open. */
function restOf(
  route: number,
  { down }: RouteQuestion,
  sight: RouteSight | undefined,
): { readonly until: number; readonly reason: string } {
  const own = down[route] ?? 0
  if (sight?.closed_until === undefined || own >= sight.closed_until)
    return { until: own, reason: 'it was given up in this run' }
  const { failures, closed_until } = sight
  const cause =
    failures >= BREAK_AFTER ? `it failed ${failures} times in a row` : 'its provider asked for a pause'
  return {
    until: closed_until,
    reason: `${cause}, so it is not used until ${new Date(closed_until).toISOString()}`,
  }
}

/**
 * Ranks the routes for strategies that depend on the current observations; the plan orders the other
 * strategies.
 */
function ranked(
  { strategy }: PlannedRouting,
  routes: readonly number[],
  sights: readonly RouteSight[] | undefined,
): readonly number[] {
  if (sights === undefined) return routes
  switch (strategy) {
    case 'latency':
      return [...routes].sort((a, b) => pace(sights[a]) - pace(sights[b]))
    case 'round_robin':
      return [...routes].sort((a, b) => (sights[a]?.turn ?? 0) - (sights[b]?.turn ?? 0))
    default:
      return routes
  }
}

/**
 * Unobserved routes come first, so that each is tried once; routes that were asked and never answered come
 * last.
 */
function pace(sight: RouteSight | undefined): number {
  if (sight?.p50_ms !== undefined) return sight.p50_ms
  return sight === undefined || sight.turn === 0 ? -1 : Number.MAX_SAFE_INTEGER
}

function whyOf(
  { models }: Plan,
  { strategy }: PlannedRouting,
  route: number,
  left: readonly number[],
  sights: readonly RouteSight[] | undefined,
): string {
  const model = models[route] as PlannedModel
  const next = left[0] === route ? 'first' : 'next'
  switch (strategy) {
    case 'preferred_first':
      return `${next} in declared order`
    case 'cost':
      return model.price === undefined
        ? 'no cheaper route is known: its own price is not'
        : `cheapest: ${model.price.input} USD in, ${model.price.output} out per million tokens`
    case 'quality':
      return model.quality === undefined
        ? 'no route with a known rank is better: it has none itself'
        : `ranked highest: ${model.quality}`
    case 'latency': {
      const sight = sights?.[route]
      if (sight?.p50_ms !== undefined) return `fastest: half of its answers came within ${sight.p50_ms} ms`
      return sight?.turn === 0 ? 'not observed yet' : `${next} in declared order: no answer was observed`
    }
    case 'round_robin':
      return sights === undefined
        ? `${next} in declared order: turns are not counted here`
        : 'it is next in turn'
  }
}

/**
 * Returns why a route answers instead of one that would have been asked before it; null if it replaces none.
 */
export function standsInFor(
  plan: Plan,
  route: number,
  failed: readonly RouteFailure[],
  skipped: readonly RouteSkip[],
): { readonly model: string; readonly reason: string } | null {
  const name = (index: number) => routeName(plan.models[index] as PlannedModel)
  const [broken] = failed
  if (broken !== undefined) return { model: name(broken.route), reason: broken.code }
  const [passed] = skipped
  if (passed !== undefined) return { model: name(passed.route), reason: passed.reason }
  const primary = plan.models[0]
  if (primary === undefined || primary.eligible || routingOf(plan).order[0] !== route) return null
  return { model: name(0), reason: primary.reason ?? 'it is not eligible' }
}
