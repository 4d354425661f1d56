import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { sendOrRequestApproval } from '../../src/run/decide/gate-approval.ts'
import type { FactOf } from '../../src/run/event.ts'
import { type ModelAnswer, type ModelRequest, ToolFailure } from '../../src/run/ports.ts'
import type { CallEntry, RunState } from '../../src/run/state.ts'
import { callWith, stateWith } from './core.ts'
import { agent } from './family.ts'
import { FamilyWorld } from './family-world.ts'
import { calls, programOf } from './fixture.ts'

const tool = (name: string): JsonObject => ({
  name,
  description: 'Does it.',
  parameters_schema: { type: 'object' },
})
const asks = { compliance: { human_in_the_loop: { enabled: true } } }

const resultsOf = ({ messages }: RunState): readonly string[] =>
  messages.toArray().flatMap((message) => (message.role === 'tool' ? [String(message.result)] : []))

/** A run whose model makes these calls, one answer after the other, and a person who refuses those that `no` says. */
async function world(
  t: TestContext,
  answers: readonly ModelAnswer[],
  no: (args: JsonObject) => boolean = () => true,
): Promise<{ readonly run: FamilyWorld; readonly questions: JsonObject[] }> {
  const run = await FamilyWorld.open(t, [agent('a', { tools: [tool('send'), tool('drop')], ...asks })], {
    tools: { send: () => 'sent', drop: () => 'dropped' },
    says: {
      a: ({ messages }) => answers[messages.filter(({ role }) => role === 'assistant').length] ?? 'done',
    },
  })
  const questions: JsonObject[] = []
  run.decide = ({ id, args, tool: name }) => {
    questions.push({ tool: name, ...args })
    return no(args)
      ? { type: 'person.decided', call_id: id, verdict: 'deny', by: 'ann', why: 'not today.' }
      : { type: 'person.decided', call_id: id, verdict: 'approve', by: 'ann' }
  }
  return { run, questions }
}
const send = (id: string, args: JsonObject = { x: 1, y: { a: [1], b: 2 } }) => calls([id, 'send', args])

