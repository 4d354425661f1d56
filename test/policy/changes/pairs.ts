import type { JsonObject } from '../../../src/document/json.ts'
import type { Effect } from '../../../src/policy/changes/definition-change.ts'

/** Two agents that differ in one thing, what the change does, and what the reversed change does. */
export interface PairOfAgents {
  /** The member that differs, by the definitions of the schema; of an item that is added, its list. */
  readonly member: string
  readonly before: JsonObject
  readonly after: JsonObject
  readonly effect: Effect
  readonly reversed: Effect
  /** Outside of the agent. */
  readonly atRoot?: true
}

type Rest = readonly [before: JsonObject, after: JsonObject]

/** The change widens, and the reversed change narrows. */
const wider = (member: string, ...[before, after]: Rest): PairOfAgents => ({
  member,
  before,
  after,
  effect: 'widens',
  reversed: 'narrows',
})
/** It is not known which of both has more rights. */
const unknown = (member: string, ...[before, after]: Rest): PairOfAgents => ({
  member,
  before,
  after,
  effect: 'widens',
  reversed: 'widens',
})
const same = (member: string, ...[before, after]: Rest): PairOfAgents => ({
  member,
  before,
  after,
  effect: 'neutral',
  reversed: 'neutral',
})

const tool = (members: JsonObject) => ({ tools: [{ name: 'f', description: 'F.', ...members }] })
const http = (members: JsonObject) => tool({ protocol: 'http', endpoint: 'https://a.example/x', ...members })
const auth = (members: JsonObject) => http({ auth: { type: 'bearer', env_var: 'A_TOKEN', ...members } })
const vault = (members: JsonObject) =>
  auth({ vault_ref: { provider: 'hashicorp_vault', path: 'kv/a', ...members } })
const schema = (parameters_schema: JsonObject) =>
  tool({ parameters_schema: { type: 'object', ...parameters_schema } })
const model = (members: JsonObject) => ({ model: { provider: 'openai', preferred: 'm', ...members } })
const custom = (members: JsonObject) =>
  model({ provider: 'custom', provider_id: 'a', base_url: 'https://llm.example/v1', ...members })
const orchestration = (members: JsonObject) => ({
  orchestration: {
    subagents: [
      { ref: 'a', alias: 'a' },
      { ref: 'b', alias: 'b' },
    ],
    ...members,
  },
})
const subagent = (members: JsonObject) => ({
  orchestration: { subagents: [{ ref: 'a', alias: 'a', ...members }] },
})
const handoff = (...rules: JsonObject[]) => orchestration({ handoff: rules })
const cel = (expr: string, more: JsonObject = {}) => ({ lang: 'cel', expr, ...more })
const always = { lang: 'always' }
const never = { lang: 'never' }
const memory = (...entries: JsonObject[]) => ({
  memory: entries.map((entry) => ({ content: 'C.', ...entry })),
})
const context = (...items: JsonObject[]) => ({ context: items })
const rules = (...constraints: string[]) => ({ ...tool({}), constraints })
const compliance = (members: JsonObject) => ({ compliance: members })
const approval = (members: JsonObject) => compliance({ human_in_the_loop: { enabled: true, ...members } })
const events = (members: JsonObject) => ({ events: members })
const trigger = (members: JsonObject) => events({ triggers: [members] })
const runtime = (members: JsonObject) => ({ runtime: members })
const step = (...pipeline: string[]) => orchestration({ pipeline })

