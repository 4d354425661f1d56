import type { Code } from '../document/codes.ts'
import { defined } from '../document/defined.ts'
import { ownMember } from '../document/own-member.ts'
import { hostsForUse, urlFingerprint } from '../policy/call-fingerprint.ts'
import { judgeUrl } from '../policy/endpoint-gate.ts'
import { extendedCollisions } from '../policy/extended-params.ts'
import { keyFor } from '../policy/key-binding.ts'
import {
  callableProvider,
  localModelHosts,
  modelGrants,
  modelProvider,
  providerNames,
} from '../policy/model-providers.ts'
import { judgeResidency } from '../policy/residency.ts'
import { routeHint } from '../policy/route-hint.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { qualityOf } from './model-quality.ts'
import type { HostFacts, ModelFacts, OperatorSettings, ProviderFacts } from './operator-settings.ts'
import type { Degradation, Plan, PlannedModel } from './plan.ts'
import { providerWord } from './plan-extensions.ts'

interface Route {
  readonly provider: string
  readonly model: string
  readonly provider_id?: string
  readonly base_url?: string
  /** US dollars per 1,000 tokens. */
  readonly ceiling?: number
}

/** The reason why a route cannot be used. Programs must use only the code; the message is for people. */
interface RouteReason {
  readonly code: Code
  readonly message: string
  /** Default: the hint of the code, see `routeHint`. */
  readonly hint?: string
}

/** Returns all routes in declared order, each with whether it can be used (AAIF §4.2). */
export function planModels(
  definition: AgentDefinition,
  settings: OperatorSettings,
  host: HostFacts,
  regions: readonly string[] = [],
): readonly PlannedModel[] {
  const model = definition.agent.model
  return routesOf(definition, settings, host).map((route) => planRoute(route, model, settings, host, regions))
}

/**
 * Returns the model that checks constraints: the operator's choice, else `evaluation.judge_model` of the definition at
 * the provider of its first route, eligible or not. Null if neither names one.
 */
export function planJudge(
  definition: AgentDefinition,
  settings: OperatorSettings,
  host: HostFacts,
  regions: readonly string[] = [],
): PlannedModel | null {
  const first = routesOf(definition, settings, host)[0]
  const model = definition.agent.evaluation?.judge_model
  const route: Route | undefined =
    settings.judge ?? (model === undefined || first === undefined ? undefined : { ...first, model })
  if (route === undefined) return null
  const moved =
    settings.base_url !== undefined && first !== undefined && route.provider === first.provider
      ? {
          ...route,
          ...defined({ provider_id: first.provider_id }),
          base_url: settings.base_url,
        }
      : route
  return planRoute(moved, undefined, settings, host, regions)
}

function planRoute(
  named: Route,
  model: AgentDefinition['agent']['model'],
  settings: OperatorSettings,
  host: HostFacts,
  regions: readonly string[],
): PlannedModel {
  const added = addedProvider(named, host)
  const base = named.base_url ?? added?.base_url
  const route: Route = base === undefined ? named : { ...named, base_url: base }
  // Data that stays on this machine is in the region of the machine.
  const inProcess = added !== undefined && base === undefined
  const facts = factsOf(route, settings, host)
  const quality = qualityOf(route.provider_id ?? route.provider, route.model, settings.quality)
  const { name, bound, origin } = keyFor(route, settings.key_bindings)
  const present = origin !== undefined && name !== undefined && host.hasSecret(name, { url: new URL(origin) })
  const key = { name, bound, present }
  const reason =
    whyNot(route, model, facts, settings) ??
    (settings.rehearsal
      ? undefined
      : (whyOutside(route, key.bound, settings, inProcess ? [] : regions) ??
        whyUnreachable(route, settings, host) ??
        whyNoKey(route, key, added !== undefined)))
  return {
    provider: route.provider,
    model: route.model,
    ...defined({ provider_id: route.provider_id, base_url: route.base_url }),
    ...(name !== undefined && key.present && { key: name }),
    eligible: reason === undefined,
    ...(reason !== undefined && {
      reason: reason.message,
      reason_code: reason.code,
      hint: reason.hint ?? routeHint(reason.code, route, { queued: host.queues }),
    }),
    ...defined({ price: facts.price, context_window: facts.context_window, quality }),
    ...(facts.price === undefined && {
      ...defined({ similar: host.similarModel?.(route.provider, route.model) }),
    }),
  }
}

