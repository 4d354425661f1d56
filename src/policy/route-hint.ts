import type { AnyCode } from '../document/codes.ts'
import { suggest } from '../document/suggest.ts'
import { keyFor } from './key-binding.ts'
import { modelProvider, providerNames } from './model-providers.ts'

/** The members of a route that a hint names. */
interface HintedRoute {
  readonly provider: string
  readonly model: string
  readonly provider_id?: string
  readonly base_url?: string
}

/** What is known about a problem besides its code. */
export interface RouteProblem {
  /** A code of the network, such as `ECONNREFUSED` or `ERR_SSL_WRONG_VERSION_NUMBER`. */
  readonly network?: string | undefined
  /** A known model of the provider with a similar name. */
  readonly near?: string | undefined
  /** True if the provider reports that the account has no credit. */
  readonly no_credit?: boolean
  /** True if the conversation is longer than the context window of the model. */
  readonly too_long?: boolean
  /** False if the request had no key. */
  readonly key_sent?: boolean
  /** True if the key may not be sent to the address of the route. */
  readonly key_unbound?: boolean
  /** True if servers and workers perform the run, so that keys come from their environment. */
  readonly queued?: boolean | undefined
}

/** Returns what to do about a route that cannot be used, or that failed. Plans and failures of models share it. */
export function routeHint(code: AnyCode, route: HintedRoute, problem: RouteProblem = {}): string {
  const url = addressOf(route)
  const key = keyFor(route).name
  switch (code) {
    case 'MODEL_KEY_MISSING':
      return problem.key_unbound === true
        ? `give this address with --base-url, or add it to providers.${bindingOf(route)}.base_urls in the config`
        : setKey(key, problem)
    case 'MODEL_KEY_UNUSABLE':
      return `remove spaces and line breaks from the value of ${key}`
    case 'MODEL_KEY_REFUSED':
      if (key === undefined) return `check what ${url} requires: this provider is called without a key`
      return problem.key_sent === false
        ? setKey(key, problem)
        : `check the key in ${key}: it may have expired, belong to another account, or not permit this model`
    case 'MODEL_NOT_FOUND':
      return notFound(route, problem, url)
    case 'MODEL_PROVIDER_UNKNOWN':
      return unknownProvider(route)
    case 'MODEL_UNAVAILABLE':
      return unavailable(route, problem, url)
    case 'MODEL_CERTIFICATE_REFUSED':
      return problem.network === undefined
        ? `check that ${url} is the address of a server with a valid certificate; ca_files in the config adds a certificate authority`
        : `the server may not speak TLS: is its address http:// instead of https://? it was called at ${url}`
    case 'MODEL_ANSWER_UNREADABLE':
      return `check that ${url} is the address of the API: a sign-in page, a proxy or a wrong path answers with other content; --base-url changes it`
    case 'MODEL_RATE_LIMITED':
    case 'MODEL_ROUTE_REFUSED':
    case 'MODEL_REQUEST_REFUSED':
      return refusedRequest(code, problem)
    case 'MODEL_TIMEOUT':
      return 'run it again; model.fallbacks in the definition names models to use instead'
    case 'MODEL_UNNAMED':
      return 'add --model PROVIDER/MODEL, or set model.preferred in the definition'
    case 'PRICE_UNKNOWN':
      return `set its price in the config: models."${route.provider}/${route.model}"`
    default:
      return ANOTHER
  }
}

const ANOTHER = '--model PROVIDER/MODEL uses another model; --rehearse needs none'

function setKey(key: string | undefined, { queued }: RouteProblem): string {
  if (queued === true)
    return `set ${key} in the environment of \`waybill up\`, or of each server and worker, and restart them`
  return `set it with \`export ${key}=YOUR_KEY\`, or in a file of NAME=value lines with --env-file .env`
}

function notFound({ provider, model }: HintedRoute, { near }: RouteProblem, url: string): string {
  if (provider === 'ollama')
    return `download it with \`ollama pull ${model}\`; \`ollama list\` shows what is there`
  if (near !== undefined) return `did you mean --model ${provider}/${near}?`
  return provider === 'custom' || modelProvider(provider) === undefined
    ? `check the name of the model, and the address ${url}: most servers with an OpenAI-compatible API need /v1 at its end`
    : `check the name of the model in the list of ${provider}, and that your account may use it`
}

function unknownProvider({ provider }: HintedRoute): string {
  if (provider === 'custom')
    return 'add --base-url URL, such as http://localhost:8080/v1, or set model.base_url in the definition'
  const names = providerNames()
  const near = suggest(provider, names)
  const first = near === undefined ? '' : `did you mean ${near}? `
  return `${first}providers: ${names.join(', ')}, and custom with --base-url; an extension can add others`
}

function unavailable(route: HintedRoute, { network }: RouteProblem, url: string): string {
  switch (network) {
    case 'ECONNREFUSED':
      return route.provider === 'ollama'
        ? `is Ollama running at ${url}? start it with \`ollama serve\``
        : `is the server running at ${url}? start it, or give its address with --base-url`
    case 'EBADPORT':
      return `let the server at ${url} listen on another port, such as 8080`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `check the name ${hostOf(url)} and the network of this machine; models are called directly, without a proxy (HTTPS_PROXY)`
    case undefined:
      return 'run it again later; model.fallbacks in the definition names models to use instead'
    default:
      return `check the network of this machine, and that ${url} answers; models are called directly, without a proxy (HTTPS_PROXY)`
  }
}

function refusedRequest(code: AnyCode, { no_credit, too_long }: RouteProblem): string {
  if (no_credit === true)
    return 'the account has no credit left: add credit at the provider, or use another model with --model PROVIDER/MODEL'
  if (too_long === true)
    return 'shorten the input or the conversation, or use a model with a larger context window: --model PROVIDER/MODEL'
  switch (code) {
    case 'MODEL_RATE_LIMITED':
      return 'wait and run it again; model.fallbacks in the definition names models to use instead'
    case 'MODEL_REQUEST_REFUSED':
      return 'check the part that the provider names, such as model.params or the parameters_schema of a tool'
    default:
      return ANOTHER
  }
}

function bindingOf({ provider, provider_id }: HintedRoute): string {
  return provider === 'custom' ? (provider_id ?? provider) : provider
}

/** Returns the address at which a route is called, without a query. */
export function addressOf({ provider, base_url }: HintedRoute): string {
  const text = base_url ?? modelProvider(provider)?.base_url ?? provider
  const url = URL.parse(text)
  return url === null ? text : `${url.origin}${url.pathname === '/' ? '' : url.pathname}`
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname ?? url
}
