import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { modelProvider } from '../policy/model-providers.ts'
import { judgeSignature } from '../policy/signature-policy.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { deferTools } from './defer-tools.ts'
import { ignoredMembers } from './degradations/ignored-members.ts'
import { unmetFeatures } from './degradations/unmet-features.ts'
import { configuredRegions, hostCapabilities, keepsRegion } from './host-capabilities.ts'
import { type Inherited, NOTHING_INHERITED, regionsOf, stricter } from './inherited.ts'
import type { HostFacts, OperatorSettings, PiiKey } from './operator-settings.ts'
import { planRouting } from './order-routes.ts'
import type {
  AgingText,
  Degradation,
  ModelParams,
  Plan,
  PlannedLimits,
  PlannedModel,
  PlannedOutput,
  Refusal,
} from './plan.ts'
import { plannedApproval, stricterApproval } from './plan-approval.ts'
import { planConstraints } from './plan-constraints.ts'
import { planExtensions } from './plan-extensions.ts'
import { planHooks } from './plan-hooks.ts'
import { planMemory } from './plan-memory.ts'
import { assumedProvider, planJudge, planModels } from './plan-models.ts'
import { planTopology } from './plan-orchestration.ts'
import { piiRefusals, planPii, withoutPiiInMemory } from './plan-pii.ts'
import { planTelemetry } from './plan-telemetry.ts'
import { planTools } from './plan-tools.ts'
import { planTriggers } from './plan-triggers.ts'
import { serverSecrets } from './server-secrets.ts'
import type { Snapshot } from './snapshot.ts'
import { asksForJson, systemPrompt } from './system-prompt.ts'
import { wholeSchema } from './whole-schema.ts'

/**
 * Returns the plan of a run: the models, what each tool may do, and what this host will not do, with the reasons. Pure.
 * A plan with refusals is complete: it can be printed, and a run of it ends at once with the first refusal.
 */
