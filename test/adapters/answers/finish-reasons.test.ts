import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { drive } from '../../../src/run/drive/drive.ts'
import { FINISHES, type Finish } from '../../../src/run/finish.ts'
import { initialState } from '../../../src/run/initial-state.ts'
import { resultOf } from '../../../src/run/result.ts'
import { portsOf, programOf, toolsOf } from '../../run/fixture.ts'
import {
  askFor,
  CHAT_WIRES,
  doubled,
  eventStream,
  type Reported,
  responseOf,
  sse,
  WIRES,
  type Wire,
} from './wire-doubles.ts'

const both = [false, true]
const how = (streamed: boolean) => (streamed ? 'streamed' : 'whole')
const CALLS: Reported['calls'] = [
  { id: 'call_a', tool: 'send', input: '{"x":1}' },
  { id: 'call_b', tool: 'send', input: '{"x":2}' },
]

/** Runs an agent that may send, against a provider that answers so, and then with `done`. */
async function runOn(wire: Wire, first: () => Response, streamed: boolean, agent = {}) {
  const sent: unknown[] = []
  const normal = Object.entries(wire.reasons).find(([, finish]) => finish === 'stop')?.[0] ?? null
  const { port, bodies } = doubled((count) =>
    count === 1 ? first() : responseOf(wire, { text: 'done', finish: normal }, streamed),
  )
  const program = programOf({
    model: { provider: 'openai', preferred: 'm' },
    runtime: { max_retries: 1 },
    ...agent,
  })
  const asked: typeof port = {
    ask: (request, options) => port.ask({ ...request, route: wire.route }, options),
  }
  const ports = portsOf(
    asked,
    toolsOf({
      send: (args) => {
        sent.push(args)
        return 'sent'
      },
    }),
  )
  const begin = initialState('run-1', program.plan.agent_id, program.hash)
  const state = await drive(
    program,
    begin,
    { type: 'run.started', input: 'go' },
    ports,
    streamed ? { onText: () => {} } : {},
  )
  return { sent, bodies, result: resultOf(program.plan, state), state }
}