export const PAIRS: readonly PairOfAgents[] = [
  {
    member: 'AgentDefinition.status',
    before: { status: 'deprecated' },
    after: {},
    effect: 'widens',
    reversed: 'narrows',
    atRoot: true,
  },
  {
    member: 'AgentDefinition.status',
    before: { status: 'draft' },
    after: {},
    effect: 'neutral',
    reversed: 'neutral',
    atRoot: true,
  },

  wider('Agent.required_capabilities', {}, { required_capabilities: ['tool.http'] }),
  unknown('Agent.required_capabilities', {}, { required_capabilities: ['compliance.audit_log'] }),
  wider('Agent.tools', {}, tool({})),
  wider('Agent.tools', tool({}), { tools: [...tool({}).tools, { name: 'g', description: 'G.' }] }),
  wider('Agent.memory', {}, memory({ scope: 'user' })),
  wider('Agent.memory', memory({ scope: 'user' }), memory({ scope: 'user' }, { scope: 'long_term' })),
  wider(
    'Agent.memory',
    memory({ scope: 'user', key: 'a' }),
    memory({ scope: 'user', key: 'a' }, { scope: 'user', key: 'b', backend: 'redis' }),
  ),
  same(
    'Agent.memory',
    memory({ scope: 'user', key: 'a' }),
    memory({ scope: 'user', key: 'a' }, { scope: 'user', key: 'b' }),
  ),
  wider('Agent.context', {}, context({ type: 'url', value: 'https://a.example/' })),
  wider('Agent.context', {}, context({ type: 'file', value: 'notes.txt' })),
  same('Agent.context', {}, context({ type: 'text', value: 'Open on Monday.' })),
  same(
    'Agent.context',
    context({ type: 'text', value: 'A.' }, { type: 'text', value: 'B.' }),
    context({ type: 'text', value: 'B.' }, { type: 'text', value: 'A.' }),
  ),
  wider('Agent.constraints', rules('Be kind.'), rules()),
  wider('Agent.constraints', rules('Call f at most 5 times.'), rules('Call f at most 6 times.')),
  wider('Agent.constraints', rules('Never call f.'), rules('Call f at most once.')),
  same(
    'Agent.constraints',
    rules('Call f at most 5 times.'),
    rules('Never call f more than 5 times per run.'),
  ),
  same('Agent.constraints', rules('Be  kind.'), rules('Be kind.')),
  same('Agent.constraints', rules('Never call f.', 'Call f at most 5 times.'), rules('Never call f.')),

  unknown('Model.provider', model({}), model({ provider: 'anthropic' })),
  unknown('Model.provider', { model: { preferred: 'm' } }, model({})),
  wider(
    'Model.provider',
    model({ fallbacks: [{ provider: 'anthropic', model: 'n' }], provider: 'anthropic' }),
    model({ fallbacks: [{ provider: 'anthropic', model: 'n' }] }),
  ),
  unknown('Model.provider_id', custom({}), custom({ provider_id: 'b' })),
  wider(
    'Model.provider_id',
    model({ fallbacks: [{ provider: 'custom', model: 'n' }] }),
    model({ provider_id: 'b', fallbacks: [{ provider: 'custom', model: 'n' }] }),
  ),
  same('Model.provider_id', model({}), model({ provider_id: 'b' })),
  unknown('Model.base_url', model({}), model({ base_url: 'https://proxy.example/v1' })),
  unknown('Model.base_url', custom({}), custom({ base_url: 'https://other.example/v1' })),
  unknown('Model.base_url', custom({}), custom({ base_url: 'https://llm.example/v2' })),
  same('Model.base_url', custom({}), custom({ base_url: 'HTTPS://LLM.example:443/v1' })),
  same('Model.preferred', model({}), model({ preferred: 'n' })),
  unknown('Model.preferred', { model: { preferred: 'm' } }, { model: { preferred: 'n' } }),
  wider('Model.fallbacks', model({}), model({ fallbacks: [{ provider: 'anthropic', model: 'n' }] })),
  same('Model.fallbacks', model({}), model({ fallbacks: [{ provider: 'openai', model: 'n' }] })),
  same('Model.fallbacks', custom({}), custom({ fallbacks: [{ provider: 'a', model: 'n' }] })),
  same(
    'Model.fallbacks',
    model({
      fallbacks: [
        { provider: 'openai', model: 'n' },
        { provider: 'openai', model: 'o' },
      ],
    }),
    model({
      fallbacks: [
        { provider: 'openai', model: 'o' },
        { provider: 'openai', model: 'n' },
      ],
    }),
  ),
  wider(
    'Fallback.max_cost_usd_per_1k_tokens',
    model({ fallbacks: [{ provider: 'openai', model: 'n', max_cost_usd_per_1k_tokens: 1 }] }),
    model({ fallbacks: [{ provider: 'openai', model: 'n', max_cost_usd_per_1k_tokens: 2 }] }),
  ),
  wider(
    'Fallback.max_cost_usd_per_1k_tokens',
    model({ fallbacks: [{ provider: 'openai', model: 'n', max_cost_usd_per_1k_tokens: 1 }] }),
    model({ fallbacks: [{ provider: 'openai', model: 'n' }] }),
  ),
  same('ModelParams.extended', model({}), model({ params: { extended: { top_k: 5 } } })),

  wider('Orchestration.subagents', subagent({}), orchestration({})),
  same('Subagent.role', subagent({}), subagent({ role: 'specialist' })),
  unknown('Subagent.ref', subagent({}), subagent({ ref: 'https://b.example/agent.json' })),
  wider('Subagent.when', subagent({ when: cel('x > 1') }), subagent({})),
  wider('Subagent.when', subagent({ when: never }), subagent({ when: cel('x > 1') })),
  wider('Subagent.when', subagent({ when: 'if it is urgent' }), subagent({ when: cel('x > 1') })),
  unknown('Subagent.when', subagent({ when: cel('x > 1') }), subagent({ when: cel('x > 2') })),
  same(
    'Subagent.when',
    subagent({ when: cel('x > 1') }),
    subagent({ when: cel('x > 1', { nl: 'it is large' }) }),
  ),
  same('Subagent.when', subagent({ when: 'if it is urgent' }), subagent({ when: never })),
  same('Subagent.when', subagent({}), subagent({ when: cel('true') })),
  wider('Subagent.when', subagent({ when: cel(' false ') }), subagent({})),
  wider('Subagent.pass_memory_keys', subagent({}), subagent({ pass_memory_keys: ['notes'] })),
  wider('Orchestration.handoff', handoff(), handoff({ condition: always, target_agent: 'a' })),
  unknown(
    'Orchestration.handoff',
    handoff({ condition: cel('x'), target_agent: 'a' }, { condition: always, target_agent: 'b' }),
    handoff({ condition: always, target_agent: 'b' }),
  ),
  unknown(
    'Orchestration.handoff',
    handoff({ condition: cel('x'), target_agent: 'a' }, { condition: cel('y'), target_agent: 'b' }),
    handoff({ condition: cel('y'), target_agent: 'b' }, { condition: cel('x'), target_agent: 'a' }),
  ),
  wider(
    'HandoffRule.condition',
    handoff({ condition: cel('x'), target_agent: 'a' }),
    handoff({ condition: always, target_agent: 'a' }),
  ),
  unknown(
    'HandoffRule.condition',
    handoff({ condition: cel('x'), target_agent: 'a' }, { condition: cel('y'), target_agent: 'b' }),
    handoff({ condition: never, target_agent: 'a' }, { condition: cel('y'), target_agent: 'b' }),
  ),
  wider(
    'HandoffRule.pass_context',
    handoff({ condition: always, target_agent: 'a', pass_context: false }),
    handoff({ condition: always, target_agent: 'a' }),
  ),
  wider(
    'HandoffRule.pass_memory',
    handoff({ condition: always, target_agent: 'a' }),
    handoff({ condition: always, target_agent: 'a', pass_memory: true }),
  ),
  unknown('Orchestration.pipeline', orchestration({}), step('a')),
  wider('Orchestration.pipeline', step('a'), step('a', 'b')),
  unknown('Orchestration.pipeline', step('a', 'b'), step('b')),
  unknown('Orchestration.pipeline', step('a', 'b'), step('b', 'a')),
  wider('Orchestration.parallel_execution', orchestration({}), orchestration({ parallel_execution: true })),
  wider('Orchestration.max_iterations', orchestration({}), orchestration({ max_iterations: 11 })),
  wider('Orchestration.max_iterations', orchestration({ max_iterations: 9 }), orchestration({})),
  wider(
    'Consensus.strategy',
    orchestration({ consensus: { strategy: 'majority_vote' } }),
    orchestration({ consensus: { strategy: 'first_success' } }),
  ),
  wider('Consensus.strategy', orchestration({}), orchestration({ consensus: { strategy: 'first_success' } })),
  wider('Consensus.strategy', orchestration({ consensus: { strategy: 'best_of_n' } }), orchestration({})),
  unknown(
    'Consensus.strategy',
    orchestration({ consensus: { strategy: 'majority_vote' } }),
    orchestration({ consensus: { strategy: 'best_of_n' } }),
  ),
  wider(
    'Consensus.min_votes',
    orchestration({ consensus: { strategy: 'majority_vote', min_votes: 2 } }),
    orchestration({ consensus: { strategy: 'majority_vote' } }),
  ),
  unknown(
    'Consensus.referee_agent',
    orchestration({ consensus: { strategy: 'referee', referee_agent: 'a' } }),
    orchestration({ consensus: { strategy: 'referee', referee_agent: 'c' } }),
  ),

  unknown(
    'ContextItem.type',
    context({ type: 'text', label: 'L', value: 'https://a.example/' }),
    context({ type: 'url', label: 'L', value: 'https://a.example/' }),
  ),
  unknown(
    'ContextItem.value',
    context({ type: 'url', label: 'L', value: 'https://a.example/' }),
    context({ type: 'url', label: 'L', value: 'https://b.example/' }),
  ),
  same(
    'ContextItem.value',
    context({ type: 'text', label: 'L', value: 'A.' }),
    context({ type: 'text', label: 'L', value: 'B.' }),
  ),

  unknown('Tool.protocol', http({}), http({ protocol: 'mcp' })),
  wider('Tool.protocol', tool({ endpoint: 'https://a.example/x' }), http({})),
  unknown('Tool.endpoint', http({}), http({ endpoint: 'https://b.example/x' })),
  unknown('Tool.endpoint', http({}), http({ endpoint: 'https://a.example/y' })),
  wider(
    'Tool.endpoint',
    tool({ protocol: 'mcp' }),
    tool({ protocol: 'mcp', endpoint: 'https://a.example/x' }),
  ),
  unknown('Tool.endpoint', tool({ endpoint: 'https://a.example/x' }), tool({})),
  same('Tool.endpoint', http({}), http({ endpoint: 'https://A.example/x' })),
  wider('Tool.parameters_schema', schema({}), tool({})),
  wider(
    'Tool.parameters_schema',
    schema({ properties: { n: { maximum: 5 } } }),
    schema({ properties: { n: { maximum: 6 } } }),
  ),
  unknown(
    'Tool.parameters_schema',
    schema({ properties: { n: { pattern: 'a' } } }),
    schema({ properties: { n: { pattern: 'b' } } }),
  ),
  same(
    'Tool.parameters_schema',
    schema({ properties: { n: { description: 'N.' } } }),
    schema({ properties: { n: {} } }),
  ),
  same('Tool.parameters_schema', tool({}), tool({ parameters_schema: {} })),
  wider('ToolAuth.type', http({ auth: {} }), http({ auth: { type: 'bearer' } })),
  unknown('ToolAuth.type', auth({}), auth({ type: 'basic' })),
  unknown('ToolAuth.env_var', auth({}), auth({ env_var: 'B_TOKEN' })),
  wider('ToolAuth.env_var', http({ auth: {} }), http({ auth: { env_var: 'A_TOKEN' } })),
  unknown('ToolAuth.vault_ref', auth({}), vault({})),
  wider(
    'ToolAuth.vault_ref',
    http({ auth: { type: 'bearer' } }),
    http({ auth: { type: 'bearer', vault_ref: { provider: 'hashicorp_vault', path: 'kv/a' } } }),
  ),
  wider('ToolAuth.scopes', auth({ scopes: ['read'] }), auth({ scopes: ['read', 'write'] })),
  unknown('ToolAuth.scopes', auth({ scopes: ['read'] }), auth({})),
  wider('ToolAuth.token_url', auth({}), auth({ token_url: 'https://login.example/token' })),
  unknown('VaultRef.provider', vault({}), vault({ provider: '1password' })),
  unknown('VaultRef.path', vault({}), vault({ path: 'kv/b' })),
  unknown('VaultRef.key', vault({}), vault({ key: 'token' })),
  same('VaultRef.version', vault({}), vault({ version: '2' })),
  wider('Tool.timeout_seconds', http({ timeout_seconds: 5 }), http({ timeout_seconds: 6 })),
  wider('Tool.timeout_seconds', http({ timeout_seconds: 5 }), http({})),
  wider(
    'RateLimit.requests_per_minute',
    http({ rate_limit: { requests_per_minute: 5 } }),
    http({ rate_limit: {} }),
  ),
  wider(
    'RateLimit.tokens_per_minute',
    http({ rate_limit: { tokens_per_minute: 5 } }),
    http({ rate_limit: { tokens_per_minute: 6 } }),
  ),

  unknown('MemoryEntry.backend', memory({ scope: 'user' }), memory({ scope: 'user', backend: 'redis' })),
  wider('MemoryEntry.backend', memory({ scope: 'user', backend: 'in_memory' }), memory({ scope: 'user' })),
  wider(
    'MemoryEntry.ttl_seconds',
    memory({ scope: 'user', ttl_seconds: 60 }),
    memory({ scope: 'user', ttl_seconds: 0 }),
  ),
  wider(
    'MemoryEntry.ttl_seconds',
    memory({ scope: 'user', ttl_seconds: 60 }),
    memory({ scope: 'user', ttl_seconds: 61 }),
  ),

  wider('Io.input_schema', { io: { input_schema: { type: 'string' } } }, { io: {} }),
  wider(
    'Io.output_schema',
    { io: { output_schema: { enum: ['a'] } } },
    { io: { output_schema: { enum: ['a', 'b'] } } },
  ),

  wider('Events.triggers', {}, trigger({ type: 'webhook', webhook_path: '/a' })),
  same('Events.triggers', {}, trigger({ type: 'manual' })),
  unknown(
    'Trigger.schedule',
    trigger({ type: 'schedule', schedule: '0 6 * * *' }),
    trigger({ type: 'schedule', schedule: '0 7 * * *' }),
  ),
  wider(
    'Trigger.filter',
    trigger({ type: 'event', event_name: 'e', filter: cel('x') }),
    trigger({ type: 'event', event_name: 'e' }),
  ),
  wider(
    'Trigger.filter',
    trigger({ type: 'event', event_name: 'e', filter: 'urgent ones' }),
    trigger({ type: 'event', event_name: 'e', filter: cel('x') }),
  ),
  wider('Events.on_start', events({}), events({ on_start: 'f' })),
  wider('Events.on_complete', events({}), events({ on_complete: 'f' })),
  unknown('Events.on_error', events({ on_error: 'f' }), events({ on_error: 'g' })),
  wider('Events.on_tool_call', events({ on_tool_call: 'f' }), events({})),
  unknown('Events.on_tool_call', events({ on_tool_call: 'f' }), events({ on_tool_call: 'g' })),

  wider('Runtime.timeout_seconds', runtime({ timeout_seconds: 60 }), runtime({ timeout_seconds: 61 })),
  wider('Runtime.timeout_seconds', runtime({ timeout_seconds: 60 }), runtime({})),
  wider('Runtime.max_retries', runtime({}), runtime({ max_retries: 3 })),
  wider('Runtime.concurrency', runtime({}), runtime({ concurrency: 2 })),
  wider('Telemetry.otlp_endpoint', {}, { telemetry: { otlp_endpoint: 'https://otel.example' } }),
  wider('Evaluation.judge_model', { evaluation: { judge_model: 'm' } }, {}),
  same('Evaluation.judge_model', { evaluation: { judge_model: 'm' } }, { evaluation: { judge_model: 'n' } }),

  wider('Compliance.safety_level', compliance({ safety_level: 'strict' }), compliance({})),
  wider('Compliance.safety_level', compliance({}), compliance({ safety_level: 'minimal' })),
  wider(
    'Compliance.data_residency',
    compliance({ data_residency: 'EU' }),
    compliance({ data_residency: 'global' }),
  ),
  unknown(
    'Compliance.data_residency',
    compliance({ data_residency: 'EU' }),
    compliance({ data_residency: 'US' }),
  ),
  wider(
    'Compliance.pii_handling',
    compliance({ pii_handling: 'reject' }),
    compliance({ pii_handling: 'encrypt' }),
  ),
  wider('Compliance.pii_handling', compliance({}), compliance({ pii_handling: 'none' })),
  wider('Compliance.audit_log', compliance({ audit_log: true }), compliance({})),
  wider('HumanInTheLoop.enabled', approval({}), compliance({})),
  wider('HumanInTheLoop.trigger', approval({}), approval({ trigger: cel('x') })),
  wider('HumanInTheLoop.trigger', approval({ trigger: cel('x') }), approval({ trigger: never })),
  unknown('HumanInTheLoop.trigger', approval({ trigger: cel('x') }), approval({ trigger: cel('y') })),
  same('HumanInTheLoop.trigger', approval({}), approval({ trigger: 'for writes' })),
  same(
    'HumanInTheLoop.trigger',
    approval({ enabled: false, trigger: cel('x') }),
    approval({ enabled: false, trigger: never }),
  ),
  wider('HumanInTheLoop.timeout_seconds', approval({ timeout_seconds: 60 }), approval({})),
]