export function makePlan(
  snapshot: Snapshot,
  settings: OperatorSettings,
  host: HostFacts,
  inherited: Inherited = NOTHING_INHERITED,
): Plan {
  const { definition } = snapshot
  const { agent } = definition
  const level = stricter(agent.compliance?.safety_level ?? 'standard', inherited.level)
  const strict = level === 'strict' || level === 'regulated'
  const regions = regionsOf(agent.compliance?.data_residency, inherited.regions)
  const models = planModels(definition, settings, host, regions)
  const topology = planTopology(snapshot)
  const { telemetry, degradations: unsent } = planTelemetry(definition, settings)
  const approval = stricterApproval(plannedApproval(agent), inherited.approval)
  const asks = approval !== undefined
  const called = deferTools(
    [...planTools(snapshot, settings, host, { models, regions, asks, level }), ...topology.tools],
    settings.rehearsal,
    Math.min(
      ...models.flatMap(({ eligible, provider }) =>
        eligible ? (modelProvider(provider)?.most_tools ?? Number.POSITIVE_INFINITY) : [],
      ),
    ),
  )
  const memory = planMemory(
    snapshot,
    settings,
    host,
    called.map(({ name }) => name),
  )
  const tools = [...called, ...memory.tools]
  const chosen = planJudge(definition, settings, host, regions)
  const judge = chosen?.eligible === true ? chosen : null
  const constraints = planConstraints(definition, inherited, judge !== null)
  const hooks = planHooks(snapshot, settings)
  const triggers = planTriggers(definition)
  const judged = constraints.some(({ enforcement }) => enforcement === 'judge')
  const { degradations, refusals } = unmetFeatures(
    snapshot,
    tools,
    topology.subagents,
    constraints,
    memory,
    capabilitiesFor(agent, settings, host),
    level,
    host.canAudit === true,
    chosen,
  )
  const prompt = systemPrompt(snapshot, constraints)
  const pii = planPii(definition, inherited, settings, prompt)
  const aging = agingTexts(snapshot)
  const key: PiiKey = pii.key_env === undefined ? { state: 'missing' } : host.piiKey(pii.key_env)
  const kept = withoutPiiInMemory(memory.memory, pii, key)
  const secrets = [
    ...(pii.key_env === undefined ? [] : [pii.key_env]),
    ...(judged && judge?.key !== undefined ? [judge.key] : []),
    ...models.flatMap((model) => (model.eligible && model.key !== undefined ? [model.key] : [])),
    ...tools.flatMap((tool) => (tool.gate !== 'deny' && tool.auth !== undefined ? [tool.auth.secret] : [])),
    ...serverSecrets(tools, settings.mcp_servers),
  ]
  return freeze({
    v: 1,
    agent_id: definition.agent_id ?? `unnamed:${snapshot.definition_hash.slice(0, 16)}`,
    agent_name: agent.name,
    ...defined({ agent_version: agent.version }),
    definition_hash: snapshot.definition_hash,
    ...defined({ signature: snapshot.signature }),
    rehearsal: settings.rehearsal,
    ...(settings.rehearsal && settings.rehearsal_asks && { rehearsal_asks: true as const }),
    safety_level: level,
    system_prompt: prompt,
    ...(aging.length > 0 && { aging }),
    models,
    routing: planRouting(agent.model?.routing_strategy ?? 'preferred_first', models),
    params: paramsOf(agent),
    tools,
    subagents: topology.subagents,
    memory: kept.memory,
    ...defined({ orchestration: topology.orchestration }),
    ...(triggers.length > 0 && { triggers }),
    ...(hooks.length > 0 && { hooks }),
    ...planExtensions(tools, models, kept.memory, host, settings.rehearsal),
    constraints,
    audit: agent.compliance?.audit_log === true || inherited.audit,
    ...defined({ approval }),
    ...(judged && judge !== null && { judge }),
    degradations: [
      ...signatureNotes(snapshot, strict),
      ...assumedProvider(definition, settings, host),
      ...degradations,
      ...ignoredMembers(definition, tools, models, topology, constraints, host.queues),
      ...unsent,
    ],
    // A rehearsal has no effects, so missing keys or permissions do not refuse it.
    refusals: settings.rehearsal
      ? []
      : [
          ...unsigned(snapshot, strict),
          ...deprecated(definition, settings),
          ...outside(models, regions),
          ...refusals,
          ...piiRefusals(pii, key.state),
          ...kept.refusals,
        ],
    secrets: settings.rehearsal ? [] : [...new Set(secrets)],
    limits: limitsOf(agent, settings),
    retry: {
      max_retries: agent.runtime?.max_retries ?? 2,
      backoff: agent.runtime?.retry_backoff ?? 'exponential',
      base_ms: settings.retry_base_ms,
    },
    input: defined({ schema: wholeSchema(snapshot, '/agent/io/input_schema', agent.io?.input_schema) }),
    output: outputOf(agent, wholeSchema(snapshot, '/agent/io/output_schema', agent.io?.output_schema)),
    streaming: agent.io?.streaming === true || agent.runtime?.streaming === true,
    ...(agent.io?.streaming === false && { whole: true as const }),
    telemetry,
    pii,
  })
}

function agingTexts({ definition, context }: Snapshot): readonly AgingText[] {
  return (definition.agent.context ?? []).flatMap(
    ({ type, value, label, refresh_ttl_seconds: ttl = 0 }, item) => {
      const read = context[item]
      if (type !== 'url' || ttl === 0 || read === undefined) return []
      return [
        {
          item,
          url: value,
          ...defined({ label }),
          ttl_ms: ttl * 1000,
          ...(read.found && { sha256: read.sha256 }),
        },
      ]
    },
  )
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const member of Object.values(value)) freeze(member)
  return Object.freeze(value)
}

