import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { planTopology } from '../../src/plan/plan-orchestration.ts'
import type { PlannedOrchestration } from '../../src/plan/planned-orchestration.ts'
import type { ResolvedSubagent } from '../../src/plan/snapshot.ts'
import { definition } from '../run/fixture.ts'

interface Sub {
  readonly ref: string
  readonly alias?: string
  readonly role?: string
  readonly when?: JsonObject
  readonly pass_memory_keys?: readonly string[]
}

const resolved = (ref: string, index?: number, role?: string): ResolvedSubagent => ({
  ref,
  ...(index !== undefined && { index }),
  found: {
    definition_hash: `hash-${ref}`,
    name: ref.toUpperCase(),
    purpose: `Is ${ref}.`,
    ...(role !== undefined && { role }),
  },
})

/** @param own roles that the definitions of the sub-agents declare, by ref */
function topology(
  subagents: readonly Sub[],
  members: JsonObject = {},
  own: Readonly<Record<string, string>> = {},
  extra: readonly ResolvedSubagent[] = [],
  agent: JsonObject = {},
) {
  return planTopology({
    definition: definition({ ...agent, orchestration: { subagents: subagents as never, ...members } }),
    definition_hash: 'a'.repeat(64),
    context: [],
    subagents: [...subagents.map(({ ref }, index) => resolved(ref, index, own[ref])), ...extra],
    discovered: {},
    functions: {},
  })
}

const A: Sub = { ref: 'a' }
const B: Sub = { ref: 'b', alias: 'bee' }
const C: Sub = { ref: 'c' }
const SWARM = { parallel_execution: true }
const planned = (members: Partial<PlannedOrchestration>): PlannedOrchestration => ({
  mode: 'model',
  steps: [],
  workers: ['a', 'bee'],
  max_parallel: 100,
  handoffs: [],
  ...members,
})

describe('AAIF §4.3 the topology of a definition', () => {
  const cases: readonly (readonly [
    what: string,
    given: Parameters<typeof topology>,
    expected: PlannedOrchestration | undefined,
  ])[] = [
    ['no sub-agents', [[]], undefined],
    ['sub-agents alone are called by the model', [[A, B]], planned({})],
    [
      'a pipeline',
      [[A, B], { pipeline: ['b', 'a', 'gone'], ...SWARM }],
      planned({ mode: 'pipeline', steps: ['bee', 'a', 'gone'] }),
    ],
    ['an empty pipeline is none', [[A, B], { pipeline: [] }], planned({})],
    ['a swarm', [[A, B], { ...SWARM, role: 'router' }], planned({ mode: 'swarm' })],
    ['parallel_execution false is no swarm', [[A, B], { parallel_execution: false }], planned({})],
    ['a router by its role', [[A, B], { role: 'router' }], planned({ mode: 'router' })],
    ['another role', [[A, B], { role: 'orchestrator' }], planned({})],
    ['a router by one condition', [[A, { ...B, when: { lang: 'always' } }]], planned({ mode: 'router' })],
    [
      'a condition of a fallback makes no router',
      [[A, { ...B, role: 'fallback', when: { lang: 'always' } }]],
      planned({ workers: ['a'], fallback: 'bee' }),
    ],
    [
      'the first fallback steps in',
      [[A, { ...B, role: 'fallback' }, { ...C, role: 'fallback' }]],
      planned({ workers: ['a'], fallback: 'bee' }),
    ],
    ['an evaluator is no worker', [[A, { ...B, role: 'evaluator' }]], planned({ workers: ['a'] })],
    ['a specialist is a worker', [[A, { ...B, role: 'specialist' }]], planned({})],
    [
      'a synthesizer by its own role',
      [[A, B], {}, { b: 'synthesizer' }],
      planned({ workers: ['a'], synthesizer: 'bee' }),
    ],
    [
      'a synthesizer by its alias',
      [[A, { ...B, alias: 'Synth' }]],
      planned({ workers: ['a'], synthesizer: 'Synth' }),
    ],
    ['an agent that only a rule names is no worker', [[A, B], {}, {}, [resolved('x')]], planned({})],
    [
      'a consensus without a strategy',
      [[A, B], { ...SWARM, consensus: { min_votes: 2 } }],
      planned({ mode: 'swarm' }),
    ],
    [
      'a majority vote has no judge',
      [
        [A, B, { ...C, role: 'evaluator' }],
        { ...SWARM, consensus: { strategy: 'majority_vote', min_votes: 2 } },
      ],
      planned({
        mode: 'swarm',
        consensus: { strategy: 'majority_vote', min_votes: 2, decided_by: 'workers' },
      }),
    ],
    [
      'best_of_n is judged by the evaluator',
      [
        [A, B, { ...C, role: 'evaluator' }],
        { ...SWARM, consensus: { strategy: 'best_of_n', referee_agent: 'a' } },
      ],
      planned({ mode: 'swarm', consensus: { strategy: 'best_of_n', judge: 'c', decided_by: 'subagent' } }),
    ],
    [
      'best_of_n is judged by an agent whose own role is evaluator, which is then no worker',
      [[A, B, C], { ...SWARM, consensus: { strategy: 'best_of_n' } }, { c: 'evaluator' }],
      planned({ mode: 'swarm', consensus: { strategy: 'best_of_n', judge: 'c', decided_by: 'subagent' } }),
    ],
    [
      'best_of_n without an evaluator',
      [[A, B], { ...SWARM, consensus: { strategy: 'best_of_n' } }],
      planned({ mode: 'swarm', consensus: { strategy: 'best_of_n', decided_by: 'own_model' } }),
    ],
    [
      'the referee is named by its ref, and is no worker',
      [[A, B, C], { ...SWARM, consensus: { strategy: 'referee', referee_agent: 'b' } }, { c: 'evaluator' }],
      planned({
        mode: 'swarm',
        workers: ['a', 'c'],
        consensus: { strategy: 'referee', judge: 'bee', decided_by: 'subagent' },
      }),
    ],
    [
      'no referee is named',
      [[A, B], { ...SWARM, consensus: { strategy: 'referee' } }],
      planned({ mode: 'swarm', consensus: { strategy: 'referee', decided_by: 'own_model' } }),
    ],
    [
      'an alias comes before a ref',
      [
        [
          { ref: 'x', alias: 'y' },
          { ref: 'y', alias: 'z' },
        ],
        { pipeline: ['y', 'z', 'x'] },
      ],
      planned({ mode: 'pipeline', workers: ['y', 'z'], steps: ['y', 'z', 'y'] }),
    ],
    [
      'hand-offs pass the context and no memory by default',
      [
        [A, B],
        {
          handoff: [
            { condition: { lang: 'always' }, target_agent: 'b' },
            { condition: { lang: 'never' }, target_agent: 'gone', pass_context: false, pass_memory: true },
          ],
        },
      ],
      planned({
        handoffs: [
          { condition: { lang: 'always' }, target: 'bee', pass_context: true, pass_memory: false },
          { condition: { lang: 'never' }, target: 'gone', pass_context: false, pass_memory: true },
        ],
      }),
    ],
  ]
  for (const [what, given, expected] of cases) {
    test(what, () => {
      const { orchestration, tools } = topology(...given)
      assert.deepEqual(orchestration, expected)
      assert.deepEqual(
        tools.map(({ agent }) => agent),
        expected?.mode === 'model' ? expected.workers : [],
      )
    })
  }

  test('a definition without orchestration has sub-agents and no topology', () => {
    const snapshot = {
      definition: definition(),
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [resolved('a', 0)],
      discovered: {},
      functions: {},
    }
    assert.deepEqual(planTopology(snapshot), {
      subagents: [{ ref: 'a', alias: 'a', index: 0, agent: 'hash-a' }],
      tools: [],
    })
    const only = planTopology({ ...snapshot, definition: definition({ orchestration: { role: 'worker' } }) })
    assert.deepEqual(only.subagents, [{ ref: 'a', alias: 'a', index: 0, agent: 'hash-a' }])
  })

  test('a sub-agent is planned with what its entry and its own definition say', () => {
    const when = { lang: 'always' }
    const extra: ResolvedSubagent[] = [
      { ref: 'gone', reason: 'it was not found' },
      { ...resolved('d'), found: { definition_hash: 'hash-d', name: 'D', purpose: '', doubled: true } },
    ]
    const full = { ...B, role: 'worker', when, pass_memory_keys: ['k'] }
    assert.deepEqual(topology([A, full], {}, { b: 'evaluator' }, extra).subagents, [
      { ref: 'a', alias: 'a', index: 0, agent: 'hash-a' },
      {
        ref: 'b',
        alias: 'bee',
        index: 1,
        role: 'worker',
        own_role: 'evaluator',
        agent: 'hash-b',
        when,
        pass_memory_keys: ['k'],
      },
      { ref: 'gone', alias: 'gone', reason: 'it was not found' },
      { ref: 'd', alias: 'd', agent: 'hash-d', doubled: true },
    ])
  })
})

