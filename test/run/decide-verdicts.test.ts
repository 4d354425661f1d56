import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { SafetyLevel } from '../../src/plan/plan.ts'
import { answerJudged, gateAnswer, holdsAnswers, needsJudge } from '../../src/run/decide/gate-answer.ts'
import { judgeAnswered, judgeFailed } from '../../src/run/decide/take-verdict.ts'
import type { Decision, Fact, FactOf, JudgedBreach } from '../../src/run/event.ts'
import type { RunState } from '../../src/run/state.ts'
import { callWith, JUDGE, stateWith } from './core.ts'
import { programOf } from './fixture.ts'

const NOW = 1_000

const FALCON = 'Never mention "Falcon".'

const AMEN = 'Every answer must contain "Amen".'

const KIND = 'Be kind.'

function atLevel(level: SafetyLevel, constraints: readonly string[], more: JsonObject = {}) {
  return programOf({ constraints, compliance: { safety_level: level }, ...more }, JUDGE)
}

const passes = (output: Json): Decision => ({ end: { status: 'completed', stop_reason: 'final', output } })

const codes = (decision: Decision | null) => (decision?.warnings ?? []).map(({ code }) => code)

describe('AAIF-3-02: the rules on an answer', () => {
  type Becomes = 'passed' | 'redacted' | 'repair' | 'refused' | 'review'
  const cases: readonly {
    readonly level?: SafetyLevel
    readonly constraints?: readonly string[]
    readonly answer: string
    readonly state?: Partial<RunState>
    readonly becomes: Becomes
    readonly output?: string
  }[] = [
    { answer: 'an eagle', becomes: 'passed', output: 'an eagle' },
    { level: 'minimal', answer: 'a Falcon', becomes: 'redacted', output: 'a [removed]' },
    {
      level: 'minimal',
      answer: 'a Falcon',
      state: { repairs: 1 },
      becomes: 'redacted',
      output: 'a [removed]',
    },
    { answer: 'a Falcon', becomes: 'repair' },
    { answer: 'a Falcon', state: { repairs: 1 }, becomes: 'redacted', output: 'a [removed]' },
    { answer: 'a Falcon', state: { iteration: 10 }, becomes: 'redacted', output: 'a [removed]' },
    { level: 'strict', answer: 'a Falcon', becomes: 'refused' },
    { level: 'regulated', answer: 'a Falcon', becomes: 'refused' },
    { level: 'minimal', constraints: [AMEN], answer: 'so be it', becomes: 'refused' },
    { level: 'minimal', constraints: [FALCON, AMEN], answer: 'a Falcon', becomes: 'refused' },
    // Taking out the first phrase must not leave the second.
    {
      level: 'minimal',
      constraints: [FALCON, 'Never mention "removed".'],
      answer: 'a Falcon',
      becomes: 'refused',
    },
    // What breaks one rule is taken out by that rule.
    {
      level: 'minimal',
      constraints: [AMEN, FALCON],
      answer: 'a Falcon, Amen',
      becomes: 'redacted',
      output: 'a [removed], Amen',
    },
    { constraints: [KIND], answer: 'Go!', becomes: 'review' },
    {
      level: 'minimal',
      constraints: [FALCON, KIND],
      answer: 'a Falcon',
      becomes: 'redacted',
      output: 'a [removed]',
    },
  ]
  for (const { level = 'standard', constraints = [FALCON], answer, state = {}, becomes, output } of cases) {
    test(`${level}, ${constraints.join(' ')} ${JSON.stringify(state)}: "${answer}" is ${becomes}`, () => {
      const before = stateWith({ reviews: 4, ...state })
      const decision = gateAnswer(atLevel(level, constraints), before, answer, answer, NOW)
      const got: Becomes =
        decision.review !== undefined
          ? 'review'
          : decision.repair !== undefined
            ? 'repair'
            : decision.end?.status === 'refused'
              ? 'refused'
              : decision.breaches === undefined
                ? 'passed'
                : 'redacted'
      assert.equal(got, becomes)
      assert.equal(decision.end?.output, output)
      if (becomes === 'review') assert.deepEqual(decision.review, { n: 5, subject: 'answer', text: answer })
      assert.deepEqual(codes(decision), becomes === 'redacted' ? ['CONSTRAINT_REDACTED'] : [])
      assert.equal(decision.attempt?.n, becomes === 'repair' ? 1 : undefined)
    })
  }

  test('a repair lists each rule that is broken', () => {
    const program = atLevel('standard', [FALCON, AMEN])
    const { repair, breaches } = gateAnswer(program, stateWith({}), 'a Falcon', '', NOW)
    assert.deepEqual(
      breaches?.map(({ constraint }) => constraint),
      [FALCON, AMEN],
    )
    assert.match(repair ?? '', /Falcon.*\n- Every answer.*Amen/)
  })

  test('a redacted answer must still be what the agent promises', () => {
    const io = { output_schema: { type: 'object', properties: { x: { type: 'string', maxLength: 8 } } } }
    const redacted = (answer: string) =>
      gateAnswer(atLevel('minimal', [FALCON], { io }), stateWith({}), answer, '', NOW).end
    assert.deepEqual(redacted('{"x":"Falcon"}')?.status, 'refused')
    assert.deepEqual(redacted('{"Falcon":1}')?.output, { '[removed]': 1 })
  })

  test('a judge is needed for what no rule holds', () => {
    assert.equal(needsJudge(atLevel('standard', [FALCON])), false)
    assert.equal(needsJudge(atLevel('standard', [FALCON, KIND])), true)
    assert.equal(needsJudge(programOf({ constraints: [KIND] })), false)
    const { plan: both } = atLevel('standard', [FALCON, KIND])
    const rules = both.constraints.filter(({ enforcement }) => enforcement === 'rule')
    assert.equal(needsJudge({ plan: { ...both, constraints: rules } }), false)
    const { plan } = atLevel('standard', [KIND])
    const { judge: _judge, ...without } = plan
    assert.equal(needsJudge({ plan: without }), false)
    assert.equal(holdsAnswers(programOf()), false)
    assert.equal(holdsAnswers(atLevel('standard', [FALCON])), true)
  })
})

