import { anyObject, list, number, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import {
  AUTH_SCHEMES,
  LANDAUER_FLOOR,
  PROTOCOLS,
  SUBSTRATE_SCOPE_KEY,
  TRUST_TIER_KEY,
  TRUST_TIERS,
} from './vocabulary.ts'

/**
 * The agent card of AgentCard draft 00: the one source of the published schema, the validator and the types
 * (`npm run generate`). Every object is open, because readers ignore unknown members (§5 rule 10).
 */

export const AGENT_ID = '^[0-9A-HJKMNP-TV-Z]{26}$'
export const CAPABILITY_ID = '^[a-z0-9][a-z0-9._-]*$'

const NUMERIC = '(?:0|[1-9]\\d*)'
const ZERO_LED = '0\\d+(?:[.+]|$)'
/**
 * SemVer 2.0.0; the expression in §5 accepts versions that SemVer forbids. Invalid identifiers are excluded by
 * lookahead: the official expression repeats a group, which overflows the stack on a hostile version.
 */
export const SEM_VER =
  `^${NUMERIC}\\.${NUMERIC}\\.${NUMERIC}` +
  `(?:-(?!\\.|${ZERO_LED}|[0-9A-Za-z.-]*\\.(?:[.+]|$|${ZERO_LED}))[0-9A-Za-z.-]+)?` +
  '(?:\\+(?!\\.|[0-9A-Za-z.-]*\\.(?:\\.|$))[0-9A-Za-z.-]+)?$'

const capability = open('One thing that the agent can do (§2.4).', ['id'], {
  id: text('Dotted lower-case name, such as text.summarise (§2.4.1).', { pattern: CAPABILITY_ID }),
  description: text('Its function, input and output, in one to three sentences.'),
  input_schema: anyObject('JSON Schema of its input.'),
  output_schema: anyObject('JSON Schema of its output.'),
  tags: list({ type: 'string' }, 'Free labels for search.'),
})

const auth = open('Which kind of credential a caller needs; never the credential itself (§2.5.3).', [], {
  scheme: oneOf(AUTH_SCHEMES, 'The mechanism.', { default: 'none' }),
})

const endpoint = open('How the agent is reached (§2.5).', ['protocol', 'url'], {
  protocol: oneOf(PROTOCOLS, 'Protocol of the endpoint (§2.5.1).'),
  url: text('Its URI; the scheme agrees with the protocol (§2.5.2).', { format: 'uri' }),
  auth: ref('EndpointAuth'),
})

const pricing = open('What a call costs, in joules (§2.6).', [], {
  base_cost_joules: number('Minimum energy of one call: 0, or at least the Landauer limit (§2.6.1).', {
    minimum: 0,
    not: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: LANDAUER_FLOOR },
  }),
  per_token_joules: number('Additional energy of each output token (§2.6.2).', { minimum: 0 }),
})

const metadata = open(
  'Notes of frameworks and applications; the prefixes pacr: and mcp: are reserved (§2.7).',
  [],
  {
    [TRUST_TIER_KEY]: oneOf(TRUST_TIERS, 'Trust tier that the agent claims; not verified (§8.4).', {
      default: 'untrusted',
    }),
    [SUBSTRATE_SCOPE_KEY]: text('Data on which it was trained or calibrated.'),
  },
)

const goalSubscription = open('A goal that the agent takes part in (§2.8).', ['goal_id'], {
  goal_id: text('The goal.'),
  description: text('Description of the goal.'),
  priority: number('Priority of the goal for the agent.', { minimum: 0, maximum: 1 }),
})

export const agentCardSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:agentcard:card:00',
  title: 'AgentCard',
  ...open(
    'Description of an agent, published by the agent (AgentCard draft 00 §2).',
    ['agent_id', 'name', 'version', 'capabilities', 'endpoint'],
    {
      agent_id: text('ULID, assigned once and never changed (§2.1).', { pattern: AGENT_ID }),
      name: text('Name shown to people; it need not be unique (§2.2).', { minLength: 1, maxLength: 128 }),
      version: text('Version of this card, by Semantic Versioning 2.0.0 (§2.3).', { pattern: SEM_VER }),
      capabilities: list(ref('Capability'), 'What the agent can do, the most prominent first (§2.4).', {
        minItems: 1,
      }),
      endpoint: ref('Endpoint'),
      pricing: ref('Pricing'),
      metadata: ref('Metadata'),
      goal_subscriptions: list(ref('GoalSubscription'), 'Goals that the agent takes part in (§2.8).'),
    },
  ),
  $defs: {
    Capability: capability,
    Endpoint: endpoint,
    EndpointAuth: auth,
    Pricing: pricing,
    Metadata: metadata,
    GoalSubscription: goalSubscription,
  },
} satisfies Schema