/** Returns a refusal if the signature of the definition does not meet the policy of its source (AAIF §12). */
function unsigned({ signature }: Snapshot, strict: boolean): readonly Refusal[] {
  const judged = signature === undefined ? undefined : judgeSignature(signature, strict)
  if (judged?.verdict !== 'refuse') return []
  return [
    {
      code: 'SIGNATURE_REFUSED',
      message: `the signature check refuses this definition: ${judged.reason}`,
      pointer: '/provenance/signature',
      rule: 'AAIF-12-13',
      hint: 'get the file from its author again, trust the signer (`waybill keys trust`), or change `signatures` in the config',
    },
  ]
}

function signatureNotes({ signature }: Snapshot, strict: boolean): readonly Degradation[] {
  const judged = signature === undefined ? undefined : judgeSignature(signature, strict)
  return judged?.verdict === 'note'
    ? [{ path: '/provenance/signature', reason: judged.reason, rule: 'AAIF-12-13' }]
    : []
}

/** Returns a refusal for a deprecated agent (AAIF §4.1). */
function deprecated(definition: AgentDefinition, settings: OperatorSettings): readonly Refusal[] {
  if (definition.status !== 'deprecated' || settings.allow_deprecated) return []
  return [
    {
      code: 'AGENT_DEPRECATED',
      message: 'the agent is deprecated',
      pointer: '/status',
      rule: 'AAIF-4.1-08',
      hint: 'use the replacement agent, or pass --allow-deprecated',
    },
  ]
}

/** Returns the capabilities of this host for an agent, as its own manifest is negotiated (AAIF §7). */
function capabilitiesFor(
  { compliance }: AgentDefinition['agent'],
  settings: OperatorSettings,
  { extensions, memory }: HostFacts,
): ReadonlySet<string> {
  const regions = configuredRegions(settings.residency)
  const kept = keepsRegion(regions, compliance?.data_residency) ? regions : []
  return hostCapabilities({
    regions: kept,
    embeddings: memory?.embeddings === true,
    ...defined({ extensions }),
  })
}

/** Returns a refusal if no route is inside the required regions (AAIF §4.9). */
function outside(models: readonly PlannedModel[], regions: readonly string[]): readonly Refusal[] {
  if (regions.length === 0 || models.length === 0 || models.some(({ eligible }) => eligible)) return []
  const unproven = models.find(({ reason_code }) => reason_code === 'RESIDENCY_UNPROVEN')
  if (unproven === undefined) return []
  return [
    {
      code: 'RESIDENCY_UNPROVEN',
      message: `no route keeps data in ${regions.join(' and ')}: ${unproven.reason}`,
      pointer: '/agent/compliance/data_residency',
      rule: 'AAIF-4.9-05',
      hint: 'use a local model, or configure the regions of your providers (residency)',
    },
  ]
}

function paramsOf(agent: AgentDefinition['agent']): ModelParams {
  const { temperature, params } = agent.model ?? {}
  return { ...defined({ temperature }), ...(params as ModelParams | undefined) }
}

/** The default of `runtime.concurrency` in the schema. */
const DEFAULT_CONCURRENCY = 1

function limitsOf(agent: AgentDefinition['agent'], { budget }: OperatorSettings): PlannedLimits {
  const { timeout_seconds: timeout } = agent.runtime ?? {}
  return {
    max_iterations: agent.orchestration?.max_iterations ?? 10,
    ...(agent.runtime?.concurrency === undefined
      ? { unattended_concurrency: DEFAULT_CONCURRENCY }
      : { concurrency: agent.runtime.concurrency }),
    ...(timeout !== undefined && { timeout_ms: timeout * 1000 }),
    ...(budget.seconds !== undefined && { budget_ms: budget.seconds * 1000 }),
    ...defined({ budget_tokens: budget.tokens, budget_usd: budget.usd, budget_calls: budget.calls }),
  }
}

function outputOf(agent: AgentDefinition['agent'], schema: JsonObject | undefined): PlannedOutput {
  const format = agent.model?.response_format
  const json = schema !== undefined || asksForJson(agent)
  const markdown = format === 'markdown' || agent.io?.format === 'markdown'
  return {
    format: json ? 'json' : markdown ? 'markdown' : 'text',
    ...defined({ schema }),
    structured: format === 'json_schema' && schema !== undefined,
  }
}
