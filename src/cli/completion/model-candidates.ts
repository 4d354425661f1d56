import { peekRuns } from '../../adapters/records/sqlite/peek-runs.ts'
import { isObject, type Json } from '../../document/json.ts'
import { providerNames } from '../../policy/model-providers.ts'
import type { Candidate, Place } from './candidate.ts'

/**
 * Returns models as `provider/model`: those of recorded plans, and after `provider/` those of the price data. Before the slash,
 * the providers.
 */
export async function modelCandidates({ current, home }: Place): Promise<readonly Candidate[]> {
  const used = usedModels(home).map((word) => ({ word, text: 'used before' }))
  const [provider = '', ...rest] = current.split('/')
  if (rest.length === 0) return [...used, ...providerNames().map((name) => ({ word: `${name}/` }))]
  const { modelsOf } = await import('../../adapters/models/price-table.ts')
  const known = new Set(used.map(({ word }) => word))
  const listed = modelsOf(provider).map((model) => ({ word: `${provider}/${model}` }))
  return [...used, ...listed.filter(({ word }) => !known.has(word))]
}

/** Returns the ids of the supported providers. */
export function providerCandidates(): readonly Candidate[] {
  return providerNames().map((word) => ({ word }))
}

function usedModels(home: string): readonly string[] {
  const models = peekRuns(home, 0).plans.flatMap((body) => {
    const plan: Json = JSON.parse(body)
    return isObject(plan) && Array.isArray(plan.models) ? plan.models : []
  })
  return [
    ...new Set(
      models.flatMap((route) =>
        isObject(route) ? [`${String(route.provider_id ?? route.provider)}/${String(route.model)}`] : [],
      ),
    ),
  ]
}
