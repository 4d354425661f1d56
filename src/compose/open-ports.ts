import { AsyncLocalStorage } from 'node:async_hooks'
import { createSystemClock } from '../adapters/clock/system-clock.ts'
import type { CallInProgress } from '../adapters/extensions/services.ts'
import type { ExtensionCaller } from '../adapters/extensions/tool-caller.ts'
import { collectorSecrets } from '../adapters/telemetry/collector.ts'
import type { ToolCallers } from '../adapters/tools/tool-port.ts'
import { defined } from '../document/defined.ts'
import { asJson } from '../document/json.ts'
import type { ExtensionFacts, OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { providerWord } from '../plan/plan-extensions.ts'
import { addedApis } from '../plan/plan-models.ts'
import { contextOver } from '../resolve/refresh-context.ts'
import { openPii } from '../run/drive/open-pii.ts'
import type { PiiFinders } from '../run/drive/pii-handler.ts'
import type { PiiPlace } from '../run/drive/pii-values.ts'
import type { Fact } from '../run/event.ts'
import type { ModelPort } from '../run/ports.ts'
import { redactedSecrets } from '../run/redacted-secrets.ts'
import { createRedactor } from '../secret/redact.ts'
import type { Histories, World } from '../session/run-host.ts'
import { readPlannedDocument } from './discover-tools.ts'
import { addedTo, toolServices, withAddedKeys } from './extensions.ts'
import { guardedFetch, guardedUrlFetch, lazyMcp } from './lazy-network.ts'
import { openMemory } from './open-memory.ts'
import { agentTelemetry } from './open-telemetry.ts'
import type { Parts } from './parts.ts'

/**
 * Opens the ports for all runs of an agent. A rehearsal gets test doubles.
 * @param plans plans of all agents that may take part: the secrets of all of them are kept out of every record
 * @param definitions identities of the agents in the home, by definition hash
 * @throws SECRET_UNAVAILABLE if a secret that a plan names cannot be fetched
 */
export async function openWorld(
  plans: readonly Plan[],
  parts: Parts,
  definitions: Readonly<Record<string, string>>,
): Promise<World> {
  const redactor = createRedactor(collectorSecrets(parts.env))
  const secrets = redactedSecrets(parts.secrets, redactor)
  // Fetch secrets before recording starts, because an input or an answer may contain a value before it is used.
  await Promise.all(secretNames(plans, parts.settings).map((name) => secrets.learn(name)))
  const memory = await openMemory(plans, parts, redactor, definitions)
  const clock = createSystemClock()
  const telemetry = agentTelemetry({ ...parts, secrets })
  const finders: PiiFinders = new WeakMap()
  const shared = {
    redactor,
    openPii: (place: PiiPlace | undefined) => openPii(plans, secrets, place, finders),
    openTelemetry: (program: Program, history: () => Promise<Histories>) => telemetry.open(program, history),
  }
  const common = {
    clock,
    ...(memory !== undefined && { memory: memory.port }),
    redact: (fact: Fact): Fact => withRequestState(fact, redactor.json(asJson(fact)) as unknown as Fact),
  }
  if (parts.settings.rehearsal || plans.every((plan) => plan.rehearsal)) {
    const { rehearsalHooks, rehearsalModel, rehearsalTools } = await import('../testing/rehearsal.ts')
    return {
      ...shared,
      ports: {
        ...common,
        model: parts.model ?? rehearsalModel(),
        tools: rehearsalTools(),
        hooks: rehearsalHooks(),
      },
      close: async () => {
        telemetry.close()
        await memory?.close()
      },
    }
  }
  const { facts } = await addedTo(parts.extensions)
  const settings = withAddedKeys(parts.settings, facts)
  const added = await openAdded({ ...parts, secrets }, settings)
  const mcp = lazyMcp({ ...parts, secrets })
  const [
    { createModelPort },
    { createToolPort },
    { createFunctionTool },
    { createHttpTool },
    { createHookPort },
    { reportedFunctions },
    { withinLimits },
    modelFetch,
    toolFetch,
    textFetch,
    { grantedTools },
  ] = await Promise.all([
    import('../adapters/models/model-port.ts'),
    import('../adapters/tools/tool-port.ts'),
    import('../adapters/tools/function-tool.ts'),
    import('../adapters/tools/http-tool.ts'),
    import('../adapters/tools/hook-port.ts'),
    import('../adapters/tools/reported-functions.ts'),
    import('../adapters/tools/within-limits.ts'),
    guardedFetch(settings, apisOf(facts)),
    guardedFetch(settings),
    guardedUrlFetch(settings),
    import('../adapters/tools/granted-tools.ts'),
  ])
  const given = parts.tools ?? { tools: new Map(), hooks: new Map() }
  const { onFunctionError } = parts
  const functions =
    onFunctionError === undefined
      ? given
      : reportedFunctions(given, ({ name, stack }) => onFunctionError({ name, stack: redactor.text(stack) }))
  const http = { fetch: toolFetch, secrets, secretGrants: settings.secret_grants }
  const callers: ToolCallers = {
    function: createFunctionTool(functions),
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
  const model = createModelPort({
    secrets,
    fetch: modelFetch,
    bindings: settings.key_bindings,
    ...defined({ queues: parts.queues }),
  })
  return {
    ...shared,
    ports: {
      ...common,
      model: parts.model ?? (await added.models(model, modelFetch)),
      hooks: createHookPort(functions.hooks),
      context: contextOver(textFetch),
      // Shared by all runs of this agent: a separate count per run would not enforce the limit.
      tools: withinLimits(grantedTools(createToolPort(callers), settings.grants), clock, {
        results: new Map(),
        uses: new Map(),
      }),
    },
    close: async () => {
      telemetry.close()
      await memory?.close()
      await mcp.close()
      await Promise.all([...added.tools.values()].map((tools) => tools.close()))
    },
  }
}

/**
 * Keeps the state that a server gets back unchanged: it is opaque, and often has the form of a token. With a known secret in
 * it the state is left out, and the server asks again.
 */
function withRequestState(fact: Fact, clean: Fact): Fact {
  if (fact.type !== 'call.asked' || clean.type !== 'call.asked') return clean
  const { request_state: given } = fact
  const { request_state: redacted, ...rest } = clean
  if (given === undefined || given === redacted) return clean
  return redacted?.includes('[secret ') === true ? rest : { ...rest, request_state: given }
}

interface AddedPorts {
  readonly tools: ReadonlyMap<string, ExtensionCaller>
  models(own: ModelPort, fetch: typeof globalThis.fetch): Promise<ModelPort>
}

/** Opens the parts of extensions for runs, each at its first use. */
async function openAdded(
  { extensions = [], secrets }: Parts,
  settings: OperatorSettings,
): Promise<AddedPorts> {
  if (extensions.length === 0) return { tools: new Map(), models: async (port) => port }
  const inProgress: CallInProgress = new AsyncLocalStorage()
  const [{ createExtensionCaller }, { withModelProviders }, { createModelServices }, services] =
    await Promise.all([
      import('../adapters/extensions/tool-caller.ts'),
      import('../adapters/extensions/ask-models.ts'),
      import('../adapters/extensions/services.ts'),
      toolServices({ secrets }, settings, inProgress),
    ])
  const protocols = extensions.flatMap(({ toolProtocols }) => Object.entries(toolProtocols ?? {}))
  const providers = extensions.flatMap(({ modelProviders }) => Object.entries(modelProviders ?? {}))
  return {
    tools: new Map(
      protocols.map(([word, protocol]) => [word, createExtensionCaller(protocol, services, inProgress)]),
    ),
    async models(port, fetch) {
      const nowhere = await guardedFetch({ ...settings, grants: { hosts: [] } })
      return withModelProviders(port, new Map(providers), providerWord, ({ baseUrl }) =>
        createModelServices(baseUrl === undefined ? nowhere : fetch, secrets, settings.key_bindings),
      )
    },
  }
}

function apisOf(facts: ExtensionFacts | undefined): readonly string[] {
  return facts === undefined ? [] : addedApis({ extensions: facts })
}

/** Returns the secrets that must never be recorded: those of plans and of the collector. */
function secretNames(plans: readonly Plan[], { telemetry }: OperatorSettings): readonly string[] {
  const planned = plans.flatMap((plan) => plan.secrets)
  return [...new Set([...Object.values(telemetry?.headers ?? {}), ...planned])]
}
