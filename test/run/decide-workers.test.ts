import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedOrchestration, PlannedSubagent } from '../../src/plan/planned-orchestration.ts'
import { afterWork, startQueued, startWorkers } from '../../src/run/decide/fan-out.ts'
import type { CallEntry, Stage } from '../../src/run/state.ts'
import { ALL, agentWith, answered, failed, named, orchestrationOf, state, worker } from './agent-with.ts'
import { callWith } from './core.ts'

const NOW = 1_000

describe('which workers of a round start', () => {
  const holds = (expr: string) => ({ when: { lang: 'cel', expr } })
  const cases: readonly {
    readonly rule: string
    readonly mode?: 'swarm' | 'router'
    readonly max?: number
    readonly subagents?: readonly PlannedSubagent[]
    readonly workers?: readonly string[]
    readonly starts: readonly (readonly [alias: string, status: CallEntry['status']])[]
    readonly warnings?: number
    readonly ends?: true
  }[] = [
    {
      rule: 'a swarm starts all workers',
      starts: [
        ['a', 'sent'],
        ['b', 'sent'],
        ['c', 'sent'],
      ],
    },
    {
      rule: 'workers above max_parallel are queued',
      max: 2,
      starts: [
        ['a', 'sent'],
        ['b', 'sent'],
        ['c', 'queued'],
      ],
    },
    {
      rule: 'a swarm starts workers whose condition is true or absent',
      subagents: [named('a', holds('turn == 1')), named('b', holds('turn == 2')), named('c')],
      starts: [
        ['a', 'sent'],
        ['c', 'sent'],
      ],
    },
    {
      rule: 'a router starts workers whose condition is true',
      mode: 'router',
      subagents: [named('a', holds('turn == 1')), named('b', holds('turn == 2')), named('c')],
      starts: [['a', 'sent']],
    },
    {
      rule: 'a router starts workers without a condition if no condition is true',
      mode: 'router',
      subagents: [named('a', holds('turn == 2')), named('b', holds('turn == 2')), named('c')],
      starts: [['c', 'sent']],
    },
    {
      rule: 'a worker whose condition cannot be evaluated does not start',
      subagents: [named('a', holds('no.such > 1')), named('b'), named('c')],
      starts: [
        ['b', 'sent'],
        ['c', 'sent'],
      ],
      warnings: 1,
    },
    {
      rule: 'if no worker starts, the agent’s own model answers',
      subagents: ['a', 'b', 'c'].map((alias) => named(alias, holds('turn == 2'))),
      starts: [],
    },
    {
      rule: 'a worker that cannot be called gives an error',
      workers: ['a', 'gone'],
      starts: [
        ['a', 'sent'],
        ['gone', 'done'],
      ],
    },
    {
      rule: 'if no worker can be called, the run ends',
      workers: ['gone'],
      starts: [['gone', 'done']],
      ends: true,
    },
  ]
  for (const {
    rule,
    mode = 'swarm',
    max = 9,
    subagents = ALL,
    workers = ['a', 'b', 'c'],
    ...then
  } of cases) {
    test(rule, () => {
      const program = agentWith({ mode, max_parallel: max, workers }, { subagents })
      const decision = startWorkers(program, state(), orchestrationOf(program), NOW)
      assert.deepEqual(
        (decision.add ?? []).map(({ tool, status }) => [tool, status]),
        then.starts,
      )
      assert.equal(decision.warnings?.length, then.warnings)
      assert.equal(decision.end?.error?.code, then.ends === true ? 'SUBAGENT_FAILED' : undefined)
      const none = then.starts.length === 0
      assert.equal(decision.clear, none ? undefined : true)
      assert.equal(decision.attempt?.n, none ? 1 : undefined)
      const stage: Stage = mode === 'router' ? { type: 'route' } : { type: 'swarm', phase: 'work' }
      assert.deepEqual(decision.stage, none ? null : stage)
      assert.deepEqual(
        (decision.add ?? []).map(({ id }) => id),
        then.starts.map((_, index) => `worker${index}`),
      )
    })
  }

  test('a worker that the plan does not list is a defect of the plan', () => {
    const program = agentWith({ workers: ['missing'] })
    const start = () => startWorkers(program, state(), orchestrationOf(program), NOW)
    assert.throws(start, /the plan lets missing work, which it does not list/)
  })

  const queued = worker('c', { status: 'queued' })
  const places: readonly (readonly [calls: readonly CallEntry[], max: number, set: readonly string[]])[] = [
    [[worker('a'), worker('b'), queued], 2, []],
    [[worker('a'), answered('b'), queued], 2, ['c']],
    [[worker('a'), queued, { ...queued, id: 'd' }], 2, ['c']],
    [[worker('a'), queued, { ...queued, id: 'd' }], 3, ['c', 'd']],
    [[answered('a')], 2, []],
  ]
  for (const [calls, max, set] of places) {
    test(`${calls.map(({ status }) => status).join(', ')} with ${max} places: ${set.join(', ') || 'none'} starts`, () => {
      const program = agentWith({ max_parallel: max })
      const decision = startQueued(program, state(), orchestrationOf(program), calls)
      const expected = set.length === 0 ? {} : { set: Object.fromEntries(set.map((id) => [id, 'sent'])) }
      assert.deepEqual(decision, expected)
    })
  }
})

