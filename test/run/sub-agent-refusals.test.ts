import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { agent, type Ran, runFamily } from './family.ts'

const sub = (ref: string, more: JsonObject = {}): JsonObject => ({ ref, alias: ref, ...more })
const lacks = (safety_level: string): JsonObject => ({
  required_capabilities: ['post.office'],
  compliance: { safety_level },
})
const bad = (name: string) => agent(name, lacks('strict'))
const leads = (name: string, orchestration: JsonObject, more: JsonObject = {}) =>
  agent(name, { orchestration, ...more })
const swarm = (subagents: readonly JsonObject[], consensus?: JsonObject): JsonObject => ({
  subagents: [...subagents],
  parallel_execution: true,
  ...(consensus !== undefined && { consensus }),
})

const ANSWERS = Object.fromEntries(
  ['boss', 'a', 'b', 'c', 'mid', 'spare', 'judge'].map((name) => [name, () => 'done']),
)
const run = (t: Parameters<typeof runFamily>[0], family: readonly JsonObject[], options = {}) =>
  runFamily(t, family, ANSWERS, options)

function assertRefused({ result, asked }: Ran, code: string, path: readonly string[] | undefined): void {
  assert.deepEqual([result.status, result.error?.code, asked], ['refused', code, []])
  const parts = result.error === undefined ? [] : [result.error, ...(result.error.details ?? [])]
  const found = parts.find((part) => part.code === code)
  assert.deepEqual(found?.subagent, path)
  if (path !== undefined) assert.ok(result.error?.message.includes(`the sub-agent ${path.join(' > ')}`))
}

