import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import type { PlannedSubagent } from '../../src/plan/planned-orchestration.ts'
import { callSubagent, fallbackFor } from '../../src/run/decide/agent-call.ts'
import { budgetOf, budgetReached } from '../../src/run/decide/budget.ts'
import { withShares } from '../../src/run/decide/shares.ts'
import type { CallEntry, RunState } from '../../src/run/state.ts'
import { AGENT, agentWith, failed, GONE, named, state, worker } from './agent-with.ts'
import { callWith } from './core.ts'
import { programOf } from './fixture.ts'

describe('the call of a sub-agent', () => {
  const program = agentWith({ fallback: 'judge' })
  const call = (agent: PlannedSubagent, options = {}, members: Partial<RunState> = {}, of = program) =>
    callSubagent(of, state(members), 'x1', agent, 'do', options)

  test('the smaller of two limits applies, and an absent limit is ignored', () => {
    const tokens = (own: number | undefined, given: number | undefined) => {
      const limits = { max_iterations: 1, ...(own !== undefined && { budget_tokens: own }) }
      return budgetOf(
        { plan: { ...program.plan, limits } },
        { limits: given === undefined ? {} : { tokens: given } },
      )
    }
    assert.deepEqual(
      [tokens(undefined, undefined), tokens(1, undefined), tokens(undefined, 2)],
      [{}, { tokens: 1 }, { tokens: 2 }],
    )
    assert.deepEqual([tokens(1, 2), tokens(2, 1)], [{ tokens: 1 }, { tokens: 1 }])
  })

  const plain = agentWith({})
  const unresolved: readonly (readonly [rule: string, agent: PlannedSubagent, result: string])[] = [
    ['without a definition', GONE, 'SUBAGENT_UNRESOLVED: gone.json was not found'],
    ['with a reason', { ...GONE, reason: 'it is refused' }, 'SUBAGENT_UNRESOLVED: it is refused'],
    ['outside the family', named('a', { agent: 'f'.repeat(64) }), 'SUBAGENT_UNRESOLVED: a was not found'],
  ]
  for (const [rule, agent, result] of unresolved) {
    test(`a sub-agent that cannot be called, ${rule}, gives an error`, () => {
      const entry = call(agent, {}, {}, plain)
      assert.deepEqual(
        [entry.status, entry.error, entry.result, entry.agent],
        ['done', true, result, undefined],
      )
    })
  }

  test('the fallback is called if the sub-agent cannot be called', () => {
    const entry = call(GONE)
    assert.deepEqual([entry.tool, entry.agent?.alias, entry.agent?.instead_of], ['gone', 'judge', 'gone'])
    assert.ok(entry.key.endsWith(':x1+fallback'))
  })

  const memories: readonly (readonly [
    rule: string,
    keys: readonly string[] | undefined,
    options: object,
    passed: unknown,
  ])[] = [
    ['none', undefined, {}, undefined],
    ['the keys of the definition', ['k'], {}, { type: 'keys', keys: ['k'] }],
    ['none, although the definition lists keys', ['k'], { memory: null }, undefined],
    ['what is asked for', ['k'], { memory: { type: 'long_term' } }, { type: 'long_term' }],
  ]
  for (const [rule, keys, options, passed] of memories) {
    test(`memory that is passed on: ${rule}`, () => {
      const agent = named('a', keys === undefined ? {} : { pass_memory_keys: keys })
      assert.deepEqual(call(agent, options).agent?.memory, passed)
    })
  }

  test('its key contains the number of the turn', () => {
    assert.equal(call(named('a'), {}, { turn: 0, iteration: 2 }).key, 'run-1:1.2:x1')
    assert.equal(call(named('a'), {}, { turn: 3, iteration: 2 }).key, 'run-1:3.2:x1')
  })

  test('it gets an equal share of the remaining budget, and the deadline', () => {
    const { plan } = program
    const limits = { ...plan.limits, budget_tokens: 100, budget_usd: 9, budget_calls: 20 }
    const limited: Program = { ...program, plan: { ...plan, limits } }
    const totals = {
      ...state().totals,
      input_tokens: 20,
      output_tokens: 11,
      cost_usd: 1,
      llm_calls: 3,
      tool_calls: 4,
    }
    const shares = (sharers: number, members: Partial<RunState> = {}) =>
      withShares(
        limited,
        state({ totals, ...members }),
        [],
        Array.from({ length: sharers }, () => call(named('a'), {}, {}, limited)),
      ).map(({ agent }) => agent?.limits)
    assert.deepEqual(shares(1), [{ tokens: 69, usd: 8, calls: 13 }])
    assert.deepEqual(shares(2, { deadline_at: 7 }), [
      { tokens: 35, usd: 4, calls: 7, deadline_at: 7 },
      { tokens: 34, usd: 4, calls: 6, deadline_at: 7 },
    ])
    const unknown = { ...totals, cost_usd: null }
    assert.equal(shares(1, { totals: unknown })[0]?.usd, 9)
    assert.deepEqual(shares(1, { limits: { tokens: 1, usd: 0.5, calls: 2 } }), [
      { tokens: 0, usd: 0, calls: 0 },
    ])
  })

  test('no request leaves for which only the share of a running sub-agent is left', () => {
    const limited = { plan: { ...program.plan, limits: { max_iterations: 1, budget_calls: 10 } } }
    const run = (calls: number, status: CallEntry['status']) => {
      const agent = { ...AGENT, limits: { calls } }
      const totals = { ...state().totals, llm_calls: 4 }
      return budgetReached(limited, state({ totals, calls: [worker('a', { agent, status })] }))
    }
    assert.equal(run(5, 'sent'), null)
    assert.match(run(6, 'sent')?.error?.message ?? '', /used up: calls=10 \(used 4, given to sub-agents 6\)/)
    assert.notEqual(run(6, 'held'), null)
    assert.deepEqual([run(6, 'done'), run(6, 'queued')], [null, null])
  })

  test('it has no optional members without a value', () => {
    const entry = call(named('a'))
    assert.deepEqual(entry, {
      id: 'x1',
      tool: 'a',
      args: {},
      key: 'run-1:1.0:x1',
      effect: 'idempotent',
      status: 'sent',
      agent: {
        alias: 'a',
        definition: entry.agent?.definition,
        run_id: entry.agent?.run_id,
        input: 'do',
        pass_context: false,
        limits: {},
      },
    })
  })

  const broken: readonly (readonly [rule: string, call: CallEntry, of: Program, stands: string | null])[] = [
    ['one that failed', failed('a'), program, 'a'],
    ['one without a fallback', failed('a'), plain, null],
    ['one of an agent without orchestration', failed('a'), programOf(), null],
    ['the fallback itself', failed('judge'), program, null],
    [
      'one that was called as a fallback',
      worker('a', { agent: { ...AGENT, instead_of: 'b' } }),
      program,
      null,
    ],
    ['with a fallback that the plan does not list', failed('a'), agentWith({ fallback: 'nobody' }), null],
    ['with a fallback that cannot be called', failed('a'), agentWith({ fallback: 'gone' }), null],
    [
      'one that could not be called',
      callWith({ tool: 'gone', status: 'done', error: true }),
      program,
      'gone',
    ],
  ]
  for (const [rule, entry, of, stands] of broken) {
    test(`${rule}: ${stands === null ? 'no fallback' : 'the fallback is called'}`, () => {
      const next = fallbackFor(of, state(), entry, 'again')
      assert.equal(next?.agent?.instead_of ?? null, stands)
      if (stands === null) return assert.equal(next, null)
      assert.deepEqual(
        [next?.id, next?.tool, next?.status, next?.agent?.input],
        [entry.id, entry.tool, 'sent', 'again'],
      )
    })
  }
})
