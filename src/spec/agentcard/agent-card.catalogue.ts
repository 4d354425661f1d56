import type { Severity } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'

/** The smallest card without findings. */
const card: JsonObject = {
  agent_id: '01KA3F7Q2M8XZT5R9VNC4WB6HD',
  name: 'Letter sorter',
  version: '1.0.0',
  capabilities: [{ id: 'tool.sort', description: 'Sorts letters by town.' }],
  endpoint: { protocol: 'https', url: 'https://post.example/agent' },
}

const having = (members: JsonObject): JsonObject => ({ ...card, ...members })
const able = (members: JsonObject): JsonObject =>
  having({ capabilities: [{ id: 'tool.sort', description: 'Sorts letters by town.', ...members }] })
const reached = (members: JsonObject): JsonObject =>
  having({ endpoint: { protocol: 'https', url: 'https://post.example/agent', ...members } })

function without(member: string): JsonObject {
  const { [member]: _left, ...rest } = card
  return rest
}

type Parts = Pick<RuleEntry, 'codes' | 'sentence' | 'wrong'> & {
  readonly right?: Json
  readonly severity?: Severity
  readonly enforced?: RuleEntry['enforced']
}

function rule(id: string, section: string, parts: Parts): RuleEntry {
  const { right = card, severity = 'error', enforced = 'validation' } = parts
  return { id, kind: 'agentcard', source: `AgentCard §${section}`, severity, enforced, ...parts, right }
}