describe('what follows when a worker has finished', () => {
  const race = { consensus: { strategy: 'first_success' } } as const
  const go = (orchestration: Partial<PlannedOrchestration>, calls: readonly CallEntry[]) => {
    const program = agentWith(orchestration)
    return afterWork(program, state(), orchestrationOf(program), calls, NOW)
  }

  test('the first success wins, and the others are cancelled', () => {
    const decision = go(race, [failed('a'), answered('b'), worker('c'), worker('d', { status: 'held' })])
    assert.deepEqual([decision.end?.output, decision.cancel], ['from b', ['c', 'd']])
  })

  test('the last success wins, and there is no call to cancel', () => {
    const decision = go(race, [failed('a'), answered('b')])
    assert.deepEqual([decision.end?.output, decision.cancel], ['from b', undefined])
  })

  test('a winner without a result gives null', () => {
    assert.equal(go(race, [worker('a', { status: 'done' })]).end?.output, null)
  })

  test('without a success the race continues, and then fails', () => {
    assert.deepEqual(go(race, [failed('a'), worker('b')]), {})
    const lost = go(race, [failed('a'), failed('b')])
    assert.deepEqual([lost.end?.error?.code, lost.clear], ['SUBAGENT_FAILED', true])
  })

  test('a router has no race: it waits for all', () => {
    assert.deepEqual(go({ mode: 'router', ...race }, [answered('a'), worker('b')]), {})
  })

  test('queued workers start in the place of those that finished', () => {
    const calls = [answered('a'), worker('b'), worker('c', { status: 'queued' })]
    assert.deepEqual(go({ max_parallel: 2 }, calls), { set: { c: 'sent' } })
  })

  test('a failed worker is warned of, and the others count', () => {
    const decision = go({}, [failed('a'), answered('b')])
    assert.equal(decision.end?.output, 'from b')
    assert.deepEqual(decision.warnings, [
      { code: 'SUBAGENT_FAILED', message: 'a failed and the others continue without it: it broke' },
    ])
  })

  test('a worker that could not be called is warned of by its own name', () => {
    const gone = callWith({ tool: 'gone', status: 'done', error: true, result: 'x' })
    assert.match(go({}, [gone, answered('b')]).warnings?.[0]?.message ?? '', /^gone failed/)
  })

  test('when no worker failed, there is no warning', () => {
    assert.equal(go({}, [answered('a')]).warnings, undefined)
  })
})
