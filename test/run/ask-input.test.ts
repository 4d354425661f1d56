import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { apply } from '../../src/run/apply.ts'
import { checkAnswers } from '../../src/run/check-answers.ts'
import type { ServerQuestion } from '../../src/run/elicitation.ts'
import type { Fact, Verdict } from '../../src/run/event.ts'
import type { CallEntry, RunState } from '../../src/run/state.ts'
import { asksPerson } from '../../src/run/unsettled.ts'
import { callWith, decisionOn, stateWith } from './core.ts'
import { programOf } from './fixture.ts'

const FORM: ServerQuestion = {
  key: 'stay',
  mode: 'form',
  message: 'Which city?',
  schema: {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      nights: { type: 'integer', minimum: 1, default: 2 },
      share: { type: 'number', default: 95.5 },
      breakfast: { type: 'boolean', default: true },
      room: { type: 'string', enum: ['single', 'double'], default: 'double' },
      extras: { type: 'array', items: { type: 'string', enum: ['spa', 'golf'] }, default: ['spa'] },
    },
    required: ['city'],
  },
}
const VISIT: ServerQuestion = { key: 'pay', mode: 'url', message: 'Please pay.', url: 'https://pay.example' }

const program = programOf()
const asked = (questions: readonly ServerQuestion[] = [FORM], request_state = 'opaque'): Fact => ({
  type: 'call.asked',
  call_id: 'a',
  questions,
  request_state,
  latency_ms: 1,
})
const decided = (verdict: Verdict, more: object = {}): Fact => ({
  type: 'person.decided',
  call_id: 'a',
  verdict,
  by: 'ann',
  ...more,
})
const accept = (content: JsonObject) =>
  decided('answer', { answers: { stay: { action: 'accept', content } } })

/** Returns the state and the call after these facts. */
function after(state: RunState, ...facts: readonly Fact[]): RunState & { readonly call: CallEntry } {
  let next = state
  for (const fact of facts) {
    const decision = decisionOn(program, next, fact)
    assert.ok(decision !== null, `${fact.type} does not matter`)
    next = apply(next, { seq: next.seq + 1, at: next.at + 10, fact, decision })
  }
  // A round that has settled has no calls any more.
  return { ...next, call: next.calls[0] ?? callWith({ status: 'done' }) }
}
const sent = (members: Partial<CallEntry> = {}) =>
  stateWith({ status: 'running', calls: [callWith(members)] })

describe('a call whose server asks a person', () => {
  test('waits, and is made again with the answers, the defaults and the state of the server', () => {
    const waiting = after(sent(), asked())
    assert.equal(waiting.status, 'waiting')
    assert.equal(waiting.call.status, 'input_required')
    assert.ok(asksPerson(waiting.call))
    const again = after(waiting, accept({ city: 'Bern' }))
    assert.equal(again.status, 'running')
    assert.equal(again.call.status, 'sent')
    assert.equal(again.call.elicitation?.request_state, 'opaque')
    const content = { city: 'Bern', nights: 2, share: 95.5, breakfast: true, room: 'double', extras: ['spa'] }
    assert.deepEqual(again.call.elicitation.answers, { stay: { action: 'accept', content } })
    assert.equal(again.totals.tool_calls, waiting.totals.tool_calls)
  })

  test('is made again with a refusal of every question if a person denies it', () => {
    const { call, denied } = after(sent(), asked([FORM, VISIT]), decided('deny'))
    assert.equal(call.status, 'sent')
    assert.deepEqual(call.elicitation?.answers, { stay: { action: 'decline' }, pay: { action: 'decline' } })
    assert.equal(denied, undefined)
  })

  test('is decided by no other verdict, and by no answer that does not fit', () => {
    const waiting = after(sent(), asked())
    for (const fact of [
      decided('approve'),
      decided('edit', { arguments: { x: 2 } }),
      decided('resend'),
      decided('assume'),
      decided('answer'),
      accept({}),
      accept({ city: 'B' }),
      accept({ city: 'Bern', nights: 0 }),
      accept({ city: 'Bern', town: 'x' }),
      decided('answer', { answers: { other: { action: 'accept', content: { city: 'Bern' } } } }),
    ])
      assert.equal(decisionOn(program, waiting, fact), null, JSON.stringify(fact))
  })

  test('asks at most eight times, and is refused after that', () => {
    let state: RunState = sent()
    for (let round = 1; round <= 8; round++) state = after(state, asked(), accept({ city: 'Bern' }))
    const last = after(state, asked())
    const result = last.messages.toArray().at(-1)
    assert.equal(result?.role, 'tool')
    assert.match(JSON.stringify(result), /MCP_CALL_REFUSED/)
  })

  test('keeps earlier rounds, which a server that has lost the call asks again', () => {
    const second = after(sent(), asked(), accept({ city: 'Bern' }), asked([VISIT], 'next'))
    assert.equal(second.call.elicitation?.round, 2)
    assert.equal(second.call.elicitation.request_state, 'next')
    assert.equal(second.call.elicitation.answers, undefined)
    assert.deepEqual(second.call.elicitation.before?.[0]?.questions, [FORM])
  })

  test('was not made: after a crash while it waits no person is asked about its outcome', () => {
    const waiting = after(sent(), asked())
    const resumed = after(waiting, { type: 'run.resumed', by: 'ann' })
    assert.equal(resumed.call.status, 'input_required')
    const again = after(waiting, accept({ city: 'Bern' }), { type: 'run.resumed', by: 'ann' })
    assert.equal(again.call.status, 'unknown')
  })

  test('does not delay the end of the run', () => {
    const waiting = after(sent(), asked())
    const decision = decisionOn(program, waiting, { type: 'run.cancelled', by: 'ann' })
    assert.equal(decision?.end?.status, 'cancelled')
    const superseded = after(waiting, { type: 'turn.interrupted', by: 'ann', how: 'interrupt' })
    assert.match(JSON.stringify(superseded.messages.toArray()), /not made: ann sent another message/)
  })

  test('puts nothing into the conversation: neither the question nor the answer', () => {
    const state = after(sent(), asked(), accept({ city: 'Zermatt' }))
    const done = after(state, { type: 'call.answered', call_id: 'a', result: 'booked', latency_ms: 1 })
    const conversation = JSON.stringify(done.messages.toArray())
    assert.doesNotMatch(conversation, /Which city|Zermatt/)
    assert.match(conversation, /booked/)
  })

  test('no time counts while a person is asked', () => {
    const waiting = after(stateWith({ status: 'running', calls: [callWith()], deadline_at: 1000 }), asked())
    assert.equal(decisionOn(program, waiting, { type: 'deadline.passed' }, { at: 5000 }), null)
    const decision = decisionOn(program, waiting, accept({ city: 'Bern' }), { at: waiting.at + 9000 })
    assert.equal(decision?.deadline_at, 10_000)
  })
})

