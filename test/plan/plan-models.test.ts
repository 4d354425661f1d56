import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { ModelFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import { addedApis } from '../../src/plan/plan-models.ts'
import {
  ALLOWED,
  API,
  BOUND,
  FALLBACK,
  OPENAI,
  OWN,
  OWN_URL,
  plan,
  routes,
  type World,
} from './planned-models.ts'
import { withSecrets } from './with-secrets.ts'

describe('AAIF §4.2 the routes of a definition', () => {
  const cases: readonly (readonly [
    what: string,
    model: JsonObject | undefined,
    world: World,
    expected: ReturnType<typeof routes>,
  ])[] = [
    ['no model', undefined, {}, []],
    ['no route in the model', {}, {}, []],
    [
      'no model in a rehearsal',
      {},
      { settings: { rehearsal: true } },
      [['rehearsal/rehearsal', null, null, null]],
    ],
    [
      'no model in a rehearsal, and --model',
      {},
      { settings: { rehearsal: true, model: { provider: 'openai', model: 'x' } } },
      [['openai/x', null, API, null]],
    ],
    ['a provider and a model', OPENAI, {}, [['openai/m', null, API, null]]],
    [
      'a model alone, whose name is in no price list',
      { preferred: 'm' },
      {},
      [['unknown/m', null, null, 'MODEL_PROVIDER_UNKNOWN']],
    ],
    [
      'a model alone, whose name is in the price lists of all providers',
      { preferred: 'm' },
      { facts: { price: { input: 1, output: 1 } } },
      [['unknown/m', null, null, 'MODEL_PROVIDER_UNKNOWN']],
    ],
    [
      'a model alone, whose name is in the price list of one provider',
      { preferred: 'm' },
      {
        host: {
          priceOf: (provider) => (provider === 'mistral' ? { price: { input: 1, output: 1 } } : undefined),
        },
      },
      [['mistral/m', null, 'MISTRAL_API_KEY', null]],
    ],
    [
      'a model alone at an address is one of a custom provider',
      { preferred: 'm', base_url: OWN_URL },
      { settings: ALLOWED },
      [['custom/m', OWN_URL, null, null]],
    ],
    [
      'a model alone in a rehearsal',
      { preferred: 'm' },
      { settings: { rehearsal: true } },
      [['rehearsal/m', null, null, null]],
    ],
    ['a provider alone', { provider: 'openai' }, {}, [['openai/', null, API, 'MODEL_UNNAMED']]],
    [
      'fallbacks in their order',
      { ...OPENAI, fallbacks: [FALLBACK, { provider: 'mistral', model: 'd' }] },
      {},
      [
        ['openai/m', null, API, null],
        ['anthropic/c', null, 'ANTHROPIC_API_KEY', null],
        ['mistral/d', null, 'MISTRAL_API_KEY', null],
      ],
    ],
    ['fallbacks alone', { fallbacks: [FALLBACK] }, {}, [['anthropic/c', null, 'ANTHROPIC_API_KEY', null]]],
    [
      '--model replaces all routes',
      { ...OPENAI, fallbacks: [FALLBACK] },
      { settings: { model: { provider: 'mistral', model: 'x' } } },
      [['mistral/x', null, 'MISTRAL_API_KEY', null]],
    ],
    [
      '--model custom takes the address and the id of the definition',
      OWN,
      { settings: { ...BOUND, model: { provider: 'custom', model: 'x' } } },
      [['custom:own/x', OWN_URL, 'WAYBILL_KEY_OWN', null]],
    ],
    [
      '--model of another provider takes neither',
      OWN,
      { settings: { ...BOUND, model: { provider: 'openai', model: 'x' } } },
      [['openai/x', null, API, null]],
    ],
    [
      '--model custom without an address',
      {},
      { settings: { model: { provider: 'custom', model: 'x' } } },
      [['custom:custom/x', null, null, 'MODEL_PROVIDER_UNKNOWN']],
    ],
    [
      '--base-url moves every route of the first provider',
      { ...OPENAI, fallbacks: [FALLBACK, { provider: 'openai', model: 'n' }] },
      { settings: { ...ALLOWED, base_url: OWN_URL, key_bindings: { openai: [OWN_URL] } } },
      [
        ['openai/m', OWN_URL, API, null],
        ['anthropic/c', null, 'ANTHROPIC_API_KEY', null],
        ['openai/n', OWN_URL, API, null],
      ],
    ],
    [
      '--base-url moves the custom fallbacks of a custom provider too',
      { ...OWN, fallbacks: [{ provider: 'custom', model: 'n' }] },
      { settings: { ...ALLOWED, base_url: `${OWN_URL}/moved`, key_bindings: { own: [OWN_URL] } } },
      [
        ['custom:own/m', `${OWN_URL}/moved`, 'WAYBILL_KEY_OWN', null],
        ['custom:own/n', `${OWN_URL}/moved`, 'WAYBILL_KEY_OWN', null],
      ],
    ],
    [
      'a custom fallback has the address and the provider_id of the model, by either name',
      {
        ...OWN,
        fallbacks: [
          { provider: 'custom', model: 'n' },
          { provider: 'own', model: 'o' },
        ],
      },
      { settings: BOUND },
      [
        ['custom:own/m', OWN_URL, 'WAYBILL_KEY_OWN', null],
        ['custom:own/n', OWN_URL, 'WAYBILL_KEY_OWN', null],
        ['custom:own/o', OWN_URL, 'WAYBILL_KEY_OWN', null],
      ],
    ],
    [
      'a custom fallback of a listed provider has the address of the model',
      { ...OPENAI, base_url: OWN_URL, provider_id: 'own', fallbacks: [{ provider: 'custom', model: 'n' }] },
      { settings: { ...ALLOWED, key_bindings: { own: [OWN_URL] } } },
      [
        ['openai:own/m', OWN_URL, null, 'MODEL_KEY_MISSING'],
        ['custom:own/n', OWN_URL, 'WAYBILL_KEY_OWN', null],
      ],
    ],
    [
      'a provider_id does not replace a listed provider',
      { ...OWN, provider_id: 'openai', fallbacks: [{ provider: 'openai', model: 'n' }] },
      { settings: ALLOWED },
      [
        ['custom:openai/m', OWN_URL, null, null],
        ['openai/n', null, 'OPENAI_API_KEY', null],
      ],
    ],
    [
      'a custom fallback needs the permission of its host',
      { ...OWN, fallbacks: [{ provider: 'own', model: 'n' }] },
      {},
      [
        ['custom:own/m', OWN_URL, null, 'ENDPOINT_NOT_GRANTED'],
        ['custom:own/n', OWN_URL, null, 'ENDPOINT_NOT_GRANTED'],
      ],
    ],
    [
      'a custom fallback without an address',
      { ...OPENAI, fallbacks: [{ provider: 'custom', model: 'n' }] },
      {},
      [
        ['openai/m', null, 'OPENAI_API_KEY', null],
        ['custom/n', null, null, 'MODEL_PROVIDER_UNKNOWN'],
      ],
    ],
    ['--base-url without routes', {}, { settings: { base_url: OWN_URL } }, []],
    [
      'a custom provider with a bound key',
      OWN,
      { settings: BOUND },
      [['custom:own/m', OWN_URL, 'WAYBILL_KEY_OWN', null]],
    ],
    ['a custom provider without a key', OWN, { settings: ALLOWED }, [['custom:own/m', OWN_URL, null, null]]],
    ['a custom provider without a grant', OWN, {}, [['custom:own/m', OWN_URL, null, 'ENDPOINT_NOT_GRANTED']]],
    [
      'a key that may not be sent to the address',
      { ...OPENAI, base_url: OWN_URL },
      { settings: ALLOWED },
      [['openai/m', OWN_URL, null, 'MODEL_KEY_MISSING']],
    ],
    [
      'a key that is not set',
      OPENAI,
      { host: withSecrets() },
      [['openai/m', null, null, 'MODEL_KEY_MISSING']],
    ],
    [
      'a key that is not set, in a rehearsal',
      OPENAI,
      { host: withSecrets(), settings: { rehearsal: true } },
      [['openai/m', null, null, null]],
    ],
    [
      'an unknown provider',
      { provider: 'post', preferred: 'm' },
      {},
      [['post/m', null, null, 'MODEL_PROVIDER_UNKNOWN']],
    ],
    ['outside the region', OPENAI, { regions: ['EU'] }, [['openai/m', null, API, 'RESIDENCY_UNPROVEN']]],
    [
      'outside the region, in a rehearsal',
      OPENAI,
      { regions: ['EU'], settings: { rehearsal: true } },
      [['openai/m', null, API, null]],
    ],
    [
      'inside one of two regions',
      { provider: 'mistral', preferred: 'm' },
      { regions: ['EU', 'US'] },
      [['mistral/m', null, 'MISTRAL_API_KEY', 'RESIDENCY_UNPROVEN']],
    ],
    [
      'inside the region',
      { provider: 'mistral', preferred: 'm' },
      { regions: ['EU'] },
      [['mistral/m', null, 'MISTRAL_API_KEY', null]],
    ],
    [
      'a provider_id that claims a region counts when its address is bound',
      OWN,
      { regions: ['EU'], settings: { ...BOUND, residency: { own: ['EU'] } } },
      [['custom:own/m', OWN_URL, 'WAYBILL_KEY_OWN', null]],
    ],
    [
      'a provider_id that claims a region does not count when its address is the definition’s word',
      OWN,
      { regions: ['EU'], settings: { ...ALLOWED, residency: { own: ['EU'] } } },
      [['custom:own/m', OWN_URL, null, 'RESIDENCY_UNPROVEN']],
    ],
  ]
  for (const [what, model, world, expected] of cases) {
    test(what, () => {
      assert.deepEqual(routes(plan(model, world)), expected)
    })
  }

  test('the reason of a missing key says whether it may not be sent to the address or not set, and the hint what to do', () => {
    const first = (model: JsonObject, world: World) => plan(model, world)[0]
    assert.equal(first(OPENAI, { host: withSecrets() })?.reason, 'OPENAI_API_KEY is not set')
    const bound = first({ ...OPENAI, base_url: OWN_URL }, { settings: ALLOWED })
    assert.equal(bound?.reason, `OPENAI_API_KEY may not be sent to ${OWN_URL}`)
    assert.match(bound?.hint ?? '', /--base-url|providers\.openai\.base_urls/)
  })

  test('a reason code has a reason, and a route without one is eligible', () => {
    for (const [, model, world] of cases) {
      for (const route of plan(model, world)) {
        assert.equal(route.eligible, route.reason_code === undefined)
        assert.equal(route.reason === undefined, route.eligible)
      }
    }
  })
})

describe('prices, windows and ranks', () => {
  const only = (model: JsonObject, facts?: ModelFacts, settings: Partial<OperatorSettings> = {}) => {
    const [route] = plan(model, { settings, ...(facts !== undefined && { facts }) })
    assert.ok(route !== undefined)
    return route
  }
  const price = { input: 1, output: 3 }

  test('the plan holds what is known, and no member for what is not', () => {
    const known = only(OPENAI, { price, context_window: 9 }, { quality: { m: 4 } })
    assert.deepEqual(known, {
      provider: 'openai',
      model: 'm',
      key: API,
      eligible: true,
      price,
      context_window: 9,
      quality: 4,
    })
    assert.deepEqual(only(OPENAI), { provider: 'openai', model: 'm', key: API, eligible: true })
  })

  test('the operator’s facts come first: those of the provider_id, then those of the provider', () => {
    const models = { 'custom/m': { context_window: 2 }, 'own/m': { context_window: 3 } }
    assert.equal(only(OWN, { context_window: 1 }, { ...BOUND, models }).context_window, 3)
    const { 'own/m': _, ...fewer } = models
    assert.equal(only(OWN, { context_window: 1 }, { ...BOUND, models: fewer }).context_window, 2)
    assert.equal(only(OWN, { context_window: 1 }, BOUND).context_window, 1)
    assert.equal(only(OWN, undefined, { ...BOUND, quality: { 'own/m': 5, 'custom/m': 1 } }).quality, 5)
  })

  const capped = (ceiling: number) => ({
    fallbacks: [{ provider: 'openai', model: 'm', max_cost_usd_per_1k_tokens: ceiling }],
  })
  const extended = { ...OPENAI, params: { extended: { model: 'other' } } }
  const codes: readonly (readonly [
    string,
    JsonObject,
    ModelFacts | undefined,
    Partial<OperatorSettings>,
    string?,
  ])[] = [
    ['a window that is just large enough', { ...OPENAI, min_context_tokens: 9 }, { context_window: 9 }, {}],
    [
      'a window that is too small',
      { ...OPENAI, min_context_tokens: 10 },
      { context_window: 9 },
      {},
      'CONTEXT_WINDOW_TOO_SMALL',
    ],
    ['a window that is not known', { ...OPENAI, min_context_tokens: 10 }, {}, {}],
    ['no window needed', OPENAI, { context_window: 1 }, {}],
    ['a price at its ceiling', capped(0.003), { price }, {}],
    ['a price below its ceiling', capped(0.004), { price }, {}],
    ['a price above its ceiling', capped(0.0029), { price }, {}, 'PRICE_ABOVE_CEILING'],
    [
      'an input price above its ceiling',
      capped(0.004),
      { price: { input: 5, output: 1 } },
      {},
      'PRICE_ABOVE_CEILING',
    ],
    ['a ceiling and no price', capped(1), {}, {}, 'PRICE_UNKNOWN'],
    ['a ceiling and no price in a rehearsal', capped(1), {}, { rehearsal: true }],
    [
      'a price above its ceiling in a rehearsal',
      capped(0.001),
      { price },
      { rehearsal: true },
      'PRICE_ABOVE_CEILING',
    ],
    ['a budget and no price', OPENAI, {}, { budget: { usd: 1 } }, 'PRICE_UNKNOWN'],
    ['a budget and no price in a rehearsal', OPENAI, {}, { budget: { usd: 1 }, rehearsal: true }],
    ['a budget and a price', OPENAI, { price }, { budget: { usd: 1 } }],
    ['another budget and no price', OPENAI, {}, { budget: { calls: 1 } }],
    ['parameters that the runtime sends itself', extended, {}, {}, 'EXTENDED_PARAMS_COLLIDE'],
  ]
  for (const [what, model, facts, settings, code] of codes) {
    test(`${what}: ${code ?? 'eligible'}`, () => {
      assert.equal(only(model, facts, settings).reason_code, code)
    })
  }
})

describe('providers that extensions add', () => {
  const extensions = {
    protocols: {},
    providers: { own: { extension: 'x', base_url: OWN_URL }, lab: { extension: 'x' } },
    backends: {},
  }
  const host = { extensions }

  test('their address is that of the extension, and they need neither a grant nor a key', () => {
    const { base_url: _, ...custom } = OWN
    assert.deepEqual(routes(plan(custom, { host })), [['custom:own/m', OWN_URL, null, null]])
    assert.deepEqual(routes(plan({ provider: 'lab', preferred: 'm' }, { host })), [
      ['lab/m', null, null, null],
    ])
    const other = 'https://other.example'
    assert.deepEqual(routes(plan({ ...OWN, base_url: other }, { host })), [
      ['custom:own/m', other, null, 'ENDPOINT_NOT_GRANTED'],
    ])
    assert.deepEqual(routes(plan({ provider: 'constructor', preferred: 'm' }, { host })), [
      ['constructor/m', null, null, 'MODEL_PROVIDER_UNKNOWN'],
    ])
  })

  test('one without an address leaves this machine for no region', () => {
    const lab = { provider: 'lab', preferred: 'm' }
    assert.deepEqual(routes(plan(lab, { host, regions: ['EU'] })), [['lab/m', null, null, null]])
    const { base_url: _, ...custom } = OWN
    assert.deepEqual(routes(plan(custom, { host, regions: ['EU'] })), [
      ['custom:own/m', OWN_URL, null, 'RESIDENCY_UNPROVEN'],
    ])
  })

  test('their addresses are listed', () => {
    assert.deepEqual(addedApis({ extensions }), [OWN_URL])
    assert.deepEqual(addedApis({}), [])
  })
})

describe('the hint of a route without its key', () => {
  const hintOf = (queues?: true) =>
    plan(OPENAI, { host: { ...withSecrets(), ...(queues && { queues }) } })[0]?.hint ?? ''

  test('names the ways to set it: a flag on the command line, the environment of the workers on the platform', () => {
    assert.match(hintOf(), /`export OPENAI_API_KEY=YOUR_KEY`.*--env-file/)
    assert.match(hintOf(true), /OPENAI_API_KEY in the environment of .*worker.*restart/)
    assert.doesNotMatch(hintOf(true), /--env-file/)
  })
})
