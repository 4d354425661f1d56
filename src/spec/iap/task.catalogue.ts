import type { Json, JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'

/** The smallest task that every receiver accepts. */
const smallest: JsonObject = {
  iap_version: '0.2',
  task_id: 'errand-1',
  sender: { agent_id: 'clerk' },
  task: { intent: 'Sort the letters.' },
}

const having = (members: JsonObject): JsonObject => ({ ...smallest, ...members })
const asked = (members: JsonObject): JsonObject =>
  having({ task: { intent: 'Sort the letters.', ...members } })
const delivered = (delivery: JsonObject): JsonObject => having({ delivery })
const limited = (constraints: JsonObject): JsonObject => having({ constraints })

type Parts = Omit<RuleEntry, 'id' | 'kind' | 'source' | 'right' | 'severity' | 'enforced'> &
  Partial<Pick<RuleEntry, 'severity' | 'enforced'>> & { readonly right?: Json }

function rule(id: string, where: string, parts: Parts): RuleEntry {
  const of = { id, kind: 'iap.task', source: `IAP 0.2, ${where}` } as const
  return { severity: 'error', enforced: 'schema', right: smallest, ...parts, ...of }
}

/** All rules for tasks. */
export const taskRules: readonly RuleEntry[] = [
  rule('IAP-task-01', 'task', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE', 'TOO_SHORT', 'INTENT_BLANK', 'INTENT_NOT_ONE_LINE'],
    sentence: 'task.intent describes the work in one line; it is the only required member.',
    right: { task: { intent: 'Sort the letters.' } },
    wrong: having({ task: { details: 'By town.' } }),
  }),
  rule('IAP-task-03', 'task', {
    enforced: 'validation',
    codes: ['STRICT_RECEIVERS_ASK_MORE'],
    sentence:
      'A sender writes iap_version, task_id, sender.agent_id and the selecting member of each block (method, format, action).',
    wrong: { task: { intent: 'Sort the letters.' } },
  }),
  rule('IAP-task-04', 'iap_version', {
    enforced: 'validation',
    codes: ['IAP_VERSION_UNSUPPORTED', 'WRONG_TYPE'],
    sentence: 'iap_version is "0.2" or its subset "0.1"; documents of other versions are refused.',
    right: having({ iap_version: '0.1' }),
    wrong: having({ iap_version: '9.9' }),
  }),
  rule('IAP-task-05', 'task_id', {
    codes: ['TOO_SHORT', 'WRONG_TYPE'],
    sentence: 'task_id is any string that is not empty.',
    wrong: having({ task_id: '' }),
  }),
  rule('IAP-task-06', 'sender', {
    codes: ['WRONG_TYPE', 'TOO_SHORT', 'FORMAT_MISMATCH'],
    sentence: 'agent_id, email, framework and callback of sender are strings.',
    right: having({ sender: { agent_id: 'clerk', email: 'clerk@post.example' } }),
    wrong: having({ sender: 'clerk' }),
  }),
  rule('IAP-task-07', 'task', {
    codes: ['WRONG_TYPE'],
    sentence: 'task.details and task.context are strings.',
    right: asked({ details: 'By town.\nThen by street.', context: 'It is Monday.' }),
    wrong: asked({ context: { day: 'Monday' } }),
  }),
  rule('IAP-task-08', 'task', {
    codes: ['WRONG_TYPE', 'TOO_SHORT', 'FORMAT_MISMATCH'],
    sentence: 'task.context_ref is an http(s) or file reference.',
    right: asked({ context_ref: 'file:///desk/towns.md' }),
    wrong: asked({ context_ref: ['towns.md'] }),
  }),
  rule('IAP-task-11', 'document', {
    severity: 'info',
    enforced: 'validation',
    codes: ['MEMBER_LIKELY_MISTYPED'],
    sentence:
      'Unknown members are kept and ignored; a member whose name is close to a known one gives a finding.',
    right: having({ 'x-desk': 7 }),
    wrong: having({ success_criterias: ['All sorted.'] }),
  }),
  rule('IAP-delivery-01', 'delivery', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'delivery.method is sync, async or email.',
    right: delivered({ method: 'sync' }),
    wrong: delivered({ method: 'pigeon' }),
  }),
  rule('IAP-delivery-05', 'delivery', {
    codes: ['REQUIRED_MISSING', 'ASYNC_WITHOUT_WEBHOOK', 'WRONG_TYPE', 'TOO_SHORT', 'FORMAT_MISMATCH'],
    sentence: 'async has a webhook, or at least a status_endpoint.',
    right: delivered({ method: 'async', webhook: 'https://post.example/done' }),
    wrong: delivered({ method: 'async' }),
  }),
  rule('IAP-delivery-06', 'delivery', {
    codes: ['REQUIRED_MISSING', 'WRONG_TYPE', 'TOO_SHORT', 'FORMAT_MISMATCH'],
    sentence: 'Delivery by email has the address to which the task is sent.',
    right: delivered({ method: 'email', email: 'sorter@post.example' }),
    wrong: delivered({ method: 'email' }),
  }),
  rule('IAP-delivery-08', 'delivery', {
    codes: ['WRONG_TYPE', 'TOO_SHORT', 'FORMAT_MISMATCH'],
    sentence: 'delivery.status_endpoint is an http(s) URL.',
    right: delivered({ method: 'sync', status_endpoint: 'https://post.example/status' }),
    wrong: delivered({ method: 'sync', status_endpoint: 7 }),
  }),
  rule('IAP-constraints-01', 'constraints', {
    enforced: 'validation',
    codes: ['DURATION_UNREADABLE', 'DURATION_UNUSUAL'],
    sentence: 'constraints.time_limit is a duration above 0: a whole number with s, m, h or d, or ISO 8601.',
    right: limited({ time_limit: 'PT30M' }),
    wrong: limited({ time_limit: 'soon' }),
  }),
  rule('IAP-constraints-02', 'constraints', {
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    sentence: 'constraints.token_budget is a whole number from 1.',
    right: limited({ token_budget: 1 }),
    wrong: limited({ token_budget: 0 }),
  }),
  rule('IAP-constraints-04', 'constraints', {
    severity: 'warning',
    enforced: 'validation',
    codes: ['TOOL_ALLOWED_AND_DENIED'],
    sentence: 'A denied tool is never used, even if it is also allowed.',
    right: limited({ tools_allowed: ['stamp'], tools_denied: ['burn'] }),
    wrong: limited({ tools_allowed: ['stamp'], tools_denied: ['stamp'] }),
  }),
  rule('IAP-constraints-08', 'constraints', {
    codes: ['WRONG_TYPE'],
    sentence: 'The lists in constraints contain strings; scope and time_limit are strings.',
    right: limited({ scope: 'Stay in the office.', tools_allowed: [] }),
    wrong: limited({ tools_allowed: 'stamp' }),
  }),
  rule('IAP-success-01', 'success_criteria', {
    codes: ['WRONG_TYPE'],
    sentence: 'success_criteria is a list of strings.',
    right: having({ success_criteria: ['All sorted.'] }),
    wrong: having({ success_criteria: 'All sorted.' }),
  }),
  rule('IAP-output-01', 'output', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'output.format is markdown, json, yaml, code or freeform.',
    right: having({ output: { format: 'code' } }),
    wrong: having({ output: { format: 'poem' } }),
  }),
  rule('IAP-output-02', 'output', {
    codes: ['WRONG_TYPE', 'OUTPUT_SCHEMA_UNUSED', 'OUTPUT_SCHEMA_UNREADABLE', 'SCHEMA_DOUBTFUL'],
    sentence: 'output.schema is a string or an object, and describes JSON output.',
    right: having({ output: { format: 'json', schema: '{"towns": ["string"]}' } }),
    wrong: having({ output: { format: 'json', schema: ['towns'] } }),
  }),
  rule('IAP-output-03', 'output', {
    codes: ['WRONG_TYPE', 'TOO_SHORT', 'FORMAT_MISMATCH'],
    sentence: 'output.deliver_to is inline, or a file or callback URL.',
    right: having({ output: { format: 'code', deliver_to: 'inline' } }),
    wrong: having({ output: { format: 'code', deliver_to: '' } }),
  }),
  rule('IAP-failure-01', 'on_failure', {
    codes: ['NOT_IN_ENUM', 'WRONG_TYPE'],
    sentence: 'on_failure.action is return_partial, retry, escalate or abort.',
    right: having({ on_failure: { action: 'abort' } }),
    wrong: having({ on_failure: { action: 'weep' } }),
  }),
  rule('IAP-failure-05', 'on_failure', {
    codes: ['WRONG_TYPE', 'TOO_SHORT'],
    sentence: 'on_failure.escalate_to is human, or an agent_id.',
    right: having({ on_failure: { action: 'escalate', escalate_to: 'human' } }),
    wrong: having({ on_failure: { action: 'escalate', escalate_to: ['human'] } }),
  }),
  rule('IAP-failure-07', 'on_failure', {
    codes: ['OUT_OF_RANGE', 'WRONG_TYPE'],
    sentence: 'on_failure.max_retries is a whole number from 0.',
    right: having({ on_failure: { action: 'retry', max_retries: 0 } }),
    wrong: having({ on_failure: { action: 'retry', max_retries: -1 } }),
  }),
  rule('WB-iap-01', 'document', {
    enforced: 'validation',
    codes: ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    sentence: 'A task and its result contain no secrets.',
    wrong: asked({ context: `gh${'p'}_9fK2mQ7xW4vB8nR3tY6uI1oP5aS0dF` }),
  }),
]
