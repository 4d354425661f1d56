import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { PlannedTool } from '../../src/plan/plan.ts'
import type { DiscoveredTool, Discovery } from '../../src/plan/snapshot.ts'
import { acceptTools } from '../../src/plan/tool-pins.ts'
import { definition } from '../run/fixture.ts'
import {
  BASE,
  BEARER,
  discoveredTool,
  FUNCTION,
  HOST,
  MAY_SIGN,
  only,
  plan,
  REHEARSED,
  URL_OF,
  type World,
} from './planned-tools.ts'

describe('tools that a declaration discovers', () => {
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

  test('a single tool gets the declared name, several tools keep their own', () => {
    assert.deepEqual(behind([discoveredTool('a')]), [PLANNED])
    assert.deepEqual(behind([discoveredTool('a'), discoveredTool('b')]), [
      { ...PLANNED, name: 'a' },
      { ...PLANNED, name: 'b', description: 'Does b.', binding: { at: 'b' } },
    ])
    assert.deepEqual(behind([]), [])
  })

  test('its schemas, traits, method and description replace the declared ones', () => {
    const rich = discoveredTool('a', {
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
    assert.equal(alone(discoveredTool('a', { description: '' })).description, 'T.')
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
            discovered: { [declared]: { found: true, tools: offered.map((name) => discoveredTool(name)) } },
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
    const [a, b] = behind(
      [discoveredTool('a'), discoveredTool('b', { read_only: true })],
      {},
      { settings: { tools } },
    )
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

  test('a rule that denies the declaration denies its tools', () => {
    const planned = alone(discoveredTool('a', { note: 'a note' }), { protocol: 'http' })
    assert.deepEqual([planned.gate, planned.rule], ['deny', 'SPEC-G-01'])
    assert.equal(planned.reason, 'an http tool needs an endpoint')
  })

  test('a note is part of the reason', () => {
    assert.equal(alone(discoveredTool('a', { note: 'a note' })).reason, 'a note')
    const asked = alone(discoveredTool('a', { note: 'a note' }), {}, { limits: { asks: true } })
    assert.equal(asked.reason, 'human_in_the_loop: a person must approve each write call; a note')
  })

  describe('a part of a schema that cannot be used costs only itself', () => {
    const schema = {
      type: 'object',
      properties: { odd: { type: 'nothing' }, m: { type: 'integer' } },
      required: ['m'],
    }
    const open = { ...schema, properties: { odd: {}, m: { type: 'integer' } } }

    test('of the arguments: the tool and its other arguments stay, and the plan names the part', () => {
      for (const world of [{}, REHEARSED]) {
        const planned = alone(discoveredTool('a', { parameters_schema: schema }), {}, world)
        assert.equal(planned.gate, 'allow')
        assert.deepEqual(planned.parameters_schema, open)
        assert.match(
          planned.reason ?? '',
          /^parts of its arguments are not checked: \/properties\/odd\/type: "nothing" is not a type/,
        )
      }
    })

    test('of the results: the tool stays, and the plan names the part', () => {
      const planned = alone(discoveredTool('a', { output_schema: schema }))
      assert.equal(planned.gate, 'allow')
      assert.deepEqual(planned.output_schema, open)
      assert.match(planned.reason ?? '', /^parts of its results are not checked: \/properties\/odd\/type/)
    })

    test('at level regulated a write is denied if an argument cannot be checked, a read is not', () => {
      const regulated = { limits: { level: 'regulated' } } as const
      const write = alone(discoveredTool('a', { parameters_schema: schema }), {}, regulated)
      assert.deepEqual([write.gate, write.rule], ['deny', 'AAIF-4.4-02'])
      assert.match(write.reason ?? '', /must be checked, but "nothing" is not a type/)
      const read = alone(discoveredTool('a', { parameters_schema: schema, read_only: true }), {}, regulated)
      assert.equal(read.gate, 'allow')
      const results = alone(discoveredTool('a', { output_schema: schema }), {}, regulated)
      assert.equal(results.gate, 'allow')
    })

    test('a tool that can never be called is denied with the reason, and its neighbours are not', () => {
      const [a, b] = behind([discoveredTool('a', { unavailable: 'why' }), discoveredTool('b')])
      assert.deepEqual([a?.gate, a?.reason, b?.gate], ['deny', 'why', 'allow'])
    })
  })

  describe('AAIF-12-02: a tool that is not as it was pinned', () => {
    const declared = { protocol: 'mcp', endpoint: 'mcp://desk/a' }
    const agent = definition({ tools: [{ name: 't', description: 'T.', ...declared }] })
    const lock = acceptTools(
      agent,
      { t: { found: true, tools: [discoveredTool('a')] } },
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
      ['new', discoveredTool('b'), undefined, 'it is new: it was added after the tools were pinned'],
      [
        'changed',
        discoveredTool('a', { description: 'x' }),
        undefined,
        'it differs from the lock file: its description, its schemas, its effect or its hints',
      ],
      ['moved', discoveredTool('a'), 'mcp://desk/b', 'the endpoint differs from the lock file'],
    ] as const) {
      test(`${state}: ${reason}`, () => {
        const planned = pinned(tool, endpoint)
        assert.deepEqual(
          [planned.gate, planned.pin, planned.rule, planned.reason],
          ['deny', state, 'AAIF-12-02', reason],
        )
      })
    }
    test('a tool that equals its pin is allowed, and so is each tool if there are no pins', () => {
      assert.deepEqual(
        [pinned(discoveredTool('a')).gate, pinned(discoveredTool('a')).pin],
        ['allow', undefined],
      )
      assert.equal(alone(discoveredTool('b'), declared).gate, 'allow')
    })
  })

  describe('the URL of a discovered tool', () => {
    const signed = { auth: BEARER }
    test('its own URL is judged by the grants, with the credential when it signs in', () => {
      const at = (
        url: string,
        more: Partial<DiscoveredTool> = {},
        settings: Partial<OperatorSettings> = {},
      ) => alone(discoveredTool('a', { url, ...more }), signed, { settings })
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
        discoveredTool('a', { binding }),
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

    test('AAIF-4.9-05: under data_residency custom, only what the operator declares proves a server', () => {
      const custom = ['custom']
      assert.equal(residing({ server: 'far' }, custom), 'AAIF-4.9-04')
      assert.equal(residing({ url: URL_OF }, custom, { [HOST]: ['EU', 'US'] }), 'AAIF-4.9-04')
      assert.equal(residing({ server: 'far' }, custom, { [HOST]: custom }), undefined)
      assert.equal(residing({ server: 'far' }, ['custom', 'EU'], { [HOST]: custom }), 'AAIF-4.9-04')
      assert.equal(residing({ server: 'near' }, custom), undefined)
    })
  })
})
