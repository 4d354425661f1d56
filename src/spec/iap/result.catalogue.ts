import type { Code } from '../../document/codes.ts'
import type { Severity } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import type { RuleEntry } from '../rule-entry.ts'

const done: JsonObject = { task_id: 'errand-1', status: 'complete' }
const having = (members: JsonObject): JsonObject => ({ ...done, ...members })

function rule(
  id: string,
  severity: Severity,
  codes: readonly Code[],
  sentence: string,
  right: JsonObject,
  wrong: JsonObject,
): RuleEntry {
  const enforced = severity === 'error' ? 'schema' : 'validation'
  return {
    id,
    kind: 'iap.result',
    severity,
    codes,
    sentence,
    source: 'IAP 0.2, result',
    right,
    wrong,
    enforced,
  }
}

/** All rules for the results of tasks. */
export const resultRules: readonly RuleEntry[] = [
  rule(
    'IAP-result-01',
    'error',
    ['REQUIRED_MISSING', 'WRONG_TYPE', 'TOO_SHORT'],
    'A result has task_id and status; result, error, criteria_met, criteria_unmet and metadata are optional.',
    having({ result: 7, criteria_met: [] }),
    { status: 'complete' },
  ),
  rule(
    'IAP-result-02',
    'error',
    ['NOT_IN_ENUM', 'WRONG_TYPE', 'REQUIRED_MISSING'],
    'The status of a result is complete, partial, failed or in_progress.',
    done,
    having({ status: 'done' }),
  ),
  rule(
    'IAP-result-03',
    'error',
    ['WRONG_TYPE', 'OUT_OF_RANGE', 'FORMAT_MISMATCH'],
    'metadata may have started_at, completed_at, tokens_used and agent_id.',
    having({ metadata: { tokens_used: 0, completed_at: '2026-01-31T09:00:00Z' } }),
    having({ metadata: { tokens_used: -1 } }),
  ),
  rule(
    'IAP-failure-03',
    'warning',
    ['ERROR_MISSING'],
    'A partial result gives in error the reason why it is not complete.',
    having({ status: 'partial', error: 'It rained.' }),
    having({ status: 'partial' }),
  ),
  rule(
    'IAP-failure-06',
    'warning',
    ['ERROR_MISSING'],
    'A failed result gives in error the reason of the failure.',
    having({ status: 'failed', error: 'It rained.' }),
    having({ status: 'failed' }),
  ),
  rule(
    'IAP-success-02',
    'warning',
    ['CRITERION_MET_AND_UNMET'],
    'Each success criterion is reported once, as met or as not met.',
    having({ criteria_met: ['All sorted.'], criteria_unmet: [] }),
    having({ criteria_met: ['All sorted.'], criteria_unmet: ['All sorted.'] }),
  ),
  rule(
    'IAP-task-04',
    'error',
    ['IAP_VERSION_UNSUPPORTED', 'WRONG_TYPE'],
    'iap_version is "0.2" or "0.1"; documents of other versions are refused.',
    having({ iap_version: '0.2' }),
    having({ iap_version: '9.9' }),
  ),
  rule(
    'IAP-task-11',
    'info',
    ['MEMBER_LIKELY_MISTYPED'],
    'Unknown members are kept and ignored; a member whose name is close to a known one gives a finding.',
    having({ 'x-desk': 7 }),
    having({ criteria_mett: ['All sorted.'] }),
  ),
  rule(
    'WB-iap-01',
    'error',
    ['SECRET_INLINE', 'SECRET_SUSPECTED'],
    'A task and its result contain no secrets.',
    having({ result: 'The key is in the vault.' }),
    having({ result: `gh${'p'}_9fK2mQ7xW4vB8nR3tY6uI1oP5aS0dF` }),
  ),
]
