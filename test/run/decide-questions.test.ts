import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Plan, PlannedModel } from '../../src/plan/plan.ts'
import { nextQuestion, retryOrNextRoute } from '../../src/run/decide/next-question.ts'
import type { Decision, FactOf } from '../../src/run/event.ts'
import type { ModelFailureKind, RouteSight } from '../../src/run/ports.ts'
import type { ModelAttempt, RunState, RunTotals } from '../../src/run/state.ts'
import { stateWith } from './core.ts'
import { model, NOW, programWith } from './route-plans.ts'

function failure(kind: ModelFailureKind, retry_after_ms?: number): FactOf<'model.failed'> {
  return {
    type: 'model.failed',
    attempt: 1,
    kind,
    code: 'MODEL_ERROR',
    message: 'no',
    latency_ms: 1,
    ...(retry_after_ms !== undefined && { retry_after_ms }),
  }
}

function totals(members: Partial<RunTotals>): RunTotals {
  return { ...stateWith({}).totals, ...members }
}

const first = { n: 1, route: 0, retry: 0, delay_ms: 0, failed: [], why: 'first in declared order' }

describe('the limits of a run', () => {
  const used = totals({ input_tokens: 60, output_tokens: 40, cost_usd: 0.5, llm_calls: 3, tool_calls: 4 })
  const cases: readonly {
    readonly rule: string
    readonly limits?: Partial<Plan['limits']>
    readonly state?: Partial<RunState>
    /** Null: the next question is asked. */
    readonly message: string | null
  }[] = [
    { rule: 'without a budget', message: null },
    { rule: 'AAIF-4.3-09: one iteration is left', state: { iteration: 9 }, message: null },
    {
      rule: 'AAIF-4.3-09: no iteration is left',
      state: { iteration: 10 },
      message: 'stopped after 10 iterations',
    },
    { rule: 'one token is left', limits: { budget_tokens: 101 }, message: null },
    {
      rule: 'no token is left',
      limits: { budget_tokens: 100 },
      message: 'the budget is used up: tokens=100 (used 100)',
    },
    { rule: 'some money is left', limits: { budget_usd: 0.51 }, message: null },
    {
      rule: 'no money is left',
      limits: { budget_usd: 0.5 },
      message: 'the budget is used up: usd=0.5 (used 0.500000)',
    },
    {
      rule: 'the cost is not known',
      limits: { budget_usd: 0 },
      state: { totals: { ...used, cost_usd: null } },
      message: null,
    },
    { rule: 'one call is left', limits: { budget_calls: 8 }, message: null },
    {
      rule: 'no call is left',
      limits: { budget_calls: 7 },
      message: 'the budget is used up: calls=7 (used 7)',
    },
    {
      rule: 'the caller of a sub-agent set a smaller limit for tokens',
      limits: { budget_tokens: 900 },
      state: { limits: { tokens: 99 } },
      message: 'the budget is used up: tokens=99 (used 100)',
    },
    {
      rule: 'the caller of a sub-agent set a limit for money',
      state: { limits: { usd: 0.1 } },
      message: 'the budget is used up: usd=0.1 (used 0.500000)',
    },
    {
      rule: "the agent's own limit is smaller than its caller's",
      limits: { budget_calls: 5 },
      state: { limits: { calls: 900 } },
      message: 'the budget is used up: calls=5 (used 7)',
    },
  ]
  for (const { rule, limits = {}, state = {}, message } of cases) {
    test(`${rule}: ${message ?? 'the run continues'}`, () => {
      const program = programWith({ limits: { max_iterations: 10, ...limits } })
      const decision = nextQuestion(program, stateWith({ totals: used, ...state }), NOW)
      assert.equal(decision.end?.error?.message ?? null, message)
      assert.deepEqual(decision.attempt, message === null ? first : undefined)
      const codes = decision.end === undefined ? [] : [decision.end.stop_reason, decision.end.error?.code]
      const iterations = message?.includes('iterations') === true
      assert.deepEqual(
        codes,
        message === null
          ? []
          : iterations
            ? ['max_iterations', 'MAX_ITERATIONS_EXCEEDED']
            : ['budget', 'BUDGET_EXCEEDED'],
      )
    })
  }
})

test('the only route needs no reason', () => {
  const { why: _why, ...attempt } = first
  assert.deepEqual(nextQuestion(programWith({ models: [model('a')] }), stateWith({}), NOW), { attempt })
})

