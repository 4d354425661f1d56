import type { ExtensionCaller } from '../adapters/extensions/tool-caller.ts'
import { collectorSecrets } from '../adapters/telemetry/collector.ts'
import type { ResultCache } from '../adapters/tools/cached-results.ts'
import type { RateLedger } from '../adapters/tools/rate-limit.ts'
import type { ToolCallers } from '../adapters/tools/tool-port.ts'
import type { Json } from '../document/issue.ts'
import { createRedactor, type Redactor } from '../document/redact.ts'
import type { ExtensionFacts, OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan } from '../plan/plan.ts'
import { providerWord } from '../plan/plan-extensions.ts'
import { addedApis } from '../plan/plan-models.ts'
import { contextOver } from '../resolve/refresh-context.ts'
import { openPii } from '../run/drive/open-pii.ts'
import type { PiiPort } from '../run/drive/pii-port.ts'
import type { PiiPlace } from '../run/drive/pii-values.ts'
import type { Fact } from '../run/event.ts'
import type { Clock, ContextPort, HookPort, MemoryPort, ModelPort, ToolPort } from '../run/ports.ts'
import { guardedFetch, lazyMcp } from './connections.ts'
import { readPlannedDocument } from './discover-tools.ts'
import { addedTo, toolServices, withAddedKeys } from './extensions.ts'
import { openMemory } from './open-memory.ts'
import type { Env, Parts } from './parts.ts'

export interface RunPorts {
  readonly model: ModelPort
  readonly tools: ToolPort
  readonly hooks: HookPort
  readonly memory?: MemoryPort
  readonly clock: Clock
  readonly redact: (fact: Fact) => Fact
  readonly redactor: Redactor
  /** Ends what the run opened: connections, and the processes behind them. */
  close(): Promise<void>
  readonly pii: PiiPort
  readonly context?: ContextPort
}

/**
 * Opens what planned runs need of the world; a rehearsal gets doubles and touches nothing.
 * @param plans of every agent that may take part: the secrets of all of them are kept out of every record
 * @param place where what stands for personal data is kept; absent: in memory only
 * @throws PII_KEY_MISSING, PII_KEY_INVALID, PII_VALUES_UNREADABLE when personal data could not be handled as planned
 */
export async function openPorts(plans: readonly Plan[], parts: Parts, place?: PiiPlace): Promise<RunPorts> {
  const redactor = createRedactor(
    new Map([...collectorSecrets(parts.settings, parts.env), ...secretValues(plans, parts.env)]),
  )
  const memory = await openMemory(plans, parts, redactor)
  const common = {
    clock: systemClock,
    redactor,
    ...(memory !== undefined && { memory: memory.port }),
    redact: (fact: Fact): Fact => redactor.json(fact as unknown as Json) as unknown as Fact,
    pii: openPii(plans, parts.env, place).port,
  }
  if (parts.settings.rehearsal || plans.every((plan) => plan.rehearsal)) {
    const { rehearsalHooks, rehearsalModel, rehearsalTools } = await import('../testing/rehearsal.ts')
    return {
      ...common,
      model: rehearsalModel(),
      tools: rehearsalTools(),
      hooks: rehearsalHooks(),
      close: async () => memory?.close(),
    }
  }
  const { env } = parts
  const { facts } = await addedTo(parts.extensions)
  const settings = withAddedKeys(parts.settings, facts)
  const added = await openAdded(parts, settings)
  const mcp = lazyMcp(parts)
  const [
    { createModelPort },
    { createToolPort },
    { createFunctionTool },
    { createHttpTool },
    { createHookPort },
    { withinLimits },
    modelFetch,
    toolFetch,
  ] = await Promise.all([
    import('../adapters/models/model-port.ts'),
    import('../adapters/tools/tool-port.ts'),
    import('../adapters/tools/function-tool.ts'),
    import('../adapters/tools/http-tool.ts'),
    import('../adapters/tools/hook-port.ts'),
    import('../adapters/tools/within-limits.ts'),
    guardedFetch(settings, apisOf(facts)),
    guardedFetch(settings),
  ])
  const http = { fetch: toolFetch, env, secrets: settings.secret_grants }
  const callers: ToolCallers = {
    function: createFunctionTool(parts.tools ?? { tools: new Map() }),
    http: createHttpTool(http),
    mcp: { call: async (request, options) => (await mcp.open()).call(request, options) },
    ...(plans.some(({ tools }) => tools.some(({ protocol }) => protocol === 'openapi')) && {
      openapi: (await import('../adapters/openapi/openapi-tool.ts')).createOpenApiTool({
        ...http,
        grants: settings.grants,
        readFile: readPlannedDocument,
      }),
    }),
    ...Object.fromEntries(added.tools),
  }
  const model = createModelPort({ env, fetch: modelFetch, bindings: settings.key_bindings })
  return {
    ...common,
    model: await added.models(model, modelFetch),
    hooks: createHookPort(parts.tools?.hooks ?? new Map()),
    context: contextOver(toolFetch),
    tools: withinLimits(createToolPort(callers), systemClock, {
      results: resultsOf(parts),
      uses: RATE_USES,
    }),
    close: async () => {
      await memory?.close()
      await mcp.close()
      await Promise.all([...added.tools.values()].map((tools) => tools.close()))
    },
  }
}

interface AddedPorts {
  readonly tools: ReadonlyMap<string, ExtensionCaller>
  models(own: ModelPort, fetch: typeof globalThis.fetch): Promise<ModelPort>
}

/** What extensions do in a run; each part of one is opened when it is first needed. */
async function openAdded({ extensions = [], env }: Parts, settings: OperatorSettings): Promise<AddedPorts> {
  if (extensions.length === 0) return { tools: new Map(), models: async (port) => port }
  const [{ createExtensionCaller }, { withModelProviders }, { createModelServices }, services] =
    await Promise.all([
      import('../adapters/extensions/tool-caller.ts'),
      import('../adapters/extensions/ask-models.ts'),
      import('../adapters/extensions/services.ts'),
      toolServices({ env }, settings),
    ])
  const protocols = extensions.flatMap(({ toolProtocols }) => Object.entries(toolProtocols ?? {}))
  const providers = extensions.flatMap(({ modelProviders }) => Object.entries(modelProviders ?? {}))
  return {
    tools: new Map(protocols.map(([word, protocol]) => [word, createExtensionCaller(protocol, services)])),
    async models(port, fetch) {
      const nowhere = await guardedFetch({ ...settings, grants: { hosts: [] } })
      return withModelProviders(port, new Map(providers), providerWord, ({ baseUrl }) =>
        createModelServices(baseUrl === undefined ? nowhere : fetch, env, settings.key_bindings),
      )
    },
  }
}

function apisOf(facts: ExtensionFacts | undefined): readonly string[] {
  return facts === undefined ? [] : addedApis({ extensions: facts })
}

/** A rate limit that each run counted for itself would be none: it holds for this process. */
const RATE_USES: RateLedger = new Map()

/** Results kept for as long as those parts live: runs with other variables or functions may not see them. */
const RESULTS = new WeakMap<Parts, ResultCache>()

function resultsOf(parts: Parts): ResultCache {
  const known = RESULTS.get(parts) ?? new Map()
  RESULTS.set(parts, known)
  return known
}

/** The values that must never reach a record: every secret that the plan names and that is set. */
function secretValues(plans: readonly Plan[], env: Env): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const name of plans.flatMap((plan) => plan.secrets)) {
    const value = env[name]
    if (value !== undefined && value !== '') values.set(name, value)
  }
  return values
}

const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop)
        resolve()
      }, ms)
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    }),
}
