import type { Json, JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'
import { entriesOf, LOOKS_LIKE_A_KEY, without } from './catalogue/entry.ts'
import { chunk, complete, init } from './catalogue/stream-sample.ts'

const rule = entriesOf('aaif.handoff-stream', [init, complete])
const stream = (...between: Json[]): Json => [init, ...between, complete]
const withMessage = (message: JsonObject): Json => stream({ ...chunk(0), messages: [message] })
const item = { type: 'memory_item', scope: 'task', key: 'stamps', content: 'Two left.' }
const placed = { type: 'pipeline_state', pipeline_position: {}, variables: {}, iteration: 1 }

/** All rules for streaming handoffs; a document is the array of the lines of a stream. */
export const handoffStreamRules: readonly RuleEntry[] = [
  rule('AAIF-8.3-02', '8.3', {
    codes: [
      'STREAM_NOT_LINES',
      'LINE_NOT_OBJECT',
      'REQUIRED_MISSING',
      'WRONG_TYPE',
      'LINE_BLANK',
      'LINE_TOO_LONG',
      'ENCODING_NOT_UTF8',
      'JSON_SYNTAX',
      'DUPLICATE_KEY',
      'LONE_SURROGATE',
      'NUMBER_OVERFLOW',
      'DOCUMENT_TOO_DEEP',
    ],
    sentence: 'Each line is one JSON object in UTF-8 with a type; blank lines are not allowed.',
    wrong: stream('handoff'),
  }),
  rule('AAIF-8.3-03', '8.3', {
    codes: ['NOT_IN_ENUM'],
    sentence: 'The type of a message is one of eight types.',
    right: stream(item),
    wrong: stream({ type: 'handoff_pause' }),
  }),
  rule('AAIF-8.3-07', '8.3', {
    codes: ['STREAM_NOT_BEGUN', 'STREAM_BEGUN_AGAIN'],
    sentence: 'A stream begins with handoff_init and has only one.',
    wrong: [complete],
  }),
  rule('AAIF-8.3-09', '8.3', {
    codes: ['LINE_AFTER_ERROR'],
    severity: 'warning',
    sentence: 'Lines after handoff_error are ignored.',
    right: [init, { type: 'handoff_error', code: 'GONE', message: 'The host went away.' }],
    wrong: [init, { type: 'handoff_error', code: 'GONE', message: 'The host went away.' }, complete],
  }),
  rule('AAIF-8.3-11', '8.3', {
    codes: ['STREAM_NOT_ENDED'],
    sentence: 'A stream ends with handoff_complete or handoff_error.',
    wrong: [init, chunk(0)],
  }),
  rule('AAIF-8.3-13', '8.3', {
    codes: ['LINE_AFTER_COMPLETE'],
    sentence: 'handoff_complete is the last line.',
    wrong: [init, complete, chunk(0)],
  }),
  rule('SPEC-Q-10', '8.3', {
    codes: ['SC_VERSION_UNKNOWN'],
    severity: 'warning',
    sentence: 'A stream of a version that is not known is read as one of 3.4.0.',
    right: [{ ...init, sc_version: '3.4.0' }, complete],
    wrong: [{ ...init, sc_version: '4.0.0' }, complete],
  }),
  rule('SPEC-S-01', '8.3', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'handoff_init, handoff_complete and handoff_error have their required members.',
    wrong: [without(init, 'migration_token'), complete],
  }),
  rule('SPEC-S-02', '8.3', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE', 'NOT_IN_ENUM', 'OUT_OF_RANGE'],
    enforced: 'schema',
    sentence: 'context_chunk, memory_item and pipeline_state have their required members.',
    right: stream(chunk(0), item, placed),
    wrong: stream(without(item, 'key')),
  }),
  rule('SPEC-S-03', '8.3', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE', 'NOT_IN_ENUM'],
    enforced: 'schema',
    sentence: 'pending_tool and subagent_ref have their required members.',
    right: stream({ type: 'pending_tool', id: 'c1', tool_name: 'weigh', arguments: {}, status: 'pending' }),
    wrong: stream({ type: 'pending_tool', id: 'c1', tool_name: 'weigh', arguments: {} }),
  }),
  rule('SPEC-S-04', '8.3', {
    codes: ['CHUNK_OUT_OF_ORDER'],
    sentence: 'Chunks are numbered 0, 1, 2, … and sent in this order.',
    right: stream(chunk(0), item, chunk(1)),
    wrong: stream(chunk(0), chunk(2)),
  }),
  rule('SPEC-Q-02', '8.1', {
    codes: ['REQUIRED_MISSING', 'NOT_IN_ENUM', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'A message of the conversation has content and a role: system, user, assistant or tool.',
    right: withMessage({ role: 'user', content: 'Hello.' }),
    wrong: withMessage({ role: 'user' }),
  }),
  rule('AAIF-8.1-06', '8.1', {
    codes: ['UNKNOWN_MEMBER', 'WRONG_TYPE'],
    enforced: 'schema',
    sentence: 'pipeline_position has five members and no others.',
    right: stream({ ...placed, pipeline_position: { current_step: 'sort' } }),
    wrong: stream({ ...placed, pipeline_position: { step: 'sort' } }),
  }),
  rule('SPEC-W-01', '10', {
    codes: ['UNKNOWN_MEMBER', 'MEMBER_LIKELY_MISTYPED'],
    sentence: 'Parts of the state have no other members; other members of a message are ignored.',
    right: stream({ ...item, 'x-acme-desk': 7 }),
    wrong: withMessage({ role: 'user', content: 'Hello.', name: 'Ann' }),
  }),
  rule('SPEC-D-25', '8.3', {
    codes: ['FORMAT_MISMATCH'],
    severity: 'warning',
    sentence: 'Ids are UUIDs and times are RFC 3339; other values give a warning.',
    wrong: [{ ...init, run_id: 'run 1' }, complete],
  }),
  rule('AAIF-4.4-10', '4.4, §12', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'No document contains a secret; a migration_token does not count as a secret.',
    right: withMessage({ role: 'user', content: 'My key is in the vault.' }),
    wrong: withMessage({ role: 'user', content: `My key is ${LOOKS_LIKE_A_KEY}.` }),
  }),
]
