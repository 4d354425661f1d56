import { flag, oneOf, type Schema, text } from '../spec/schema-builder.ts'

const list = (items: Schema, description: string): Schema => ({ type: 'array', items, description })
const record = (
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  description: string,
) => ({ type: 'object', required, properties, description }) as const

const object = (description: string): Schema => ({ type: 'object', description })

const MODEL = record(
  {
    provider: text('Provider of the definition, or of --model.'),
    model: text('Name of the model.'),
    provider_id: text('The id of a custom provider.'),
    base_url: text('Address of the API; absent: that of the provider.'),
    key: text('Name of the secret that is sent as the key; absent: none is sent.'),
    eligible: flag('Whether a run may use it.'),
  },
  ['provider', 'model', 'eligible'],
  'A model, in the order of use.',
)

const TOOL = record(
  {
    name: text('Name of the tool.'),
    protocol: text('How it is called.'),
    effect: oneOf(['read', 'write'], 'Whether a call may change something.'),
    gate: oneOf(['allow', 'ask', 'deny'], 'Whether a call needs a person, or is never made.'),
  },
  ['name', 'protocol', 'effect', 'gate'],
  'A tool that the model may call.',
)

const SUBAGENT = record(
  {
    ref: text('Reference in the definition.'),
    alias: text('Its name in the plan.'),
    found: flag('Whether a definition was found; `agents` contains it.'),
    leads_to: text('The path in `agents` of the agent that it leads to; absent: none was found.'),
  },
  ['ref', 'alias', 'found'],
  'An agent that this agent may call.',
)

const AGENT = record(
  {
    agent_name: text('Name of the agent.'),
    agent_id: text('Id of the agent; absent: its definition has none.'),
    safety_level: oneOf(['minimal', 'standard', 'strict', 'regulated'], 'Safety level of the definition.'),
    system_prompt: text('The system prompt, with the texts of the context.'),
    models: list(MODEL, 'The models, in the order of use.'),
    tools: list(TOOL, 'The tools.'),
    subagents: list(SUBAGENT, 'The agents that it may call.'),
    secrets: list(text('Name of a secret.'), 'Names of the secrets that a run reads; never their values.'),
    unasked_calls: list(text('A rule.'), 'Rules of the home for calls that need no approval.'),
    not_applied: list(text('Place and rule.'), 'Members of the definition that are not applied.'),
    refusals: list(text('Code and place.'), 'Why a run would be refused; empty: it may run.'),
  },
  [
    'agent_name',
    'safety_level',
    'system_prompt',
    'models',
    'tools',
    'subagents',
    'secrets',
    'not_applied',
    'refusals',
  ],
  'What runs of one agent may do. Later versions may add members.',
)

const texts = (description: string): Schema => list({ type: 'string' }, description)

/**
 * The JSON Schema of the file of `waybill plan --out`, for scripts that read it. Waybill itself checks the digest, which
 * also covers all members that this schema leaves open.
 */
export const planFileSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:plan:1',
  title: 'ReviewedPlan',
  type: 'object',
  description: 'A plan that a person reviewed; `waybill run --plan` starts nothing else.',
  required: ['waybill_plan', 'plan_hash', 'assumed_secrets', 'agents', 'operator', 'digest'],
  additionalProperties: false,
  properties: {
    waybill_plan: { const: 1, description: 'Version of this format.' },
    plan_hash: text('SHA-256 of the plan at the time of the review.', { pattern: '^[0-9a-f]{64}$' }),
    assumed_secrets: texts('Names of secrets that were taken as set for the review.'),
    agents: {
      type: 'object',
      required: [''],
      minProperties: 1,
      additionalProperties: AGENT,
      description: 'By the aliases that lead to an agent, such as `editor/writer`; the started agent is "".',
    },
    operator: record(
      {
        hosts: texts('Hosts that are allowed.'),
        denied_hosts: texts('Hosts that are denied.'),
        secret_grants: texts('Secrets that may be sent to a host, as NAME@HOST.'),
        unasked_calls: texts('Rules for calls that need no approval.'),
        key_bindings: {
          type: 'object',
          additionalProperties: texts('Addresses.'),
          description: 'By provider, the addresses that its key may be sent to.',
        },
        mcp_servers: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'By name, a hash of the configuration of each MCP server that is used.',
        },
        functions: {
          type: 'object',
          description: 'By name, whether a function only reads, and is idempotent.',
        },
        hooks: texts('Names of the hooks.'),
        otlp_endpoint: text('The collector for telemetry.'),
        telemetry: object(
          'Further settings of telemetry: its protocol, and its headers by the names of secrets.',
        ),
        model_hosts: texts('Hosts that only models may be called at.'),
        ca_files: texts('Files of certificate authorities: name and SHA-256 of the content.'),
        schemas: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'By address, the SHA-256 of each schema document.',
        },
        settings: object('Further settings of the operator for this run.'),
        configuration: object('Further members of the configuration.'),
      },
      [
        'hosts',
        'denied_hosts',
        'secret_grants',
        'unasked_calls',
        'key_bindings',
        'mcp_servers',
        'functions',
        'hooks',
      ],
      'The settings of the operator that decide what a run may do.',
    ),
    digest: text(
      'SHA-256 of the canonical form of all other members. It detects damage; it is not a signature.',
      {
        pattern: '^[0-9a-f]{64}$',
      },
    ),
  },
}
