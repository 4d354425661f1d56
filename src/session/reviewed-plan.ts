import { sha256 } from '../document/canonical.ts'
import { asJson, type JsonObject } from '../document/json.ts'
import { MAX_BYTES } from '../document/read-document.ts'
import { readFileWithin } from '../document/read-file.ts'
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
  /** The configuration that the settings come from; absent: there is none. */
  readonly config?: object | undefined
}

/** Returns the meaning of a plan, including the standing rules of the home for calls that need no approval. */
export async function meaningOf(parts: ReviewedParts): Promise<PlanMeaning> {
  const { family, snapshot, definitions, settings, grants, folder, config } = parts
  const rules = grants === undefined ? undefined : standingRules(grants, definitions)
  const standing = await Promise.all(
    family.map(async (plan) => ((await rules?.of(plan)) ?? []).map(({ what }) => what)),
  )
  const { functions, hooks = [] } = snapshot
  return planMeaning({
    family,
    settings,
    functions,
    hooks,
    standing,
    folder,
    digestOf,
    ...(config !== undefined && { config: asJson(config) as JsonObject }),
  })
}

/** Files of certificates and of extensions. One that cannot be read now is another one when it can be read. */
function digestOf(file: string): string {
  try {
    return sha256(readFileWithin(file, MAX_BYTES, 'given').toString('base64'))
  } catch {
    return 'unreadable'
  }
}
