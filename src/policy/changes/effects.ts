import type * as Aaif from '../../spec/aaif/generated/agent.ts'
import { PII_POLICIES, SAFETY_LEVELS } from '../../spec/aaif/vocabulary.ts'
import { textAt } from '../../spec/loose-members.ts'
import { approvalTrigger, condition } from './condition-rule.ts'
import { constraints } from './constraints-rule.ts'
import { type MemberRule, narrows, neutral, quoted, widens } from './definition-change.ts'
import { items, nested, texts } from './list-rules.ts'
import { backend, memory } from './memory-rules.ts'
import { baseUrl, fallbacks, preferred, provider, providerId } from './model-rules.ts'
import { beforeOthers, consensus, handoffs, pipeline, subagents } from './orchestration-rules.ts'
import { address, atLeast, atMost, flag, plain, right, schema, strictness, whole } from './scalar-rules.ts'
import { authType, endpoint, protocol, scopes, vaultRef } from './tool-rules.ts'

/** The members of a type of the schema, without extensions. */
type Members<T> = { readonly [K in keyof T as K extends `x-${string}` ? never : K]-?: MemberRule }

/**
 * What a change of each member of a definition does to the rights of the agent, by the definitions of the schema
 * (`src/spec/aaif/agent.schema.ts`). A condition is compared as a whole. A change that can be judged only by knowing
 * more than both definitions, in a member that grants rights, widens.
 */