describe('AAIF-3-02: what a judge decided about an answer', () => {
  const breach: JudgedBreach = { constraint: KIND, why: 'it is rude' }
  const review = { n: 3, subject: 'answer', text: 'Go!' } as const
  const fact = (members: Partial<FactOf<'judge.answered'>> = {}): FactOf<'judge.answered'> => ({
    type: 'judge.answered',
    review: 3,
    breaches: [],
    latency_ms: 1,
    ...members,
  })
  const program = atLevel('strict', [KIND])

  test('an answer without a breach passes', () => {
    assert.deepEqual(judgeAnswered(program, stateWith({ review }), fact(), NOW), {
      review: null,
      ...passes('Go!'),
    })
  })
  test('an answer that is data passes as data, and any other as its text', () => {
    const io = { output_schema: { type: 'object' } }
    const typed = atLevel('strict', [KIND], { io })
    assert.deepEqual(answerJudged(typed, stateWith({}), '{"x":1}', [], NOW).end?.output, { x: 1 })
    assert.deepEqual(answerJudged(typed, stateWith({}), 'x', [], NOW).end?.output, 'x')
  })
  test('an answer with a breach does not', () => {
    const decision = judgeAnswered(program, stateWith({ review }), fact({ breaches: [breach] }), NOW)
    assert.deepEqual([decision?.review, decision?.breaches], [null, [breach]])
    assert.equal(
      decision?.end?.error?.message,
      'the answer was withheld because it breaks "Be kind." (it is rude)',
    )
  })
  test('what a judge finds cannot be taken out of the answer', () => {
    for (const constraint of [KIND, 'a constraint of another plan']) {
      const breaches = [{ constraint, why: 'it is rude' }]
      const decision = answerJudged(atLevel('minimal', [KIND]), stateWith({}), 'Go!', breaches, NOW)
      assert.equal(decision.end?.status, 'refused')
    }
  })
  test('what the judge used is paid for', () => {
    const { plan } = program
    const priced = {
      ...program,
      plan: {
        ...plan,
        judge: { provider: 'openai', model: 'judge', eligible: true, price: { input: 1, output: 2 } },
      },
    }
    const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000 }
    assert.equal(judgeAnswered(priced, stateWith({ review }), fact({ usage }), NOW)?.cost_usd, 3)
  })
  test('the verdict of an older review, without a review, or of a paused run does not matter', () => {
    assert.equal(judgeAnswered(program, stateWith({ review }), fact({ review: 2 }), NOW), null)
    assert.equal(judgeAnswered(program, stateWith({}), fact(), NOW), null)
    assert.equal(judgeAnswered(program, stateWith({ review, status: 'paused' }), fact(), NOW), null)
  })

  const failed: FactOf<'judge.failed'> = {
    type: 'judge.failed',
    review: 3,
    message: 'no answer',
    latency_ms: 1,
  }
  const levels: readonly (readonly [level: SafetyLevel, status: string])[] = [
    ['minimal', 'completed'],
    ['standard', 'completed'],
    ['strict', 'refused'],
    ['regulated', 'refused'],
  ]
  for (const [level, status] of levels) {
    test(`without a verdict an answer at ${level} is ${status}`, () => {
      const decision = judgeFailed(atLevel(level, [FALCON, KIND]), stateWith({ review }), failed, NOW)
      assert.deepEqual(
        [decision?.end?.status, decision?.review, codes(decision)],
        [status, null, ['CONSTRAINT_UNJUDGED']],
      )
      const breaches = [{ constraint: KIND, why: 'it could not be judged: no answer' }]
      assert.deepEqual(decision?.breaches, status === 'refused' ? breaches : undefined)
    })
    test(`without a verdict a call at ${level} is ${status === 'refused' ? 'refused' : 'sent'}`, () => {
      const state = stateWith({
        review: { n: 3, subject: 'calls' },
        calls: [callWith({ status: 'judging' })],
      })
      const decision = judgeFailed(atLevel(level, [FALCON, KIND]), state, failed, NOW)
      assert.deepEqual(
        [decision?.judged?.map((call) => call.status), decision?.review, codes(decision)],
        [[status === 'refused' ? 'done' : 'sent'], null, ['CONSTRAINT_UNJUDGED']],
      )
    })
  }
  test('a failure of an older review, or of a paused run, does not matter', () => {
    assert.equal(judgeFailed(program, stateWith({ review }), { ...failed, review: 2 }, NOW), null)
    assert.equal(judgeFailed(program, stateWith({}), failed, NOW), null)
    assert.equal(judgeFailed(program, stateWith({ review, status: 'paused' }), failed, NOW), null)
  })
})

