import { modelProvider } from './model-providers.ts'

/**
 * The origins (`https://host[:port]`) to which the operator bound the key of a provider, by provider or, for `custom`,
 * by provider_id.
 */
export type KeyBindings = Readonly<Record<string, readonly string[]>>

/** The members of a route that select its key. */
export interface ModelRoute {
  readonly provider: string
  readonly provider_id?: string
  readonly base_url?: string
}

export interface KeyChoice {
  /** The name of the secret for the route; absent if the provider needs no key. */
  readonly name?: string
  /** True if its value may be sent to the host of the route. */
  readonly bound: boolean
  /** The origin that it is sent to, if it is bound. */
  readonly origin?: string
}

/**
 * Returns the key for a route, and whether it may be sent: a key is sent only to the provider's own origin, or to an
 * origin that the operator bound to it. A definition can name any base URL, so a base URL alone does not bind a key.
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
  return { name, bound, ...(bound && origin !== null && { origin }) }
}

/** Returns `WAYBILL_KEY_` and the provider id in upper case, with `_` for characters other than letters and digits. */
function customKeyName(providerId: string): string {
  return `WAYBILL_KEY_${providerId.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`
}

function originOf(url: string | undefined): string | null {
  const parsed = url === undefined ? null : URL.parse(url)
  return parsed === null || parsed.origin === 'null' ? null : parsed.origin
}