describe('an answer to a server', () => {
  const check = (content: unknown) =>
    checkAnswers({ questions: [FORM] }, { stay: { action: 'accept', content: content as JsonObject } })

  test('replaces a default, and keeps what it gives', () => {
    const checked = check({ city: 'Bern', nights: 5, breakfast: false })
    assert.ok(checked.ok)
    assert.equal(checked.answers.stay?.content?.nights, 5)
    assert.equal(checked.answers.stay.content.breakfast, false)
  })

  const wrong: Readonly<Record<string, readonly [unknown, RegExp]>> = {
    'a field that is missing': [{}, /city/],
    'a field that is not there': [
      { city: 'Bern', towns: 1 },
      /no field "towns"; its fields are city, nights/,
    ],
    'another type': [{ city: 7 }, /city/],
    'a value outside the bounds': [{ city: 'Bern', nights: 0 }, /nights/],
    'a value outside the list': [{ city: 'Bern', room: 'suite' }, /room/],
    'an item outside the list': [{ city: 'Bern', extras: ['tennis'] }, /extras/],
    'an object in a field': [{ city: { name: 'Bern' } }, /not a text, number/],
    'null in a field': [{ city: null }, /not a text, number/],
    'a list': [['Bern'], /not an object/],
  }
  for (const [name, [content, why]] of Object.entries(wrong))
    test(`does not fit with ${name}`, () => {
      const checked = check(content)
      assert.ok(!checked.ok)
      assert.match(checked.why, why)
      assert.equal(checked.at, '/answers/stay/content')
    })

  test('has no content if it declines, or if a URL was visited', () => {
    const given = {
      stay: { action: 'decline', content: { city: 'Bern' } },
      pay: { action: 'accept', content: { x: 1 } },
    } as const
    const checked = checkAnswers({ questions: [FORM, VISIT] }, given)
    assert.deepEqual(checked.ok && checked.answers, {
      stay: { action: 'decline' },
      pay: { action: 'accept' },
    })
  })

  test('is checked for each question: one without an answer is not declined silently', () => {
    const checked = checkAnswers({ questions: [FORM, VISIT] }, { pay: { action: 'accept' } })
    assert.ok(!checked.ok)
    assert.match(checked.why, /"stay" has no answer/)
  })

  test('reaches a question with the name of an inherited member, and no other', () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const asked = { questions: [{ ...FORM, key }] }
      assert.ok(!checkAnswers(asked, {}).ok, key)
      const given = Object.fromEntries([[key, { action: 'accept', content: { city: 'Bern' } }]]) as never
      const checked = checkAnswers(asked, given)
      assert.deepEqual(checked.ok && Object.keys(checked.answers), [key])
    }
  })

  test('is taken for a form whose schema cannot be read: the server checks it', () => {
    const odd: ServerQuestion = { ...FORM, schema: { type: 'object', properties: 7, $ref: '#/nowhere' } }
    assert.ok(checkAnswers({ questions: [odd] }, { stay: { action: 'accept', content: { a: 'b' } } }).ok)
  })
})