/** Returns the facts of a model; the configuration of the operator takes precedence over the price data. */
function factsOf(route: Route, settings: OperatorSettings, host: HostFacts): ModelFacts {
  const named = (provider: string) => ownMember(settings.models ?? {}, `${provider}/${route.model}`)
  return {
    ...host.priceOf(route.provider, route.model),
    ...(named(route.provider_id ?? route.provider) ?? named(route.provider)),
  }
}

function routesOf(
  definition: AgentDefinition,
  settings: OperatorSettings,
  host: HostFacts,
): readonly Route[] {
  const model = definition.agent.model
  const declared: Route[] = []
  if (model?.provider !== undefined || model?.preferred !== undefined) {
    declared.push({
      provider: model.provider ?? providerOf(model.preferred ?? '', definition, settings, host).provider,
      model: model.preferred ?? '',
      ...defined({ provider_id: model.provider_id, base_url: model.base_url }),
    })
  }
  for (const fallback of model?.fallbacks ?? []) {
    declared.push({
      ...sameProvider(fallback, definition, host),
      ...defined({ ceiling: fallback.max_cost_usd_per_1k_tokens }),
    })
  }
  if (declared.length === 0 && settings.rehearsal && settings.model === undefined) {
    declared.push({ provider: 'rehearsal', model: 'rehearsal' })
  }
  return withOverrides(declared, definition, settings, host)
}

/**
 * Returns the route of a provider and a model that the schema gives no address: `custom`, or the `provider_id` of the
 * definition's own custom provider, is the provider at `model.base_url`. A listed provider, or one of an extension, is
 * never replaced by a provider_id of the same name.
 */
function sameProvider(
  { provider, model }: Pick<Route, 'provider' | 'model'>,
  definition: AgentDefinition,
  host: HostFacts,
): Route {
  const { provider_id, base_url } = definition.agent.model ?? {}
  const isListed = modelProvider(provider) !== undefined || addedProvider({ provider }, host) !== undefined
  const isOwn = provider === 'custom' || (provider === provider_id && !isListed)
  return isOwn ? { provider: 'custom', model, ...defined({ provider_id, base_url }) } : { provider, model }
}

/** The provider of a route whose definition names none. */
const NO_PROVIDER = 'unknown'

/**
 * Returns the provider of a model that is named without one, and why: `custom` at an address that is given, otherwise
 * the only provider whose price list has the name. It is never assumed in silence, see {@link assumedProvider}.
 */
function providerOf(
  name: string,
  { agent }: AgentDefinition,
  settings: OperatorSettings,
  host: HostFacts,
): { readonly provider: string; readonly why: string } {
  if (settings.rehearsal) return { provider: 'rehearsal', why: 'a rehearsal needs none' }
  if (settings.base_url !== undefined || agent.model?.base_url !== undefined)
    return { provider: 'custom', why: 'its address is given' }
  const listed = providerNames().filter(
    (provider) =>
      ownMember(settings.models ?? {}, `${provider}/${name}`) !== undefined ||
      host.priceOf(provider, name) !== undefined,
  )
  const [only, ...others] = listed
  if (only !== undefined && others.length === 0)
    return { provider: only, why: `only the price list of ${only} has a model of this name` }
  const lists = listed.length === 0 ? 'no price list has this name' : `${listed.join(' and ')} have this name`
  return { provider: NO_PROVIDER, why: lists }
}