describe('AAIF-4.2-11: no route is left', () => {
  const before: readonly (readonly [rule: string, models: readonly PlannedModel[], message: string])[] = [
    ['a definition without models', [], 'the definition names no model'],
    [
      'the only model may not be used',
      [model('a', { eligible: false, reason: 'no key' })],
      'openai/a cannot be used: no key',
    ],
    [
      'models that may not be used',
      [model('a', { eligible: false, reason: 'no key' }), model('b', { eligible: false })],
      'no model can be used: openai/a: no key; openai/b: not eligible',
    ],
  ]
  for (const [rule, models, message] of before) {
    test(rule, () => {
      const { end } = nextQuestion(programWith({ models }), stateWith({}), NOW)
      assert.deepEqual(
        [end?.stop_reason, end?.error?.code, end?.error?.message],
        ['no_route', 'NO_ROUTE', message],
      )
    })
  }

  const after: readonly (readonly [
    rule: string,
    models: readonly PlannedModel[],
    attempt: Partial<ModelAttempt>,
    code: string,
    message: string,
  ])[] = [
    ['the only model failed', [model('a')], {}, 'MODEL_ERROR', 'no'],
    [
      'the last of two failed',
      [model('a'), model('b')],
      { route: 1, failed: [{ route: 0, code: 'MODEL_UNAVAILABLE', message: 'down' }] },
      'NO_ROUTE',
      'no model answered: openai/a: MODEL_UNAVAILABLE: down; openai/b: MODEL_ERROR: no',
    ],
    [
      'the only model that may be used failed',
      [model('a'), model('b', { eligible: false, reason: 'no key' })],
      {},
      'NO_ROUTE',
      'no model answered: openai/a: MODEL_ERROR: no; openai/b: no key',
    ],
    [
      'the window of the other is too small',
      [model('a'), model('b', { context_window: 1, reason: 'unused' })],
      {},
      'NO_ROUTE',
      'no model answered: openai/a: MODEL_ERROR: no; openai/b: its context window of 1 tokens is too small for this question of about 9',
    ],
  ]
  for (const [rule, models, attempt, code, message] of after) {
    test(rule, () => {
      const state = stateWith({
        attempts: 1,
        attempt: { n: 1, route: 0, retry: 0, delay_ms: 0, failed: [], ...attempt },
        counted: { tokens: 9, messages: 0 },
      })
      const { end } = retryOrNextRoute(programWith({ models }), state, failure('route'), { at: NOW })
      assert.deepEqual([end?.error?.code, end?.error?.message], [code, message])
    })
  }
})