describe('AAIF §7 a sub-agent that must be refused refuses its caller before anything happens', () => {
  const cases: readonly {
    readonly what: string
    readonly family: readonly JsonObject[]
    readonly path: readonly string[]
    readonly code?: string
    readonly options?: JsonObject
  }[] = [
    {
      what: 'a later step of a pipeline',
      family: [
        leads('boss', { subagents: [sub('a'), sub('b')], pipeline: ['a', 'b'] }),
        agent('a'),
        bad('b'),
      ],
      path: ['b'],
    },
    {
      what: 'a worker of a swarm',
      family: [leads('boss', swarm([sub('a'), sub('b')])), agent('a'), bad('b')],
      path: ['b'],
    },
    {
      what: 'a worker of a router whose condition may be true',
      family: [
        leads('boss', { subagents: [sub('a'), sub('b', { when: { lang: 'cel', expr: 'input == "b"' } })] }),
        agent('a'),
        bad('b'),
      ],
      path: ['b'],
    },
    {
      what: 'a sub-agent that the model may call',
      family: [leads('boss', { subagents: [sub('b')] }), bad('b')],
      path: ['b'],
    },
    {
      what: 'the target of a hand-off that is no declared sub-agent',
      family: [
        leads('boss', {
          subagents: [sub('a')],
          handoff: [{ condition: { lang: 'cel', expr: 'input == "b"' }, target_agent: 'b' }],
        }),
        agent('a'),
        bad('b'),
      ],
      path: ['b'],
    },
    {
      what: 'an evaluator',
      family: [
        leads(
          'boss',
          swarm([sub('a'), sub('c'), sub('judge', { role: 'evaluator' })], { strategy: 'best_of_n' }),
        ),
        agent('a'),
        agent('c'),
        bad('judge'),
      ],
      path: ['judge'],
    },
    {
      what: 'a sub-agent of a sub-agent',
      family: [
        leads('boss', { subagents: [sub('a'), sub('mid')], pipeline: ['a', 'mid'] }),
        agent('a'),
        leads('mid', { subagents: [sub('b')] }),
        bad('b'),
      ],
      path: ['mid', 'b'],
    },
    {
      what: 'a nested step that was not found',
      family: [
        leads('boss', { subagents: [sub('a'), sub('mid')], pipeline: ['a', 'mid'] }),
        agent('a'),
        leads('mid', { subagents: [sub('gone')], pipeline: ['gone'] }),
      ],
      path: ['mid'],
      code: 'FEATURE_UNMET',
    },
    {
      what: 'a deprecated sub-agent',
      family: [
        leads('boss', { subagents: [sub('a'), sub('b')], pipeline: ['a', 'b'] }),
        agent('a'),
        { ...agent('b'), status: 'deprecated' },
      ],
      path: ['b'],
      code: 'AGENT_DEPRECATED',
    },
    {
      what: 'a sub-agent whose data may not leave a region',
      family: [
        leads('boss', { subagents: [sub('a'), sub('b')], pipeline: ['a', 'b'] }),
        agent('a'),
        agent('b', { compliance: { data_residency: 'EU' } }),
      ],
      path: ['b'],
      code: 'RESIDENCY_UNPROVEN',
    },
    {
      what: 'a sub-agent whose model has no key',
      family: [
        leads('boss', { subagents: [sub('a'), sub('b')], pipeline: ['a', 'b'] }),
        agent('a'),
        agent('b', { model: { provider: 'anthropic', preferred: 'm' } }),
      ],
      path: ['b'],
      code: 'NO_ROUTE',
    },
    {
      what: 'a strict sub-agent whose tool is not there',
      family: [
        leads('boss', { subagents: [sub('a'), sub('b')], pipeline: ['a', 'b'] }),
        agent('a'),
        agent('b', {
          tools: [{ name: 'look', description: 'Looks.' }],
          compliance: { safety_level: 'strict' },
        }),
      ],
      path: ['b'],
      code: 'FEATURE_UNMET',
    },
    {
      what: 'a sub-agent whose own fallback cannot work either',
      family: [
        leads('boss', { subagents: [sub('mid')], pipeline: ['mid'] }),
        leads('mid', {
          subagents: [sub('b'), sub('spare', { role: 'fallback' })],
          pipeline: ['b'],
        }),
        bad('b'),
        agent('spare', { required_capabilities: ['fax'], compliance: { safety_level: 'strict' } }),
      ],
      path: ['mid', 'b'],
    },
    {
      what: 'a fallback of a strict caller',
      family: [
        leads(
          'boss',
          { subagents: [sub('a'), sub('b', { role: 'fallback' })], pipeline: ['a'] },
          { compliance: { safety_level: 'strict' } },
        ),
        agent('a'),
        bad('b'),
      ],
      path: ['b'],
    },
  ]
  for (const { what, family, path, code = 'CAPABILITY_UNMET', options = {} } of cases) {
    test(`AAIF-7-08: ${what}`, async (t) => assertRefused(await run(t, family, options), code, path))
  }

  for (const level of ['strict', 'regulated']) {
    test(`AAIF-7-09: at ${level}, the error lists every unmet capability of every sub-agent`, async (t) => {
      const { result, asked } = await run(t, [
        leads('boss', swarm([sub('a'), sub('b')], { strategy: 'first_success' })),
        agent('a', { ...lacks(level), required_capabilities: ['post.office', 'fax'] }),
        agent('b', { ...lacks(level), required_capabilities: ['telex'] }),
      ])
      assert.deepEqual([result.status, asked], ['refused', []])
      for (const name of ['post.office', 'fax', 'telex']) assert.ok(result.error?.message.includes(name))
      assert.deepEqual(
        result.error?.details?.map(({ subagent, pointer }) => [subagent, pointer]),
        [
          [['a'], '/agent/orchestration/subagents/0'],
          [['a'], '/agent/orchestration/subagents/0'],
          [['b'], '/agent/orchestration/subagents/1'],
        ],
      )
    })
  }

  const works: readonly (readonly [
    what: string,
    family: readonly JsonObject[],
    warns: RegExp | undefined,
  ])[] = [
    [
      'a fallback that must be refused only degrades the caller',
      [
        leads('boss', { subagents: [sub('a'), sub('b', { role: 'fallback' })], pipeline: ['a'] }),
        agent('a'),
        bad('b'),
      ],
      /the sub-agent b is refused: .*post\.office/,
    ],
    [
      'a fallback replaces a sub-agent that must be refused',
      [
        leads('boss', { subagents: [sub('b'), sub('spare', { role: 'fallback' })], pipeline: ['b'] }),
        bad('b'),
        agent('spare'),
      ],
      /the sub-agent b is refused: .*post\.office/,
    ],
    [
      'a sub-agent that is never called does not matter',
      [leads('boss', { subagents: [sub('a'), sub('b')], pipeline: ['a'] }), agent('a'), bad('b')],
      /the sub-agent b is refused: .*post\.office/,
    ],
    [
      'a worker whose condition is never true does not matter',
      [leads('boss', swarm([sub('a'), sub('b', { when: { lang: 'never' } })])), agent('a'), bad('b')],
      /the sub-agent b is refused: .*post\.office/,
    ],
    [
      'an agent that only leads others needs no model',
      [
        leads('boss', { subagents: [sub('mid')], pipeline: ['mid'] }),
        leads('mid', { subagents: [sub('a')], pipeline: ['a'] }, { model: { provider: 'anthropic' } }),
        agent('a'),
      ],
      undefined,
    ],
    [
      'sub-agents that lack nothing cause no warning',
      [
        leads('boss', { subagents: [sub('a'), sub('mid')], pipeline: ['a', 'mid'] }),
        agent('a'),
        leads('mid', { subagents: [sub('c')] }),
        agent('c'),
      ],
      undefined,
    ],
  ]
  for (const [what, family, warns] of works) {
    test(what, async (t) => {
      const { result } = await run(t, family)
      assert.equal(result.status, 'completed')
      const degraded = result.warnings.filter(({ code }) => code === 'DEGRADED').map(({ message }) => message)
      if (warns === undefined) assert.deepEqual(degraded, [])
      else
        assert.ok(
          degraded.some((message) => warns.test(message)),
          degraded.join('\n'),
        )
    })
  }
})

