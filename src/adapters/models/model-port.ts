import type { LanguageModelV4, LanguageModelV4StreamPart, SharedV4Warning } from '@ai-sdk/provider'
import type { Code } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Plan, PlannedModel } from '../../plan/plan.ts'
import { extendedCollisions } from '../../policy/extended-params.ts'
import { type KeyBindings, type KeyChoice, keyFor } from '../../policy/key-binding.ts'
import { modelProvider } from '../../policy/model-providers.ts'
import { type RouteProblem, routeHint } from '../../policy/route-hint.ts'
import {
  type ModelAnswer,
  ModelFailure,
  type ModelFailureKind,
  type ModelOptions,
  type ModelPort,
  type ModelRequest,
  type Secrets,
} from '../../run/ports.ts'
import { redactor } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { toModelAnswer } from './answer.ts'
import type { AnswerSink } from './answers/answer-reader.ts'
import { readResponse } from './answers/read-response.ts'
import { type FixedOptions, fixedOptions, offeredTools, withTools } from './call-options.ts'
import { DIALECTS, type DialectEntry } from './dialects.ts'
import { type FailureContext, toModelFailure } from './failure.ts'
import { sentBack } from './opaque-parts.ts'
import { createPromptMapper } from './prompt.ts'
import { createWireFetch, type Exchange } from './wire-fetch.ts'

export interface ModelPortOptions {
  readonly secrets: Secrets
  /** Must be the guarded fetch if routes come from a document. */
  readonly fetch: typeof globalThis.fetch
  readonly bindings?: KeyBindings
  /** Servers and workers perform the runs; see {@link RouteProblem}. */
  readonly queues?: true
}

/** Sends requests to models over HTTP, without retries. */
export function createModelPort(options: ModelPortOptions): ModelPort {
  const lines = new WeakMap<PlannedModel, Line>()
  const mappers = new Map<string, ReturnType<typeof createPromptMapper>>()
  const mapperFor = ({ provider, callId }: Line) => {
    const mapper = mappers.get(provider) ?? createPromptMapper(provider, callId)
    mappers.set(provider, mapper)
    return mapper
  }
  return {
    async ask(request, { signal, onText, onCall }) {
      signal.throwIfAborted()
      const { plan, route } = request
      let line = lines.get(route)
      if (line?.plan !== plan) {
        line = openLine(plan, route, options)
        lines.set(route, line)
      }
      const prompt = mapperFor(line)(plan.system_prompt, request.messages)
      const secret = await untilAborted(secretFor(line, options.secrets), signal)
      try {
        return await untilAborted(
          askOver(line, secret, request, prompt, { signal, ...defined({ onText, onCall }) }),
          signal,
        )
      } catch (error) {
        // The library reports an abort as a failed call, so our own signal is checked first.
        signal.throwIfAborted()
        throw toModelFailure(error, { ...contextOf(line, secret), near: await nearModel(route, error) })
      }
    },
  }
}

/** A prepared route of one plan. */
interface Line {
  readonly plan: Plan
  /** The provider whose opaque parts may be sent. */
  readonly provider: string
  readonly callId: ((id: string) => string) | undefined
  readonly fixed: FixedOptions
  readonly route: PlannedModel
  /** Text for the route in messages. */
  readonly name: string
  readonly key: KeyChoice
  readonly queued: RouteProblem['queued']
  readonly dialect: DialectEntry
  /** Opens the model for one request with this key. */
  readonly open: (secret: string | undefined, exchange: Exchange) => Promise<LanguageModelV4>
}

async function askOver(
  line: Line,
  secret: string | undefined,
  { messages, headers, free_form, shown }: ModelRequest,
  prompt: ReturnType<ReturnType<typeof createPromptMapper>>,
  { signal, onText, onCall }: ModelOptions,
): Promise<ModelAnswer> {
  const { dialect } = line
  const streamed = onText !== undefined
  const back = dialect.keepsMembers ? { back: sentBack(messages, line.provider) } : {}
  const exchange: Exchange = { ...back, blank: () => blankResponse(dialect, streamed) }
  const model = await line.open(secret, exchange)
  const { responseFormat, ...fixed } = line.fixed
  const form = free_form === true ? {} : defined({ responseFormat })
  const call = { ...withTools(fixed, shown), ...form, prompt, abortSignal: signal, ...defined({ headers }) }
  const warnings = streamed
    ? await startWarnings((await model.doStream(call)).stream)
    : (await model.doGenerate(call)).warnings
  if (exchange.response === undefined) throw new TypeError('the library of the provider sent no request')
  const sink: AnswerSink = {
    text: (delta) => {
      if (!signal.aborted) onText?.(delta)
    },
    call: () => onCall?.(),
  }
  const answer = dialect.reader(sink, exchange.jsonTool)
  await readResponse(exchange.response, answer)
  return toModelAnswer({ ...answer.answer(), warnings }, line.provider, messages)
}

function blankResponse({ blank }: DialectEntry, streamed: boolean): Response {
  return streamed
    ? new Response(blank.stream, { headers: { 'content-type': 'text/event-stream' } })
    : Response.json(blank.whole)
}

