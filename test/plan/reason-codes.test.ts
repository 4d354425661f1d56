import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Code } from '../../src/document/codes.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { OperatorSettings } from '../../src/plan/operator-settings.ts'
import { definition, ENV, planOf, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

const OPENAI = { provider: 'openai', preferred: 'm' }
const GATEWAY = { provider: 'custom', provider_id: 'x', preferred: 'm' }
const EU = { data_residency: 'EU' }

interface Facts {
  readonly context_window?: number
  readonly price?: { readonly input: number; readonly output: number }
}

function planned(
  agent: JsonObject,
  settings: Partial<OperatorSettings>,
  facts: Facts,
  env: Readonly<Record<string, string>> = ENV,
) {
  return makePlan(
    {
      definition: definition({ tools: [], ...agent }),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: {},
    },
    { ...SETTINGS, ...settings },
    { ...withSecrets(...Object.keys(env)), priceOf: () => facts },
  )
}

describe('reasons why a route cannot be used', () => {
  const price = { input: 1, output: 2 }
  const cases: readonly {
    readonly code: Code | undefined
    readonly model: JsonObject
    readonly agent?: JsonObject
    readonly settings?: Partial<OperatorSettings>
    readonly facts?: Facts
    readonly env?: Readonly<Record<string, string>>
  }[] = [
    { code: undefined, model: OPENAI },
    { code: 'MODEL_UNNAMED', model: { provider: 'openai' } },
    { code: 'EXTENDED_PARAMS_COLLIDE', model: { ...OPENAI, params: { extended: { model: 'other' } } } },
    {
      code: 'CONTEXT_WINDOW_TOO_SMALL',
      model: { ...OPENAI, min_context_tokens: 10 },
      facts: { context_window: 9 },
    },
    { code: undefined, model: { ...OPENAI, min_context_tokens: 10 }, facts: { context_window: 10 } },
    { code: 'PRICE_UNKNOWN', model: OPENAI, settings: { budget: { usd: 1 } } },
    { code: undefined, model: OPENAI, settings: { budget: { usd: 1 } }, facts: { price } },
    { code: 'RESIDENCY_UNPROVEN', model: OPENAI, agent: { compliance: EU } },
    { code: 'RESIDENCY_UNPROVEN', model: OPENAI, agent: { compliance: { data_residency: 'custom' } } },
    { code: 'MODEL_PROVIDER_UNKNOWN', model: GATEWAY },
    { code: 'ENDPOINT_NOT_GRANTED', model: { ...GATEWAY, base_url: 'https://gateway.example/v1' } },
    { code: 'MODEL_KEY_MISSING', model: OPENAI, env: {} },
  ]
  for (const { code, model, agent, settings = {}, facts = {}, env } of cases) {
    test(`${code ?? 'no reason'}: ${JSON.stringify({ model, ...agent, ...settings, ...facts })}`, () => {
      const [route] = planned({ model, ...agent }, settings, facts, env).models
      assert.equal(route?.reason_code, code)
      assert.equal(route?.eligible, code === undefined)
      assert.equal(typeof route?.reason, code === undefined ? 'undefined' : 'string')
    })
  }

  test('a fallback has the code of its ceiling', () => {
    const fallback = { provider: 'anthropic', model: 'm', max_cost_usd_per_1k_tokens: 0.001 }
    const model = { ...OPENAI, fallbacks: [fallback] }
    assert.equal(planned({ model }, {}, { price }).models[1]?.reason_code, 'PRICE_ABOVE_CEILING')
    assert.equal(planned({ model }, {}, {}).models[1]?.reason_code, 'PRICE_UNKNOWN')
  })
})

describe('reasons why a plan is refused', () => {
  test('AAIF-4.9-05: RESIDENCY_UNPROVEN depends on the code of a route, not on its message', () => {
    // The host is inside the region by the operator's claim; only the words of its reason name the member.
    const host = 'data_residency.example'
    const model = { ...GATEWAY, base_url: `https://${host}/v1` }
    const inside = planOf({ model, compliance: EU, tools: [] }, { residency: { [host]: ['EU'] } })
    assert.match(inside.models[0]?.reason ?? '', /data_residency/)
    assert.deepEqual(
      inside.refusals.map(({ code }) => code),
      [],
    )
    const outside = planOf({ model, compliance: EU, tools: [] })
    assert.deepEqual(
      outside.refusals.map(({ code }) => code),
      ['RESIDENCY_UNPROVEN'],
    )
  })

  const unmet: readonly (readonly [code: string, agent: JsonObject])[] = [
    ['CAPABILITY_UNMET', { required_capabilities: ['tool.telepathy'] }],
    ['FEATURE_UNMET', { constraints: ['Be kind.'] }],
    ['FEATURE_UNMET', { events: { on_start: 'greet' } }],
  ]
  for (const [code, agent] of unmet) {
    test(`${code}: ${JSON.stringify(agent)}`, () => {
      const plan = planned({ ...agent, compliance: { safety_level: 'strict' } }, {}, {})
      assert.deepEqual(
        plan.refusals.map((refusal) => refusal.code),
        [code],
      )
    })
  }
})