/** Every rule by which an agent card is judged. */
export const agentCardRules: readonly RuleEntry[] = [
  rule('CARD-1.1-03', '1.1, §5', {
    severity: 'info',
    codes: ['MEMBER_LIKELY_MISTYPED'],
    sentence:
      'Unknown members are ignored at every level; a member whose name is close to a known one gives a finding.',
    right: having({ 'x-desk': { any: [null] } }),
    wrong: able({ tagz: ['post'] }),
  }),
  rule('CARD-2-01', '2', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING'],
    sentence: 'A card has agent_id, name, version, capabilities and endpoint.',
    wrong: without('name'),
  }),
  rule('CARD-2-03', '2, §3', {
    codes: [
      'CARD_NOT_OBJECT',
      'CARD_NOT_JSON',
      'WRONG_TYPE',
      'JSON_SYNTAX',
      'DUPLICATE_KEY',
      'LONE_SURROGATE',
      'NUMBER_OVERFLOW',
      'INTEGER_IMPRECISE',
      'DOCUMENT_TOO_DEEP',
      'DOCUMENT_TOO_LARGE',
    ],
    sentence: 'A card is a JSON object, or a JSON string that contains an object.',
    right: JSON.stringify(card),
    wrong: [],
  }),
  rule('CARD-2-04', '2', {
    enforced: 'schema',
    codes: ['WRONG_TYPE', 'NULL_AS_ABSENT'],
    sentence:
      'Members that the draft defines have its types; an optional member that is null counts as absent.',
    wrong: having({ name: 7 }),
  }),
  rule('CARD-2.2-01', '2.2', {
    enforced: 'schema',
    codes: ['TOO_SHORT', 'TOO_LONG'],
    sentence: 'name has 1 to 128 Unicode code points.',
    right: having({ name: '✉'.repeat(128) }),
    wrong: having({ name: '✉'.repeat(129) }),
  }),
  rule('CARD-2.2-02', '2.2', {
    severity: 'info',
    codes: ['NAME_TELLS_NOTHING'],
    sentence: 'name describes the main function of the agent; it need not be unique.',
    wrong: having({ name: 'My agent' }),
  }),
  rule('CARD-2.3-01', '2.3', {
    enforced: 'schema',
    codes: ['PATTERN_MISMATCH'],
    sentence: 'version conforms to Semantic Versioning 2.0.0.',
    right: having({ version: '1.0.0-rc.1+b.007' }),
    wrong: having({ version: '1.0.0-01' }),
  }),
  rule('CARD-2.4-01', '2.4', {
    enforced: 'schema',
    codes: ['TOO_FEW_ITEMS'],
    sentence: 'A card has at least one capability.',
    wrong: having({ capabilities: [] }),
  }),
  rule('CARD-2.4-03', '2.4.1', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING', 'PATTERN_MISMATCH'],
    sentence: 'Each capability has an id of a-z, 0-9, ".", "_" and "-" that begins with a letter or digit.',
    right: able({ id: 'tool.b_c-1' }),
    wrong: able({ id: 'Tool.sort' }),
  }),
  rule('CARD-2.4-04', '2.4.1', {
    severity: 'info',
    codes: ['NAMESPACE_UNUSUAL'],
    sentence: 'A capability id begins with text., tool., data., fn. or a2a., or with a reversed domain.',
    right: able({ id: 'example.post.sort' }),
    wrong: able({ id: 'sort' }),
  }),
  rule('CARD-2.4-06', '2.4.2', {
    severity: 'warning',
    codes: ['DESCRIPTION_MISSING'],
    sentence: 'A capability describes in one to three sentences its function, input and output.',
    wrong: having({ capabilities: [{ id: 'tool.sort' }] }),
  }),
  rule('CARD-2.4-07', '2.4.3', {
    codes: ['WRONG_TYPE', 'SCHEMA_INVALID', 'SCHEMA_DOUBTFUL'],
    sentence: 'input_schema and output_schema are objects, and valid JSON Schemas.',
    right: able({ input_schema: { type: 'object' } }),
    wrong: able({ input_schema: { type: 'strng' } }),
  }),
  rule('CARD-2.4-08', '2.4.3', {
    severity: 'warning',
    codes: ['SCHEMA_NOT_OBJECT'],
    sentence: 'Schemas of capabilities describe an object, as function calling requires.',
    right: able({ input_schema: { type: 'object' } }),
    wrong: able({ input_schema: { type: 'string' } }),
  }),
  rule('CARD-2.4-09', '2.4.4', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'tags is an array of strings.',
    right: able({ tags: ['post'] }),
    wrong: able({ tags: [1] }),
  }),
  rule('CARD-2.5-01', '2.5', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING'],
    sentence: 'endpoint has protocol and url.',
    wrong: having({ endpoint: { protocol: 'https' } }),
  }),
  rule('CARD-2.5-02', '2.5.1', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM'],
    sentence: 'endpoint.protocol is http, https, grpc, stdio or mcp.',
    right: reached({ protocol: 'mcp' }),
    wrong: reached({ protocol: 'websocket', url: 'wss://post.example/' }),
  }),
  rule('CARD-2.5-03', '2.5.2', {
    codes: ['PROTOCOL_URL_MISMATCH'],
    sentence: 'The scheme of endpoint.url agrees with endpoint.protocol.',
    wrong: reached({ url: 'http://post.example/agent' }),
  }),
  rule('CARD-2.5-04', '2.5.3', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM'],
    sentence: 'endpoint.auth.scheme is one of none, bearer, api_key, oauth2 or mtls.',
    right: reached({ auth: { scheme: 'bearer' } }),
    wrong: reached({ auth: { scheme: 'basic' } }),
  }),
  rule('CARD-2.5-06', '2.5.3', {
    severity: 'warning',
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'A card declares the required credential and does not contain it.',
    right: reached({ auth: { scheme: 'api_key', header: 'X-API-Key' } }),
    wrong: reached({ auth: { scheme: 'bearer', token: 'k9Qz7Lw2Xv5Rt8Yb3Nc6Md1Pf4' } }),
  }),
  rule('CARD-2.6-01', '2.6.1', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE', 'BELOW_LANDAUER_FLOOR'],
    sentence: 'pricing.base_cost_joules is 0, or at least 2.854e-21.',
    right: having({ pricing: { base_cost_joules: 0 } }),
    wrong: having({ pricing: { base_cost_joules: 1e-22 } }),
  }),
  rule('CARD-2.6-03', '2.6.1', {
    severity: 'info',
    codes: ['COST_AT_FLOOR'],
    sentence: 'pricing.base_cost_joules is a realistic estimate, not the physical minimum.',
    right: having({ pricing: { base_cost_joules: 12.5 } }),
    wrong: having({ pricing: { base_cost_joules: 2.854e-21 } }),
  }),
  rule('CARD-2.6-04', '2.6.2', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE'],
    sentence: 'pricing.per_token_joules is not negative.',
    right: having({ pricing: { per_token_joules: 1.4e-24 } }),
    wrong: having({ pricing: { per_token_joules: -1 } }),
  }),
  rule('CARD-2.7-02', '2.7', {
    severity: 'warning',
    codes: ['METADATA_KEY_RESERVED'],
    sentence: 'Metadata keys that begin with "pacr:" are defined by the draft.',
    right: having({ metadata: { 'post:town': 'Bern' } }),
    wrong: having({ metadata: { 'pacr:town': 'Bern' } }),
  }),
  rule('CARD-2.7-03', '2.7', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM'],
    sentence: 'metadata["pacr:trust_tier"] is untrusted, basic, established, verified or banned.',
    right: having({ metadata: { 'pacr:trust_tier': 'basic' } }),
    wrong: having({ metadata: { 'pacr:trust_tier': 'gold' } }),
  }),
  rule('CARD-2.7-05', '2.7', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'metadata["pacr:substrate_scope"] is a string.',
    right: having({ metadata: { 'pacr:substrate_scope': 'letters' } }),
    wrong: having({ metadata: { 'pacr:substrate_scope': 5 } }),
  }),
  rule('CARD-2.8-01', '2.8', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE'],
    sentence: 'Each entry of goal_subscriptions has a goal_id, which is a string.',
    right: having({ goal_subscriptions: [{ goal_id: 'post' }] }),
    wrong: having({ goal_subscriptions: [{ priority: 1 }] }),
  }),
  rule('CARD-2.8-02', '2.8', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE'],
    sentence: 'The priority of a goal is from 0 to 1.',
    right: having({ goal_subscriptions: [{ goal_id: 'post', priority: 1 }] }),
    wrong: having({ goal_subscriptions: [{ goal_id: 'post', priority: 1.1 }] }),
  }),
  rule('CARD-5-02', '2.1, §5', {
    enforced: 'schema',
    codes: ['PATTERN_MISMATCH'],
    sentence: 'agent_id has 26 characters: digits and upper-case letters without I, L, O and U.',
    wrong: having({ agent_id: '01ka3f7q2m8xzt5r9vnc4wb6hd' }),
  }),
  rule('CARD-5-04', '5', {
    codes: ['URL_INVALID'],
    sentence: 'endpoint.url is a URI with a scheme (RFC 3986).',
    wrong: reached({ url: 'post.example/agent' }),
  }),
  rule('CARD-8-08', '8.6', {
    severity: 'warning',
    codes: ['PERSONAL_DATA'],
    sentence:
      'name, descriptions and metadata contain no personal data unless access to the card is controlled.',
    wrong: having({ metadata: { contact: 'ann@post.example' } }),
  }),
  rule('WB-CARD-01', '2.4', {
    severity: 'warning',
    codes: ['CAPABILITY_REPEATED'],
    sentence: 'The ids of the capabilities of a card are unique.',
    wrong: having({
      capabilities: [
        { id: 'tool.sort', description: 'Sorts letters.' },
        { id: 'tool.sort', description: 'Sorts parcels.' },
      ],
    }),
  }),
  rule('WB-CARD-02', '2.4', {
    severity: 'warning',
    codes: ['TAG_REPEATED', 'LONG_FOR_OTHERS'],
    sentence:
      'Ids, descriptions and tags have at most 128, 512 and 64 characters, and tags are unique, as some readers require.',
    right: able({ tags: ['post', 'town'] }),
    wrong: able({ tags: ['post', 'post'] }),
  }),
  rule('WB-CARD-03', '2.1', {
    severity: 'warning',
    codes: ['ULID_OVERFLOW'],
    sentence: 'agent_id fits into the 128 bits of a ULID: it begins with 0 to 7.',
    wrong: having({ agent_id: '81KA3F7Q2M8XZT5R9VNC4WB6HD' }),
  }),
]