export const EFFECTS = {
  AgentDefinition: {
    _comment: plain,
    sc_standard: plain,
    sc_version: plain,
    agent_id: plain,
    status: whole(true, (before, after) => {
      const change = `was ${quoted(before)}, is ${quoted(after)}`
      if (before === 'deprecated') return widens(`${change}: runs of a deprecated agent are refused`)
      return after === 'deprecated' ? narrows(change) : neutral(change)
    }),
    tags: texts(),
    agent: nested('Agent'),
    provenance: nested('Provenance'),
  } satisfies Members<Aaif.AgentDefinition>,

  Agent: {
    name: plain,
    version: plain,
    description: plain,
    goal: plain,
    instructions: plain,
    skills: texts(),
    required_capabilities: texts('capability', (capability) =>
      capability.startsWith('compliance.') ? 'a host without it may run the agent' : undefined,
    ),
    model: nested('Model'),
    orchestration: nested('Orchestration'),
    context: items({
      of: 'ContextItem',
      noun: 'context',
      nameOf: (item) => textAt(item, 'label') ?? `${textAt(item, 'type')} ${textAt(item, 'value')}`,
      added: (item) =>
        item.type === 'text'
          ? neutral('is added')
          : widens(`is added: one more source, ${quoted(item.value)}`),
      removed: (item) =>
        item.type === 'text' ? neutral('is removed') : narrows('is removed: one source less'),
      moved: neutral('is changed'),
      grants: true,
    }),
    tools: items({
      of: 'Tool',
      noun: 'tool',
      nameOf: (tool) => String(tool.name),
      added: (tool) =>
        widens(
          `is added: one more tool${tool.endpoint === undefined ? '' : `, at ${quoted(tool.endpoint)}`}`,
        ),
      removed: () => narrows('is removed: one tool less'),
      grants: true,
    }),
    memory,
    constraints,
    io: nested('Io'),
    events: nested('Events'),
    runtime: nested('Runtime'),
    telemetry: nested('Telemetry'),
    evaluation: nested('Evaluation'),
    compliance: nested('Compliance'),
  } satisfies Members<Aaif.Agent>,

  Model: {
    provider,
    provider_id: providerId,
    base_url: baseUrl,
    preferred,
    fallbacks,
    routing_strategy: plain,
    min_context_tokens: plain,
    temperature: plain,
    params: nested('ModelParams'),
    response_format: plain,
  } satisfies Members<Aaif.Model>,

  Fallback: {
    provider: plain,
    model: plain,
    max_cost_usd_per_1k_tokens: atMost(),
  } satisfies Members<Aaif.Fallback>,

  ModelParams: {
    max_tokens: plain,
    top_p: plain,
    frequency_penalty: plain,
    presence_penalty: plain,
    stop: texts(),
    seed: plain,
    extended: plain,
  } satisfies Members<Aaif.ModelParams>,

  Orchestration: {
    role: plain,
    subagents,
    handoff: handoffs,
    pipeline,
    parallel_execution: flag(true, 'the sub-agents run at once'),
    max_iterations: atMost(),
    consensus: nested('Consensus'),
  } satisfies Members<Aaif.Orchestration>,

  Subagent: {
    ref: right('agent'),
    // The name that sub-agents are compared by. An alias that is equal to the ref changes nothing.
    alias: whole(false, () => null),
    role: plain,
    when: condition({ text: 'never', absent: 'always', permits: true }),
    pass_memory_keys: texts('memory item that is passed'),
  } satisfies Members<Aaif.Subagent>,

  HandoffRule: {
    condition: beforeOthers(condition({ text: 'never', absent: 'never', permits: true })),
    // The name that hand-offs are compared by.
    target_agent: plain,
    pass_context: flag(true, 'the receiver gets the conversation'),
    pass_memory: flag(true, 'the receiver gets the long-term memory'),
  } satisfies Members<Aaif.HandoffRule>,

  Consensus: {
    strategy: consensus,
    min_votes: atLeast(1),
    referee_agent: right('agent'),
  } satisfies Members<Aaif.Consensus>,

  ContextItem: {
    type: right('kind of source'),
    label: plain,
    value: whole(true, (before, after, { owners }) => {
      const change = `was ${quoted(before)}, is ${quoted(after)}`
      const isText = owners.before.type === 'text' && owners.after.type === 'text'
      return isText ? neutral('is changed') : widens(`is another source: ${change}`)
    }),
    description: plain,
    refresh_ttl_seconds: plain,
  } satisfies Members<Aaif.ContextItem>,

  Tool: {
    // The name that tools are compared by.
    name: plain,
    description: plain,
    protocol,
    parameters_schema: schema('arguments'),
    output_schema: plain,
    endpoint,
    auth: nested('ToolAuth'),
    cache_ttl_seconds: plain,
    timeout_seconds: atMost(),
    rate_limit: nested('RateLimit'),
  } satisfies Members<Aaif.Tool>,

  ToolAuth: {
    type: authType,
    env_var: right('secret'),
    vault_ref: vaultRef,
    header: plain,
    scopes,
    token_url: address,
  } satisfies Members<Aaif.ToolAuth>,

  VaultRef: {
    provider: right('secret'),
    path: right('secret'),
    key: whole(true, (before, after) =>
      widens(`is another secret: was ${quoted(before)}, is ${quoted(after)}`),
    ),
    version: plain,
  } satisfies Members<Aaif.VaultRef>,

  RateLimit: {
    requests_per_minute: atMost(),
    tokens_per_minute: atMost(),
  } satisfies Members<Aaif.RateLimit>,

  MemoryEntry: {
    // Scope and key are the name that memories are compared by.
    scope: plain,
    key: plain,
    content: plain,
    backend,
    ttl_seconds: atMost({ unlimited: 0 }),
    embedding_model: plain,
    retrieval_strategy: plain,
    top_k: plain,
  } satisfies Members<Aaif.MemoryEntry>,

  Io: {
    input_schema: schema('inputs'),
    output_schema: schema('outputs'),
    streaming: plain,
    format: plain,
    mode: plain,
  } satisfies Members<Aaif.Io>,

  Events: {
    triggers: items({
      of: 'Trigger',
      noun: 'trigger',
      nameOf: (trigger) =>
        [trigger.type, trigger.event_name, trigger.webhook_path]
          .filter((part) => part !== undefined)
          .join(' '),
      added: ({ type }) =>
        type === 'manual'
          ? neutral('is added: a person starts the run')
          : widens('is added: it starts runs without a person'),
      removed: ({ type }) => (type === 'manual' ? neutral('is removed') : narrows('is removed')),
      grants: true,
    }),
    on_start: right('function'),
    on_complete: right('function'),
    on_error: right('function'),
    on_tool_call: whole(true, (before, after) => {
      if (before === undefined) return narrows(`is added: ${quoted(after)} may veto each call`)
      if (after === undefined) return widens(`is removed: ${quoted(before)} no longer may veto calls`)
      return widens(`is another function: was ${quoted(before)}, is ${quoted(after)}`)
    }),
  } satisfies Members<Aaif.Events>,

  Trigger: {
    // Type, event and path are the name that triggers are compared by.
    type: plain,
    schedule: whole(true, (before, after) =>
      after === undefined
        ? narrows('is removed: it no longer starts runs')
        : widens(`is another schedule: was ${quoted(before)}, is ${quoted(after)}`),
    ),
    event_name: plain,
    webhook_path: plain,
    filter: condition({ text: 'never', absent: 'always', permits: true }),
  } satisfies Members<Aaif.Trigger>,

  Runtime: {
    timeout_seconds: atMost(),
    max_retries: atMost(),
    retry_backoff: plain,
    concurrency: atMost(),
    streaming: plain,
    async_execution: plain,
    queue: plain,
    environment: plain,
  } satisfies Members<Aaif.Runtime>,

  Telemetry: {
    tracing: plain,
    log_level: plain,
    metrics: plain,
    trace_context_header: plain,
    otlp_endpoint: address,
  } satisfies Members<Aaif.Telemetry>,

  Evaluation: {
    judge_model: whole(true, (before, after) => {
      if (after === undefined) return widens('is removed: it also checked constraints that no rule can check')
      if (before === undefined) return narrows(`is added: ${quoted(after)} also checks constraints`)
      return neutral(`was ${quoted(before)}, is ${quoted(after)}`)
    }),
    metrics: items({
      of: 'Metric',
      noun: 'metric',
      nameOf: (metric) => textAt(metric, 'custom_name') ?? String(metric.name),
      ...withoutRights(),
    }),
    test_cases: items({
      of: 'TestCase',
      noun: 'test case',
      nameOf: ({ id }) => String(id),
      ...withoutRights(),
    }),
  } satisfies Members<Aaif.Evaluation>,

  Metric: { name: plain, threshold: plain, custom_name: plain } satisfies Members<Aaif.Metric>,

  TestCase: {
    id: plain,
    input: plain,
    expected_output: plain,
    criteria: plain,
  } satisfies Members<Aaif.TestCase>,

  Compliance: {
    safety_level: strictness(SAFETY_LEVELS),
    data_residency: whole(true, (before = 'global', after = 'global') => {
      if (before === after) return null
      const change = `was ${quoted(before)}, is ${quoted(after)}`
      return before === 'global'
        ? narrows(`${change}: data must stay there`)
        : widens(`data may go elsewhere: ${change}`)
    }),
    pii_handling: strictness(PII_POLICIES),
    audit_log: flag(false, 'there is no tamper-evident log'),
    human_in_the_loop: nested('HumanInTheLoop'),
  } satisfies Members<Aaif.Compliance>,

  HumanInTheLoop: {
    enabled: flag(false, 'no person approves write calls'),
    trigger: approvalTrigger,
    timeout_seconds: atMost(),
  } satisfies Members<Aaif.HumanInTheLoop>,

  Provenance: {
    authored_by: plain,
    source_platform: plain,
    created_at: plain,
    updated_at: plain,
    license: plain,
    sc_refs: texts(),
    signature: plain,
  } satisfies Members<Aaif.Provenance>,
}

function withoutRights() {
  return { added: () => neutral('is added'), removed: () => neutral('is removed'), grants: false } as const
}
