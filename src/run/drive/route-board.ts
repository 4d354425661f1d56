import { routeName } from '../../plan/order-routes.ts'
import type { PlannedModel } from '../../plan/plan.ts'
import {
  afterAnswered,
  afterAsked,
  afterFailed,
  type RouteHistory,
  sightOf,
  UNSEEN,
} from '../decide/route-history.ts'
import type { RouteBoard, RouteSight } from '../ports.ts'

/** By route: `PROVIDER/MODEL`, and where it is reached when not at the provider's own API. */
export type RouteHistories = ReadonlyMap<string, RouteHistory>

/** A route board in memory: later runs of the process see the observations of earlier ones. */
export class MemoryRouteBoard implements RouteBoard {
  readonly #seen: Map<string, RouteHistory>
  readonly #keys = new WeakMap<PlannedModel, string>()
  readonly #changed: () => void
  #turn: number

  /** @param changed called after every observation */
  constructor(seen: RouteHistories = new Map(), changed: () => void = () => {}) {
    this.#seen = new Map(seen)
    this.#changed = changed
    this.#turn = Math.max(0, ...[...seen.values()].map(({ turn }) => turn))
  }

  /** All observations. */
  get histories(): RouteHistories {
    return this.#seen
  }

  read(routes: readonly PlannedModel[], at: number): readonly RouteSight[] {
    return routes.map((route) => sightOf(this.#of(route), at))
  }

  asked(route: PlannedModel, at: number): void {
    this.#turn += 1
    this.#note(route, afterAsked(this.#of(route), this.#turn, at))
  }

  answered(route: PlannedModel, latencyMs: number, at: number): void {
    this.#note(route, afterAnswered(this.#of(route), latencyMs, at))
  }

  failed(route: PlannedModel, failure: Parameters<RouteBoard['failed']>[1], at: number): void {
    this.#note(route, afterFailed(this.#of(route), failure, at))
  }

  #of(route: PlannedModel): RouteHistory {
    return this.#seen.get(this.#key(route)) ?? UNSEEN
  }

  #note(route: PlannedModel, history: RouteHistory): void {
    this.#seen.set(this.#key(route), history)
    this.#changed()
  }

  #key(route: PlannedModel): string {
    const key = this.#keys.get(route) ?? routeKey(route)
    this.#keys.set(route, key)
    return key
  }
}

/** Returns the identity of a route across agents: provider, model and address. */
function routeKey(route: PlannedModel): string {
  const url = route.base_url === undefined ? null : URL.parse(route.base_url)
  // Host and path only: the other parts of an address may be private.
  return url === null ? routeName(route) : `${routeName(route)} at ${url.host}${url.pathname}`
}