describe('AAIF §4.2 each finish reason of each provider', () => {
  test('at least ten reasons of each dialect are known', () => {
    for (const { reasons } of WIRES) assert.ok(Object.keys(reasons).length >= 10)
  })

  for (const wire of WIRES) {
    for (const streamed of both) {
      for (const [reason, meaning] of Object.entries(wire.reasons)) {
        test(`AAIF-4.2-01: ${wire.name}, ${how(streamed)}, ends with ${reason}: ${meaning}`, async () => {
          const finish = (meaning === 'failed' ? 'error' : meaning) as Finish
          const text = await askFor(
            responseOf(wire, { text: 'hello there', finish: reason }, streamed),
            wire,
            streamed,
          )
          assert.deepEqual([text.message.text, text.finish], ['hello there', finish])
          assert.deepEqual(text.usage, { input_tokens: 7, output_tokens: 3 })

          const reported = { text: 'I send it.', calls: CALLS, finish: reason }
          const { sent, result, bodies } = await runOn(
            wire,
            () => responseOf(wire, reported, streamed),
            streamed,
          )
          const { calls, text: part } = FINISHES[finish]
          assert.deepEqual(sent, calls === 'made' ? [{ x: 1 }, { x: 2 }] : [])
          if (part === 'withheld') {
            const code = finish === 'refusal' ? 'MODEL_REFUSED' : 'CONTENT_FILTERED'
            assert.deepEqual([result.status, result.error?.code, bodies.length], ['failed', code, 1])
          } else assert.deepEqual([result.status, result.output, bodies.length], ['completed', 'done', 2])
        })
      }

      test(`${wire.name}, ${how(streamed)}: "stop" with calls makes them`, async () => {
        const [reason] = Object.entries(wire.reasons).find(([, finish]) => finish === 'stop') ?? assert.fail()
        const { finish } = await askFor(
          responseOf(wire, { calls: CALLS, finish: reason }, streamed),
          wire,
          streamed,
        )
        assert.equal(finish, 'tool_calls')
      })

      test(`${wire.name}, ${how(streamed)}: a text that was cut has a warning, and none without text is an answer`, async () => {
        const [cut] = Object.entries(wire.reasons).find(([, finish]) => finish === 'length') ?? assert.fail()
        const some = await runOn(
          wire,
          () => responseOf(wire, { text: 'half', finish: cut }, streamed),
          streamed,
        )
        assert.deepEqual(
          [some.result.output, some.result.warnings.map(({ code }) => code)],
          ['half', ['OUTPUT_TRUNCATED']],
        )
        const none = await runOn(wire, () => responseOf(wire, { finish: cut }, streamed), streamed)
        assert.deepEqual([none.result.status, none.result.error?.code], ['failed', 'MODEL_ANSWER_CUT'])
      })

      test(`${wire.name}, ${how(streamed)}: half of the arguments are never a call`, async () => {
        const [cut] = Object.entries(wire.reasons).find(([, finish]) => finish === 'length') ?? assert.fail()
        const calls = [...(CALLS ?? []), { id: 'call_c', tool: 'send', input: '{"x":' }]
        const { sent, result, state } = await runOn(
          wire,
          () => responseOf(wire, { calls, finish: cut }, streamed),
          streamed,
        )
        assert.deepEqual([sent, result.output], [[], 'done'])
        const reported = state.messages.toArray().filter((message) => message.role === 'tool')
        assert.deepEqual(
          [reported.length, reported.every(({ result: text }) => /^NOT_CALLED/.test(String(text)))],
          [3, true],
        )
      })
    }
  }

  for (const wire of CHAT_WIRES) {
    for (const streamed of both) {
      test(`${wire.name}, ${how(streamed)}: the member refusal is a refusal, with and without a content`, async () => {
        for (const content of [null, '', 'Well.']) {
          const message = { role: 'assistant', content, refusal: 'I will not do that.' }
          const choice = { index: 0, [streamed ? 'delta' : 'message']: message, finish_reason: 'stop' }
          const response = () =>
            streamed
              ? eventStream(sse([{ choices: [choice] }], wire.last))
              : Response.json({ choices: [choice] })
          assert.equal((await askFor(response(), wire, streamed)).finish, 'refusal')
          const { result } = await runOn(wire, response, streamed)
          assert.deepEqual([result.status, result.error?.code], ['failed', 'MODEL_REFUSED'])
          assert.match(result.error?.message ?? '', /I will not do that/)
        }
        const part = { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }
        const body = { choices: [{ index: 0, message: part, finish_reason: 'stop' }] }
        assert.equal((await askFor(Response.json(body), wire, streamed)).finish, 'refusal')
      })

      test(`${wire.name}, ${how(streamed)}: the former member function_call is a call`, async () => {
        const message = {
          role: 'assistant',
          content: null,
          function_call: { name: 'send', arguments: '{"x":1}' },
        }
        const choice = { index: 0, [streamed ? 'delta' : 'message']: message, finish_reason: 'function_call' }
        const response = streamed
          ? eventStream(sse([{ choices: [choice] }]))
          : Response.json({ choices: [choice] })
        const { message: read, finish } = await askFor(response, wire, streamed)
        assert.deepEqual(
          [finish, read.calls.map(({ tool, args }) => [tool, args])],
          ['tool_calls', [['send', { x: 1 }]]],
        )
      })
    }
  }

  for (const streamed of both) {
    test(`google, ${how(streamed)}: a question that was blocked is withheld, with its usage`, async () => {
      const wire = WIRES.find(({ name }) => name === 'google') ?? assert.fail()
      const body = {
        promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
        usageMetadata: { promptTokenCount: 7, totalTokenCount: 7 },
      }
      for (const candidates of [{}, { candidates: [] }, { candidates: null }]) {
        const whole = { ...body, ...candidates }
        const response = () => (streamed ? eventStream(sse([whole])) : Response.json(whole))
        const answer = await askFor(response(), wire, streamed)
        assert.deepEqual([answer.finish, answer.usage], ['content_filter', { input_tokens: 7 }])
        assert.equal((await runOn(wire, response, streamed)).result.error?.code, 'CONTENT_FILTERED')
      }
      const empty = { candidates: [{ finishReason: 'SAFETY', index: 0 }] }
      const response = streamed ? eventStream(sse([empty])) : Response.json(empty)
      assert.equal((await askFor(response, wire, streamed)).finish, 'content_filter')
    })
  }

  test('tool_calls without calls is a text, and without a text no answer', async () => {
    for (const wire of CHAT_WIRES) {
      const { finish, message } = await askFor(
        responseOf(wire, { text: 'hi', finish: 'tool_calls' }, false),
        wire,
        false,
      )
      assert.deepEqual([finish, message.text], ['tool_calls', 'hi'])
      await assert.rejects(askFor(responseOf(wire, { finish: 'tool_calls' }, false), wire, false), {
        code: 'MODEL_ANSWER_EMPTY',
      })
    }
  })

  test('a provider that fails in the middle of its answers is given up for the next one', async () => {
    const [wire] = WIRES
    assert.ok(wire !== undefined)
    const broken = () => responseOf(wire, { text: 'hel', finish: 'error' }, false)
    const { port, bodies } = doubled(() => broken())
    const program = programOf({ runtime: { max_retries: 1 } })
    const begin = initialState('run-1', program.plan.agent_id, program.hash)
    const asked: typeof port = {
      ask: (request, options) => port.ask({ ...request, route: wire.route }, options),
    }
    const state = await drive(program, begin, { type: 'run.started', input: 'go' }, portsOf(asked))
    assert.equal(bodies.length, 4)
    assert.deepEqual(
      state.end?.error?.details?.map(({ code }) => code),
      ['MODEL_ANSWER_BROKEN', 'MODEL_ANSWER_BROKEN'],
    )
  })
})