/** Returns what the library noted about the request. */
async function startWarnings(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<readonly SharedV4Warning[]> {
  let warnings: readonly SharedV4Warning[] = []
  for await (const part of stream) if (part.type === 'stream-start') warnings = part.warnings
  return warnings
}

/** @throws ModelFailure `route` for a route that cannot be used */
function openLine(plan: Plan, route: PlannedModel, { fetch, bindings = {}, queues }: ModelPortOptions): Line {
  const name = nameOf(route)
  const known = modelProvider(route.provider)
  const baseUrl = route.base_url ?? known?.base_url
  const dialect = known?.dialect ?? (route.provider === 'custom' ? 'openai-compatible' : undefined)
  if (dialect === undefined || baseUrl === undefined) {
    const lack =
      dialect === undefined
        ? `provider ${route.provider} is not supported by this host`
        : 'it has no base_url'
    const hint = routeHint('MODEL_PROVIDER_UNKNOWN', route)
    throw notCalled('route', 'MODEL_PROVIDER_UNKNOWN', name, lack, hint)
  }
  const extended: JsonObject = plan.params.extended ?? {}
  const collisions = extendedCollisions(extended)
  if (collisions.length > 0) {
    const what = `params.extended contains ${collisions.join(', ')}, which the runtime sets`
    throw notCalled('route', 'EXTENDED_PARAMS_COLLIDE', name, what)
  }
  const entry = DIALECTS[dialect]
  const { authorize, open, callId } = entry
  const jsonModeOnly = known?.json_mode_only === true
  const offered = offeredTools(plan)
  const toolNames = new Set(offered.map((tool) => tool.name))
  const toolSchemas = new Map(
    offered.flatMap((tool) =>
      tool.parameters_schema ? [[tool.name, orObject(tool.parameters_schema)]] : [],
    ),
  )
  const { origin } = new URL(baseUrl)
  return {
    plan,
    provider: route.provider_id === undefined ? route.provider : `${route.provider}:${route.provider_id}`,
    callId,
    fixed: fixedOptions(plan),
    route,
    name,
    key: keyFor(route, bindings),
    queued: queues,
    dialect: entry,
    open: (secret, exchange) => {
      const wire = createWireFetch(
        {
          fetch,
          ...(secret !== undefined && { authorize: (headers: Headers) => authorize(headers, secret) }),
          origin,
          extended,
          toolSchemas,
          toolNames,
        },
        exchange,
      )
      return open({ model: route.model, baseUrl, name: route.provider, fetch: wire, jsonModeOnly })
    },
  }
}

/** @throws ModelFailure if the key of a route is unusable, or is missing but needed */
async function secretFor({ route, name, key, queued }: Line, secrets: Secrets): Promise<string | undefined> {
  const secret = await routeSecret(route, key, secrets)
  if (secret === undefined && route.base_url === undefined && key.name !== undefined) {
    const why = missing(key.name, key, route)
    const hint = routeHint('MODEL_KEY_MISSING', route, { key_unbound: !key.bound, queued })
    throw notCalled('route', 'MODEL_KEY_MISSING', name, why, hint)
  }
  if (secret !== undefined && !/^[\x21-\x7e]+$/.test(secret)) {
    const why = `${key.name} contains white space or invalid characters`
    const hint = routeHint('MODEL_KEY_UNUSABLE', route)
    throw notCalled('route', 'MODEL_KEY_UNUSABLE', name, why, hint)
  }
  return secret
}

function contextOf({ route, name, key, queued }: Line, secret: string | undefined): FailureContext {
  const keyHint =
    key.name === undefined
      ? 'the provider needs no key'
      : secret === undefined
        ? `no key was sent: ${missing(key.name, key, route)}`
        : `the key came from ${key.name}`
  return { route, name, keyHint, keySent: secret !== undefined, queued, redact: redactor([secret]) }
}

/**
 * Fetches the key of a route. Only a key that the plan names is sent.
 * @throws ModelFailure `unavailable` if the key cannot be fetched
 */
export async function routeSecret(
  route: PlannedModel,
  key: KeyChoice,
  secrets: Secrets,
): Promise<string | undefined> {
  if (key.origin === undefined || key.name === undefined || route.key !== key.name) return undefined
  try {
    return await secrets.get(key.name, { url: new URL(key.origin) })
  } catch (error) {
    const why = messageOf(error)
    throw notCalled('unavailable', 'SECRET_UNAVAILABLE', nameOf(route), why)
  }
}

/** Returns a known model of the provider with a similar name, if the provider may not know this one. */
async function nearModel(route: PlannedModel, error: unknown): Promise<string | undefined> {
  const { statusCode } = error as { readonly statusCode?: unknown }
  if (statusCode !== 404 && statusCode !== 400) return undefined
  // The price data is large, and not needed for other answers.
  const { similarModel } = await import('./price-table.ts')
  return similarModel(route.provider, route.model)
}

function notCalled(
  kind: ModelFailureKind,
  code: Code,
  name: string,
  why: string,
  hint?: string,
): ModelFailure {
  return new ModelFailure(kind, code, `${name} was not called: ${why}`, undefined, hint, {
    outcome: 'unsent',
  })
}

function nameOf(route: PlannedModel): string {
  return `${route.provider_id ?? route.provider}/${route.model}`
}

function missing(name: string, key: KeyChoice, route: PlannedModel): string {
  if (!key.bound) return `${name} is not bound to ${originOrText(route.base_url)}`
  return route.key === name
    ? `set ${name}`
    : `the plan names no key for this route; set ${name} and plan it again`
}

function originOrText(url: string | undefined): string {
  return URL.parse(url ?? '')?.origin ?? String(url)
}

/** Returns a schema that accepts every object instead of one that accepts everything, which the APIs refuse. */
function orObject(schema: JsonObject): JsonObject {
  return Object.keys(schema).length === 0 ? { type: 'object' } : schema
}
