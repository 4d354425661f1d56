import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { planChanges } from '../../src/plan/plan-changes.ts'
import { checkPlanFile, planFileOf } from '../../src/plan/plan-file.ts'
import { type MeaningParts, planMeaning } from '../../src/plan/plan-meaning.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'

/** A plan with these members; the others are the same in every test. */
function plan(hash: string, more: Partial<Plan> = {}): Plan {
  return {
    v: 1,
    agent_id: 'id',
    agent_name: 'Clerk',
    definition_hash: hash,
    rehearsal: false,
    safety_level: 'standard',
    system_prompt: 'Be brief.',
    models: [{ provider: 'openai', model: 'a', eligible: true, key: 'K' }],
    params: {},
    tools: [],
    subagents: [],
    memory: [],
    constraints: [],
    audit: false,
    degradations: [],
    refusals: [],
    secrets: ['K'],
    limits: { max_iterations: 10 },
    retry: { max_retries: 2, backoff: 'exponential', base_ms: 500 },
    input: {},
    output: { format: 'text', structured: false },
    streaming: false,
    telemetry: { tracing: false, metrics: false, log_level: 'info', trace_context_header: 'traceparent' },
    ...more,
  }
}

const SETTINGS = {
  rehearsal: false,
  grants: { hosts: [] },
  key_bindings: {},
  secret_grants: [],
  tools: {},
  budget: {},
  residency: {},
  allow_deprecated: false,
  retry_base_ms: 500,
}

function meaning(family: readonly Plan[], more: Partial<MeaningParts> = {}) {
  return planMeaning({
    family,
    settings: SETTINGS,
    functions: {},
    hooks: [],
    standing: [],
    folder: '/work',
    digestOf: () => 'digest',
    ...more,
  })
}

const sub = (alias: string, agent: string) => ({ ref: alias, alias, agent })
const changes = (before: readonly Plan[], after: readonly Plan[]) =>
  planChanges(meaning(before), meaning(after))

