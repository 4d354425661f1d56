import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { HostFacts, OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { PlannedModel, PlannedTool } from '../../src/plan/plan.ts'
import { authOf, planTools, type ToolLimits } from '../../src/plan/plan-tools.ts'
import type { DiscoveredTool, Discovery, Snapshot } from '../../src/plan/snapshot.ts'
import { acceptTools } from '../../src/plan/tool-pins.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { definition, SETTINGS } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

interface World {
  readonly settings?: Partial<OperatorSettings>
  readonly snapshot?: Partial<Snapshot>
  readonly host?: Partial<HostFacts>
  readonly limits?: Partial<ToolLimits>
}

const HOST = 'desk.example'
const URL_OF = `https://${HOST}/in`
const GRANTED = { grants: { hosts: [parseHostGrant(HOST)] } }
const FUNCTION = { read_only: false, idempotent: false }
const EXTENSIONS = {
  protocols: {
    sql: { extension: 'db', reach: 'host' },
    csv: { extension: 'db', reach: 'file' },
    dice: { extension: 'db', reach: 'nothing' },
  },
  providers: {},
  backends: {},
} as const

function plan(tools: readonly JsonObject[], { settings, snapshot, host, limits }: World = {}) {
  return planTools(
    {
      definition: definition({ tools: tools.map((tool) => ({ name: 't', description: 'T.', ...tool })) }),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [],
      discovered: {},
      functions: { t: FUNCTION },
      ...snapshot,
    },
    { ...SETTINGS, ...GRANTED, ...settings },
    { ...withSecrets('KEY'), priceOf: () => undefined, extensions: EXTENSIONS, ...host },
    { models: [], regions: [], asks: false, ...limits },
  )
}

function only(tool: JsonObject, world: World = {}): PlannedTool {
  const [planned, second] = plan([tool], world)
  assert.ok(planned !== undefined && second === undefined)
  return planned
}

const REHEARSED = { settings: { rehearsal: true } }
const BASE = { name: 't', description: 'T.', effect: 'write', idempotent: false, gate: 'allow' }
const BEARER = { type: 'bearer', env_var: 'KEY' }
const MAY_SIGN = { secret_grants: [{ name: 'KEY', host: HOST }] }

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

  test('a function says nothing of a tool of another protocol that has its name', () => {
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
        ['allow', true, rule, reason === undefined ? undefined : `a real run would refuse it: ${reason}`],
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
      ['ask', 'human_in_the_loop: a person approves each write call'],
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

  test('the plan names the credential; that of a function is no part of it', () => {
    assert.deepEqual(only({ protocol: 'http', endpoint: URL_OF, auth: BEARER }).auth, {
      type: 'bearer',
      secret: 'KEY',
    })
    assert.equal(only({ protocol: 'http', endpoint: URL_OF, auth: { type: 'oauth2' } }).auth, undefined)
    assert.deepEqual(only({ protocol: 'function', auth: BEARER }), { ...BASE, protocol: 'function' })
  })
})

describe('tools that stand behind a declaration', () => {
  const found = (name: string, more: Partial<DiscoveredTool> = {}): DiscoveredTool => ({
    name,
    description: `Does ${name}.`,
    parameters_schema: { type: 'object' },
    read_only: false,
    idempotent: false,
    binding: { at: name },
    ...more,
  })
  const behind = (tools: readonly DiscoveredTool[], tool: JsonObject = {}, world: World = {}) =>
    plan([{ protocol: 'mcp', ...tool }], {
      ...world,
      snapshot: { discovered: { t: { found: true, tools } }, ...world.snapshot },
    })
  const alone = (tool: DiscoveredTool, declared: JsonObject = {}, world: World = {}): PlannedTool => {
    const [planned] = behind([tool], declared, world)
    assert.ok(planned !== undefined)
    return planned
  }
  const PLANNED = {
    ...BASE,
    protocol: 'mcp',
    declared: 't',
    description: 'Does a.',
    parameters_schema: { type: 'object' },
    binding: { at: 'a' },
  }

  test('one that is alone bears the declared name, several bear their own', () => {
    assert.deepEqual(behind([found('a')]), [PLANNED])
    assert.deepEqual(behind([found('a'), found('b')]), [
      { ...PLANNED, name: 'a' },
      { ...PLANNED, name: 'b', description: 'Does b.', binding: { at: 'b' } },
    ])
    assert.deepEqual(behind([]), [])
  })

  test('its schemas, traits, method and description replace the declared ones', () => {
    const rich = found('a', {
      output_schema: { type: 'string' },
      read_only: true,
      idempotent: true,
      method: 'GET',
      url: URL_OF,
    })
    assert.deepEqual(alone(rich, { parameters_schema: { type: 'object', properties: {} } }), {
      ...PLANNED,
      effect: 'read',
      idempotent: true,
      output_schema: { type: 'string' },
      method: 'GET',
      endpoint: URL_OF,
    })
    assert.equal(alone(found('a', { description: '' })).description, 'T.')
  })

  test('names that are taken or cannot be called are changed', () => {
    const names = (declared: string, ...offered: readonly string[]) =>
      plan(
        [
          { name: declared, protocol: 'mcp' },
          { name: 'used', protocol: 'function' },
        ],
        {
          snapshot: {
            discovered: { [declared]: { found: true, tools: offered.map((name) => found(name)) } },
            functions: { used: FUNCTION },
          },
        },
      )
        .slice(0, -1)
        .map(({ name }) => name)
    assert.deepEqual(names('t', 'a b.c', '1st', '-x', '_y'), ['a_b_c', '_1st', '_-x', '_y'])
    assert.deepEqual(names('t', 'used', 'used', 'used'), ['t_used', 't_used_2', 't_used_3'])
    const long = 'l'.repeat(70)
    assert.deepEqual(names('t', long, 'b'), ['l'.repeat(64), 'b'])
    assert.deepEqual(names('d'.repeat(30), long, long, long), [
      'l'.repeat(64),
      `${'d'.repeat(30)}_${'l'.repeat(33)}`,
      `${'d'.repeat(20)}_${'l'.repeat(38)}_2`,
    ])
  })

  test('the operator’s settings for its own name come before those for the declared one', () => {
    const tools = { a: { read_only: true }, t: { idempotent: true } }
    const [a, b] = behind([found('a'), found('b', { read_only: true })], {}, { settings: { tools } })
    assert.deepEqual([a?.effect, a?.idempotent], ['read', false])
    assert.deepEqual([b?.effect, b?.idempotent], ['read', true])
  })

  test('a declaration that was not found is denied with the reason, and doubled in a rehearsal', () => {
    const missing: Discovery = { found: false, reason: 'no answer', rule: 'SPEC-D-30' }
    const world = { snapshot: { discovered: { t: missing } } }
    const planned = only({ protocol: 'mcp' }, world)
    assert.deepEqual([planned.gate, planned.reason, planned.rule], ['deny', 'no answer', 'SPEC-D-30'])
    const rehearsed = only({ protocol: 'mcp' }, { ...world, ...REHEARSED })
    assert.deepEqual([rehearsed.gate, rehearsed.reason, rehearsed.doubled], ['allow', undefined, true])
  })

  test('a tool that is used as declared keeps its declaration and gets its binding', () => {
    const discovered = { t: { found: true, tools: [], as_declared: { k: 1 } } } as const
    assert.deepEqual(only({ protocol: 'dice' }, { snapshot: { discovered } }), {
      ...BASE,
      protocol: 'dice',
      binding: { k: 1 },
    })
  })

  test('what denies the declaration denies what stands behind it', () => {
    const planned = alone(found('a', { note: 'a note' }), { protocol: 'http' })
    assert.deepEqual([planned.gate, planned.rule], ['deny', 'SPEC-G-01'])
    assert.equal(planned.reason, 'an http tool needs an endpoint')
  })

  test('a note is the reason when there is no other', () => {
    assert.equal(alone(found('a', { note: 'a note' })).reason, 'a note')
    const asked = alone(found('a', { note: 'a note' }), {}, { limits: { asks: true } })
    assert.equal(asked.reason, 'human_in_the_loop: a person approves each write call')
  })

  for (const schemas of [
    { parameters_schema: { type: 'nothing' } },
    { output_schema: { type: 'nothing' } },
  ] as readonly Partial<DiscoveredTool>[]) {
    test(`SPEC-D-30: a broken ${Object.keys(schemas)} denies the tool alone, also in a rehearsal`, () => {
      const tools = [found('a', schemas), found('b')]
      for (const world of [{}, REHEARSED]) {
        const [a, b] = behind(tools, {}, world)
        assert.deepEqual([a?.gate, a?.rule, b?.gate], ['deny', 'SPEC-D-30', 'allow'])
        assert.match(a?.reason ?? '', /^a describes itself by a schema that cannot be used: \/type: /)
        assert.ok(a !== undefined && !('parameters_schema' in a) && !('output_schema' in a))
      }
    })
  }

  describe('AAIF-12-02: a tool that is not as it was pinned', () => {
    const declared = { protocol: 'mcp', endpoint: 'mcp://desk/a' }
    const agent = definition({ tools: [{ name: 't', description: 'T.', ...declared }] })
    const lock = acceptTools(
      agent,
      { t: { found: true, tools: [found('a')] } },
      { v: 1, tools: {} },
      () => true,
    )
    const pins = { snapshot: { pins: { lock }, discovered: {} } }
    const pinned = (tool: DiscoveredTool, endpoint = declared.endpoint) =>
      alone(
        tool,
        { ...declared, endpoint },
        {
          snapshot: { ...pins.snapshot, discovered: { t: { found: true, tools: [tool] } } },
        },
      )
    for (const [state, tool, endpoint, reason] of [
      ['new', found('b'), undefined, 'its server offers it only since the others were pinned'],
      [
        'changed',
        found('a', { description: 'x' }),
        undefined,
        'its server describes it differently from what was pinned',
      ],
      ['moved', found('a'), 'mcp://desk/b', 'the endpoint is not the one that was pinned'],
    ] as const) {
      test(`${state}: ${reason}`, () => {
        const planned = pinned(tool, endpoint)
        assert.deepEqual(
          [planned.gate, planned.pin, planned.rule, planned.reason],
          ['deny', state, 'AAIF-12-02', reason],
        )
      })
    }
    test('one that is as it was pinned is allowed, and so is every tool without pins', () => {
      assert.deepEqual([pinned(found('a')).gate, pinned(found('a')).pin], ['allow', undefined])
      assert.equal(alone(found('b'), declared).gate, 'allow')
    })
  })

  describe('where a call goes', () => {
    const signed = { auth: BEARER }
    test('its own URL is judged by the grants, with the credential when it signs in', () => {
      const at = (
        url: string,
        more: Partial<DiscoveredTool> = {},
        settings: Partial<OperatorSettings> = {},
      ) => alone(found('a', { url, ...more }), signed, { settings })
      assert.deepEqual([at('https://other.example').gate, at(URL_OF).rule], ['deny', 'AAIF-12-02'])
      assert.equal(at(URL_OF, {}, MAY_SIGN).gate, 'allow')
      assert.deepEqual(at(URL_OF, {}, MAY_SIGN).auth, { type: 'bearer', secret: 'KEY' })
      const open = at(URL_OF, { signs_in: false })
      assert.deepEqual([open.gate, open.auth], ['allow', undefined])
    })

    const servers = {
      far: { url: URL_OF },
      near: { command: 'near' },
    }
    const residing = (binding: JsonObject, regions = ['EU'], residency = {}) =>
      alone(
        found('a', { binding }),
        {},
        {
          limits: { regions },
          settings: { mcp_servers: servers, residency },
        },
      ).rule
    test('AAIF-4.9-04: the server itself must be in the region', () => {
      assert.equal(residing({ server: 'far' }), 'AAIF-4.9-04')
      assert.equal(residing({ server: 'far' }, []), undefined)
      assert.equal(residing({ server: 'far' }, ['EU'], { [HOST]: ['EU'] }), undefined)
      assert.equal(residing({ server: 'near' }), undefined)
      assert.equal(residing({ url: URL_OF }), 'AAIF-4.9-04')
      assert.equal(residing({ server: 'constructor', url: URL_OF }), 'AAIF-4.9-04')
      assert.equal(residing({ server: 'near', url: URL_OF }), undefined)
      assert.equal(residing({ server: 7 }), undefined)
      assert.equal(residing({}), undefined)
    })
  })
})
