import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { itemsAt, objectAt, textAt } from '../../loose-members.ts'
import { readTimestamp } from '../../timestamp.ts'

/** Checks the relations between the members of a result. */
export function* checkResult(result: JsonObject): Iterable<Finding> {
  const { status } = result
  if ((status === 'failed' || status === 'partial') && !Object.hasOwn(result, 'error')) {
    yield {
      severity: 'warning',
      code: 'ERROR_MISSING',
      pointer: '/error',
      mark: 'parent',
      message: `the result is ${status}, but error is missing`,
      hint: 'add "error" with the reason',
      rule: status === 'failed' ? 'IAP-failure-06' : 'IAP-failure-03',
    }
  }
  const met = new Set(itemsAt(result, 'criteria_met'))
  for (const [i, criterion] of itemsAt(result, 'criteria_unmet').entries()) {
    if (typeof criterion !== 'string' || !met.has(criterion)) continue
    yield {
      severity: 'warning',
      code: 'CRITERION_MET_AND_UNMET',
      pointer: `/criteria_unmet/${i}`,
      message: 'this criterion is reported as met and as not met',
      hint: 'name each criterion once',
      rule: 'IAP-success-02',
    }
  }
  for (const member of ['started_at', 'completed_at']) yield* checkTime(objectAt(result, 'metadata'), member)
}

function* checkTime(metadata: JsonObject, member: string): Iterable<Finding> {
  const text = textAt(metadata, member)
  if (text === undefined || readTimestamp(text) !== undefined) return
  yield {
    severity: 'warning',
    code: 'FORMAT_MISMATCH',
    pointer: `/metadata/${member}`,
    message: `${member} is not a date and time`,
    hint: 'write it like 2026-01-31T09:00:00Z',
    rule: 'IAP-result-03',
  }
}