describe('AAIF §7 the result of a caller lists what its sub-agents lack', () => {
  for (const [id, level] of [
    ['AAIF-7-06', 'minimal'],
    ['AAIF-7-07', 'standard'],
  ]) {
    test(`${id}: at ${level}, with the path of the sub-agent`, async (t) => {
      const { result } = await run(t, [
        leads('boss', { subagents: [sub('mid')], pipeline: ['mid'] }),
        leads('mid', { subagents: [sub('b')], pipeline: ['b'] }),
        agent('b', {
          ...lacks(level ?? ''),
          tools: [{ name: 'look', description: 'Looks.' }],
          constraints: ['Be kind to readers of every kind.'],
        }),
      ])
      assert.equal(result.error?.code, undefined)
      const warnings = result.warnings.filter(({ code }) => code === 'DEGRADED')
      for (const part of ['post.office', 'the tool look', 'Be kind']) {
        const warning = warnings.find(({ message }) => message.includes(part))
        assert.ok(warning?.message.includes('the sub-agent mid > b'), part)
        assert.deepEqual(warning?.about, { subagent: ['mid', 'b'] })
      }
    })
  }

  test('a constraint that a sub-agent inherits is reported once', async (t) => {
    const { result } = await run(t, [
      leads('boss', { subagents: [sub('a')], pipeline: ['a'] }, { constraints: ['Be kind.'] }),
      agent('a'),
    ])
    const kind = result.warnings.filter(({ message }) => message.includes('Be kind'))
    assert.deepEqual(kind.length, 1)
  })
})

