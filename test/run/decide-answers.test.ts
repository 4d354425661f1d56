import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { readOutput } from '../../src/run/decide/read-output.ts'
import { costOf } from '../../src/run/decide/request-cost.ts'
import { modelAnswered } from '../../src/run/decide/take-answer.ts'
import type { Decision, FactOf } from '../../src/run/event.ts'
import { Log } from '../../src/run/log.ts'
import type { Message, ModelAttempt, RunState, RunWarning } from '../../src/run/state.ts'
import { answered, stateWith, withPlan } from './core.ts'
import { calls, programOf, text } from './fixture.ts'

const NOW = 1_000

const codes = (decision: Decision | null) => (decision?.warnings ?? []).map(({ code }) => code)

describe('the answer of a model', () => {
  const attempt: ModelAttempt = { n: 1, route: 0, retry: 0, delay_ms: 0, failed: [] }
  const schema = {
    io: { output_schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } },
  }
  const go = (
    answer: Partial<FactOf<'model.answered'>>,
    state: Partial<RunState> = {},
    program = programOf(),
  ) =>
    modelAnswered(
      program,
      stateWith({ attempt, attempts: 1, ...state }),
      { ...answered(1, text('hi')), ...answer },
      NOW,
    )

  test('counts only while a request is open and the run is not paused', () => {
    assert.equal(go({})?.end?.output, 'hi')
    assert.equal(go({ attempt: 2 }), null)
    assert.equal(go({}, { attempt: null }), null)
    assert.equal(go({}, { status: 'paused' }), null)
  })

  const finishes: readonly (readonly [
    finish: FactOf<'model.answered'>['finish'],
    answer: string,
    output: string | undefined,
    code: string | undefined,
    warnings: readonly string[],
  ])[] = [
    ['stop', 'hi', 'hi', undefined, []],
    ['stop', '', '', undefined, []],
    ['length', 'hi', 'hi', undefined, ['OUTPUT_TRUNCATED']],
    ['length', '', undefined, 'MODEL_ANSWER_CUT', []],
    ['tool_calls', 'hi', 'hi', undefined, []],
    ['other', 'hi', 'hi', undefined, ['MODEL_FINISH_UNKNOWN']],
    ['content_filter', 'hi', undefined, 'CONTENT_FILTERED', []],
    ['content_filter', '', undefined, 'CONTENT_FILTERED', []],
    ['refusal', 'hi', undefined, 'MODEL_REFUSED', []],
    ['refusal', '', undefined, 'MODEL_REFUSED', []],
    ['error', 'hi', undefined, 'MODEL_ANSWER_BROKEN', []],
  ]
  for (const [finish, answer, output, code, warnings] of finishes) {
    test(`that ends with ${finish} and ${answer === '' ? 'no text' : 'a text'}: ${code ?? output}`, () => {
      const decision = go({ finish, message: text(answer).message })
      assert.deepEqual(
        [decision?.end?.output, decision?.end?.error?.code, codes(decision)],
        [output, code, warnings],
      )
    })
  }

  const notMade = ['length', 'other', 'content_filter', 'refusal', 'error'] as const
  for (const finish of notMade) {
    test(`that ends with ${finish} makes none of its calls, and a second one ends the run`, () => {
      const message = calls(['a', 'look', { x: 1 }], ['b', 'send', { x: 2 }]).message
      const decision = go({ finish, message })
      assert.deepEqual(
        (decision?.calls ?? []).filter(({ status }) => status !== 'done'),
        [],
      )
      if (finish !== 'length' && finish !== 'other') {
        // Each call has a result, for the next turn of a conversation.
        assert.deepEqual([decision?.calls?.length, decision?.settle], [2, true])
        assert.equal(decision?.end?.status, 'failed')
        return
      }
      // The model learns it, and is asked again.
      assert.equal(decision?.attempt?.n, 2)
      const results = (decision?.calls ?? []).map(({ id, tool, result }) => ({
        role: 'tool' as const,
        call_id: id,
        tool,
        result: result ?? null,
        error: true as const,
      }))
      assert.match(String(results[0]?.result), /NOT_CALLED/)
      const again = go({ finish, message }, { messages: Log.empty<Message>().append([message, ...results]) })
      assert.deepEqual([again?.end?.error?.code, again?.settle], ['CALLS_NOT_MADE', true])
    })
  }

  test('that was cut is repaired with a word about its length', () => {
    const message = text('{"n":').message
    assert.match(go({ finish: 'length', message }, {}, programOf(schema))?.repair ?? '', /shorter/)
    assert.doesNotMatch(go({ message }, {}, programOf(schema))?.repair ?? '', /shorter/)
  })

  test('that was cut selects no answer of a worker', () => {
    const choice = [
      { alias: 'a', result: 'one' },
      { alias: 'b', result: 'two' },
    ]
    assert.equal(go({ message: text('1').message }, { choice })?.end?.output, 'one')
    assert.match(go({ finish: 'length', message: text('1').message }, { choice })?.repair ?? '', /number/)
    for (const finish of ['content_filter', 'refusal'] as const)
      assert.equal(go({ finish, message: text('1').message }, { choice })?.end?.status, 'failed')
  })

  const repairs: readonly (readonly [answer: string, state: Partial<RunState>, becomes: string])[] = [
    ['{"n":1}', {}, 'completed'],
    ['{"n":"x"}', {}, 'repair'],
    ['no JSON', {}, 'repair'],
    ['{"n":"x"}', { repairs: 1 }, 'OUTPUT_INVALID'],
    ['{"n":"x"}', { iteration: 9 }, 'MAX_ITERATIONS_EXCEEDED'],
  ]
  for (const [answer, state, becomes] of repairs) {
    test(`${answer} ${JSON.stringify(state)} where the schema asks for a number: ${becomes}`, () => {
      const decision = go({ message: text(answer).message }, state, programOf(schema))
      const got =
        decision?.repair === undefined ? (decision?.end?.error?.code ?? decision?.end?.status) : 'repair'
      assert.equal(got, becomes)
      assert.equal(decision?.attempt?.n, becomes === 'repair' ? 2 : undefined)
    })
  }

  test('with personal data is rejected only where the definition says so', () => {
    const pii = [{ kind: 'email', at: '/text', count: 1 }]
    const strict = { safety_level: 'strict' }
    assert.equal(go({ pii }, {}, programOf({ compliance: strict }))?.end?.output, 'hi')
    const rejects = programOf({ compliance: { ...strict, pii_handling: 'reject' } })
    assert.equal(go({ pii }, {}, rejects)?.end?.error?.code, 'PII_REJECTED')
    assert.equal(go({}, {}, rejects)?.end?.output, 'hi')
  })

  test('with calls opens a round, whatever its text', () => {
    assert.equal(go({ message: calls(['a', 'look', { x: 1 }]).message })?.calls?.length, 1)
  })

  test('is added to the totals before the limits are checked', () => {
    const program = programOf(schema, { budget: { tokens: 15 } })
    const decision = go({ message: text('x').message }, {}, program)
    assert.equal(decision?.end?.error?.code, 'BUDGET_EXCEEDED')
    // A request counts when it is sent.
    const sent = { totals: { ...stateWith({}).totals, llm_calls: 1 } }
    for (const [calls, code] of [
      [1, 'BUDGET_EXCEEDED'],
      [2, undefined],
    ] as const) {
      const limited = programOf(schema, { budget: { calls } })
      assert.equal(go({ message: text('x').message }, sent, limited)?.end?.error?.code, code)
    }
    const more = programOf(schema, { budget: { tokens: 16 } })
    assert.equal(go({ message: text('x').message }, {}, more)?.end, undefined)
  })

  const prices: readonly (readonly [known: number | null, cost: number | null, code: string | undefined])[] =
    [
      [0, 2, 'BUDGET_EXCEEDED'],
      [0, 1, undefined],
      [null, 2, undefined],
      [0, null, undefined],
      [2, null, undefined],
    ]
  for (const [known, cost, code] of prices) {
    test(`that costs ${cost} USD after ${known} USD, with a budget of 2: ${code ?? 'the run continues'}`, () => {
      const of = programOf(schema, { budget: { usd: 2 } })
      const [model] = of.plan.models
      assert.ok(model !== undefined)
      const { price: _price, ...free } = model
      const route = cost === null ? free : { ...model, price: { input: cost * 100_000, output: 0 } }
      const program = withPlan(of, { models: [route], routing: { strategy: 'preferred_first', order: [0] } })
      const totals = { ...stateWith({}).totals, cost_usd: known }
      const decision = go({ message: text('x').message }, { totals }, program)
      assert.deepEqual([decision?.cost_usd, decision?.end?.error?.code], [cost, code])
    })
  }

  test('the price of a route is per million tokens', () => {
    const usage = { input_tokens: 2_000_000, output_tokens: 3_000_000 }
    const route = { provider: 'openai', model: 'm', eligible: true, price: { input: 10, output: 1 } } as const
    const { price: _price, ...unknown } = route
    assert.deepEqual(
      [costOf(route, usage), costOf(unknown, usage), costOf(undefined, usage)],
      [23, null, null],
    )
  })

  test('a warning of the provider is passed on once', () => {
    const given = (...warnings: RunWarning[]) => ({ warnings: Log.empty<RunWarning>().append(warnings) })
    const cut = { warnings: ['temperature was dropped', 'seed was dropped'] }
    assert.deepEqual(codes(go(cut)), ['MODEL_WARNING', 'MODEL_WARNING'])
    const known: RunWarning = { code: 'MODEL_WARNING', message: 'seed was dropped' }
    assert.deepEqual(
      go(cut, given(known))?.warnings?.map(({ message }) => message),
      ['temperature was dropped'],
    )
    assert.equal(go(cut, given({ ...known, code: 'HOOK_FAILED' }))?.warnings?.length, 2)
    assert.equal(go({})?.warnings, undefined)
  })

  test('AAIF-3-01: a substitute is named', () => {
    const failed = [{ route: 0, code: 'MODEL_UNAVAILABLE', message: 'down' }] as const
    const decision = go({}, { attempt: { ...attempt, route: 1, failed } })
    assert.deepEqual(decision?.warnings?.[0]?.about, {
      model: 'anthropic/claude-sonnet-4-5',
      replaces: 'openai/gpt-4o',
    })
    const known = stateWith({}).warnings.append(decision?.warnings ?? [])
    assert.equal(go({}, { attempt: { ...attempt, route: 1, failed }, warnings: known })?.warnings, undefined)
    const skipped = [{ route: 0, reason: 'it rests' }]
    assert.match(
      go({}, { attempt: { ...attempt, route: 1, skipped } })?.warnings?.[0]?.message ?? '',
      /it rests$/,
    )
  })
})

describe('SPEC-D-30: how an answer is read', () => {
  const format = (name: 'json' | 'text') => {
    const program = programOf()
    return withPlan(program, { output: { ...program.plan.output, format: name } })
  }
  const typed = programOf({ io: { output_schema: { type: 'object' } } })
  const cases: readonly (readonly [
    rule: string,
    program: typeof typed,
    answer: string,
    output: Json | null,
  ])[] = [
    ['a text', format('text'), '{"n":1}', '{"n":1}'],
    ['the format json', format('json'), ' {"n":1} ', '{"n":1}'],
    ['the format json, fenced', format('json'), '```json\n{"n":1}\n```', '{"n":1}'],
    ['no JSON', format('json'), 'x', null],
    ['a schema', typed, '{"n":1}', { n: 1 }],
    ['a schema, fenced', typed, '```\n{"n":1}\n```', { n: 1 }],
    ['a schema, and JSON that does not fit', typed, '[1]', null],
  ]
  for (const [rule, program, answer, output] of cases) {
    test(`${rule}: ${JSON.stringify(answer)} is ${output === null ? 'refused' : JSON.stringify(output)}`, () => {
      const read = readOutput(program, answer)
      assert.deepEqual(read.ok ? read.output : null, output)
    })
  }
})
