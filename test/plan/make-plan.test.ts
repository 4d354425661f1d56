import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { type Inherited, NOTHING_INHERITED } from '../../src/plan/inherited.ts'
import { makePlan } from '../../src/plan/make-plan.ts'
import type { HostFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { planConstraints } from '../../src/plan/plan-constraints.ts'
import type { Snapshot } from '../../src/plan/snapshot.ts'
import { definition, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

interface World {
  readonly settings?: Partial<OperatorSettings>
  readonly snapshot?: Partial<Snapshot>
  readonly host?: Partial<HostFacts>
  readonly inherited?: Partial<Inherited>
  readonly root?: JsonObject
}

const HASH = '0123456789abcdef'.repeat(4)

function plan(agent: JsonObject = {}, { settings, snapshot, host, inherited, root }: World = {}): Plan {
  return makePlan(
    {
      definition: definition({ tools: [], model: { provider: 'openai', preferred: 'm' }, ...agent }, root),
      definition_hash: HASH,
      context: [],
      subagents: [],
      discovered: {},
      functions: {},
      ...snapshot,
    },
    { ...SETTINGS, ...settings },
    { ...withSecrets('OPENAI_API_KEY'), priceOf: () => undefined, ...host },
    { ...NOTHING_INHERITED, ...inherited },
  )
}

const codes = ({ refusals }: Plan) => refusals.map(({ code, rule }) => [code, rule])
const ROUTE = { provider: 'openai', model: 'm', key: 'OPENAI_API_KEY', eligible: true }

describe('the plan of a run', () => {
  test('the smallest definition gets every default, and no member for what it does not declare', () => {
    assert.deepEqual(plan(), {
      v: 1,
      agent_id: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c',
      agent_name: 'Clerk',
      definition_hash: HASH,
      rehearsal: false,
      safety_level: 'standard',
      system_prompt: 'You are Clerk.\n\n# Goal\nAnswer.',
      models: [ROUTE],
      routing: { strategy: 'preferred_first', order: [0] },
      params: {},
      tools: [],
      subagents: [],
      memory: [],
      constraints: [],
      audit: false,
      degradations: [],
      refusals: [],
      secrets: ['OPENAI_API_KEY'],
      limits: { max_iterations: 10, unattended_concurrency: 1 },
      retry: { max_retries: 2, backoff: 'exponential', base_ms: 1 },
      input: {},
      output: { format: 'text', structured: false },
      streaming: false,
      telemetry: {
        tracing: true,
        metrics: true,
        log_level: 'info',
        trace_context_header: 'traceparent',
      },
      pii: { handling: 'detect' },
    })
    assert.ok(!('signature' in plan()) && !('judge' in plan()) && !('hooks' in plan()))
  })

  test('a definition without members is planned too', () => {
    const bare = plan({ model: undefined as never, tools: undefined as never })
    assert.deepEqual([bare.models, bare.tools, bare.secrets], [[], [], []])
  })

  test('declared values replace the defaults', () => {
    const signature = { policy: 'prefer', status: 'unknown_signer', reason: 'unknown' } as const
    const declared = plan(
      {
        version: '1.2.3',
        model: {
          provider: 'openai',
          preferred: 'm',
          temperature: 0.5,
          params: { max_tokens: 7 },
          routing_strategy: 'cost',
        },
        runtime: {
          max_retries: 0,
          retry_backoff: 'fixed',
          concurrency: 3,
          timeout_seconds: 9,
        },
        orchestration: { max_iterations: 4 },
        io: { input_schema: { type: 'string' } },
        compliance: { audit_log: true, safety_level: 'strict', human_in_the_loop: { enabled: true } },
        events: { on_start: 'begin' },
      },
      { snapshot: { signature, hooks: ['begin'] }, host: { canAudit: true } },
    )
    assert.deepEqual(
      [declared.agent_version, declared.params, declared.routing, declared.retry, declared.limits],
      [
        '1.2.3',
        { temperature: 0.5, max_tokens: 7 },
        { strategy: 'cost', order: [0] },
        { max_retries: 0, backoff: 'fixed', base_ms: 1 },
        { max_iterations: 4, concurrency: 3, timeout_ms: 9000 },
      ],
    )
    assert.deepEqual(
      [declared.input, declared.audit, declared.safety_level, declared.approval, declared.signature],
      [{ schema: { type: 'string' } }, true, 'strict', {}, signature],
    )
    assert.deepEqual(declared.hooks, [{ hook: 'on_start', name: 'begin' }])
  })

  test('an agent without an id is named by the beginning of its hash', () => {
    assert.equal(plan({}, { root: { agent_id: undefined as never } }).agent_id, 'unnamed:0123456789abcdef')
  })

  test('a plan is frozen through all levels', () => {
    const frozen = plan({ model: { provider: 'openai', preferred: 'm' } })
    for (const value of [frozen, frozen.models, frozen.models[0], frozen.telemetry])
      assert.ok(Object.isFrozen(value))
  })

  test('the declared time limit and the budgets of the operator are kept apart', () => {
    const of = (timeout_seconds?: number, budget: OperatorSettings['budget'] = {}) =>
      plan(timeout_seconds === undefined ? {} : { runtime: { timeout_seconds } }, { settings: { budget } })
        .limits
    assert.deepEqual(of(9, { seconds: 3 }), {
      max_iterations: 10,
      unattended_concurrency: 1,
      timeout_ms: 9000,
      budget_ms: 3000,
    })
    assert.deepEqual(of(undefined, { seconds: 3.5 }), {
      max_iterations: 10,
      unattended_concurrency: 1,
      budget_ms: 3500,
    })
    assert.deepEqual(of(2), { max_iterations: 10, unattended_concurrency: 1, timeout_ms: 2000 })
    assert.deepEqual(of(undefined, { tokens: 1, calls: 2 }), {
      max_iterations: 10,
      unattended_concurrency: 1,
      budget_tokens: 1,
      budget_calls: 2,
    })
    assert.equal(of(undefined, { usd: 0.5 }).budget_usd, 0.5)
  })

  const outputs: readonly (readonly [JsonObject, Plan['output']])[] = [
    [{}, { format: 'text', structured: false }],
    [{ model: { response_format: 'json' } }, { format: 'json', structured: false }],
    [{ model: { response_format: 'json_schema' } }, { format: 'json', structured: false }],
    [
      { model: { response_format: 'json_schema' }, io: { output_schema: { type: 'string' } } },
      { format: 'json', schema: { type: 'string' }, structured: true },
    ],
    [
      { io: { output_schema: { type: 'string' } } },
      { format: 'json', schema: { type: 'string' }, structured: false },
    ],
    [{ io: { format: 'structured' } }, { format: 'json', structured: false }],
    [{ io: { format: 'json' } }, { format: 'json', structured: false }],
    [{ io: { format: 'markdown' } }, { format: 'markdown', structured: false }],
    [{ model: { response_format: 'markdown' } }, { format: 'markdown', structured: false }],
    [
      { model: { response_format: 'json' }, io: { format: 'markdown' } },
      { format: 'json', structured: false },
    ],
  ]
  for (const [agent, output] of outputs) {
    test(`output of ${JSON.stringify(agent)}: ${JSON.stringify(output)}`, () => {
      assert.deepEqual(plan(agent).output, output)
    })
  }

  for (const [agent, streaming] of [
    [{ io: { streaming: true } }, true],
    [{ runtime: { streaming: true } }, true],
    [{ io: { streaming: false }, runtime: {} }, false],
  ] as const) {
    test(`${JSON.stringify(agent)} ${streaming ? 'streams' : 'does not stream'}`, () => {
      assert.equal(plan(agent).streaming, streaming)
    })
  }
})

describe('what a plan inherits from the agents that call it', () => {
  test('level, regions, approval, audit and constraints are inherited', () => {
    const called = plan(
      { constraints: ['Be kind.', 'Be brief.'] },
      {
        inherited: {
          constraints: ['Be brief.', 'Be exact.'],
          level: 'regulated',
          audit: true,
          approval: { timeout_ms: 5 },
          pii: 'anonymize',
        },
      },
    )
    assert.deepEqual(
      [called.safety_level, called.audit, called.approval, called.pii],
      ['regulated', true, { timeout_ms: 5 }, { handling: 'anonymize', inherited: true }],
    )
    assert.deepEqual(
      called.constraints.map(({ text, inherited }) => [text, inherited]),
      [
        ['Be kind.', undefined],
        ['Be brief.', undefined],
        ['Be exact.', true],
      ],
    )
  })

  test('a constraint is held by a rule, else by the judge, else by the prompt', () => {
    const text = ['Never call t.', 'Be kind.']
    const held = (judged: boolean) =>
      planConstraints(
        definition({ constraints: text, tools: [{ name: 't', description: '' }] }),
        NOTHING_INHERITED,
        judged,
      )
    const [rule, judge] = held(true)
    assert.deepEqual([rule?.enforcement, judge], ['rule', { text: 'Be kind.', enforcement: 'judge' }])
    assert.ok(rule?.rule !== undefined && rule.reading !== undefined)
    assert.deepEqual(held(false)[1], { text: 'Be kind.', enforcement: 'prompt' })
  })
})

describe('the secrets of a plan', () => {
  test('secrets of eligible routes, allowed tools, the judge and personal data are listed once', () => {
    const KEY_ENV = 'PII_KEY'
    const secrets = (agent: JsonObject, settings: Partial<OperatorSettings> = {}) =>
      plan(agent, {
        settings: { secret_grants: [{ name: 'TOKEN', host: '127.0.0.1' }], ...settings },
        host: withSecrets('OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'TOKEN'),
      }).secrets
    assert.deepEqual(secrets({}), ['OPENAI_API_KEY'])
    assert.deepEqual(
      secrets({
        model: {
          provider: 'openai',
          preferred: 'm',
          fallbacks: [
            { provider: 'openai', model: 'n' },
            { provider: 'anthropic', model: 'c', max_cost_usd_per_1k_tokens: 1 },
          ],
        },
      }),
      ['OPENAI_API_KEY'],
    )
    const judge = { provider: 'anthropic', model: 'j' }
    assert.deepEqual(secrets({}, { judge }), ['OPENAI_API_KEY'])
    const judged = { constraints: ['Be kind.'] }
    assert.deepEqual(secrets(judged, { judge }), ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY'])
    assert.deepEqual(plan(judged, { settings: { judge: { ...judge, provider: 'openai' } } }).judge, {
      ...ROUTE,
      model: 'j',
    })
    assert.deepEqual(secrets({ compliance: { pii_handling: 'encrypt' } }, { pii: { key_env: KEY_ENV } }), [
      KEY_ENV,
      'OPENAI_API_KEY',
    ])
    assert.deepEqual(secrets({}, { rehearsal: true }), [])
  })

  test('the credential of a tool is listed only if the tool is not denied', () => {
    const tool = {
      name: 't',
      description: '',
      protocol: 'http',
      endpoint: 'https://desk.example/x',
      auth: { type: 'bearer', env_var: 'TOKEN' },
    }
    const host = withSecrets('OPENAI_API_KEY', 'TOKEN')
    const grant = { host: 'desk.example', private: false, source: 'flag' } as const
    const granted = { grants: { hosts: [grant] }, secret_grants: [{ name: 'TOKEN', host: 'desk.example' }] }
    assert.deepEqual(plan({ tools: [tool] }, { host, settings: granted }).secrets, [
      'OPENAI_API_KEY',
      'TOKEN',
    ])
    assert.deepEqual(plan({ tools: [tool] }, { host }).secrets, ['OPENAI_API_KEY'])
  })
})

describe('why a plan is refused', () => {
  const EU = { compliance: { data_residency: 'EU' } }
  const MISTRAL = { provider: 'mistral', model: 'd' }
  const cases: readonly (readonly [string, JsonObject, World, readonly (readonly [string, string])[]])[] = [
    ['nothing', {}, {}, []],
    ['deprecated', {}, { root: { status: 'deprecated' } }, [['AGENT_DEPRECATED', 'AAIF-4.1-08']]],
    [
      'deprecated and allowed',
      {},
      { root: { status: 'deprecated' }, settings: { allow_deprecated: true } },
      [],
    ],
    ['draft', {}, { root: { status: 'draft' } }, []],
    ['no route in the region', EU, {}, [['RESIDENCY_UNPROVEN', 'AAIF-4.9-05']]],
    ['no route at all', { ...EU, model: {} }, {}, []],
    [
      'one route in the region',
      { ...EU, model: { provider: 'openai', preferred: 'm', fallbacks: [MISTRAL] } },
      { host: withSecrets('OPENAI_API_KEY', 'MISTRAL_API_KEY') },
      [],
    ],
    ['a route that is not usable for another reason', { ...EU, model: { provider: 'openai' } }, {}, []],
    [
      'no key for personal data',
      { compliance: { pii_handling: 'encrypt' } },
      {},
      [['PII_KEY_MISSING', 'AAIF-4.9-07']],
    ],
    [
      'personal data in memory that must have none',
      {
        compliance: { pii_handling: 'reject' },
        memory: [{ scope: 'long_term', content: 'ada@example.org' }],
      },
      {},
      [['PII_REJECTED', 'AAIF-4.9-07']],
    ],
    ['no audit log', { compliance: { audit_log: true } }, {}, [['FEATURE_UNMET', 'AAIF-4.9-08']]],
    ['an audit log', { compliance: { audit_log: true } }, { host: { canAudit: true } }, []],
  ]
  for (const [what, agent, world, expected] of cases) {
    test(`${what}: ${expected.map(([code]) => code).join(' ') || 'not refused'}; never in a rehearsal`, () => {
      assert.deepEqual(codes(plan(agent, world)), expected)
      const { settings } = world
      assert.deepEqual(codes(plan(agent, { ...world, settings: { ...settings, rehearsal: true } })), [])
    })
  }

  test('AAIF-12-13: a signature that is required is refused at every level, and one that is preferred is noted', () => {
    const signed = (policy: 'require' | 'prefer', status: 'trusted' | 'unsigned') =>
      plan(
        {},
        {
          snapshot: {
            signature: (status === 'trusted'
              ? { policy, status, signer: 'x' }
              : { policy, status, reason: 'it is not signed' }) as never,
          },
        },
      )
    const refused = signed('require', 'unsigned')
    assert.deepEqual(codes(refused), [['SIGNATURE_REFUSED', 'AAIF-12-13']])
    assert.deepEqual(refused.degradations, [])
  })
})

describe('texts with a time to live', () => {
  const url = { type: 'url', value: 'https://a.example' }
  const read = { found: true, source: 's', text: 'x', sha256: 'f'.repeat(64), untrusted: true } as const
  const missing = { found: false, reason: 'r', rule: 'SPEC-R-02' } as const
  const aging = (item: JsonObject, resolved?: Snapshot['context'][number]) =>
    plan({ context: [item] }, { snapshot: { context: resolved === undefined ? [] : [resolved] } }).aging

  test('a text from a URL with a time to live is listed, with its hash when it was found', () => {
    const entry = { item: 0, url: 'https://a.example', ttl_ms: 2000 }
    const ttl = { ...url, refresh_ttl_seconds: 2 }
    assert.deepEqual(aging(ttl, read), [{ ...entry, sha256: read.sha256 }])
    assert.deepEqual(aging(ttl, missing), [entry])
    assert.deepEqual(aging({ ...ttl, label: 'A' }, missing), [{ ...entry, label: 'A' }])
  })

  test('other texts are not listed', () => {
    assert.equal(aging(url, read), undefined)
    assert.equal(aging({ ...url, refresh_ttl_seconds: 0 }, read), undefined)
    assert.equal(aging({ ...url, type: 'text', refresh_ttl_seconds: 2 }, read), undefined)
    assert.equal(aging({ ...url, refresh_ttl_seconds: 2 }), undefined)
  })
})
