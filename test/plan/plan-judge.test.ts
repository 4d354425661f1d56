import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { firstProvider, planJudge, primaryProvider } from '../../src/plan/plan-models.ts'
import { definition } from '../run/fixture.ts'
import {
  ALLOWED,
  API,
  BOUND,
  FALLBACK,
  hostOf,
  OPENAI,
  OWN,
  OWN_URL,
  plan,
  routes,
  settingsOf,
  type World,
} from './planned-models.ts'
import { withSecrets } from './with-secrets.ts'

describe('the judge of constraints', () => {
  const judge = (model: JsonObject, judge_model: string | undefined, world: World = {}) => {
    const agent = { model, ...(judge_model !== undefined && { evaluation: { judge_model } }) }
    const planned = planJudge(definition(agent), settingsOf(world.settings), hostOf(world), world.regions)
    return planned?.eligible === true ? routes([planned])[0] : null
  }
  const chosen = (provider: string) => ({ judge: { provider, model: 'j' } })

  test('it is the operator’s choice, else the definition’s model at its first provider', () => {
    assert.equal(judge(OPENAI, undefined), null)
    assert.equal(judge({}, 'e'), null)
    assert.deepEqual(judge(OPENAI, 'e'), ['openai/e', null, API, null])
    assert.deepEqual(judge({ fallbacks: [FALLBACK] }, 'e'), ['anthropic/e', null, 'ANTHROPIC_API_KEY', null])
    assert.deepEqual(judge(OPENAI, 'e', { settings: chosen('mistral') }), [
      'mistral/j',
      null,
      'MISTRAL_API_KEY',
      null,
    ])
  })

  test('a judge of the first route’s provider uses its address, a judge of another provider that provider’s address', () => {
    const settings = { ...ALLOWED, base_url: OWN_URL, key_bindings: { openai: [OWN_URL], own: [OWN_URL] } }
    assert.deepEqual(judge(OPENAI, undefined, { settings: { ...settings, ...chosen('openai') } }), [
      'openai/j',
      OWN_URL,
      API,
      null,
    ])
    assert.deepEqual(judge(OPENAI, undefined, { settings: { ...settings, ...chosen('mistral') } }), [
      'mistral/j',
      null,
      'MISTRAL_API_KEY',
      null,
    ])
    assert.deepEqual(judge(OWN, undefined, { settings: { ...settings, ...chosen('custom') } }), [
      'custom:own/j',
      OWN_URL,
      'WAYBILL_KEY_OWN',
      null,
    ])
    assert.deepEqual(judge({}, undefined, { settings: { ...settings, ...chosen('mistral') } }), [
      'mistral/j',
      null,
      'MISTRAL_API_KEY',
      null,
    ])
  })

  test('a judge that cannot be reached is not planned', () => {
    assert.equal(judge(OPENAI, 'e', { host: withSecrets() }), null)
    assert.equal(judge(OPENAI, 'e', { regions: ['EU'] }), null)
  })

  test('AAIF-4.9-05: under data_residency custom it needs the declaration of the operator', () => {
    const world = (residency: Readonly<Record<string, readonly string[]>>): World => ({
      regions: ['custom'],
      settings: { residency },
    })
    assert.equal(judge(OPENAI, 'e', world({})), null)
    assert.equal(judge(OPENAI, 'e', world({ openai: ['EU', 'US'] })), null)
    assert.equal(judge(OPENAI, 'e', world({ mistral: ['custom'] })), null)
    assert.deepEqual(judge(OPENAI, 'e', world({ openai: ['custom'] })), ['openai/e', null, API, null])
  })
})

describe('the name of the first provider', () => {
  for (const [model, wanted, name] of [
    [OPENAI, undefined, 'openai'],
    [OPENAI, { provider: 'mistral', model: 'x' }, 'mistral'],
    [{ preferred: 'm' }, undefined, 'custom'],
    [{ fallbacks: [FALLBACK] }, undefined, 'anthropic'],
    [{}, undefined, undefined],
    [undefined, undefined, undefined],
    [OWN, undefined, 'own'],
    [OPENAI, { provider: 'custom', model: 'x' }, 'custom'],
    [undefined, { provider: 'custom', model: 'x' }, 'custom'],
    [{ fallbacks: [] }, undefined, undefined],
  ] as const) {
    test(`${JSON.stringify(model)} with ${JSON.stringify(wanted)}: ${name}`, () => {
      assert.equal(primaryProvider(definition({ model: model as never }), wanted), name)
    })
  }

  test('of a recorded plan it is the provider of the first route', () => {
    assert.equal(firstProvider({ models: [] }), undefined)
    assert.equal(firstProvider({ models: plan(OWN, { settings: BOUND }) }), 'own')
  })
})
