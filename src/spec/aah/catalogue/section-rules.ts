import type { RuleEntry } from '../../rule-entry.ts'
import { rule, sectioned, task, update, without } from './entry.ts'

const ASKED = { approval_note: 'Read it.', approval_requested_at: '2026-01-31T09:00:00Z' }

/** Rules for sections, tasks, approvals and partial updates. */
export const sectionRules: readonly RuleEntry[] = [
  rule('AAH-2.5-01', '§2.5', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE'],
    sentence: 'A section has id, heading, content, agent_id, created_at and updated_at.',
    right: sectioned({}),
    wrong: { ...sectioned(), sections: [without({ ...first() }, 'heading')] },
  }),
  rule('AAH-2.5-02', '§2.5', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    sentence: 'position and version of a section are whole numbers from 0; agent_name is a string.',
    right: sectioned({ position: 0, version: 1, agent_name: 'Clerk' }),
    wrong: sectioned({ position: -1 }),
  }),
  rule('AAH-2.5.1-01', '§2.5.1', {
    codes: ['SECTION_TYPE_UNLISTED', 'WRONG_TYPE'],
    sentence:
      'The type of a section is a type of AAH or begins with x-; other types are accepted in input but never written.',
    right: sectioned({ type: 'x-post/route' }),
    wrong: sectioned({ type: 'route' }),
  }),
  rule('AAH-2.5.2-01', '§2.5.2', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'task_status is pending, in_progress, blocked or done.',
    right: task({ task_status: 'done' }),
    wrong: task({ task_status: 'todo' }),
  }),
  rule('AAH-2.5.2-02', '§2.5.2', {
    enforced: 'schema',
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    sentence: 'The priority of a task is 1 (high), 2 (medium) or 3 (low).',
    right: task({ priority: 3 }),
    wrong: task({ priority: 4 }),
  }),
  rule('AAH-2.5.2-03', '§2.5.2', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE', 'FORMAT_MISMATCH'],
    sentence: 'output_type is pr, doc, artifact or deployment, and output_url is a URL.',
    right: task({ output_type: 'pr', output_url: 'https://post.example/7' }),
    wrong: task({ output_type: 'letter' }),
  }),
  rule('AAH-2.5.2-04', '§2.5.2', {
    codes: ['COMPLETED_BEFORE_STARTED', 'WRONG_TYPE'],
    sentence: 'A task is completed after it was started.',
    right: task({ started_at: '2026-01-31T09:00:00Z', completed_at: '2026-01-31T09:00:00Z' }),
    wrong: task({ started_at: '2026-01-31T09:00:00Z', completed_at: '2026-01-31T08:59:59Z' }),
  }),
  rule('AAH-2.5.2-05', '§2.5.2', {
    codes: ['SOURCE_SECTION_UNKNOWN', 'WRONG_TYPE'],
    sentence:
      'source_section_id names a section of the same artifact; source_section_id and assignee_agent_id are strings.',
    right: task({ source_section_id: 'overview' }),
    wrong: task({ source_section_id: 'roadmap' }),
  }),
  rule('AAH-2.5.2-06', '§2.5.2', {
    severity: 'info',
    codes: ['TASK_FIELDS_IGNORED'],
    sentence: 'Task members have a meaning only on sections of type task.',
    right: task({ task_status: 'done' }),
    wrong: sectioned({ task_status: 'done' }),
  }),
  rule('AAH-2.5.3-01', '§2.5.3', {
    enforced: 'schema',
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'The status of a section is draft, needs_approval, approved or needs_changes.',
    right: sectioned({ status: 'approved' }),
    wrong: sectioned({ status: 'rejected' }),
  }),
  rule('AAH-2.5.3-02', '§2.5.3', {
    enforced: 'schema',
    codes: ['WRONG_TYPE'],
    sentence: 'The approval members are strings.',
    right: sectioned({ decided_by: 'human' }),
    wrong: sectioned({ decided_by: true }),
  }),
  rule('AAH-2.5.3-04', '§2.5.3', {
    severity: 'info',
    codes: ['APPROVAL_REQUEST_INCOMPLETE'],
    sentence: 'A request for approval states what to review, which agent requested it, and when.',
    right: sectioned({ status: 'needs_approval', approval_requested_by: 'clerk', ...ASKED }),
    wrong: sectioned({ status: 'needs_approval', ...ASKED }),
  }),
  rule('AAH-2.5.4-01', '§2.5.4', {
    severity: 'warning',
    codes: ['TASK_REFERENCE_MALFORMED'],
    sentence: 'A reference to a task is {{task:section-id}} or {{task:artifact-id:section-id}}.',
    right: sectioned({ content: '{{task:aah_0:send-letters}}' }),
    wrong: sectioned({ content: '{{task:Send letters}}' }),
  }),
  rule('AAH-2.5.4-03', '§2.5.4', {
    severity: 'warning',
    codes: ['TASK_REFERENCE_DANGLING'],
    sentence: 'A reference points to a task; a reference without a target is shown as not found.',
    right: task({ id: 'send', content: '{{task:send}}' }),
    wrong: sectioned({ content: '{{task:send}}' }),
  }),
  rule('AAH-2.6-01', '§2.6', {
    enforced: 'schema',
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE'],
    sentence: 'section_update has id and content, and may have heading and change_note.',
    right: update({ change_note: 'Better.' }),
    wrong: without(update({}), 'section_update', 'content'),
  }),
  rule('AAH-2.6-02', '§2.6', {
    severity: 'warning',
    codes: ['UPDATE_CARRIES_MORE'],
    sentence: 'An envelope with section_update is a partial update: it has no content and no sections.',
    right: update({}),
    wrong: update({}, { content: { media_type: 'text/plain', body: '' } }),
  }),
  rule('AAH-4.2-01', '§4.2', {
    enforced: 'schema',
    codes: ['PATTERN_MISMATCH', 'WRONG_TYPE'],
    sentence: 'Section ids have lower-case letters, digits and hyphens only.',
    right: sectioned({ id: 'day-1' }),
    wrong: sectioned({ id: 'Day 1' }),
  }),
  rule('AAH-4.2-03', '§4.2', {
    codes: ['SECTION_ID_TWICE'],
    sentence: 'A section id is unique within an artifact.',
    right: sectioned({ id: 'day-1' }, { id: 'day-2' }),
    wrong: sectioned({ id: 'day-1' }, { id: 'day-1' }),
  }),
]

function first() {
  const { sections } = sectioned({}) as { sections: readonly [object] }
  return sections[0] as ReturnType<typeof sectioned>
}
