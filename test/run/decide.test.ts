import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import type { Fact, Verdict } from '../../src/run/event.ts'
import type { CallEntry } from '../../src/run/state.ts'
import { answered, decisionOn, START, stateAfter } from './core.ts'
import { calls, programOf, text } from './fixture.ts'

const APPROVAL = { compliance: { human_in_the_loop: { enabled: true } } }
const SEND = calls(['a', 'send', { x: 1 }])

function decided(verdict: Verdict): Fact {
  return { type: 'person.decided', call_id: 'a', verdict, by: 'ann' }
}

describe('AAIF §4.9 a person’s decision about a call', () => {
  const asks = stateAfter(programOf(APPROVAL), [START, answered(1, SEND)])
  const lost: Fact = {
    type: 'call.failed',
    call_id: 'a',
    code: 'TOOL_TIMEOUT',
    message: 'no answer',
    outcome: 'unknown',
    latency_ms: 1,
  }
  const unknown = stateAfter(programOf(), [START, answered(1, SEND), lost])

  /** `null`: the decision does not answer what the call asks, so it changes nothing. */
  const verdicts: readonly (readonly [
    call: 'asking' | 'unknown',
    verdict: Verdict,
    becomes: 'sent' | 'done' | 'denied' | null,
  ])[] = [
    ['asking', 'approve', 'sent'],
    ['asking', 'deny', 'denied'],
    ['asking', 'resend', null],
    ['asking', 'assume', null],
    ['unknown', 'approve', null],
    ['unknown', 'deny', 'denied'],
    ['unknown', 'resend', 'sent'],
    ['unknown', 'assume', 'done'],
  ]
  for (const [status, verdict, becomes] of verdicts) {
    test(`${verdict} on a call that is ${status}: ${becomes ?? 'no decision'}`, () => {
      const state = status === 'asking' ? asks : unknown
      assert.equal(state.calls[0]?.status, status)
      const decision = decisionOn(programOf(APPROVAL), state, decided(verdict))
      const got =
        decision === null
          ? null
          : decision.done === undefined
            ? decision.set?.a
            : decision.done.error === true
              ? 'denied'
              : 'done'
      assert.equal(got, becomes)
    })
  }
})

describe('a budget of calls', () => {
  const ran: Fact = { type: 'call.answered', call_id: 'a', result: 'sent', latency_ms: 1 }
  // One question to the model and one call make two.
  const budgets: readonly (readonly [budget: number, ends: boolean])[] = [
    [2, true],
    [3, false],
  ]
  for (const [budget, ends] of budgets) {
    for (const [name, agent, facts] of [
      ['an approved call', APPROVAL, [START, answered(1, SEND), decided('approve')]],
      ['a call that needs no approval', {}, [START, answered(1, SEND)]],
    ] as const) {
      test(`of ${budget} counts ${name}: the run ${ends ? 'ends' : 'continues'} after it`, () => {
        const program = programOf(agent, { budget: { calls: budget } })
        const state = stateAfter(program, facts)
        assert.equal(state.totals.tool_calls, 1)
        const decision = decisionOn(program, state, ran)
        assert.equal(decision?.end?.error?.code, ends ? 'BUDGET_EXCEEDED' : undefined)
        assert.equal(decision?.attempt?.n, ends ? undefined : 2)
      })
    }
  }
})