/** Returns a note that says which provider a plan takes for a model that is named without one. */
export function assumedProvider(
  definition: AgentDefinition,
  settings: OperatorSettings,
  host: HostFacts,
): readonly Degradation[] {
  const { preferred, provider } = definition.agent.model ?? {}
  if (preferred === undefined || provider !== undefined || settings.model !== undefined || settings.rehearsal)
    return []
  const assumed = providerOf(preferred, definition, settings, host)
  if (assumed.provider === NO_PROVIDER) return []
  const reason = `model.provider is missing: ${assumed.provider} is taken, because ${assumed.why}`
  return [{ path: '/agent/model/provider', reason, rule: 'AAIF-4.2-11' }]
}

/** Returns the provider of a route if an extension adds it. */
function addedProvider(
  route: Pick<PlannedModel, 'provider' | 'provider_id'>,
  { extensions }: Pick<HostFacts, 'extensions'>,
): ProviderFacts | undefined {
  const providers = extensions?.providers ?? {}
  const name = providerWord(route)
  return Object.hasOwn(providers, name) ? providers[name] : undefined
}

/** Returns the routes: `--model` replaces them, `--base-url` changes the address of the first route's provider. */
function withOverrides(
  declared: readonly Route[],
  definition: AgentDefinition,
  settings: OperatorSettings,
  host: HostFacts,
): readonly Route[] {
  const wanted = settings.model
  const route = wanted && sameProvider(wanted, definition, host)
  const routes: readonly Route[] =
    route === undefined
      ? declared
      : [route.provider === 'custom' ? { ...route, provider_id: route.provider_id ?? 'custom' } : route]
  const moved = settings.base_url
  const first = routes[0]
  if (moved === undefined || first === undefined) return routes
  return routes.map((route) =>
    route.provider === first.provider && route.provider_id === first.provider_id
      ? { ...route, base_url: moved }
      : route,
  )
}

/** Returns the name for the key of the first route: its provider, or for `custom` its provider_id. */
export function primaryProvider(
  definition: AgentDefinition,
  wanted: OperatorSettings['model'],
): string | undefined {
  const model = definition.agent.model
  const provider =
    wanted?.provider ??
    model?.provider ??
    (model?.preferred === undefined ? model?.fallbacks?.[0]?.provider : 'custom')
  return provider === 'custom' ? (model?.provider_id ?? 'custom') : provider
}

/** Returns the same name for a recorded plan. */
export function firstProvider({ models }: Pick<Plan, 'models'>): string | undefined {
  const [first] = models
  return first === undefined ? undefined : providerWord(first)
}

/** Tolerance for rounding: a computed price that equals its ceiling must not exceed it by a last digit. */
const ROUNDING = 1e-9

/** Returns a reason that also applies to a rehearsal. */
function whyNot(
  route: Route,
  model: AgentDefinition['agent']['model'],
  facts: ModelFacts,
  settings: OperatorSettings,
): RouteReason | undefined {
  if (route.model === '') {
    const message = 'no model is named'
    return { code: 'MODEL_UNNAMED', message }
  }
  const collisions = extendedCollisions(model?.params?.extended as Parameters<typeof extendedCollisions>[0])
  if (collisions.length > 0) {
    const message = `params.extended must not set ${collisions.join(', ')}: the runtime sets this itself`
    return { code: 'EXTENDED_PARAMS_COLLIDE', message }
  }
  const needed = model?.min_context_tokens ?? 0
  const { context_window = Number.POSITIVE_INFINITY } = facts
  if (context_window < needed) {
    const message = `its context window of ${context_window} tokens is below min_context_tokens ${needed}`
    return { code: 'CONTEXT_WINDOW_TOO_SMALL', message }
  }
  // A rehearsal costs nothing, so its prices are not looked up.
  if (settings.rehearsal && facts.price === undefined) return undefined
  if (route.ceiling !== undefined) {
    if (facts.price === undefined)
      return { code: 'PRICE_UNKNOWN', message: 'it has a price ceiling, but its price is unknown' }
    const per1k = Math.max(facts.price.input, facts.price.output) / 1000
    if (per1k > route.ceiling * (1 + ROUNDING)) {
      const message = `its price of ${per1k} USD per 1,000 tokens is above its ceiling ${route.ceiling}`
      return { code: 'PRICE_ABOVE_CEILING', message }
    }
  }
  if (settings.budget.usd !== undefined && facts.price === undefined) {
    return { code: 'PRICE_UNKNOWN', message: 'its price is unknown, so --budget usd=N cannot be enforced' }
  }
  return undefined
}