describe('the sub-agents that a model calls as tools', () => {
  test('each takes a task, and one that was not found is denied', () => {
    const agent = definition({ orchestration: { subagents: [A, B] as never } })
    const schema = { type: 'object', properties: { n: { type: 'number' } } }
    const { tools } = planTopology({
      definition: agent,
      definition_hash: 'a'.repeat(64),
      context: [],
      subagents: [
        {
          ref: 'a',
          index: 0,
          found: { definition_hash: 'hash-a', name: 'Ada', purpose: 'Counts.', input_schema: schema },
        },
        { ref: 'b', index: 1, reason: 'it was not found' },
      ],
      discovered: {},
      functions: {},
    })
    const common = { protocol: 'agent', effect: 'write', idempotent: true }
    const taking = (task: JsonObject) => ({
      type: 'object',
      properties: { task },
      required: ['task'],
      additionalProperties: false,
    })
    assert.deepEqual(tools, [
      {
        ...common,
        name: 'ask_a',
        description: 'Calls the agent Ada. Counts.',
        agent: 'a',
        gate: 'allow',
        parameters_schema: taking(schema),
      },
      {
        ...common,
        name: 'ask_bee',
        description: 'Calls the agent bee.',
        agent: 'bee',
        gate: 'deny',
        reason: 'it was not found',
        rule: 'AAIF-3-04',
        parameters_schema: taking({
          type: 'string',
          description: 'The task of the agent, with all information that it needs.',
        }),
      },
    ])
  })

  test('their names are ones that can be called, at most 60 characters, and taken by no other tool', () => {
    const names = (...aliases: readonly string[]) =>
      topology(
        aliases.map((alias, index) => ({ ref: `r${index}`, alias })),
        {},
        {},
        [],
        {
          tools: [
            { name: 'ask_x', description: '' },
            { name: 'ask_x_2', description: '' },
          ],
        },
      ).tools.map(({ name }) => name)
    assert.deepEqual(names('x', 'a b', 'a.b', 'l'.repeat(70)), [
      'ask_x_3',
      'ask_a_b',
      'ask_a_b_2',
      `ask_${'l'.repeat(56)}`,
    ])
  })
})
