import { WaybillError } from '../document/issue.ts'
import { LARGEST_GIVEN_BYTES, readFileWithin } from '../document/read-file.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { type PlanFile, parsePlanFile } from '../plan/plan-file.ts'

/**
 * Reads a reviewed plan.
 * @param shown the path as shown in messages
 * @throws PLAN_FILE_UNREADABLE, PLAN_FILE_INVALID
 */
export function readPlanFile(path: string, shown: string): PlanFile {
  let text: string
  try {
    text = readFileWithin(path, LARGEST_GIVEN_BYTES, 'given').toString('utf8')
  } catch (cause) {
    throw new WaybillError('PLAN_FILE_UNREADABLE', {
      fault: 'usage',
      file: shown,
      message: whyUnreadable(cause),
      hint: 'check the path; `waybill plan DEFINITION --out FILE` writes a plan',
      cause,
    })
  }
  return parsePlanFile(text, shown)
}
