import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { authOf } from '../../src/plan/plan-tools.ts'
import { BASE, BEARER, HOST, MAY_SIGN, only, REHEARSED, URL_OF, type World } from './planned-tools.ts'
import { withSecrets } from './with-secrets.ts'

describe('a declared tool', () => {
  test('a function is planned with what the operator’s module says of it, and nothing more', () => {
    assert.deepEqual(only({}), { ...BASE, protocol: 'function' })
    assert.deepEqual(only({}, { snapshot: { functions: { t: { read_only: true, idempotent: true } } } }), {
      ...BASE,
      protocol: 'function',
      effect: 'read',
      idempotent: true,
    })
  })

  test('the operator’s settings come before what the module says', () => {
    const functions = { t: { read_only: true, idempotent: true } }
    const tools = { t: { read_only: false, idempotent: false } }
    assert.deepEqual(only({}, { snapshot: { functions }, settings: { tools } }), {
      ...BASE,
      protocol: 'function',
    })
  })

  test('every member that is declared is in the plan', () => {
    const members = {
      parameters_schema: { type: 'object' },
      output_schema: { type: 'string' },
      rate_limit: { requests_per_minute: 2 },
    }
    const http = { protocol: 'http', endpoint: URL_OF, timeout_seconds: 3, cache_ttl_seconds: 4 }
    assert.deepEqual(only({ ...members, ...http }), {
      ...BASE,
      protocol: 'http',
      ...members,
      endpoint: URL_OF,
      method: 'POST',
      timeout_ms: 3000,
      cache_ms: 4000,
    })
    assert.ok(!('cache_ms' in only({ ...http, cache_ttl_seconds: 0 })))
  })

  for (const [method, effect] of [
    ['get', 'read'],
    ['HEAD', 'read'],
    ['put', 'write'],
    [undefined, 'write'],
  ] as const) {
    test(`an http tool with the method ${method} is a ${effect}`, () => {
      const tools = { t: method === undefined ? {} : { method } }
      const planned = only({ protocol: 'http', endpoint: URL_OF }, { settings: { tools } })
      assert.deepEqual([planned.method, planned.effect], [(method ?? 'post').toUpperCase(), effect])
      assert.equal(only({}, { settings: { tools } }).method, undefined)
    })
  }

  test('traits of a function do not apply to a tool of another protocol with the same name', () => {
    const functions = { t: { read_only: true, idempotent: true } }
    const { effect, idempotent } = only({ protocol: 'http', endpoint: URL_OF }, { snapshot: { functions } })
    assert.deepEqual([effect, idempotent], ['write', false])
  })

  const gates: readonly (readonly [what: string, tool: JsonObject, world: World, rule: string | null])[] = [
    ['a function that was not given', {}, { snapshot: { functions: {} } }, 'AAIF-4.4-02'],
    ['a function called like a member of objects', { name: 'constructor' }, {}, 'AAIF-4.4-02'],
    ['an http tool without an endpoint', { protocol: 'http' }, {}, 'SPEC-G-01'],
    ['an endpoint without a protocol', { endpoint: URL_OF }, {}, 'AAIF-4.4-01'],
    ['an http tool on a granted host', { protocol: 'http', endpoint: URL_OF }, {}, null],
    [
      'an http tool on a host without a grant',
      { protocol: 'http', endpoint: URL_OF },
      { settings: { grants: { hosts: [] } } },
      'AAIF-12-02',
    ],
    ['an mcp tool that was not asked', { protocol: 'mcp' }, {}, 'AAIF-4.4-01'],
    ['an openapi tool that was not asked', { protocol: 'openapi' }, {}, 'AAIF-4.4-01'],
    ['a tool that claims to be an agent', { protocol: 'agent' }, {}, 'AAIF-4.4-01'],
    ['a tool that claims to be memory', { protocol: 'memory' }, {}, 'AAIF-4.4-01'],
    ['a protocol that no extension adds', { protocol: 'smtp' }, {}, 'AAIF-4.4-01'],
    ['a protocol called like a member of objects', { protocol: 'constructor' }, {}, 'AAIF-4.4-01'],
    [
      'a protocol without extensions',
      { protocol: 'dice' },
      { host: { extensions: undefined } as never },
      'AAIF-4.4-01',
    ],
    ['a protocol that reaches hosts, without an endpoint', { protocol: 'sql' }, {}, 'SPEC-G-01'],
    ['a protocol that reaches hosts', { protocol: 'sql', endpoint: URL_OF }, {}, null],
    [
      'a protocol that reaches a host without a grant',
      { protocol: 'sql', endpoint: 'https://other.example' },
      {},
      'AAIF-12-02',
    ],
    ['a protocol that reaches files, without an endpoint', { protocol: 'csv' }, {}, 'SPEC-G-01'],
    ['a protocol that reaches files', { protocol: 'csv', endpoint: 'a.csv' }, {}, null],
    ['a secret for a file', { protocol: 'csv', endpoint: 'a.csv', auth: BEARER }, {}, 'AAIF-12-02'],
    ['a protocol that reaches nothing', { protocol: 'dice' }, {}, null],
    ['a secret for nothing', { protocol: 'dice', auth: BEARER }, {}, 'AAIF-12-02'],
    [
      'a credential that was not granted to the host',
      { protocol: 'http', endpoint: URL_OF, auth: BEARER },
      {},
      'AAIF-12-02',
    ],
    [
      'a credential that was granted and is set',
      { protocol: 'http', endpoint: URL_OF, auth: BEARER },
      { settings: MAY_SIGN },
      null,
    ],
    [
      'a credential that is not set',
      { protocol: 'http', endpoint: URL_OF, auth: BEARER },
      { settings: MAY_SIGN, host: withSecrets() },
      'AAIF-4.4-11',
    ],
    [
      'a way to sign in that is not supported',
      { protocol: 'http', endpoint: URL_OF, auth: { type: 'oauth2', env_var: 'KEY' } },
      { settings: MAY_SIGN },
      'AAIF-4.4-09',
    ],
    [
      'a host outside the region',
      { protocol: 'http', endpoint: URL_OF },
      { limits: { regions: ['EU'] } },
      'AAIF-4.9-04',
    ],
    [
      'a host inside one of two regions',
      { protocol: 'http', endpoint: URL_OF },
      { limits: { regions: ['EU', 'US'] }, settings: { residency: { [HOST]: ['EU'] } } },
      'AAIF-4.9-04',
    ],
    [
      'a host inside the region',
      { protocol: 'http', endpoint: URL_OF },
      { limits: { regions: ['EU'] }, settings: { residency: { [HOST]: ['EU'] } } },
      null,
    ],
  ]
  for (const [what, tool, world, rule] of gates) {
    test(`${what} is ${rule === null ? 'allowed' : `denied by ${rule}`}`, () => {
      const { gate, rule: why, reason } = only(tool, world)
      assert.deepEqual([gate, why ?? null], [rule === null ? 'allow' : 'deny', rule])
      assert.equal(reason !== undefined, rule !== null)
      const { settings } = world
      const rehearsed = only(tool, { ...world, settings: { ...settings, rehearsal: true } })
      assert.deepEqual(
        [rehearsed.gate, rehearsed.doubled, rehearsed.rule ?? null, rehearsed.reason],
        ['allow', true, rule, reason === undefined ? undefined : `a real run would deny it: ${reason}`],
      )
    })
  }

  test('AAIF-4.9-10: where writes need approval, an allowed write is asked about and a read is not', () => {
    const asks = { limits: { asks: true } }
    const write = only({}, asks)
    assert.deepEqual([write.gate, write.rule], ['ask', 'AAIF-4.9-10'])
    const read = only({}, { ...asks, settings: { tools: { t: { read_only: true } } } })
    assert.deepEqual([read.gate, read.rule], ['allow', undefined])
    const denied = only({ protocol: 'http' }, asks)
    assert.deepEqual([denied.gate, denied.rule], ['deny', 'SPEC-G-01'])
    const rehearsed = only({}, { ...asks, ...REHEARSED })
    assert.deepEqual(
      [rehearsed.gate, rehearsed.reason],
      ['ask', 'human_in_the_loop: a person must approve each write call'],
    )
  })

  const window = (context_window?: number, eligible = true): PlannedModel => ({
    provider: 'p',
    model: 'm',
    eligible,
    ...(context_window !== undefined && { context_window }),
  })
  for (const [windows, chars] of [
    [[], undefined],
    [[window()], undefined],
    [[window(50_000)], undefined],
    [[window(49_999)], 99_998],
    [[window(10_000, false), window(40_000), window(30_000)], 60_000],
    [[window(0.75)], 1],
  ] as const) {
    test(`a result fills half of the smallest usable window: ${windows.map((w) => w.context_window)}`, () => {
      assert.equal(only({}, { limits: { models: windows } }).max_result_chars, chars)
    })
  }
})

