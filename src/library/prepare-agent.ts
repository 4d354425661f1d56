import type { Parts } from '../compose/parts.ts'
import { type Prepared, prepare } from '../compose/prepare.ts'
import { primaryProvider } from '../plan/plan-models.ts'
import { sourceIdentity } from '../resolve/definition-identity.ts'
import type { Home } from '../session/home.ts'
import { parseModel } from '../settings/operator-settings-of.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { type PlanOptions, partsFromOptions, placesOf } from './options.ts'

/** A definition, and its file if it was read from one. */
export interface GivenAgent {
  readonly definition: AgentDefinition
  /** Absolute path. */
  readonly file?: string | undefined
}

/**
 * Checks and plans an agent with the grants of the options and of its home.
 * @param places.pin whether tools that are seen for the first time are pinned
 */
export async function prepareAgent(
  { definition, file }: GivenAgent,
  home: Home | undefined,
  options: PlanOptions,
  places: { readonly pin?: boolean } = {},
): Promise<{ readonly parts: Parts; readonly prepared: Prepared }> {
  const model = options.model === undefined ? undefined : parseModel(options.model)
  const known = { identity: sourceIdentity(definition, { file, source: options.source }), definition }
  const parts = await partsFromOptions(primaryProvider(definition, model), known, home, options)
  const prepared = await prepare(definition, parts, { ...placesOf(options, file), ...places }, options.signal)
  return { parts, prepared }
}
