import type { Json, JsonObject } from '../../src/document/json.ts'

/**
 * What becomes of a member. `by`: a run does it, and the test whose title holds these words proves it. `says`: the plan
 * says beforehand that it will not be done. `agent` declares the member (or its value), and `base` is the same without.
 */
export type Fate = {
  readonly agent?: JsonObject
  readonly base?: JsonObject
  readonly notes?: { readonly path: string; readonly rule: string; readonly reason: RegExp }
} & ({ readonly by: string } | { readonly says: RegExp })

/** An enumerated member has a fate for each of its values. */
export type Fates = Fate | { readonly each: Readonly<Record<string, Fate>> }

type Members = Readonly<Record<string, Json>>

const model = (members: Members = {}) => ({
  model: { provider: 'openai', preferred: 'gpt-4o', ...members },
})
const params = (members: Members) => model({ params: members })
const fallback = (members: Members) =>
  model({ fallbacks: [{ provider: 'anthropic', model: 'claude-sonnet-4-5', ...members }] })
const A = { ref: 'a', alias: 'a' }
const B = { ref: 'b', alias: 'b' }
const team = (members: Members = {}) => ({ orchestration: { subagents: [A, B], ...members } })
const member = (members: Members) => team({ subagents: [A, { ...B, ...members }] })
const swarm = (consensus: Members) => team({ parallel_execution: true, consensus })
const handoff = (members: Members = {}) =>
  team({ handoff: [{ condition: { lang: 'always' }, target_agent: 'a', ...members }] })
const tool = (members: Members = {}) => ({
  tools: [
    {
      name: 'fetch',
      description: 'Fetches.',
      protocol: 'http',
      endpoint: 'https://open.example/x',
      ...members,
    },
  ],
})
const auth = (members: Members) => tool({ auth: { type: 'bearer', env_var: 'TOKEN', ...members } })
const memory = (members: Members = {}) => ({
  memory: [{ scope: 'long_term', content: 'What it learnt.', backend: 'sqlite', ...members }],
})
const io = (members: Members) => ({ io: members })
const events = (members: Members) => ({ events: members })
const trigger = (members: Members) => events({ triggers: [members] })
const runtime = (members: Members) => ({ runtime: members })
const telemetry = (members: Members) => ({ telemetry: members })

const does = (by: string, agent?: JsonObject, base?: JsonObject): Fate => ({
  by,
  ...(agent !== undefined && { agent }),
  ...(base !== undefined && { base }),
})
const reported = (says: RegExp, agent: JsonObject, base?: JsonObject): Fate => ({
  says,
  agent,
  ...(base !== undefined && { base }),
})

const noRoute = (provider: string): Fate =>
  reported(/the provider .* is not supported/, model({ provider, preferred: 'm' }), model())
const route = (provider: string): Fate =>
  does('a key is sent in the header of the provider', model({ provider, preferred: 'm' }), model())
const unsigned = (type: string): Fate =>
  reported(/credentials of auth\.type .* are not supported/, auth({ type }), tool())
const noStore = (backend: string): Fate =>
  reported(new RegExp(`${backend} is not available here`), memory({ backend }), memory())
const served = (type: string): Fate => reported(/starts no run: .*needs the server/, trigger({ type }), {})