describe('AAIF-4.6-01: what follows a failure of a model', () => {
  type Next = 'retry' | 'next route' | 'end'
  const kinds: readonly (readonly [kind: ModelFailureKind, next: Next, down: number | null])[] = [
    ['unavailable', 'retry', null],
    ['rate_limited', 'retry', null],
    ['timeout', 'retry', null],
    ['malformed', 'retry', null],
    ['request', 'next route', null],
    ['route', 'next route', Number.MAX_SAFE_INTEGER],
  ]
  const cases: readonly {
    readonly rule: string
    readonly kind?: ModelFailureKind
    readonly plan?: Partial<Plan>
    readonly attempt?: Partial<ModelAttempt>
    readonly asked?: number
    readonly deadline_at?: number
    readonly sights?: readonly RouteSight[]
    readonly next: Next
    readonly delay?: number
    readonly down?: number | null
  }[] = [
    ...kinds.map(([kind, next, down]) => ({
      rule: `${kind}`,
      kind,
      next,
      down,
      ...(next === 'retry' && { delay: 100 }),
    })),
    { rule: 'the last retry', attempt: { retry: 1 }, next: 'retry', delay: 200 },
    { rule: 'no retry is left', attempt: { retry: 2 }, next: 'next route', down: NOW + 60_000 },
    {
      rule: 'no retry and no route is left',
      plan: { models: [model('a')] },
      attempt: { retry: 2 },
      next: 'end',
      down: NOW + 60_000,
    },
    { rule: 'a Retry-After of 30 seconds is waited for', asked: 30_000, next: 'retry', delay: 30_000 },
    { rule: 'a longer Retry-After is not waited for', asked: 30_001, next: 'next route', down: NOW + 60_000 },
    {
      rule: 'a longer Retry-After is waited for if no other route is left',
      asked: 30_001,
      plan: { models: [model('a')] },
      next: 'retry',
      delay: 30_001,
    },
    { rule: 'a wait before the deadline', deadline_at: NOW + 101, next: 'retry', delay: 100 },
    { rule: 'a wait until the deadline', deadline_at: NOW + 100, next: 'next route', down: NOW + 60_000 },
    {
      rule: 'a route with three failures, the latest included',
      sights: [{ turn: 1, failures: 3 }],
      next: 'retry',
      delay: 100,
    },
    {
      rule: 'a failed probe of a route',
      sights: [{ turn: 1, failures: 4 }],
      next: 'next route',
      down: NOW + 60_000,
    },
    {
      rule: 'a route with four failures that was retried before',
      sights: [{ turn: 1, failures: 4 }],
      attempt: { retry: 1 },
      next: 'retry',
      delay: 200,
    },
    {
      rule: 'a route that was not observed',
      sights: [],
      next: 'retry',
      delay: 100,
    },
    {
      rule: 'another route with four failures',
      sights: [
        { turn: 1, failures: 0 },
        { turn: 1, failures: 4 },
      ],
      next: 'retry',
      delay: 100,
    },
  ]
  for (const {
    rule,
    kind = 'unavailable',
    plan = {},
    attempt = {},
    asked,
    deadline_at,
    sights,
    ...then
  } of cases) {
    const { next, delay, down = null } = then
    test(`${rule}: ${next}`, () => {
      const retry = { max_retries: 2, backoff: 'linear', base_ms: 100 } as const
      const program = programWith({ retry, ...plan })
      const tried: ModelAttempt = { n: 3, route: 0, retry: 0, delay_ms: 5, failed: [], why: 'x', ...attempt }
      const state = stateWith({ attempts: 3, attempt: tried, deadline_at: deadline_at ?? null })
      const left = { route: 0, code: 'MODEL_ERROR', message: 'no' } as const
      const decision = retryOrNextRoute(program, state, failure(kind, asked), { at: NOW, sights })
      const { end, ...others } = decision
      assert.equal(end !== undefined, next === 'end')
      const expected: Decision =
        next === 'retry'
          ? {
              attempt: {
                ...tried,
                n: 4,
                retry: tried.retry + 1,
                delay_ms: delay ?? Number.NaN,
                due_at: NOW + (delay ?? Number.NaN),
              },
            }
          : {
              left,
              ...(down !== null && { down: { route: 0, until: down } }),
              ...(next === 'next route' && { attempt: { ...first, n: 4, route: 1, failed: [left] } }),
            }
      assert.deepEqual(others, expected)
    })
  }

  const waits: readonly (readonly [backoff: Plan['retry']['backoff'], delays: readonly number[]])[] = [
    ['fixed', [100, 100, 100]],
    ['linear', [100, 200, 300]],
    ['exponential', [100, 200, 400]],
  ]
  for (const [backoff, delays] of waits) {
    test(`${backoff} waits ${delays.join(', ')} ms`, () => {
      const program = programWith({ retry: { max_retries: 9, backoff, base_ms: 100 } })
      const got = delays.map((_, retry) => {
        const attempt: ModelAttempt = { ...first, retry }
        return retryOrNextRoute(program, stateWith({ attempts: 1, attempt }), failure('timeout'), { at: NOW })
          .attempt?.delay_ms
      })
      assert.deepEqual(got, delays)
    })
  }

  test('a failure without a question decides nothing', () => {
    assert.deepEqual(retryOrNextRoute(programWith(), stateWith({}), failure('timeout'), { at: NOW }), {})
  })
})

describe('a provider that demands a long pause', () => {
  const asked: RunState = stateWith({ attempt: first, attempts: 1 })
  const after = (seconds: number, routes = 1) =>
    retryOrNextRoute(
      programWith({ models: Array.from({ length: routes }, (_, index) => model(`m${index}`)) }),
      asked,
      failure('rate_limited', seconds * 1000),
      { at: NOW },
    )

  test('a run with one route waits for five minutes at most', () => {
    assert.equal(after(300).attempt?.delay_ms, 300_000)
    const { attempt, end } = after(3600)
    assert.deepEqual([attempt, end?.stop_reason, end?.error?.code], [undefined, 'no_route', 'MODEL_ERROR'])
    assert.match(end?.error?.message ?? '', /demands a pause of 3600 s/)
  })
  test('a run with another route takes it', () => {
    assert.equal(after(3600, 2).attempt?.route, 1)
  })
  test('a route rests for as long as its provider asked', () => {
    assert.deepEqual(after(3600, 2).down, { route: 0, until: NOW + 3_600_000 })
    assert.deepEqual(after(31, 2).down, { route: 0, until: NOW + 60_000 })
  })
  test('the error of a run without an answer lists the failure of each route', () => {
    const { end } = after(3600)
    assert.deepEqual(
      end?.error?.details?.map(({ code, route }) => [code, typeof route]),
      [['MODEL_ERROR', 'string']],
    )
  })
})