describe('differences of plans', () => {
  test('equal plans have none', () => {
    assert.deepEqual(changes([plan('a')], [plan('a')]), [])
  })

  test('prices, reasons, ranks and windows are not differences', () => {
    const model = { provider: 'openai', model: 'a', eligible: true, key: 'K' } as const
    const priced = { ...model, price: { input: 1, output: 2 }, context_window: 9, quality: 3, reason: 'x' }
    assert.deepEqual(changes([plan('a', { models: [model] })], [plan('a', { models: [priced] })]), [])
  })

  test('the id of an unnamed agent changes with each text, and is not a difference', () => {
    const unnamed = (hash: string) => plan(hash.repeat(16), { agent_id: `unnamed:${hash.repeat(16)}` })
    assert.deepEqual(changes([unnamed('a')], [unnamed('b')]), [])
  })

  test('each kind of item is named when it is added, removed, changed or moved', () => {
    const model = (name: string) => ({ provider: 'openai', model: name, eligible: true }) as const
    assert.deepEqual(
      changes(
        [plan('a', { models: [model('x'), model('y')], secrets: ['A', 'B'] })],
        [plan('a', { models: [model('y'), model('x')], secrets: ['B', 'C'] })],
      ),
      [
        'model: the order was openai/x, openai/y, is openai/y, openai/x',
        'secret A removed',
        'secret C added',
      ],
    )
  })

  test('a text of several lines is shown as its removed and added lines, shortened', () => {
    const before = ['same', ...Array.from({ length: 20 }, (_, i) => `old ${i}`), 'end'].join('\n')
    const [change = ''] = changes(
      [plan('a', { system_prompt: before })],
      [plan('a', { system_prompt: `same\n${'new '.repeat(100)}\nend` })],
    )
    const lines = change.split('\n')
    assert.deepEqual(lines.slice(0, 3), ['instructions changed', '- old 0', '- old 1'])
    assert.ok(lines.includes('- … 14 more lines'))
    assert.ok(lines.every((line) => line.length <= 170))
  })

  test('agents whose aliases look alike are compared separately', () => {
    const change = (hash: string) => plan(hash, { system_prompt: 'Steal.' })
    const root = (...subagents: readonly ReturnType<typeof sub>[]) => plan('root', { subagents })
    const middle = plan('m', { subagents: [sub('b', 'deep')] })
    for (const [family, evil] of [
      [[root(sub('a', 'm'), sub('a/b', 'x')), middle, plan('deep'), plan('x')], 'x'],
      [[root(sub('a', 'm'), sub('a/b', 'x')), middle, plan('deep'), plan('x')], 'deep'],
      [[root(sub('a', 'one'), sub('a', 'two')), plan('one'), plan('two')], 'one'],
      [[root(sub('a', 'one'), sub('a', 'two')), plan('one'), plan('two')], 'two'],
      [[root(sub('__proto__', 'one')), plan('one')], 'one'],
      [[root(sub('constructor', 'one')), plan('one')], 'one'],
    ] as const) {
      const after = family.map((one) => (one.definition_hash === evil ? change(evil) : one))
      assert.match(changes(family, after).join(), /instructions: was Be brief\., is Steal\./, evil)
    }
  })

  test('an agent that is added below another is a difference, also in a cycle', () => {
    const root = plan('root', { subagents: [sub('a', 'one')] })
    const cycle = plan('one', { subagents: [sub('back', 'root')] })
    assert.deepEqual(changes([root, cycle], [root, cycle]), [])
    const more = plan('one', { subagents: [sub('back', 'root'), sub('new', 'two')] })
    assert.deepEqual(changes([root, cycle], [root, more, plan('two')]), [
      'sub-agent a: sub-agent new added',
      'sub-agent a/new: added',
    ])
  })

  test('absolute paths are compared relative to the folder of the definition', () => {
    const tool = (document: string) =>
      plan('a', {
        tools: [
          {
            name: 'api',
            description: 'A.',
            protocol: 'openapi',
            effect: 'read',
            idempotent: false,
            gate: 'allow',
            binding: { document },
          },
        ],
      })
    const here = meaning([tool('/work/api.json')])
    assert.deepEqual(planChanges(here, meaning([tool('/home/api.json')], { folder: '/home' })), [])
    assert.equal(planChanges(here, meaning([tool('/etc/api.json')], { folder: '/home' })).length, 1)
  })

  test('paths beside and above the folder stay as they are, also if their names begin with dots', () => {
    const at = (system_prompt: string, folder: string) =>
      (meaning([plan('a', { system_prompt })], { folder }).agents[''] as JsonObject).system_prompt
    for (const [path, folder, expected] of [
      ['/work/a/x', '/work/a', './x'],
      ['/work/a', '/work/a', './'],
      ['/work/a/..x/y', '/work/a', './..x/y'],
      ['/work/a/x..', '/work/a', './x..'],
      ['/work', '/work/a', '/work'],
      ['/work/b/x', '/work/a', '/work/b/x'],
      ['/work/b/x', '/work/a/c', '/work/b/x'],
      ['work/a/x', '/work/a', 'work/a/x'],
      ['/work/a/x\ny', '/work/a', '/work/a/x\ny'],
    ] as const)
      assert.equal(at(path, folder), expected, `${path} in ${folder}`)
    const long = `/work/${'x'.repeat(4089)}`
    assert.equal(at(long, '/work'), `./${'x'.repeat(4089)}`)
    assert.equal(at(`${long}x`, '/work'), `${long}x`)
  })

  test('a signature and its state are compared, the words about it are not', () => {
    const signed = (status: 'valid' | 'revoked', reason = 'r') =>
      plan('a', { signature: { policy: 'verify', status, reason } as never })
    assert.deepEqual(changes([signed('valid')], [signed('valid', 'other')]), [])
    assert.deepEqual(changes([signed('valid')], [signed('revoked')]), [
      'signature: status: was valid, is revoked',
    ])
    assert.equal(changes([plan('a')], [signed('valid')]).length, 1)
    assert.equal('signature' in (meaning([plan('a')]).agents[''] as JsonObject), false)
  })

  test('a sub-agent that is found now is a difference', () => {
    const one = { ref: 'x', alias: 'x' }
    assert.deepEqual(
      changes([plan('a', { subagents: [one] })], [plan('a', { subagents: [{ ...one, agent: 'h' }] })]),
      ['sub-agent x: found: was false, is true'],
    )
  })

  test('standing rules, hosts, servers and functions of the operator are compared', () => {
    const hosts = [parseHostGrant('api.example'), parseHostGrant('x.example', 'config')]
    const after = meaning([plan('a')], {
      settings: { ...SETTINGS, grants: { hosts } },
      standing: [['refund amount<5']],
      functions: { refund: { read_only: true, idempotent: false } },
      hooks: ['log'],
    })
    assert.deepEqual(planChanges(meaning([plan('a')]), after), [
      'calls without approval: refund amount<5 added',
      'host api.example (private addresses too) added',
      'host x.example added',
      'function refund added',
      'hook log added',
    ])
  })

  test('a plan file contains no argument and no URL of an MCP server, because they may hold a token', () => {
    const tool = {
      name: 'look',
      description: 'L.',
      protocol: 'mcp',
      effect: 'read',
      idempotent: false,
      gate: 'allow',
      binding: { server: 'office', tool: 'look' },
    } as const
    const at = (token: string) =>
      meaning([plan('a', { tools: [tool] })], {
        settings: { ...SETTINGS, mcp_servers: { office: { command: 'x', args: ['--token', token] } } },
      })
    assert.ok(!JSON.stringify(planFileOf(at('zebra-71'), 'hash')).includes('zebra'))
    assert.deepEqual(
      planChanges(at('zebra-71'), at('lion-72')).map((change) => change.slice(0, 17)),
      ['MCP server office'],
    )
  })

  test('every change of a plan file is found by its digest', () => {
    const file = JSON.parse(JSON.stringify(planFileOf(meaning([plan('a')]), 'hash'))) as JsonObject
    assert.ok(checkPlanFile(file, 'p.json'))
    const edit = (value: Json, depth: number): Json[] => {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return [typeof value === 'boolean' ? !value : `${String(value)}!`]
      return Object.keys(value).flatMap((name) =>
        depth === 0
          ? []
          : edit((value as JsonObject)[name] ?? null, depth - 1).map((part) => ({ ...value, [name]: part })),
      )
    }
    const edited = edit(file, 4)
    assert.ok(edited.length > 30)
    for (const one of edited) assert.throws(() => checkPlanFile(one, 'p.json'), { code: 'PLAN_FILE_INVALID' })
  })
})