/** Every member that AAIF §4.2–§4.7 declares, with those of io and events, under the name of its schema. */
export const FATES: Readonly<Record<string, Fates>> = {
  'Model.provider': {
    each: {
      openai: does('AAIF-4.2-01'),
      anthropic: route('anthropic'),
      google: route('google'),
      vertex_ai: noRoute('vertex_ai'),
      mistral: route('mistral'),
      cohere: noRoute('cohere'),
      groq: route('groq'),
      ollama: route('ollama'),
      azure_openai: noRoute('azure_openai'),
      bedrock: noRoute('bedrock'),
      huggingface: route('huggingface'),
      together: route('together'),
      fireworks: route('fireworks'),
      deepseek: route('deepseek'),
      xai: route('xai'),
      openrouter: route('openrouter'),
      custom: does('AAIF-4.2-14', model({ provider: 'custom', provider_id: 'acme' }), model()),
    },
  },
  'Model.provider_id': does('AAIF-4.2-14', model({ provider_id: 'acme' }), model()),
  'Model.base_url': does('AAIF-4.2-14', model({ base_url: 'https://open.example/v1' }), model()),
  'Model.preferred': does('AAIF-4.2-01', model({ preferred: 'gpt-4.1' }), model()),
  'Model.fallbacks': does('AAIF-4.2-02', fallback({}), model()),
  'Model.routing_strategy': {
    each: {
      preferred_first: does('AAIF-4.2-09'),
      cost: does('AAIF-4.2-05', model({ routing_strategy: 'cost' }), model()),
      latency: does('AAIF-4.2-06', model({ routing_strategy: 'latency' }), model()),
      quality: does('AAIF-4.2-07', model({ routing_strategy: 'quality' }), model()),
      round_robin: does('AAIF-4.2-08', model({ routing_strategy: 'round_robin' }), model()),
    },
  },
  'Model.min_context_tokens': does('AAIF-4.2-10', model({ min_context_tokens: 1_000_000 }), model()),
  'Model.temperature': does('SPEC-F-01', model({ temperature: 0.3 }), model()),
  'Model.params': does('SPEC-F-01', params({ seed: 3 }), model()),
  'Model.response_format': {
    each: {
      text: does('SPEC-F-02'),
      json: does('response_format json without a schema', model({ response_format: 'json' }), model()),
      json_schema: does(
        'SPEC-F-02',
        { ...model({ response_format: 'json_schema' }), ...io({ output_schema: {} }) },
        { ...model(), ...io({ output_schema: {} }) },
      ),
      markdown: does('the plan asks for the form', model({ response_format: 'markdown' }), model()),
    },
  },
  'Fallback.provider': does('AAIF-4.2-02', fallback({ provider: 'openai' }), fallback({})),
  'Fallback.model': does('AAIF-4.2-02', fallback({ model: 'claude-haiku-4-5' }), fallback({})),
  'Fallback.max_cost_usd_per_1k_tokens': does(
    'AAIF-4.2-03',
    fallback({ max_cost_usd_per_1k_tokens: 0.000_000_1 }),
    fallback({}),
  ),
  'ModelParams.max_tokens': does('SPEC-F-01', params({ max_tokens: 5 }), model()),
  'ModelParams.top_p': does('SPEC-F-01', params({ top_p: 0.5 }), model()),
  'ModelParams.frequency_penalty': does('SPEC-F-01', params({ frequency_penalty: 1 }), model()),
  'ModelParams.presence_penalty': does('SPEC-F-01', params({ presence_penalty: 1 }), model()),
  'ModelParams.stop': does('SPEC-F-01', params({ stop: ['x'] }), model()),
  'ModelParams.seed': does('SPEC-F-01', params({ seed: 3 }), model()),
  'ModelParams.extended': does('AAIF-4.2-15', params({ extended: { top_k: 5 } }), model()),

  'Orchestration.role': {
    each: {
      // Its own part: read by the plan of its caller, where it matters there.
      orchestrator: does('an orchestrator’s model calls'),
      worker: does('AAIF-4.3-04'),
      evaluator: does('SPEC-D-11: best_of_n'),
      router: does('AAIF-4.3-06', team({ role: 'router' }), team()),
      synthesizer: does('AAIF-4.3-04: all workers start at once and the synthesizer merges'),
    },
  },
  'Orchestration.subagents': does('an orchestrator’s model calls', team(), {}),
  'Orchestration.handoff': does('AAIF-4.3-07', handoff(), team()),
  'Orchestration.pipeline': does('AAIF-4.3-02', team({ pipeline: ['a', 'b'] }), team()),
  'Orchestration.parallel_execution': does('AAIF-4.3-04', team({ parallel_execution: true }), team()),
  'Orchestration.max_iterations': does('AAIF-4.3-09', team({ max_iterations: 3 }), team()),
  'Orchestration.consensus': does('SPEC-D-11', swarm({ strategy: 'referee' }), swarm({})),
  'Subagent.ref': does('AAIF-4.3-03'),
  'Subagent.alias': does('AAIF-4.3-03', member({ alias: 'other' }), team()),
  'Subagent.role': {
    each: {
      worker: does('AAIF-4.3-04', member({ role: 'worker' }), team()),
      evaluator: does('SPEC-D-11: best_of_n', member({ role: 'evaluator' }), team()),
      specialist: does('AAIF-4.3-06', member({ role: 'specialist' }), team()),
      fallback: does('a fallback steps in', member({ role: 'fallback' }), team()),
    },
  },
  'Subagent.when': does('AAIF-4.3-06', member({ when: { lang: 'never' } }), team()),
  'Subagent.pass_memory_keys': does(
    'SPEC-D-27: pass_memory_keys',
    member({ pass_memory_keys: ['k'] }),
    team(),
  ),
  'HandoffRule.condition': does('AAIF-4.3-07', handoff({ condition: { lang: 'never' } }), handoff()),
  'HandoffRule.target_agent': does('AAIF-4.3-07', handoff({ target_agent: 'b' }), handoff()),
  'HandoffRule.pass_context': does('SPEC-D-27: a hand-off', handoff({ pass_context: false }), handoff()),
  'HandoffRule.pass_memory': does('SPEC-D-27: a hand-off', handoff({ pass_memory: true }), handoff()),
  'Consensus.strategy': {
    each: {
      majority_vote: does('SPEC-D-11: majority_vote', swarm({ strategy: 'majority_vote' }), swarm({})),
      best_of_n: does('SPEC-D-11: best_of_n', swarm({ strategy: 'best_of_n' }), swarm({})),
      referee: does('SPEC-D-11: a referee', swarm({ strategy: 'referee' }), swarm({})),
      first_success: does('SPEC-D-11: first_success', swarm({ strategy: 'first_success' }), swarm({})),
    },
  },
  'Consensus.min_votes': does(
    'SPEC-D-11: majority_vote',
    swarm({ strategy: 'majority_vote', min_votes: 2 }),
    swarm({ strategy: 'majority_vote' }),
  ),
  'Consensus.referee_agent': does(
    'SPEC-D-11: a referee',
    swarm({ strategy: 'referee', referee_agent: 'b' }),
    swarm({ strategy: 'referee' }),
  ),

  'Tool.name': does('AAIF-4.4-05', tool({ name: 'other' }), tool()),
  'Tool.description': does('AAIF-4.4-02', tool({ description: 'Gets.' }), tool()),
  'Tool.protocol': {
    each: {
      function: does('AAIF-4.4-02', tool({ protocol: 'function' }), tool()),
      mcp: does('AAIF-4.4-04', tool({ protocol: 'mcp' }), tool()),
      http: does('AAIF-4.4-05', tool(), {}),
      openapi: does('AAIF-4.4-06', tool({ protocol: 'openapi' }), tool()),
    },
  },
  'Tool.parameters_schema': does('AAIF-4.4-02', tool({ parameters_schema: {} }), tool()),
  'Tool.output_schema': does('SPEC-G-01: a result that breaches', tool({ output_schema: {} }), tool()),
  'Tool.endpoint': does('AAIF-4.4-05', tool({ endpoint: 'https://open.example/y' }), tool()),
  'Tool.auth': does('AAIF-4.4-08', auth({}), tool()),
  'Tool.cache_ttl_seconds': {
    ...does('AAIF-4.4-14', tool({ cache_ttl_seconds: 9 }), tool()),
  },
  'Tool.timeout_seconds': does('AAIF-4.4-15', tool({ timeout_seconds: 9 }), tool()),
  'Tool.rate_limit': does('AAIF-4.4-16', tool({ rate_limit: { requests_per_minute: 9 } }), tool()),
  'ToolAuth.type': {
    each: {
      none: does('AAIF-4.4-08'),
      bearer: does('AAIF-4.4-11', auth({}), tool()),
      api_key: does('api_key is sent in its header', auth({ type: 'api_key' }), auth({})),
      oauth2: unsigned('oauth2'),
      aws_sigv4: unsigned('aws_sigv4'),
      basic: does('basic by RFC 7617', auth({ type: 'basic' }), auth({})),
      mtls: unsigned('mtls'),
    },
  },
  'ToolAuth.env_var': does('AAIF-4.4-11', auth({ env_var: 'OTHER' }), auth({})),
  'ToolAuth.vault_ref': reported(
    /credentials .* from a vault are not supported/,
    auth({ vault_ref: { provider: 'custom', path: 'x' } }),
    auth({}),
  ),
  'ToolAuth.header': does(
    'api_key is sent in its header',
    auth({ type: 'api_key', header: 'X-Key' }),
    auth({ type: 'api_key' }),
  ),
  'ToolAuth.scopes': reported(
    /scopes is not used: it belongs to auth\.type oauth2/,
    auth({ scopes: ['read'] }),
    auth({}),
  ),
  'ToolAuth.token_url': reported(
    /token_url is not used: it belongs to auth\.type oauth2/,
    auth({ token_url: 'https://open.example/token' }),
    auth({}),
  ),
  'VaultRef.provider': {
    each: Object.fromEntries(
      [
        'aws_secretsmanager',
        'hashicorp_vault',
        'azure_keyvault',
        'gcp_secretmanager',
        '1password',
        'custom',
      ].map((provider) => [
        provider,
        reported(
          /credentials .* from a vault are not supported/,
          auth({ vault_ref: { provider, path: 'x' } }),
          auth({}),
        ),
      ]),
    ),
  },
  // Parts of a reference that is refused as a whole.
  'VaultRef.path': reported(/from a vault/, auth({ vault_ref: { provider: 'custom', path: 'x' } }), auth({})),
  'VaultRef.key': reported(
    /from a vault/,
    auth({ vault_ref: { provider: 'custom', path: 'x', key: 'k' } }),
    auth({}),
  ),
  'VaultRef.version': reported(
    /from a vault/,
    auth({ vault_ref: { provider: 'custom', path: 'x', version: '1' } }),
    auth({}),
  ),
  'RateLimit.requests_per_minute': does(
    'AAIF-4.4-16',
    tool({ rate_limit: { requests_per_minute: 9 } }),
    tool(),
  ),
  'RateLimit.tokens_per_minute': does('AAIF-4.4-16', tool({ rate_limit: { tokens_per_minute: 9 } }), tool()),

  'MemoryEntry.scope': {
    each: {
      user: does('AAIF-4.5-02', memory({ scope: 'user' }), memory()),
      session: does('AAIF-4.5-03', memory({ scope: 'session' }), memory()),
      task: does('AAIF-4.5-04', memory({ scope: 'task' }), memory()),
      long_term: does('AAIF-4.5-05', memory(), {}),
    },
  },
  'MemoryEntry.key': does('an entry gets the defaults', memory({ key: 'k' }), memory()),
  'MemoryEntry.content': does('AAIF-4.5-05', memory({ content: 'Else.' }), memory()),
  'MemoryEntry.backend': {
    each: {
      in_memory: does('AAIF-4.5-05', memory({ backend: 'in_memory' }), memory()),
      redis: noStore('redis'),
      postgres: noStore('postgres'),
      sqlite: does('AAIF-4.5-05', memory(), {}),
      pinecone: noStore('pinecone'),
      weaviate: noStore('weaviate'),
      qdrant: noStore('qdrant'),
      chroma: noStore('chroma'),
      custom: noStore('custom'),
    },
  },
  'MemoryEntry.ttl_seconds': does('AAIF-4.5-10', memory({ ttl_seconds: 5 }), memory()),
  'MemoryEntry.embedding_model': reported(
    /e5 is not used/,
    memory({ retrieval_strategy: 'similarity', embedding_model: 'e5' }),
    memory({ retrieval_strategy: 'similarity' }),
  ),
  'MemoryEntry.retrieval_strategy': {
    each: {
      similarity: does('similarity', memory({ retrieval_strategy: 'similarity' }), memory()),
      keyword: does(
        'keyword: only items with words of the query',
        memory({ retrieval_strategy: 'keyword' }),
        memory(),
      ),
      hybrid: does('hybrid', memory({ retrieval_strategy: 'hybrid' }), memory()),
      recency: does('an entry gets the defaults'),
    },
  },
  'MemoryEntry.top_k': does('AAIF-4.5-09', memory({ top_k: 2 }), memory()),

  'Io.input_schema': does('SPEC-D-30', io({ input_schema: {} }), {}),
  'Io.output_schema': does('SPEC-D-30', io({ output_schema: {} }), {}),
  'Io.streaming': does('AAIF-4-10', io({ streaming: true }), io({ streaming: false })),
  'Io.format': {
    each: {
      text: does('response_format json without a schema'),
      json: does('the plan asks for the form', io({ format: 'json' }), {}),
      markdown: does('the plan asks for the form', io({ format: 'markdown' }), {}),
      structured: does('the plan asks for the form', io({ format: 'structured' }), {}),
    },
  },
  'Io.mode': {
    each: {
      sync: does('SPEC-D-31'),
      async: reported(/--detach/, io({ mode: 'async' }), {}),
      batch: reported(/--batch/, io({ mode: 'batch' }), {}),
    },
  },

  'Events.triggers': does('SPEC-D-29'),
  'Events.on_start': does('SPEC-D-20: hooks are called at their points', events({ on_start: 'known' }), {}),
  'Events.on_complete': does(
    'SPEC-D-20: hooks are called at their points',
    events({ on_complete: 'known' }),
    {},
  ),
  'Events.on_error': does('on_error gets the reason', events({ on_error: 'known' }), {}),
  'Events.on_tool_call': does('SPEC-D-20: a veto of on_tool_call', events({ on_tool_call: 'known' }), {}),
  'Trigger.type': {
    each: {
      manual: does('SPEC-D-31'),
      schedule: does('SPEC-D-29: a schedule'),
      webhook: served('webhook'),
      message: served('message'),
      event: served('event'),
      agent_handoff: served('agent_handoff'),
      file_change: does('SPEC-D-29: a filter'),
    },
  },
  'Trigger.schedule': does('SPEC-D-29: a schedule'),
  'Trigger.event_name': reported(/needs the server/, trigger({ type: 'event', event_name: 'x' }), {}),
  'Trigger.webhook_path': reported(/needs the server/, trigger({ type: 'webhook', webhook_path: '/x' }), {}),
  'Trigger.filter': does('SPEC-D-29: a filter'),

  'Runtime.timeout_seconds': does('AAIF-4.6-01', runtime({ timeout_seconds: 5 }), {}),
  'Runtime.max_retries': does('AAIF-4.6-04', runtime({ max_retries: 5 }), {}),
  'Runtime.retry_backoff': {
    each: {
      fixed: does('AAIF-4.6-05', runtime({ retry_backoff: 'fixed' }), {}),
      linear: does('AAIF-4.6-05', runtime({ retry_backoff: 'linear' }), {}),
      exponential: does('AAIF-4.6-05'),
    },
  },
  'Runtime.concurrency': does('AAIF-4.6-03', runtime({ concurrency: 3 }), {}),
  'Runtime.streaming': does(
    'streaming is requested if the definition requires it',
    runtime({ streaming: true }),
    {},
  ),
  'Runtime.async_execution': reported(/--detach/, runtime({ async_execution: true }), {}),
  'Runtime.queue': reported(/named queues are not supported/, runtime({ queue: 'night' }), {}),
  'Runtime.environment': {
    each: Object.fromEntries(
      ['production', 'staging', 'development', 'test'].map((environment) => [
        environment,
        does('the span of a run names the environment of its definition', runtime({ environment }), {}),
      ]),
    ),
  },

  'Telemetry.tracing': does('AAIF-4.7-06', telemetry({ tracing: false }), {}),
  'Telemetry.log_level': {
    each: {
      debug: does('SPEC-D-22: with log_level', telemetry({ log_level: 'debug' }), {}),
      info: does('SPEC-D-22: with log_level'),
      warn: does('SPEC-D-22: with log_level', telemetry({ log_level: 'warn' }), {}),
      error: does('SPEC-D-22: with log_level', telemetry({ log_level: 'error' }), {}),
    },
  },
  'Telemetry.metrics': does('AAIF-4.7-06', telemetry({ metrics: false }), {}),
  'Telemetry.trace_context_header': does('AAIF-4.7-08', telemetry({ trace_context_header: 'X-Trace' }), {}),
  'Telemetry.otlp_endpoint': does('AAIF-4.7-07', telemetry({ otlp_endpoint: 'https://open.example' }), {}),
}