describe('AAIF-3-02: what a judge decided about calls', () => {
  const judging = callWith({ status: 'judging' })
  const other = callWith({ id: 'b', status: 'judging' })
  const verdicts: readonly (readonly [
    rule: string,
    breaches: readonly JudgedBreach[],
    statuses: readonly string[],
  ])[] = [
    ['no breach', [], ['a sent', 'b sent']],
    ['a breach by one call', [{ constraint: KIND, why: 'x', call_id: 'a' }], ['a done', 'b sent']],
    [
      'a breach by a call that was not judged',
      [{ constraint: KIND, why: 'x', call_id: 'z' }],
      ['a done', 'b done'],
    ],
    ['a breach by all of them', [{ constraint: KIND, why: 'x' }], ['a done', 'b done']],
  ]
  for (const [rule, breaches, statuses] of verdicts) {
    test(`${rule}: ${statuses.join(', ')}`, () => {
      const state = stateWith({
        review: { n: 3, subject: 'calls' },
        calls: [judging, callWith({ id: 'c', status: 'sent' }), other],
      })
      const fact: Fact = { type: 'judge.answered', review: 3, breaches, latency_ms: 1 }
      const decision = judgeAnswered(atLevel('standard', [KIND]), state, fact, NOW)
      assert.deepEqual(
        decision?.judged?.map(({ id, status }) => `${id} ${status}`),
        statuses,
      )
      assert.deepEqual(decision?.breaches, breaches.length === 0 ? undefined : breaches)
      assert.deepEqual([decision?.review, decision?.settle], [null, undefined])
    })
  }
  test('a round of which each call is refused is settled', () => {
    const state = stateWith({ review: { n: 3, subject: 'calls' }, calls: [judging] })
    const fact: Fact = {
      type: 'judge.answered',
      review: 3,
      breaches: [{ constraint: KIND, why: 'x' }],
      latency_ms: 1,
    }
    assert.equal(judgeAnswered(atLevel('standard', [KIND]), state, fact, NOW)?.settle, true)
  })
})