describe('AAIF §4.3 circles of agents', () => {
  const step = (name: string, next: string) => leads(name, { subagents: [sub(next)], pipeline: [next] })
  const always = { lang: 'always' }
  const certain: readonly (readonly [what: string, family: readonly JsonObject[], circle: RegExp])[] = [
    ['a pipeline that calls itself', [step('a', 'a')], /a → a$/],
    ['two pipelines', [step('a', 'b'), step('b', 'a')], /a → b → a$/],
    ['a circle below the root', [step('a', 'b'), step('b', 'c'), step('c', 'b')], /b → c → b/],
    [
      'a later step',
      [leads('a', { subagents: [sub('b'), sub('a')], pipeline: ['b', 'a'] }), agent('b')],
      /a → a$/,
    ],
    ['a worker of a swarm', [leads('a', swarm([sub('b'), sub('a')])), agent('b')], /a → a$/],
    ['a router without conditions', [leads('a', { role: 'router', subagents: [sub('a')] })], /a → a$/],
    [
      'a router whose condition is always true',
      [leads('a', { role: 'router', subagents: [sub('a', { when: always })] })],
      /a → a$/,
    ],
    [
      'a hand-off that always happens',
      [
        leads('a', { subagents: [sub('b')], handoff: [{ condition: always, target_agent: 'a' }] }),
        agent('b'),
      ],
      /a → a$/,
    ],
    [
      'a referee that leads back',
      [
        leads('a', swarm([sub('b'), sub('c')], { strategy: 'referee', referee_agent: 'c' })),
        agent('b'),
        step('c', 'a'),
      ],
      /a → c → a$/,
    ],
  ]
  for (const [what, family, circle] of certain) {
    test(`AAIF-4.3-09: refuses ${what}`, async (t) => {
      for (const rehearse of [false, true]) {
        const { result, asked } = await run(t, family, { rehearse })
        assert.deepEqual([result.status, result.error?.code, asked], ['refused', 'SUBAGENT_CIRCLE', []])
        assert.match(result.error?.message.replace(/ \(\/agent.*/, '') ?? '', circle)
      }
    })
  }

  const maybe = { lang: 'cel', expr: 'input == "again"' }
  const possible: readonly (readonly [what: string, family: readonly JsonObject[], warned: boolean])[] = [
    ['a model that may call itself', [leads('a', { subagents: [sub('a')] })], false],
    [
      'a hand-off back under a condition',
      [leads('a', { subagents: [sub('b')], handoff: [{ condition: maybe, target_agent: 'a' }] }), agent('b')],
      true,
    ],
    ['a router under a condition', [leads('a', { subagents: [sub('a', { when: maybe })] })], true],
    [
      'a worker whose condition is never true',
      [leads('a', swarm([sub('b'), sub('a', { when: { lang: 'never' } })])), agent('b')],
      false,
    ],
    [
      'a hand-off after one that always happens',
      [
        leads('a', {
          subagents: [sub('b')],
          handoff: [
            { condition: always, target_agent: 'b' },
            { condition: always, target_agent: 'a' },
          ],
        }),
        agent('b'),
      ],
      false,
    ],
    [
      'the same agent in two steps',
      [
        leads('c', { subagents: [sub('b', { alias: 'w' }), sub('b', { alias: 'x' })], pipeline: ['w', 'x'] }),
        agent('b'),
      ],
      false,
    ],
  ]
  for (const [what, family, warned] of possible) {
    test(`runs ${what}${warned ? ', and names the possible circle' : ''}`, async (t) => {
      const { result } = await run(t, family)
      assert.equal(result.status, 'completed')
      assert.equal(
        result.warnings.some(({ message }) => message.includes('a → a')),
        warned,
      )
    })
  }
})

describe('SPEC-D-11: a vote that cannot be reached', () => {
  const vote = (min_votes: number, ...subagents: JsonObject[]) => [
    leads('boss', swarm(subagents, { strategy: 'majority_vote', min_votes })),
    agent('a'),
    agent('b'),
    agent('c'),
    agent('spare'),
  ]
  const three = [sub('a'), sub('b'), sub('c')]
  for (const [what, family, options] of [
    ['more votes than workers', vote(4, ...three), {}],
    [
      'a worker whose condition is never true',
      vote(3, sub('a'), sub('b'), sub('c', { when: { lang: 'never' } })),
      {},
    ],
    ['a fallback does not vote', vote(3, sub('a'), sub('b'), sub('spare', { role: 'fallback' })), {}],
    ['a worker that was not found', vote(3, sub('a'), sub('b'), sub('gone')), {}],
    ['in a rehearsal', vote(4, ...three), { rehearse: true }],
  ] as const) {
    test(`refuses the run before any worker: ${what}`, async (t) =>
      assertRefused(await run(t, family, options), 'VOTES_UNREACHABLE', undefined))
  }
  test('refuses the caller of a swarm that cannot reach its vote', async (t) => {
    const [boss, ...workers] = vote(4, ...three)
    const top = leads('top', { subagents: [sub('a'), sub('boss')], pipeline: ['a', 'boss'] })
    assertRefused(await run(t, [top, boss as JsonObject, ...workers]), 'VOTES_UNREACHABLE', ['boss'])
  })
  for (const [what, family] of [
    ['as many votes as workers', vote(3, ...three)],
    [
      'a condition that may be true',
      vote(3, sub('a'), sub('b'), sub('c', { when: { lang: 'cel', expr: 'input == "go"' } })),
    ],
    [
      'a fallback in place of a worker that was not found',
      vote(2, sub('a'), sub('gone'), sub('spare', { role: 'fallback' })),
    ],
  ] as const) {
    test(`runs ${what}`, async (t) => assert.equal((await run(t, family)).result.status, 'completed'))
  }
})

test('a swarm whose own model must combine the answers needs a model before its workers begin', async (t) => {
  const boss = leads('boss', swarm([sub('a'), sub('b')]), {
    model: { provider: 'anthropic', preferred: 'm' },
  })
  assertRefused(await run(t, [boss, agent('a'), agent('b')]), 'NO_ROUTE', undefined)
})
