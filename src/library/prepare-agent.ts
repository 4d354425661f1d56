import { resolve } from 'node:path'
import type { Parts } from '../compose/parts.ts'
import { type Prepared, prepare } from '../compose/prepare.ts'
import { asJson } from '../document/json.ts'
import { assertAsReviewed, checkPlanFile } from '../plan/plan-file.ts'
import type { PlanMeaning } from '../plan/plan-meaning.ts'
import { primaryProvider } from '../plan/plan-models.ts'
import { sourceIdentity } from '../resolve/definition-identity.ts'
import { readPlanFile } from '../resolve/read-plan-file.ts'
import type { Home } from '../session/home.ts'
import { meaningOf } from '../session/reviewed-plan.ts'
import { parseModel } from '../settings/operator-settings-of.ts'
import type { GivenAgent } from './given-agent.ts'
import { type PlanOptions, partsFromOptions, placesOf } from './options.ts'

export interface PreparedAgent {
  readonly parts: Parts
  readonly prepared: Prepared
  /** The folder of the definition's files. */
  readonly folder: string | undefined
}

/**
 * Checks and plans an agent with the grants of the options and of its home.
 * @param places.pin whether tools that are seen for the first time are pinned
 */
export async function prepareAgent(
  { definition, file, real }: GivenAgent,
  home: Home | undefined,
  options: PlanOptions,
  places: { readonly pin?: boolean } = {},
): Promise<PreparedAgent> {
  const model = options.model === undefined ? undefined : parseModel(options.model)
  const identity = sourceIdentity(definition, { file, real, source: options.source })
  const parts = await partsFromOptions(primaryProvider(definition, model), identity, home, options)
  const { plan, signal } = options
  const all = { ...placesOf(options, file), real, ...places }
  const { folder } = all
  if (plan === undefined) return { parts, prepared: await prepare(definition, parts, all, signal), folder }
  // Tools that were not reviewed must not be pinned.
  const prepared = await prepare(definition, parts, { ...all, pin: false }, signal)
  const shown = typeof plan === 'string' ? plan : 'the reviewed plan'
  const reviewed =
    typeof plan === 'string' ? readPlanFile(resolve(plan), plan) : checkPlanFile(asJson(plan), shown)
  assertAsReviewed(reviewed, await reviewedMeaning(parts, prepared, folder), shown)
  if (places.pin === true) prepared.pinTools()
  return { parts, prepared, folder }
}

/** Returns what a person reviews of a plan; see {@link meaningOf}. */
export function reviewedMeaning(
  { settings, home }: Parts,
  prepared: Prepared,
  folder: string | undefined,
): Promise<PlanMeaning> {
  return meaningOf({ ...prepared, settings, grants: home?.grants, folder })
}
