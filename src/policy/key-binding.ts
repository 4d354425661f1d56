import { modelProvider } from './model-providers.ts'

/**
 * The origins (`https://host[:port]`) that the operator bound a provider's key to, by provider or, for `custom`,
 * by provider_id.
 */
export type KeyBindings = Readonly<Record<string, readonly string[]>>

/** What decides about a route's key. */
export interface ModelRoute {
  readonly provider: string
  readonly provider_id?: string
  readonly base_url?: string
}

export interface KeyChoice {
  /** The name of the secret that belongs to the route; absent when the provider takes no key. */
  readonly name?: string
  /** Whether its value may be sent to where the route goes. */
  readonly bound: boolean
}

/**
 * Which key belongs to a route, and whether it may go there: a key goes to the provider's own origin, or to an
 * origin that the operator bound to it. A definition can name any base URL, so its word alone binds nothing.
 */
export function keyFor(route: ModelRoute, bindings: KeyBindings = {}): KeyChoice {
  const known = modelProvider(route.provider)
  const name = known === undefined ? customKeyName(route.provider_id ?? route.provider) : known.key
  if (name === undefined) return { bound: false }
  const origin = originOf(route.base_url ?? known?.base_url)
  const own = known === undefined ? null : originOf(known.base_url)
  const bindName = route.provider === 'custom' ? (route.provider_id ?? 'custom') : route.provider
  const granted = Object.hasOwn(bindings, bindName) ? (bindings[bindName] ?? []) : []
  const bound = origin !== null && (origin === own || granted.some((entry) => originOf(entry) === origin))
  return { name, bound }
}

/** `WAYBILL_KEY_` and the provider id in capitals, everything but letters and digits as `_`. */
function customKeyName(providerId: string): string {
  return `WAYBILL_KEY_${providerId.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
}

function originOf(url: string | undefined): string | null {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed === null || parsed.origin === 'null' ? null : parsed.origin
}
