import type { ToolFunction, ToolModule } from './adapters/tools/tool-module.ts'
import type { Json } from './document/issue.ts'
import { WaybillError } from './document/issue.ts'
import { createRedactor, type Redactor } from './document/redact.ts'
import { compileProgram } from './plan/compile-program.ts'
import type { HostFacts, OperatorSettings } from './plan/operator-settings.ts'
import type { Plan, Program } from './plan/plan.ts'
import { planRun } from './plan/plan-run.ts'
import type { FunctionTraits, Snapshot } from './plan/snapshot.ts'
import { modelGrants } from './policy/model-providers.ts'
import { resolveDefinition } from './resolve/resolve-definition.ts'
import type { Fact } from './run/event.ts'
import type { Clock, ModelPort, ToolPort } from './run/ports.ts'
import type { AgentDefinition } from './spec/aaif/generated/agent.ts'

export type Env = Readonly<Record<string, string | undefined>>

/** What a run is composed of: the operator's settings, the world's variables, and the operator's own functions. */
export interface Parts {
  readonly settings: OperatorSettings
  readonly env: Env
  readonly tools?: ToolModule
}

export interface Prepared {
  readonly snapshot: Snapshot
  readonly program: Program
}

/**
 * Resolves and plans a definition that has been validated.
 * @param folder the definition's own folder, which its files may come from
 */
export async function prepare(
  definition: AgentDefinition,
  parts: Parts,
  folder: string | undefined,
  signal?: AbortSignal,
): Promise<Prepared> {
  const fetches = (definition.agent.context ?? []).some((item) => item.type === 'url')
  const guarded = fetches && !parts.settings.rehearsal ? await guardedFetch(parts.settings) : undefined
  const snapshot = await resolveDefinition(definition, {
    ...(folder !== undefined && { folder }),
    ...(guarded !== undefined && { fetch: guarded }),
    ...(signal !== undefined && { signal }),
    functions: traitsOf(parts.tools),
  })
  const plan = planRun(snapshot, parts.settings, await hostFacts(definition, parts))
  return { snapshot, program: compileProgram(plan) }
}

function traitsOf(module: ToolModule | undefined): Record<string, FunctionTraits> {
  return Object.fromEntries(
    [...(module?.tools ?? [])].map(([name, tool]) => [
      name,
      { read_only: tool.readOnly, idempotent: tool.idempotent },
    ]),
  )
}

/** The price data is loaded only where a route could use it: it costs more than the rest of a start. */
async function hostFacts(definition: AgentDefinition, parts: Parts): Promise<HostFacts> {
  const named = definition.agent.model !== undefined || parts.settings.model !== undefined
  if (!named || parts.settings.rehearsal) return { env: parts.env, priceOf: () => undefined }
  const { openPriceTable } = await import('./adapters/models/price-table.ts')
  return { env: parts.env, priceOf: openPriceTable() }
}

async function guardedFetch(settings: OperatorSettings, forModels = false): Promise<typeof fetch> {
  const { createGuardedFetch } = await import('./adapters/net/guarded-fetch.ts')
  return createGuardedFetch({ grants: forModels ? modelGrants(settings.grants) : settings.grants })
}

export interface RunPorts {
  readonly model: ModelPort
  readonly tools: ToolPort
  readonly clock: Clock
  readonly redact: (fact: Fact) => Fact
  readonly redactor: Redactor
}

/** Opens what a planned run needs of the world; a rehearsal gets doubles and touches nothing. */
export async function openPorts(plan: Plan, parts: Parts): Promise<RunPorts> {
  const redactor = createRedactor(secretValues(plan, parts.env))
  const common = {
    clock: systemClock,
    redactor,
    redact: (fact: Fact): Fact => redactor.json(fact as unknown as Json) as unknown as Fact,
  }
  if (plan.rehearsal) {
    const { rehearsalModel, rehearsalTools } = await import('./testing/rehearsal.ts')
    return { ...common, model: rehearsalModel(), tools: rehearsalTools() }
  }
  const { settings, env } = parts
  const [
    { createModelPort },
    { createToolPort },
    { createFunctionTool },
    { createHttpTool },
    modelFetch,
    toolFetch,
  ] = await Promise.all([
    import('./adapters/models/model-port.ts'),
    import('./adapters/tools/tool-port.ts'),
    import('./adapters/tools/function-tool.ts'),
    import('./adapters/tools/http-tool.ts'),
    guardedFetch(settings, true),
    guardedFetch(settings),
  ])
  return {
    ...common,
    model: createModelPort({ env, fetch: modelFetch, bindings: settings.key_bindings }),
    tools: createToolPort({
      function: createFunctionTool(parts.tools ?? { tools: new Map() }),
      http: createHttpTool({ fetch: toolFetch, env, secrets: settings.secret_grants }),
    }),
  }
}

/** The values that must never reach a record: every secret that the plan names and that is set. */
function secretValues(plan: Plan, env: Env): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const name of plan.secrets) {
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

/** A function tool given in code. Mark it: `Object.assign(fn, { readOnly: true })`; an unmarked one counts as a write. */
export interface InlineTool {
  (args: never, context: { readonly signal: AbortSignal; readonly idempotencyKey: string }): unknown
  readonly readOnly?: boolean
  readonly idempotent?: boolean
}

export function toolModuleOf(tools: Readonly<Record<string, InlineTool>>): ToolModule {
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
    hooks: new Map(),
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
  if (missing.length === 0) return
  throw new WaybillError('FUNCTION_MISSING', {
    fault: 'failed',
    message: `the run needs the function${missing.length > 1 ? 's' : ''} ${missing.join(', ')}`,
    hint: 'give the module that exports them: --tools FILE',
    rule: 'AAIF-4.4-02',
  })
}
