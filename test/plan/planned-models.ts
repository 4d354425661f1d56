import type { JsonObject } from '../../src/document/json.ts'
import type { HostFacts, ModelFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { planModels } from '../../src/plan/plan-models.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { definition, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

export interface World {
  readonly settings?: Partial<OperatorSettings>
  readonly facts?: ModelFacts
  readonly host?: Partial<HostFacts>
  readonly regions?: readonly string[]
  readonly agent?: JsonObject
}

const KEYS = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'MISTRAL_API_KEY', 'WAYBILL_KEY_OWN']
export const settingsOf = (settings: Partial<OperatorSettings> = {}): OperatorSettings => ({
  ...SETTINGS,
  ...settings,
})
export const hostOf = ({ facts, host }: World): HostFacts => ({
  ...withSecrets(...KEYS),
  priceOf: () => facts,
  ...host,
})

export function plan(model: JsonObject | undefined, world: World = {}): readonly PlannedModel[] {
  const agent = { ...world.agent, model: model as JsonObject }
  return planModels(definition(agent), settingsOf(world.settings), hostOf(world), world.regions)
}

/** Of each route: its name, where it goes, its key, and why it may not be used. */
export const routes = (planned: readonly PlannedModel[]) =>
  planned.map(({ provider, provider_id, model, base_url, key, reason_code }) => [
    `${provider_id === undefined ? provider : `${provider}:${provider_id}`}/${model}`,
    base_url ?? null,
    key ?? null,
    reason_code ?? null,
  ])

export const OPENAI = { provider: 'openai', preferred: 'm' }
export const OWN_URL = 'https://own.example/v1'
export const OWN = { provider: 'custom', provider_id: 'own', preferred: 'm', base_url: OWN_URL }
export const ALLOWED = { grants: { hosts: [parseHostGrant('own.example')] } }
export const BOUND = { ...ALLOWED, key_bindings: { own: [OWN_URL] } }
export const FALLBACK = { provider: 'anthropic', model: 'c' }
export const API = 'OPENAI_API_KEY'