/** Returns a reason if the route is outside a required region (AAIF §4.9). */
function whyOutside(
  { provider_id, ...route }: Route,
  bound: boolean,
  settings: OperatorSettings,
  regions: readonly string[],
): RouteReason | undefined {
  const url = route.base_url ?? modelProvider(route.provider)?.base_url
  for (const region of regions) {
    const verdict = judgeResidency(
      region,
      {
        ...route,
        ...(bound && provider_id !== undefined && { provider_id }),
        ...defined({ url }),
      },
      settings.residency,
    )
    if (!verdict.inside) return { code: 'RESIDENCY_UNPROVEN', message: verdict.reason }
  }
  return undefined
}

function whyUnreachable(route: Route, settings: OperatorSettings, host: HostFacts): RouteReason | undefined {
  if (!callableProvider(route) && addedProvider(route, host) === undefined) {
    const message =
      route.provider === NO_PROVIDER
        ? 'model.provider is missing, and no single price list has the name of the model'
        : route.provider === 'custom'
          ? 'a custom provider has no address without base_url'
          : `the provider ${route.provider} is not supported`
    return { code: 'MODEL_PROVIDER_UNKNOWN', message }
  }
  const url = route.base_url ?? modelProvider(route.provider)?.base_url
  if (url === undefined) return undefined
  // The grant of a local provider is for its own address only: a document may name other paths of the same server.
  const { model_hosts, ...grants } =
    route.base_url === undefined
      ? settings.grants
      : hostsForUse(settings.grants, urlFingerprint(route.base_url))
  const own = route.base_url === undefined && model_hosts !== undefined ? { ...grants, model_hosts } : grants
  const verdict = judgeUrl(url, modelGrants(own, addedApis(host)))
  return verdict.allowed
    ? undefined
    : { code: verdict.code, message: verdict.reason, hint: localHint(route) ?? verdict.hint }
}

/** Returns how to call a provider that runs on this machine at its own address. */
function localHint(route: Route): string | undefined {
  const [local] = route.base_url === undefined ? localModelHosts(route.provider) : []
  return local === undefined
    ? undefined
    : `name the model on the command line: --model ${route.provider}/${route.model}; or allow its server: --allow-host ${local.host}:${local.port}`
}

/** Returns the addresses of the providers that extensions add. */
export function addedApis({ extensions }: Pick<HostFacts, 'extensions'>): readonly string[] {
  return Object.values(extensions?.providers ?? {}).flatMap(({ base_url }) =>
    base_url === undefined ? [] : [base_url],
  )
}

function whyNoKey(
  route: Route,
  key: { readonly name: string | undefined; readonly bound: boolean; readonly present: boolean },
  added: boolean,
): RouteReason | undefined {
  // A custom or local server may need no key; the API of the provider always needs one.
  if (key.name === undefined || route.provider === 'custom' || added) return undefined
  if (!key.bound) {
    const message = `${key.name} may not be sent to ${route.base_url}`
    return {
      code: 'MODEL_KEY_MISSING',
      message,
      hint: routeHint('MODEL_KEY_MISSING', route, { key_unbound: true }),
    }
  }
  return key.present ? undefined : { code: 'MODEL_KEY_MISSING', message: `${key.name} is not set` }
}
