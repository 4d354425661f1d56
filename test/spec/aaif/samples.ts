import type { JsonObject } from '../../../src/document/json.ts'

/** The smallest valid definition (AAIF-4-02). */
export const minimal: JsonObject = {
  sc_standard: 'SC-006',
  agent: { name: 'Clerk', goal: 'File every letter.' },
}

/** Uses every member of the format at least once, and gives no findings. */
export const full: JsonObject = {
  _comment: 'every member once',
  sc_standard: 'SC-006',
  sc_version: '3.4.0',
  agent_id: '6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10',
  status: 'draft',
  tags: ['post', 'office'],
  'x-acme-desk': { colour: 'green' },
  'x-sc-schema': 'agent.schema.json',
  agent: {
    name: 'Post office',
    version: '1.2.3',
    description: 'Sorts letters and passes them on.',
    goal: 'Every letter reaches its reader.',
    instructions: 'Be exact.',
    skills: ['sorting', 'routing'],
    required_capabilities: ['tool.mcp', 'memory.vector'],
    model: {
      provider: 'custom',
      provider_id: 'litellm',
      base_url: 'https://models.example/v1',
      preferred: 'small-1',
      fallbacks: [{ provider: 'openai', model: 'gpt-x', max_cost_usd_per_1k_tokens: 0.5 }],
      routing_strategy: 'cost',
      min_context_tokens: 0,
      temperature: 2,
      params: {
        max_tokens: 1,
        top_p: 1,
        frequency_penalty: -2,
        presence_penalty: 2,
        stop: ['a', 'b', 'c', 'd'],
        seed: -7,
        extended: { thinking: { budget: 5 }, 'x-any': [null, { deep: true }] },
      },
      response_format: 'json_schema',
    },
    orchestration: {
      role: 'orchestrator',
      subagents: [
        {
          ref: 'urn:agent:sorter',
          alias: 'sorter',
          role: 'worker',
          when: { lang: 'jsonpath', expr: '$.letter', nl: 'there is a letter' },
          pass_memory_keys: ['rules'],
        },
        { ref: 'urn:agent:judge', alias: 'judge', role: 'evaluator', when: { lang: 'always' } },
      ],
      handoff: [
        {
          condition: { lang: 'jsonlogic', expr: { '==': [{ var: 'kind' }, 'parcel'] } },
          target_agent: 'judge',
          pass_context: false,
          pass_memory: true,
        },
      ],
      pipeline: ['sorter', 'judge'],
      parallel_execution: true,
      max_iterations: 1,
      consensus: { strategy: 'referee', min_votes: 1, referee_agent: 'judge' },
    },
    context: [
      {
        type: 'url',
        label: 'Rates',
        value: 'https://post.example/rates',
        description: 'prices',
        refresh_ttl_seconds: 0,
      },
      { type: 'text', value: 'Letters are small.' },
    ],
    tools: [
      {
        name: 'weigh-letter_2',
        description: 'Weighs a letter.',
        protocol: 'http',
        parameters_schema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
        output_schema: { type: 'object' },
        endpoint: 'https://scales.example/weigh',
        auth: {
          type: 'api_key',
          env_var: 'SCALES_KEY',
          vault_ref: { provider: 'hashicorp_vault', path: 'secret/data/scales', key: 'key', version: '1' },
          header: 'X-API-Key',
          scopes: ['weigh'],
          token_url: 'https://scales.example/token',
        },
        cache_ttl_seconds: 0,
        timeout_seconds: 1,
        rate_limit: { requests_per_minute: 1, tokens_per_minute: 1 },
      },
      { name: '_note', description: 'Writes a note.', protocol: 'function' },
    ],
    memory: [
      {
        scope: 'long_term',
        key: 'rules',
        content: 'Stamp first.',
        backend: 'qdrant',
        ttl_seconds: 0,
        embedding_model: 'embed-1',
        retrieval_strategy: 'hybrid',
        top_k: 1,
      },
      { scope: 'session', content: '', top_k: 2 },
    ],
    constraints: ['Never open a letter.'],
    io: {
      input_schema: { type: 'object' },
      output_schema: { type: 'object', 'x-hint': 1 },
      streaming: true,
      format: 'json',
      mode: 'async',
    },
    events: {
      triggers: [
        { type: 'schedule', schedule: '0 9 * * 1-5', filter: { lang: 'never' } },
        {
          type: 'event',
          event_name: 'letter',
          webhook_path: '/in',
          filter: { lang: 'cel', expr: 'size > 1.0' },
        },
      ],
      on_start: 'open_desk',
      on_complete: 'close_desk',
      on_error: 'ring_bell',
      on_tool_call: 'look',
    },
    runtime: {
      timeout_seconds: 1,
      max_retries: 0,
      retry_backoff: 'linear',
      concurrency: 1,
      streaming: true,
      async_execution: true,
      queue: 'slow',
      environment: 'test',
    },
    telemetry: {
      tracing: true,
      log_level: 'warn',
      metrics: false,
      trace_context_header: 'x-trace',
      otlp_endpoint: 'https://otel.example',
    },
    evaluation: {
      judge_model: 'judge-1',
      metrics: [
        { name: 'custom', threshold: 0.9, custom_name: 'promptness' },
        { name: 'toxicity', threshold: 0.01 },
      ],
      test_cases: [{ id: 'one', input: null, expected_output: [1], criteria: 'Arrives.' }],
    },
    compliance: {
      safety_level: 'strict',
      data_residency: 'EU',
      pii_handling: 'anonymize',
      audit_log: true,
      human_in_the_loop: { enabled: true, trigger: { lang: 'jmespath', expr: 'risk' }, timeout_seconds: 60 },
    },
  },
  provenance: {
    authored_by: 'did:example:1',
    source_platform: 'Waybill',
    created_at: '2026-01-31T09:00:00Z',
    updated_at: '2026-02-01T09:00:00.5+01:00',
    license: 'Apache-2.0',
    sc_refs: ['SC-005'],
    signature: 'c2lnbmVk',
  },
}

/** Several shapes, so that mutations start from different documents. */
export const samples: readonly JsonObject[] = [
  minimal,
  full,
  {
    sc_standard: 'SC-006',
    agent: {
      name: 'Hints',
      goal: 'Use plain words.',
      model: { provider: 'anthropic', preferred: 'm', params: {} },
      orchestration: {
        subagents: [{ ref: 'r', when: 'the task is code' }],
        handoff: [{ condition: 'stuck', target_agent: 'r' }],
      },
      events: { triggers: [{ type: 'message', filter: 'is long' }] },
      compliance: { human_in_the_loop: { trigger: 'before any write' } },
    },
  },
  {
    sc_standard: 'SC-006',
    agent: { name: 'x', goal: '', tools: [], memory: [], constraints: [], context: [] },
  },
]

/** A deep copy that a test may change. */
// biome-ignore lint/suspicious/noExplicitAny: tests change documents of every shape, including invalid ones
export function copyOf(value: unknown): any {
  return structuredClone(value)
}