describe('how a tool signs in', () => {
  const cases: readonly (readonly [JsonObject | undefined, JsonObject | null | 'unsupported'])[] = [
    [undefined, null],
    [{}, null],
    [{ type: 'none', env_var: 'KEY' }, null],
    [BEARER, { type: 'bearer', secret: 'KEY' }],
    [
      { type: 'basic', env_var: 'KEY' },
      { type: 'basic', secret: 'KEY' },
    ],
    [
      { type: 'api_key', env_var: 'KEY', header: 'x-key' },
      { type: 'api_key', secret: 'KEY', header: 'x-key' },
    ],
    [{ type: 'oauth2', env_var: 'KEY' }, 'unsupported'],
    [{ type: 'bearer' }, 'unsupported'],
    [{ ...BEARER, vault_ref: { provider: 'v', path: 'p' } }, 'unsupported'],
  ]
  for (const [auth, expected] of cases) {
    test(`${JSON.stringify(auth)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(authOf((auth === undefined ? {} : { auth }) as never), expected)
    })
  }

  test('the plan names the credential, except that of a function', () => {
    assert.deepEqual(only({ protocol: 'http', endpoint: URL_OF, auth: BEARER }).auth, {
      type: 'bearer',
      secret: 'KEY',
    })
    assert.equal(only({ protocol: 'http', endpoint: URL_OF, auth: { type: 'oauth2' } }).auth, undefined)
    assert.deepEqual(only({ protocol: 'function', auth: BEARER }), { ...BASE, protocol: 'function' })
  })
})
