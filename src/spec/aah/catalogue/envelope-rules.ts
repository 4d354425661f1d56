import type { RuleEntry } from '../../rule-entry.ts'
import {
  called,
  having,
  kept,
  madeBy,
  note,
  routed,
  rule,
  sectioned,
  task,
  update,
  without,
} from './entry.ts'

/** Rules for the envelope and for its blocks artifact, source, lifecycle and handoff. */
export const envelopeRules: readonly RuleEntry[] = [
  rule('AAH-1-01', '§1', {
    codes: ['NOT_AN_ENVELOPE', 'WRONG_TYPE'],
    sentence: 'An artifact travels in an envelope with aah_version, artifact, source and its content.',
    wrong: { id: 'aah_1', type: 'document/text', content: 'Stamp first.' },
  }),
  rule('AAH-1-02', '§1', {
    enforced: 'schema',
    codes: ['CONTENT_AND_SECTIONS', 'REQUIRED_MISSING'],
    sentence: 'A full envelope has exactly one of content and sections.',
    wrong: without(note, 'content'),
  }),
  rule('AAH-1-03', '§1', {
    severity: 'info',
    codes: ['MEMBER_LIKELY_MISTYPED'],
    sentence:
      'Unknown members are kept and ignored; a member whose name is close to a known one gives a finding.',
    right: having({ 'x-desk': { colour: 'green' } }),
    wrong: called({ titel: 'Rules' }),
  }),
  rule('AAH-2.1-01', '§2.1', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE', 'VERSION_BELOW_FEATURES'],
    sentence: 'aah_version is a string that names the version of AAH that the envelope follows.',
    right: task({}),
    wrong: having({ aah_version: 0.2 }),
  }),
  rule('AAH-2.1-02', '§2.1', {
    codes: ['AAH_VERSION_UNSUPPORTED'],
    sentence:
      'Versions 0.1, 0.2 and 0.3 and their patches are accepted; documents of other versions are refused.',
    right: having({ aah_version: '0.3.0' }),
    wrong: having({ aah_version: '9.9' }),
  }),
  rule('AAH-2.2-01', '§2.2', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE'],
    sentence: 'artifact has id, and in a full envelope type and created_at.',
    right: update({}),
    wrong: without(note, 'artifact', 'type'),
  }),
  rule('AAH-2.2-02', '§2.2', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'The optional members of artifact, except version, are strings.',
    right: called({ title: 'Rules', initiative: 'post' }),
    wrong: called({ title: 7 }),
  }),
  rule('AAH-2.2-03', '§2.2', {
    enforced: 'schema',
    codes: ['TOO_LONG', 'WRONG_TYPE'],
    sentence: 'artifact.summary has at most 500 characters.',
    right: called({ summary: 'é'.repeat(500) }),
    wrong: called({ summary: 'é'.repeat(501) }),
  }),
  rule('AAH-2.2-04', '§2.2', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    sentence: 'artifact.version is a whole number from 1.',
    right: called({ version: 1 }),
    wrong: called({ version: 0 }),
  }),
  rule('AAH-2.2-05', '§2.2', {
    enforced: 'schema',
    codes: ['TOO_SHORT', 'WRONG_TYPE'],
    sentence: 'artifact.id is any string that is not empty.',
    wrong: called({ id: '' }),
  }),
  rule('AAH-2.2-06', '§2.2', {
    codes: ['TIMESTAMP_UNREADABLE', 'TIMESTAMP_VAGUE', 'WRONG_TYPE'],
    sentence:
      'Times are ISO 8601 dates and times; a time without a time zone is read as UTC, with a warning.',
    right: called({ created_at: '2026-01-31T09:00:00+01:00' }),
    wrong: called({ created_at: 'yesterday' }),
  }),
  rule('AAH-2.3-01', '§2.3', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE'],
    sentence: 'source.agent_id names the agent that made the artifact.',
    wrong: without(note, 'source', 'agent_id'),
  }),
  rule('AAH-2.3-02', '§2.3', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'The optional members of source are strings.',
    right: madeBy({ model: 'model-1' }),
    wrong: madeBy({ model: { name: 'model-1' } }),
  }),
  rule('AAH-2.7-01', '§2.7', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'lifecycle.retention is ephemeral, 7d, 30d, 90d or permanent.',
    right: kept({ retention: '7d' }),
    wrong: kept({ retention: '1y' }),
  }),
  rule('AAH-2.7-02', '§2.7', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'lifecycle.visibility is private, team, organization or public.',
    right: kept({ visibility: 'team' }),
    wrong: kept({ visibility: 'everyone' }),
  }),
  rule('AAH-2.7-03', '§2.7', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'lifecycle.status is draft, active, needs_approval, final, superseded or archived.',
    right: kept({ status: 'final' }),
    wrong: kept({ status: 'done' }),
  }),
  rule('AAH-2.7-05', '§2.7', {
    codes: ['SUPERSEDED_BY_MISSING', 'WRONG_TYPE'],
    sentence: 'A superseded artifact names its replacement; tags are strings.',
    right: kept({ status: 'superseded', superseded_by: 'aah_2', tags: ['post'] }),
    wrong: kept({ tags: 'post' }),
  }),
  rule('AAH-2.8-01', '§2.8', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'handoff.priority is low, normal, high or urgent.',
    right: routed({ priority: 'high' }),
    wrong: routed({ priority: 'medium' }),
  }),
  rule('AAH-2.8-02', '§2.8', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'handoff.target_agent and target_role are strings.',
    right: routed({ target_role: 'editor' }),
    wrong: routed({ target_role: ['editor'] }),
  }),
  rule('AAH-2.8-03', '§2.8', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'handoff.expects_response is true or false.',
    right: routed({ expects_response: true }),
    wrong: routed({ expects_response: 'yes' }),
  }),
  rule('AAH-2.8-04', '§2.8', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'handoff.parent_artifact_ids is a list of strings, and context is an object.',
    right: routed({ parent_artifact_ids: ['aah_0'], context: {} }),
    wrong: routed({ context: 'see above' }),
  }),
  rule('AAH-2.9-01', '§2.9', {
    codes: ['EXTENSION_NOT_NAMESPACED', 'WRONG_TYPE'],
    sentence: 'Each extension is an object under the name of the framework or vendor that defines it.',
    right: having({ extensions: { acme: { desk: 7 } } }),
    wrong: having({ extensions: { desk: 7 } }),
  }),
  rule('AAH-3-02', '§3', {
    codes: ['ARTIFACT_TYPE_UNLISTED'],
    sentence:
      'artifact.type is a type of AAH or begins with x-; other types are accepted in input but never written.',
    right: called({ type: 'x-post/letter' }),
    wrong: called({ type: 'post/letter' }),
  }),
  rule('AAH-sec-05', 'Security', {
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'An artifact holds no credentials, API keys or other secrets.',
    right: sectioned({ content: 'The key is in the vault.' }),
    wrong: called({ title: `gh${'p'}_9fK2mQ7xW4vB8nR3tY6uI1oP5aS0dF` }),
  }),
]