describe("a person's no holds", () => {
  test('the same call in the same turn is not asked about again, and the model learns why', async (t) => {
    const { run, questions } = await world(t, [
      send('1'),
      send('2', { y: { b: 2, a: [1] }, x: 1 }),
      send('3'),
    ])
    const state = await run.start()
    assert.equal(state.end?.status, 'completed')
    assert.equal(questions.length, 1)
    assert.deepEqual(run.sent, [])
    const [first, ...others] = resultsOf(state)
    assert.match(first ?? '', /^ann did not approve this call: not today\. Do not make the same call again/)
    assert.equal(others.length, 2)
    for (const other of others)
      assert.match(
        other,
        /^ann did not approve the same call before: not today\. .*Do not make the same call again/,
      )
  })

  test('other arguments and other tools are asked about', async (t) => {
    const answers = [
      send('1'),
      send('2', { x: 2 }),
      calls(['3', 'drop', { x: 1, y: { a: [1], b: 2 } }]),
      send('4'),
    ]
    const { run, questions } = await world(t, answers)
    await run.start()
    assert.equal(questions.length, 3)
  })

  test('an approved call is asked about again, as before', async (t) => {
    const { run, questions } = await world(t, [send('1'), send('2')], () => false)
    await run.start()
    assert.equal(questions.length, 2)
    assert.equal(run.sent.length, 2)
  })

  test('of parallel calls that are the same, one decision refuses all, and no other one', async (t) => {
    const args = { x: 1 }
    const { run } = await world(t, [calls(['1', 'send', args], ['2', 'send', args], ['3', 'send', { x: 2 }])])
    run.decide = () => null
    const waiting = await run.start()
    assert.equal(waiting.calls.filter(({ status }) => status === 'asking').length, 3)
    const state = await run.drive({ type: 'person.decided', call_id: '1', verdict: 'deny', by: 'ann' })
    assert.deepEqual(
      state.calls.map(({ id, status, error }) => [id, status, error]),
      [
        ['1', 'done', true],
        ['2', 'done', true],
        ['3', 'asking', undefined],
      ],
    )
  })

  test('it holds after a restart', async (t) => {
    const { run, questions } = await world(t, [send('1'), send('2'), send('3'), send('4')])
    const { decide } = run
    run.decide = () => null
    await run.start()
    const next = run.die()
    next.decide = decide
    const state = await next.drive({ type: 'person.decided', call_id: '1', verdict: 'deny', by: 'ann' })
    assert.equal(state.end?.status, 'completed')
    assert.equal(resultsOf(state).length, 4)
    assert.equal(questions.length, 0)
    assert.deepEqual(next.sent, [])
  })

  test('a message to the turn, and a new turn, let the person decide again', async (t) => {
    const answers = [send('1'), calls(['2', 'drop', {}]), send('3')]
    const { run, questions } = await world(t, answers, ({ x }) => x === 1)
    let steered = false
    const { decide } = run
    run.decide = (call, id) => (call.tool === 'drop' && !steered ? null : decide(call, id))
    await run.start()
    assert.equal(questions.length, 1)
    steered = true
    await run.drive({ type: 'user.steered', input: 'you may send it', message: 'm1' })
    await run.resume()
    assert.deepEqual(
      questions.map(({ tool: name }) => name),
      ['send', 'drop', 'send'],
    )
    const again = await world(t, [])
    again.run.decide = (call) => {
      again.questions.push(call.args)
      return { type: 'person.decided', call_id: call.id, verdict: 'deny', by: 'ann' }
    }
    const says = (request: ModelRequest) => (request.messages.at(-1)?.role === 'user' ? send('1') : 'done')
    const two = again.run.die({ says: { a: says } })
    two.decide = again.run.decide
    await two.start()
    await two.drive({ type: 'user.said', input: 'again' })
    assert.equal(again.questions.length, 2)
  })

  test('a write with an unknown outcome that a person calls off is not sent again', async (t) => {
    const run = await FamilyWorld.open(t, [agent('a', { tools: [tool('send')] })], {
      tools: {
        send: () => {
          throw new ToolFailure('TOOL_TIMEOUT', 'send took too long', 'unknown')
        },
      },
      says: { a: ({ messages }) => (messages.length < 4 ? send(String(messages.length)) : 'done') },
    })
    run.decide = ({ id, status }) =>
      status === 'unknown'
        ? { type: 'person.decided', call_id: id, verdict: 'deny', by: 'ann', why: 'lost' }
        : null
    const state = await run.start()
    assert.equal(state.end?.status, 'completed')
    assert.equal(run.sent.length, 1)
    assert.match(resultsOf(state)[1] ?? '', /ann did not approve the same call before: lost\./)
  })

  test('it holds for a call that the judge reviews meanwhile', () => {
    const program = programOf(asks)
    const state = stateWith({
      denied: [{ agent_id: 'agent-1', tool: 'send', args: { x: 1 }, by: 'ann', why: 'no' }],
    })
    const judging: CallEntry = callWith({ id: 'b', status: 'judging' })
    const entry = sendOrRequestApproval(program, state, judging, 1)
    assert.deepEqual([entry.status, entry.error], ['done', true])
    assert.match(String(entry.result), /ann did not approve the same call before: no\./)
    // Another agent of the family may have a tool of the same name.
    const other = { ...state, agent_id: 'agent-2' }
    assert.equal(sendOrRequestApproval(program, other, judging, 1).status, 'asking')
  })

  test('it holds in a sub-agent, and for the next run of it in the same turn', async (t) => {
    const definitions = [
      agent('p', { orchestration: { subagents: [{ ref: 'w', alias: 'w' }] } }),
      agent('w', { tools: [tool('send')], ...asks }),
    ]
    const run = await FamilyWorld.open(t, definitions, {
      tools: { send: () => 'sent' },
      says: {
        p: ({ messages }) => {
          const before = messages.filter(({ role }) => role === 'assistant').length
          return before < 3 ? calls([String(before), 'ask_w', { task: `try ${before}` }]) : 'done'
        },
        w: ({ messages }) => {
          const before = messages.filter(({ role }) => role === 'assistant').length
          return before < 2 ? send(String(before)) : 'could not'
        },
      },
    })
    let questions = 0
    run.decide = ({ id }) => {
      questions += 1
      return { type: 'person.decided', call_id: id, verdict: 'deny', by: 'ann', why: 'never' }
    }
    const state = await run.start()
    assert.equal(state.end?.status, 'completed')
    assert.equal(questions, 1)
    assert.deepEqual(run.sent, [])
    const answered = run
      .events()
      .map(({ fact }) => fact)
      .filter((fact): fact is FactOf<'call.answered'> => fact.type === 'call.answered')
    assert.deepEqual(
      answered[0]?.denied?.map(({ tool: name, by, why }) => ({ name, by, why })),
      [{ name: 'send', by: 'ann', why: 'never' }],
    )
  })
})