describe('AAIF-4.6-01: how long a retry waits', () => {
  const failure = (retry_after_ms: number): Fact => ({
    type: 'model.failed',
    attempt: 1,
    kind: 'rate_limited',
    code: 'MODEL_RATE_LIMITED',
    message: '429',
    retry_after_ms,
    latency_ms: 1,
  })
  const alone = { model: { provider: 'openai', preferred: 'gpt-4o' } }
  const cases: readonly {
    readonly rule: string
    readonly agent?: Parameters<typeof programOf>[0]
    readonly seconds?: number
    readonly at: number
    readonly wait: number
    readonly next: { readonly route: number; readonly delay_ms: number }
  }[] = [
    {
      rule: 'a wait that ends before the deadline is kept',
      seconds: 10,
      at: 4_000,
      wait: 5_999,
      next: { route: 0, delay_ms: 5_999 },
    },
    {
      rule: 'a wait that ends at the deadline is left for a free route',
      seconds: 10,
      at: 4_000,
      wait: 6_000,
      next: { route: 1, delay_ms: 0 },
    },
    {
      rule: 'a wait beyond the deadline is kept if there is no other route',
      agent: alone,
      seconds: 10,
      at: 4_000,
      wait: 6_000,
      next: { route: 0, delay_ms: 6_000 },
    },
    {
      rule: 'without a deadline a wait of 30 seconds is kept',
      at: 4_000,
      wait: 30_000,
      next: { route: 0, delay_ms: 30_000 },
    },
    {
      rule: 'a longer one is left for a free route',
      at: 4_000,
      wait: 30_001,
      next: { route: 1, delay_ms: 0 },
    },
  ]
  for (const { rule, agent = {}, seconds, at, wait, next } of cases) {
    test(rule, () => {
      const program = programOf({
        ...agent,
        ...(seconds !== undefined && { runtime: { timeout_seconds: seconds } }),
      })
      const state = stateAfter(program, [START])
      const { attempt } = decisionOn(program, state, failure(wait), { at }) ?? {}
      assert.deepEqual({ route: attempt?.route, delay_ms: attempt?.delay_ms }, next)
    })
  }
})

describe('an answer that the judge has passed', () => {
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const answers: readonly (readonly [answer: string, agent: object, output: Json])[] = [
    ['{"n": 1}', { io: { output_schema: schema } }, { n: 1 }],
    ['```json\n{"n": 1}\n```', { io: { output_schema: schema } }, { n: 1 }],
    ['{"n": 1}', {}, '{"n": 1}'],
  ]
  for (const [answer, agent, output] of answers) {
    test(`${JSON.stringify(answer)} becomes ${JSON.stringify(output)}`, () => {
      const judge = { provider: 'openai', model: 'judge' }
      const program = programOf({ constraints: ['Be kind.'], ...agent }, { judge })
      const state = stateAfter(program, [START, answered(1, text(answer))])
      assert.equal(state.review?.subject, 'answer')
      const passed: Fact = { type: 'judge.answered', review: 1, breaches: [], latency_ms: 1 }
      const decision = decisionOn(program, state, passed)
      assert.equal(decision?.end?.status, 'completed')
      assert.deepEqual(decision.end.output, output)
    })
  }
})

describe('calls that need approval', () => {
  const cases: readonly (readonly [
    rehearsal: boolean | 'ask',
    tool: string,
    status: CallEntry['status'],
    warnings: readonly string[],
  ])[] = [
    [true, 'send', 'sent', ['APPROVAL_ASSUMED']],
    [true, 'look', 'sent', []],
    ['ask', 'send', 'asking', []],
    ['ask', 'look', 'sent', []],
    [false, 'send', 'asking', []],
    [false, 'look', 'sent', []],
  ]
  for (const [rehearsal, tool, status, warnings] of cases) {
    test(`${tool} in a ${rehearsal === 'ask' ? 'rehearsal that asks' : rehearsal ? 'rehearsal' : 'real run'}: ${[status, ...warnings].join(', ')}`, () => {
      const asks = rehearsal === 'ask' ? { rehearsal_asks: true as const } : {}
      const program = programOf(APPROVAL, { rehearsal: rehearsal !== false, ...asks })
      const round = decisionOn(
        program,
        stateAfter(program, [START]),
        answered(1, calls(['a', tool, { x: 1 }])),
      )
      assert.deepEqual(
        round?.calls?.map((call) => call.status),
        [status],
      )
      assert.deepEqual(
        (round.warnings ?? []).map(({ code }) => code),
        warnings,
      )
    })
  }
})
