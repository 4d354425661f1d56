import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { refusalOfEdit } from '../../src/run/decide/edit-call.ts'
import { personDecided } from '../../src/run/decide/take-decision.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { FactOf } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { ASKS, callWith, JUDGE, stateWith } from './core.ts'
import { calls, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

const NOW = 1_000

function edit(args: JsonObject, more: Partial<FactOf<'person.decided'>> = {}): FactOf<'person.decided'> {
  return { type: 'person.decided', call_id: 'a', verdict: 'edit', by: 'ann', arguments: args, ...more }
}

/** A run whose one call asks for approval. */
const asking = (members: Parameters<typeof callWith>[0] = {}) => {
  const call = callWith({ status: 'asking', asked_at: 0, ...members })
  const tally = { send: { called: 1, succeeded: 0 } }
  return { call, state: stateWith({ calls: [call], tally, status: 'waiting' }) }
}

describe('a call that a person approves with other arguments', () => {
  test('is sent with these, once; the model gets them, and the record keeps both', async () => {
    const program = programOf(ASKS)
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('ok'))
    const tools = toolsOf({ send: () => 'sent' })
    const ports = portsOf(model, tools, { ask: async () => edit({ x: 7 }) })
    const start = { type: 'run.started', input: 'hi' } as const
    const state = await drive(program, initialState('r', 'a', program.hash), start, ports)
    assert.equal(state.status, 'completed')
    assert.deepEqual(
      tools.made.map(({ args }) => args),
      [{ x: 7 }],
    )
    const [result] = state.messages.toArray().filter(({ role }) => role === 'tool')
    assert.deepEqual(result?.role === 'tool' && result.result, {
      note: 'a person has changed the arguments of this call',
      arguments: { x: 7 },
      result: 'sent',
    })
    const decided = ports.events.find(({ fact }) => fact.type === 'person.decided')
    const [kept] = decided?.decision.judged ?? []
    assert.deepEqual([kept?.args, kept?.proposed, kept?.status], [{ x: 7 }, { x: 1 }, 'sent'])
  })

  const limited = (constraints: readonly string[], more: JsonObject = {}) =>
    programOf({ constraints, ...ASKS, ...more })
  const MOST = 'Call send only when x is at most 50.'
  const ONCE = 'Call send at most 1 time.'
  for (const [name, program, args, options, expected] of [
    ['arguments that match', programOf(ASKS), { x: 2 }, {}, null],
    [
      'arguments that do not match the schema',
      programOf(ASKS),
      { x: 'two' },
      {},
      /do not match the tool's schema/,
    ],
    ['a missing argument', programOf(ASKS), {}, {}, /do not match the tool's schema/],
    ['placeholders whose values match', programOf(ASKS), { x: '[n:1]' }, { fits: true }, null],
    ['the limit of a constraint', limited([MOST]), { x: 50 }, {}, null],
    ['more than a constraint permits', limited([MOST]), { x: 51 }, {}, /the condition of the rule/],
    ['the call itself counts once', limited([ONCE]), { x: 2 }, {}, null],
    ['personal data that the agent accepts', programOf(ASKS), { x: 2 }, { personal: true }, null],
    [
      'personal data that the agent rejects',
      programOf({ compliance: { ...ASKS.compliance, pii_handling: 'reject' } }),
      { x: 2 },
      { personal: true },
      /personal data/,
    ],
  ] as const)
    test(`${name}: ${expected === null ? 'may be sent' : 'refused'}`, () => {
      const { call, state } = asking()
      const refusal = refusalOfEdit(program, state, call, { args, ...options }, NOW)
      if (expected === null) assert.equal(refusal, null)
      else assert.match(refusal?.why ?? '', expected)
    })

  test('a second call beyond a limit is refused', () => {
    const { call, state } = asking()
    const twice = { ...state, tally: { send: { called: 2, succeeded: 1 } } }
    const refusal = refusalOfEdit(limited([ONCE]), twice, call, { args: { x: 2 } }, NOW)
    assert.equal(refusal?.constraint, ONCE)
  })

  test('arguments that have become unacceptable finish the call as an error, on record', () => {
    const { state } = asking()
    const decision = personDecided(limited([MOST]), state, edit({ x: 51 }), NOW)
    assert.equal(decision?.done?.error, true)
    assert.match(String(decision?.done?.result), /breaks the rule/)
    assert.deepEqual(decision?.breaches?.[0]?.constraint, MOST)
    const wrong = personDecided(programOf(ASKS), state, edit({ x: 'two' }), NOW)
    assert.match(String(wrong?.done?.result), /the arguments of ann: .*schema/)
  })

  test('a judge that reviews such calls reviews the edited one; then it is sent without another approval', async () => {
    const program = programOf({ constraints: ['Be kind.'], ...ASKS }, JUDGE)
    const { state } = asking()
    const decision = personDecided(program, state, edit({ x: 2 }), NOW)
    assert.deepEqual(decision?.review, { n: state.reviews + 1, subject: 'calls' })
    assert.equal(decision?.judged?.[0]?.status, 'judging')
    const tools = toolsOf({ send: () => 'sent' })
    let asked = 0
    const fine = text('{"breaches":[]}')
    const model = modelOf(calls(['a', 'send', { x: 1 }]), fine, fine, text('ok'), fine)
    const ports = portsOf(model, tools, {
      ask: async () => {
        asked++
        return edit({ x: 2 })
      },
    })
    const start = { type: 'run.started', input: 'hi' } as const
    const end = await drive(program, initialState('r', 'a', program.hash), start, ports)
    assert.deepEqual([end.status, asked, tools.made.map(({ args }) => args)], ['completed', 1, [{ x: 2 }]])
  })

  test('the first arguments of the model stay on record after a second edit', () => {
    const { call, state } = asking({ proposed: { x: 0 } })
    const decision = personDecided(programOf(ASKS), { ...state, calls: [call] }, edit({ x: 3 }), NOW)
    assert.deepEqual(decision?.judged?.[0]?.proposed, { x: 0 })
  })

  test('a call that was sent already cannot be edited', () => {
    const { call, state } = asking({ status: 'unknown' })
    assert.equal(personDecided(programOf(ASKS), { ...state, calls: [call] }, edit({ x: 3 }), NOW), null)
  })
})
