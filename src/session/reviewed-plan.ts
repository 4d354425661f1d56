import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { Plan } from '../plan/plan.ts'
import { type PlanMeaning, planMeaning } from '../plan/plan-meaning.ts'
import type { Snapshot } from '../plan/snapshot.ts'
import type { GrantRecords } from '../run/record/records.ts'
import { standingRules } from './standing-rules.ts'

/** A planned agent with everything that decides what its runs may do. */
export interface ReviewedParts {
  readonly family: readonly Plan[]
  readonly snapshot: Snapshot
  readonly definitions: Readonly<Record<string, string>>
  readonly settings: OperatorSettings
  /** The standing grants of the home; absent: there is none. */
  readonly grants?: Pick<GrantRecords, 'list' | 'spend'> | undefined
  readonly folder: string | undefined
}

/** Returns the meaning of a plan, including the standing rules of the home for calls that need no approval. */
export async function meaningOf(parts: ReviewedParts): Promise<PlanMeaning> {
  const { family, snapshot, definitions, settings, grants, folder } = parts
  const rules = grants === undefined ? undefined : standingRules(grants, definitions)
  const standing = await Promise.all(
    family.map(async (plan) => ((await rules?.of(plan)) ?? []).map(({ what }) => what)),
  )
  const { functions, hooks = [] } = snapshot
  return planMeaning({ family, settings, functions, hooks, standing, folder })
}
