import { sha256OfCanonical } from '../document/canonical.ts'
import { WaybillError } from '../document/issue.ts'
import { asJson, isObject, type Json } from '../document/json.ts'
import { strictJson } from '../document/strict-json.ts'
import { planChanges } from './plan-changes.ts'
import type { PlanMeaning } from './plan-meaning.ts'

/** The file of `waybill plan --out`: a reviewed plan that a run can be held to. It contains no secrets. */
export interface PlanFile extends PlanMeaning {
  /** The version of this format. */
  readonly waybill_plan: 1
  /** Of the plan at the time of the review; it also covers prices and reasons, which may change. */
  readonly plan_hash: string
  /** Names of secrets that were taken as set for the review. */
  readonly assumed_secrets: readonly string[]
  /** SHA-256 (hex) of the canonical form of all other members. It detects damage, and is not a signature. */
  readonly digest: string
}

const VERSION = 1

export function planFileOf(
  { agents, operator }: PlanMeaning,
  plan_hash: string,
  assumed_secrets: readonly string[] = [],
): PlanFile {
  const contents = { waybill_plan: VERSION, plan_hash, assumed_secrets, agents, operator } as const
  return { ...contents, digest: sha256OfCanonical(asJson(contents)) }
}

/**
 * Reads the text of a plan file.
 * @param file its path, for errors
 * @throws PLAN_FILE_INVALID if it is not a plan file, of another version, damaged, or changed after it was written
 */
export function parsePlanFile(text: string, file: string): PlanFile {
  let value: Json
  try {
    // Some editors add a byte order mark.
    value = strictJson(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw invalid(file, 'it is not valid JSON, so it may be cut off', cause)
  }
  return checkPlanFile(value, file)
}

/** @throws PLAN_FILE_INVALID */
export function checkPlanFile(value: Json, file: string): PlanFile {
  if (!isObject(value) || value.waybill_plan === undefined)
    throw invalid(file, 'it is not a plan that `waybill plan --out` wrote')
  if (value.waybill_plan !== VERSION)
    throw invalid(
      file,
      `its format ${JSON.stringify(value.waybill_plan)} is unknown; this version reads format 1`,
    )
  const { digest, ...contents } = value
  if (!isObject(value.agents) || !isObject(value.agents['']) || !isObject(value.operator))
    throw invalid(file, 'a part of it is missing')
  if (!Object.values(value.agents).every(isObject)) throw invalid(file, 'a part of it is missing')
  if (digest !== sha256OfCanonical(contents))
    throw invalid(file, 'it was changed after it was written: its contents do not match its digest')
  return value as unknown as PlanFile
}

/**
 * Compares the plan of a run with a reviewed plan.
 * @param file the path of the reviewed plan, for errors
 * @throws PLAN_CHANGED with every difference in words
 */
export function assertAsReviewed(reviewed: PlanFile, now: PlanMeaning, file: string): void {
  const changes = planChanges(reviewed, now)
  if (changes.length === 0) return
  const what = changes.length === 1 ? '1 difference' : `${changes.length} differences`
  throw new WaybillError('PLAN_CHANGED', {
    message: `the run is not the one that was reviewed: ${what} from ${file}`,
    changes,
    hint: 'start the run with the options of the review; or review the differences, and write a new plan with `waybill plan --out`',
  })
}

function invalid(file: string, why: string, cause?: unknown): WaybillError {
  return new WaybillError('PLAN_FILE_INVALID', {
    fault: 'usage',
    file,
    message: `the plan cannot be used: ${why}`,
    hint: 'write it again with `waybill plan DEFINITION --out FILE`, and review it',
    ...(cause !== undefined && { cause }),
  })
}
