import type { JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'
import { entriesOf, LOOKS_LIKE_A_KEY, without } from './catalogue/entry.ts'
import { leastState } from './catalogue/state-sample.ts'

const rule = entriesOf('aaif.state', leastState)
const state = (members: JsonObject): JsonObject => ({ ...leastState, ...members })
const withMessage = (message: JsonObject): JsonObject => state({ conversation: [message] })
const withMemoryItem = (item: JsonObject): JsonObject =>
  state({ memory_snapshot: [{ scope: 'task', key: 'stamps', content: 'Two left.', ...item }] })

/** All rules for Agent States. */
export const agentStateRules: readonly RuleEntry[] = [
  rule('AAIF-4.1-01', '4.1', {
    codes: ['NOT_AAIF'],
    sentence: 'sc_standard is exactly "SC-006"; a document with another value is not AAIF.',
    wrong: state({ sc_standard: 'SC-007' }),
  }),
  rule('SPEC-Q-01', '8.1', {
    codes: ['REQUIRED_MISSING', 'NOT_AAIF', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A state is an object with sc_standard, state_id, agent_id, checkpoint_at and status.',
    wrong: without(leastState, 'checkpoint_at'),
  }),
  rule('AAIF-4-04', '4', {
    codes: ['PATTERN_MISMATCH', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'sc_version is MAJOR.MINOR.PATCH.',
    right: state({ sc_version: '3.0.0' }),
    wrong: state({ sc_version: '3' }),
  }),
  rule('SPEC-Q-10', '8.1', {
    codes: ['SC_VERSION_UNKNOWN'],
    severity: 'warning',
    sentence: 'A state of a version that is not known is read as one of 3.4.0.',
    right: state({ sc_version: '3.4.0' }),
    wrong: state({ sc_version: '4.0.0' }),
  }),
  rule('AAIF-8.1-03', '8.1', {
    codes: ['TIME_NOT_UTC'],
    severity: 'warning',
    sentence: 'checkpoint_at is written in UTC.',
    wrong: state({ checkpoint_at: '2026-03-01T10:00:00+01:00' }),
  }),
  rule('AAIF-8.1-04', '8.1', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'status is one of the seven that a run can have.',
    wrong: state({ status: 'sleeping' }),
  }),
  rule('AAIF-8.1-05', '8.1', {
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'iteration is a whole number from 0; max_iterations continues counting from it.',
    right: state({ iteration: 3 }),
    wrong: state({ iteration: -1 }),
  }),
  rule('AAIF-8.1-06', '8.1', {
    codes: ['UNKNOWN_MEMBER', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'pipeline_position has five members and no others.',
    right: state({ pipeline_position: { current_step: 'sort', remaining_steps: ['send'] } }),
    wrong: state({ pipeline_position: { step: 'sort' } }),
  }),
  rule('SPEC-Q-02', '8.1', {
    codes: ['REQUIRED_MISSING', 'NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A message has content and a role: system, user, assistant or tool.',
    right: withMessage({ role: 'user', content: 'Hello.' }),
    wrong: withMessage({ role: 'human', content: 'Hello.' }),
  }),
  rule('SPEC-Q-03', '8.1', {
    codes: ['REQUIRED_MISSING', 'NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A memory item has scope, key and content.',
    right: withMemoryItem({}),
    wrong: state({ memory_snapshot: [{ scope: 'task', content: 'Two left.' }] }),
  }),
  rule('AAIF-8.1-08', '8.1', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'Memory items have no embeddings: they are computed again on restore.',
    right: withMemoryItem({}),
    wrong: withMemoryItem({ embedding: [0.1, 0.2] }),
  }),
  rule('SPEC-Q-04', '8.1', {
    codes: ['REQUIRED_MISSING', 'NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A pending call has id, tool_name and arguments, and one of three statuses.',
    right: state({ pending_tool_calls: [{ id: 'c1', tool_name: 'weigh', arguments: {} }] }),
    wrong: state({ pending_tool_calls: [{ id: 'c1', tool_name: 'weigh' }] }),
  }),
  rule('SPEC-Q-05', '8.1', {
    codes: ['REQUIRED_MISSING', 'NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A subagent has alias and agent_id, and one of five statuses.',
    right: state({ subagent_states: [{ alias: 'sorter', agent_id: leastState.agent_id ?? '' }] }),
    wrong: state({ subagent_states: [{ alias: 'sorter' }] }),
  }),
  rule('AAIF-8.1-11', '8.1', {
    codes: ['WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'variables is an object with any members.',
    right: state({ variables: { weighed: 3 } }),
    wrong: state({ variables: ['weighed'] }),
  }),
  rule('AAIF-8.1-12', '8.1', {
    codes: ['APPROVAL_REQUEST_MISSING', 'STATUS_DETAIL_MISSING', 'WRONG_TYPE'],
    sentence:
      'A state that awaits approval has an approval_request with its description and time limit; a missing one gives a warning.',
    right: state({
      status: 'awaiting_approval',
      approval_request: { trigger_description: 'Send 47 letters.', timeout_at: '2026-03-01T10:00:00Z' },
    }),
    wrong: state({ status: 'awaiting_approval', approval_request: 'Send 47 letters.' }),
  }),
  rule('AAIF-8.1-13', '8.1', {
    codes: ['ERROR_MISSING', 'STATUS_DETAIL_MISSING', 'WRONG_TYPE', 'OUT_OF_RANGE'],
    sentence:
      'A state that failed has an error with code, message, retries_remaining and, if it failed in one, the step; a missing one gives a warning.',
    right: state({
      status: 'failed',
      error: { code: 'TOOL_TIMEOUT', message: 'No answer.', step: 'weigh', retries_remaining: 0 },
    }),
    wrong: state({ status: 'failed', error: { retries_remaining: -1 } }),
  }),
  rule('AAIF-8.1-14', '8.1', {
    codes: ['WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'The members of provenance are strings; the checksum is verified on restore.',
    right: state({ provenance: { checksum: 'not yet' } }),
    wrong: state({ provenance: { checksum: 7 } }),
  }),
  rule('SPEC-D-25', '8.1', {
    codes: ['FORMAT_MISMATCH'],
    severity: 'warning',
    sentence: 'Ids are UUIDs and times are RFC 3339; other values give a warning.',
    wrong: state({ state_id: 's-1' }),
  }),
  rule('SPEC-W-01', '10', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'Objects that the format defines have no other members.',
    wrong: state({ turns: 3 }),
  }),
  rule('SPEC-W-06', '10', {
    codes: ['UNKNOWN_MEMBER'],
    enforced: 'schema',
    sentence: 'x- members are allowed only at the root.',
    right: state({ 'x-acme-desk': 7 }),
    wrong: state({ provenance: { 'x-acme-desk': 7 } }),
  }),
  rule('SPEC-W-07', '10', {
    codes: ['EXTENSION_SHADOWS_STANDARD'],
    severity: 'warning',
    sentence: 'An extension does not replace a member of the format.',
    right: state({ 'x-acme-variables': {} }),
    wrong: state({ 'x-variables': {} }),
  }),
  rule('AAIF-4.4-10', '4.4, §12', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'No document contains a secret; a migration_token does not count as a secret.',
    right: withMessage({ role: 'user', content: 'My key is in the vault.' }),
    wrong: withMessage({ role: 'user', content: `My key is ${LOOKS_LIKE_A_KEY}.` }),
  }),
]
