import {
  anyObject,
  closed,
  flag,
  integer,
  list,
  number,
  oneOf,
  ref,
  type Schema,
  text,
} from '../schema-builder.ts'
import {
  AGENT_ROLES,
  AUTH_TYPES,
  BACKOFFS,
  CONDITION_LANGUAGES,
  CONSENSUS_STRATEGIES,
  CONTEXT_TYPES,
  ENVIRONMENTS,
  EXPRESSION_LANGUAGES,
  IO_FORMATS,
  IO_MODES,
  LOG_LEVELS,
  MEMORY_BACKENDS,
  MEMORY_SCOPES,
  METRICS,
  PII_POLICIES,
  PROVIDERS,
  REGIONS,
  RESPONSE_FORMATS,
  RETRIEVAL_STRATEGIES,
  ROUTING_STRATEGIES,
  SAFETY_LEVELS,
  SC_STANDARD,
  SC_VERSION,
  STATUSES,
  SUBAGENT_ROLES,
  TOOL_PROTOCOLS,
  TRIGGER_TYPES,
  VAULT_PROVIDERS,
} from './vocabulary.ts'

/**
 * The agent definition of AAIF 3.4.0: the one source of the published schema, the validator and the types
 * (`npm run generate`). Every object is closed; only `x-` members at the root are open (§10).
 */

const VERSION = '^\\d+\\.\\d+\\.\\d+$'
const texts = (description: string, extra = {}): Schema => list({ type: 'string' }, description, extra)
const uniqueTexts = (description: string): Schema => texts(description, { uniqueItems: true })

/**
 * §5. Written with a list of types rather than `oneOf`: the object keywords do not apply to strings, and a wrong member
 * is reported once, with its own error.
 */
