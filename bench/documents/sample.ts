import type { JsonObject } from '../../src/document/json.ts'

/** A definition of about 10 KB of JSON: every block, eight tools, no findings. */
export function tenKilobytes(): JsonObject {
  const weigh = (index: number): JsonObject => ({
    name: `weigh_${index}`,
    description:
      'Weighs a parcel on one of the scales of the office, and says when the scales were last checked.',
    protocol: 'http',
    endpoint: `https://scales.post.example/v1/weigh/${index}`,
    auth: { type: 'bearer', env_var: `SCALES_TOKEN_${index}` },
    parameters_schema: {
      type: 'object',
      properties: {
        parcel: { type: 'string', description: 'The number on the label.', minLength: 3 },
        unit: { enum: ['g', 'kg'], description: 'The unit of the weight.' },
        tare: { type: 'number', minimum: 0 },
      },
      required: ['parcel'],
      additionalProperties: false,
    },
    output_schema: { type: 'object', properties: { weight: { type: 'number' } }, required: ['weight'] },
    timeout_seconds: 10,
    rate_limit: { requests_per_minute: 60 },
  })
  const sentence =
    'Greet each visitor, ask for the number of the parcel, and never promise a day that is not in the book. '
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id: '6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10',
    status: 'active',
    tags: ['post', 'office', 'parcels'],
    agent: {
      name: 'Parcel clerk',
      version: '2.3.1',
      description: 'Answers at the counter of a parcel office.',
      goal: 'Tell where a parcel is, and book a pickup when it is asked for.',
      instructions: sentence.repeat(22),
      required_capabilities: ['tool.http', 'compliance.hitl'],
      model: {
        provider: 'anthropic',
        preferred: 'claude-sonnet-4-5',
        fallbacks: [{ provider: 'openai', model: 'gpt-4o', max_cost_usd_per_1k_tokens: 0.02 }],
        routing_strategy: 'preferred_first',
        temperature: 0.2,
        params: { max_tokens: 2000, stop: ['END'] },
      },
      orchestration: {
        role: 'orchestrator',
        max_iterations: 12,
        subagents: [
          { ref: 'urn:agent:sorter', alias: 'sorter', role: 'worker' },
          { ref: 'urn:agent:checker', alias: 'checker', role: 'evaluator' },
        ],
        pipeline: ['sorter', 'checker'],
      },
      context: [{ type: 'text', label: 'Rates', value: 'A letter is 1, a parcel 5. '.repeat(8) }],
      tools: Array.from({ length: 8 }, (_, index) => weigh(index)),
      memory: [{ scope: 'long_term', key: 'rates', content: 'What was charged.', backend: 'postgres' }],
      constraints: ['Never promise a day.', 'Never name another customer.'],
      io: { input_schema: { type: 'object' }, format: 'text', mode: 'sync' },
      runtime: { timeout_seconds: 60, max_retries: 2, retry_backoff: 'exponential' },
      telemetry: { tracing: true, metrics: true },
      evaluation: { metrics: [{ name: 'task_completion', threshold: 0.9 }] },
      compliance: { safety_level: 'strict', pii_handling: 'detect', audit_log: true },
    },
    provenance: { authored_by: 'Post office', created_at: '2026-03-01T09:00:00Z', license: 'Apache-2.0' },
  }
}