const condition: Schema = {
  type: ['string', 'object'],
  description:
    'Decides about a route, a handoff, a trigger or an approval. A string is only a note for people (§5).',
  required: ['lang'],
  properties: {
    lang: oneOf(CONDITION_LANGUAGES, 'The language of expr; always and never need none (§5).'),
    expr: {
      type: ['string', 'object', 'boolean'],
      description: 'The expression: a string, or a rule object for jsonlogic (§5).',
    },
    nl: text('The same condition in natural language, for people and logs; expr decides (§5).'),
  },
  additionalProperties: false,
  if: { properties: { lang: { enum: EXPRESSION_LANGUAGES } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: ['expr'] },
}

const fallback = closed('A route to try when earlier ones are unavailable (§4.2).', ['provider', 'model'], {
  provider: text('Provider of this route: any name; a name that is not in the registry gives a warning.'),
  model: text('Model id as the provider writes it.'),
  max_cost_usd_per_1k_tokens: number('Ceiling: the route is skipped while its price is above this.'),
})

const modelParams = closed('Sampling parameters sent to the provider.', [], {
  max_tokens: integer(1, 'Most tokens to generate.'),
  top_p: number('Nucleus sampling.', { minimum: 0, maximum: 1 }),
  frequency_penalty: number('Penalty on frequent tokens.', { minimum: -2, maximum: 2 }),
  presence_penalty: number('Penalty on tokens already present.', { minimum: -2, maximum: 2 }),
  stop: texts('Stop sequences that end the generation.', { maxItems: 4 }),
  seed: integer(undefined, 'Seed for repeatable sampling.'),
  extended: anyObject('Provider-specific parameters, sent verbatim and never validated (§4.2).'),
})

const model = closed(
  'Which models the agent prefers and how to choose among them (§4.2).',
  [],
  {
    provider: oneOf(PROVIDERS, 'Primary provider; custom for one that is not listed (§4.2).'),
    provider_id: text('Name of a custom provider, e.g. litellm (§4.2).'),
    base_url: text('API base of a gateway or self-hosted provider.', { format: 'uri' }),
    preferred: text('Preferred model id as the provider writes it.'),
    fallbacks: list(ref('Fallback'), 'Routes to try next, in this order (§4.2).'),
    routing_strategy: oneOf(ROUTING_STRATEGIES, 'How to choose among available routes (§4.2).', {
      default: 'preferred_first',
    }),
    min_context_tokens: integer(0, 'Models with a smaller context window are never used (§4.2).'),
    temperature: number('Sampling temperature.', { minimum: 0, maximum: 2 }),
    params: ref('ModelParams'),
    response_format: oneOf(RESPONSE_FORMATS, 'Form of the answer; json_schema enforces io.output_schema.', {
      default: 'text',
    }),
  },
  {
    if: { required: ['provider'], properties: { provider: { const: 'custom' } } },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: { required: ['provider_id'], properties: { provider_id: { minLength: 1 } } },
  },
)

const subagent = closed('An agent that this one may call (§4.3).', ['ref'], {
  ref: text('The agent_id of its definition, or the URI of its definition.'),
  alias: text('Short name used in instructions, pipeline and handoffs.'),
  role: oneOf(SUBAGENT_ROLES, 'Its role.'),
  when: ref('Condition'),
  pass_memory_keys: texts('Keys of the memory items passed to it.'),
})

const handoff = closed('A rule that hands a run to another agent (§4.3).', ['condition', 'target_agent'], {
  condition: ref('Condition'),
  target_agent: text('Agent id or alias of the receiver.'),
  pass_context: flag('Pass the conversation so far.', true),
  pass_memory: flag('Pass the long_term memory.', false),
})

const consensus = closed('How one answer is chosen from several (§4.3).', [], {
  strategy: oneOf(CONSENSUS_STRATEGIES, 'Vote, pick, ask a referee, or take the first that succeeds.'),
  min_votes: integer(1, 'Equal answers needed by majority_vote.'),
  referee_agent: text('Agent id or alias of the referee.'),
})

const orchestration = closed('How this agent works with others (§4.3).', [], {
  role: oneOf(AGENT_ROLES, 'Its role among several agents.'),
  subagents: list(ref('Subagent'), 'Agents it may call.'),
  handoff: list(ref('HandoffRule'), 'Rules for handing the run to another agent.'),
  pipeline: texts(
    'Aliases or ids of subagents, run in this order; each receives the output of the previous one.',
  ),
  parallel_execution: flag('Run the subagents at once instead of one after another.', false),
  max_iterations: integer(1, 'Rounds of model and tools before the run is stopped (§4.3).', { default: 10 }),
  consensus: ref('Consensus'),
})

const contextItem = closed('Background knowledge for the agent.', ['type', 'value'], {
  type: oneOf(CONTEXT_TYPES, 'What value holds.'),
  label: text('Name shown to people.'),
  value: text('The text, or its path, address or name.'),
  description: text('Why the agent needs it.'),
  refresh_ttl_seconds: integer(0, 'Seconds between fetches of a url; 0 fetches once.'),
})

const vaultRef = closed('A secret kept in a vault; wins over env_var (§4.4).', ['provider', 'path'], {
  provider: oneOf(VAULT_PROVIDERS, 'Which kind of vault.'),
  path: text('Path in the vault.'),
  key: text('Member to read, if the secret is a JSON object.'),
  version: text('Version to read; default: the latest active version.'),
})

const toolAuth = closed(
  'How to authenticate to a tool; it names secrets and never contains them (§4.4).',
  [],
  {
    type: oneOf(AUTH_TYPES, 'The mechanism.', { default: 'none' }),
    env_var: text('Name of the environment variable that holds the secret.'),
    vault_ref: ref('VaultRef'),
    header: text('Header that carries an api_key.'),
    scopes: texts('OAuth 2 scopes.'),
    token_url: text('OAuth 2 token endpoint.'),
  },
)

const rateLimit = closed('Most traffic to a tool (§4.4).', [], {
  requests_per_minute: integer(1, 'Calls a minute.'),
  tokens_per_minute: integer(1, 'Tokens a minute.'),
})

const tool = closed('Something the agent may call (§4.4).', ['name', 'description'], {
  name: text('Name by which the model calls it.', { pattern: '^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$' }),
  description: text('What it does; the model uses this text to decide when to call it.'),
  protocol: oneOf(TOOL_PROTOCOLS, 'How it is reached (§4.4).'),
  parameters_schema: anyObject('JSON Schema of the arguments.'),
  output_schema: anyObject('JSON Schema of the answer.'),
  endpoint: text('Where it is reached; function tools need none (§4.4).'),
  auth: ref('ToolAuth'),
  cache_ttl_seconds: integer(0, 'Seconds that successful answers are kept; 0 keeps none.'),
  timeout_seconds: integer(1, 'Seconds after which a call is aborted.'),
  rate_limit: ref('RateLimit'),
})

const memoryEntry = closed('A memory item or the configuration of a memory (§4.5).', ['scope', 'content'], {
  scope: oneOf(MEMORY_SCOPES, 'Who may read it and how long it is kept (§4.5).'),
  key: text('Name to look it up by.'),
  content: text('The content, or a description of what is stored.'),
  backend: oneOf(MEMORY_BACKENDS, 'Where it is stored.'),
  ttl_seconds: integer(0, 'Seconds until it expires; 0 is never.'),
  embedding_model: text('Model that embeds the items of a vector backend.'),
  retrieval_strategy: oneOf(RETRIEVAL_STRATEGIES, 'How items are found.'),
  top_k: integer(1, 'Items a query returns.', { default: 5 }),
})

const io = closed('Input and output.', [], {
  input_schema: anyObject('JSON Schema of the input.'),
  output_schema: anyObject('JSON Schema of the output.'),
  streaming: flag('Send partial output.', false),
  format: oneOf(IO_FORMATS, 'Form of the output.', { default: 'text' }),
  mode: oneOf(IO_MODES, 'Answer at once, by job id, or for a list of inputs.', { default: 'sync' }),
})

const trigger = closed('A trigger that starts a run.', ['type'], {
  type: oneOf(TRIGGER_TYPES, 'The kind of trigger.'),
  schedule: text('Cron expression in UTC.'),
  event_name: text('Event to listen for.'),
  webhook_path: text('Path of the webhook.'),
  filter: ref('Condition'),
})

const events = closed('Triggers and hooks.', [], {
  triggers: list(ref('Trigger'), 'Triggers that start the agent.'),
  on_start: text('Called when a run starts.'),
  on_complete: text('Called when a run succeeded.'),
  on_error: text('Called when a run failed.'),
  on_tool_call: text('Called before every tool call, and may veto it.'),
})

const runtime = closed('Limits and resilience of a run (§4.6).', [], {
  timeout_seconds: integer(1, 'Wall-clock seconds after which a run is aborted (§4.6).'),
  max_retries: integer(0, 'Retries after a transient failure.', { default: 2 }),
  retry_backoff: oneOf(BACKOFFS, 'How the waits between retries grow (§4.6).', { default: 'exponential' }),
  concurrency: integer(1, 'Most runs of this agent at a time (§4.6).', { default: 1 }),
  streaming: flag('Ask the provider for a stream.', false),
  async_execution: flag('Return a job id and continue in the background (§4.6).', false),
  queue: text('Queue of background runs (§4.6).'),
  environment: oneOf(ENVIRONMENTS, 'Environment for which this definition is intended.', {
    default: 'production',
  }),
})

const telemetry = closed('Traces, metrics and logs of a run (§4.7).', [], {
  tracing: flag('Emit OpenTelemetry spans.', true),
  log_level: oneOf(LOG_LEVELS, 'Lowest level that is logged.', { default: 'info' }),
  metrics: flag('Emit metrics.', true),
  trace_context_header: text('Header that carries the trace context (§4.7).', { default: 'traceparent' }),
  otlp_endpoint: text('Collector; the default of the platform when absent (§4.7).'),
})

const metric = closed('A score with its threshold (§4.8).', ['name'], {
  name: oneOf(METRICS, 'Which score.'),
  threshold: number('The value that must be met.'),
  custom_name: text('What a custom score is called.'),
})

const testCase = closed('A test case (§4.8).', ['id', 'input'], {
  id: text('Its name.'),
  input: { description: 'Input of the agent.' },
  expected_output: { description: 'An example of a good answer.' },
  criteria: text('Criteria for the judge, in natural language.'),
})

const evaluation = closed('How good the agent must be (§4.8).', [], {
  judge_model: text('Model that scores the answers.'),
  metrics: list(ref('Metric'), 'Scores and thresholds.'),
  test_cases: list(ref('TestCase'), 'Test cases.'),
})

const humanInTheLoop = closed('When a person must approve (§4.9).', [], {
  enabled: flag('Delay write calls until a person approves.', false),
  trigger: ref('Condition'),
  timeout_seconds: integer(undefined, 'Seconds to wait for the person.'),
})

const compliance = closed('Rules that every host of the agent must enforce (§4.9).', [], {
  safety_level: oneOf(SAFETY_LEVELS, 'How strictly the other rules are enforced (§4.9).', {
    default: 'standard',
  }),
  data_residency: oneOf(REGIONS, 'Region that data may not leave (§4.9).'),
  pii_handling: oneOf(PII_POLICIES, 'What happens to personal data (§4.9).', { default: 'detect' }),
  audit_log: flag('Keep a tamper-evident log (§4.9).', false),
  human_in_the_loop: ref('HumanInTheLoop'),
})

const agent = closed('The agent itself (§4).', ['name', 'goal'], {
  name: text('Name shown to people.', { minLength: 1 }),
  version: text('Version of this definition: MAJOR.MINOR.PATCH.', { pattern: VERSION }),
  description: text('What it does and for whom.'),
  goal: text('One sentence that defines success.'),
  instructions: text('System prompt, present in every turn.'),
  skills: uniqueTexts('Labels of its skills, for search.'),
  required_capabilities: uniqueTexts('Capabilities that a host must have, as category.capability (§7).'),
  model: ref('Model'),
  orchestration: ref('Orchestration'),
  context: list(ref('ContextItem'), 'Background knowledge.'),
  tools: list(ref('Tool'), 'Tools it may call (§4.4).'),
  memory: list(ref('MemoryEntry'), 'Its memory (§4.5).'),
  constraints: texts('Hard rules that every host enforces (§3).'),
  io: ref('Io'),
  events: ref('Events'),
  runtime: ref('Runtime'),
  telemetry: ref('Telemetry'),
  evaluation: ref('Evaluation'),
  compliance: ref('Compliance'),
})

const provenance = closed('Origin of the definition.', [], {
  authored_by: text('Its author.'),
  source_platform: text('Where it was made.'),
  created_at: text('When it was made.', { format: 'date-time' }),
  updated_at: text('When it was last changed.', { format: 'date-time' }),
  license: text('SPDX id or address of its licence.'),
  sc_refs: texts('Other standards it builds on.'),
  signature: text('Base64 Ed25519 signature over its canonical JSON.'),
})

export const AGENT_SCHEMA_ID = 'urn:waybill:schema:aaif:agent:3.4.0'

export const agentSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: AGENT_SCHEMA_ID,
  title: 'AgentDefinition',
  ...closed(
    'A portable agent definition (AAIF 3.4.0 §4).',
    ['sc_standard', 'agent'],
    {
      _comment: text('A note to people; ignored.'),
      sc_standard: { const: SC_STANDARD, description: 'Identifies the document as AAIF (§4.1).' },
      sc_version: text('Version of the format.', { pattern: VERSION, default: SC_VERSION }),
      agent_id: text('UUID, assigned once and never changed (§4.1).', { format: 'uuid' }),
      status: oneOf(STATUSES, 'Lifecycle status of the definition (§4.1).', { default: 'active' }),
      tags: uniqueTexts('Labels for search and routing.'),
      agent: ref('Agent'),
      provenance: ref('Provenance'),
    },
    { patternProperties: { '^x-': { description: 'Extension of a vendor; never alters behaviour (§10).' } } },
  ),
  $defs: {
    Agent: agent,
    Model: model,
    Fallback: fallback,
    ModelParams: modelParams,
    Orchestration: orchestration,
    Subagent: subagent,
    HandoffRule: handoff,
    Consensus: consensus,
    Condition: condition,
    ContextItem: contextItem,
    Tool: tool,
    ToolAuth: toolAuth,
    VaultRef: vaultRef,
    RateLimit: rateLimit,
    MemoryEntry: memoryEntry,
    Io: io,
    Events: events,
    Trigger: trigger,
    Runtime: runtime,
    Telemetry: telemetry,
    Evaluation: evaluation,
    Metric: metric,
    TestCase: testCase,
    Compliance: compliance,
    HumanInTheLoop: humanInTheLoop,
    Provenance: provenance,
  },
} satisfies Schema
