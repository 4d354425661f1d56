import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAgentDefinition, run } from 'waybill'
import type { JsonObject } from '../../src/document/json.ts'
import { drive } from '../../src/run/drive/drive.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { ModelFailure, type ModelRequest, ToolFailure } from '../../src/run/ports.ts'
import { resultOf } from '../../src/run/result.ts'
import type { Message } from '../../src/run/state.ts'
import { compileUserSchema } from '../../src/schema/user-schema.ts'
import { rehearsalModel, rehearsalTools } from '../../src/testing/rehearsal.ts'
import { planOf, portsOf, programOf } from '../run/fixture.ts'

const signal = new AbortController().signal
const REHEARSAL = { rehearsal: true }

function request(agent: JsonObject, messages: readonly Message[]): ModelRequest {
  const plan = planOf(agent, REHEARSAL)
  return { plan, route: plan.models[0] as ModelRequest['route'], messages }
}

const hello: Message = { role: 'user', text: 'hello' }

describe('rehearsalModel', () => {
  test('first calls every tool once, in declared order, with arguments of its schema', async () => {
    const asked = request({}, [hello])
    const answer = await rehearsalModel().ask(asked, { signal })
    assert.equal(answer.finish, 'tool_calls')
    assert.deepEqual(
      answer.message.calls.map((call) => call.tool),
      ['look', 'send'],
    )
    assert.equal(new Set(answer.message.calls.map((call) => call.id)).size, 2)
    for (const [index, call] of answer.message.calls.entries()) {
      const schema = asked.plan.tools[index]?.parameters_schema as JsonObject
      assert.equal(compileUserSchema(schema)(call.args), null)
    }
  })

  test('does not call tools that may not be used', async () => {
    const asked = request({}, [hello])
    const tools = asked.plan.tools.map((tool) =>
      tool.name === 'send' ? { ...tool, gate: 'deny' as const } : tool,
    )
    const answer = await rehearsalModel().ask({ ...asked, plan: { ...asked.plan, tools } }, { signal })
    assert.deepEqual(
      answer.message.calls.map((call) => call.tool),
      ['look'],
    )
  })

  test('arguments that cannot be made are {} with a warning', async () => {
    const never = { type: 'object', required: ['a'], properties: { a: false } }
    const answer = await rehearsalModel().ask(
      request({ tools: [{ name: 'look', description: '.', parameters_schema: never }] }, [hello]),
      { signal },
    )
    assert.deepEqual(answer.message.calls[0]?.args, {})
    assert.match(answer.warnings[0] ?? '', /no arguments for look/)
  })

  test('a text answer says that it is a rehearsal, and names the agent, the input and the tools called', async () => {
    const first = await rehearsalModel().ask(request({}, [hello]), { signal })
    const results: Message[] = first.message.calls.map((call) => ({
      role: 'tool',
      call_id: call.id,
      tool: call.tool,
      result: 1,
      ...(call.tool === 'send' && { error: true as const }),
    }))
    const { message } = await rehearsalModel().ask(request({}, [hello, first.message, ...results]), {
      signal,
    })
    assert.equal(message.calls.length, 0)
    assert.equal(
      message.text,
      '[rehearsal] Clerk would now answer "hello" with openai/gpt-4o, after calling look, send (failed).',
    )
  })

  test('answers to the output schema, also when asked to repair', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer', minimum: 5 } }, required: ['n'] }
    const agent = { tools: [], io: { output_schema: schema } }
    const { message } = await rehearsalModel().ask(request(agent, [hello]), { signal })
    assert.equal(compileUserSchema(schema)(JSON.parse(message.text)), null)
    const repair: Message = { role: 'user', text: 'repair it', repair: true }
    const again = await rehearsalModel().ask(request(agent, [hello, message, repair]), { signal })
    assert.equal(compileUserSchema(schema)(JSON.parse(again.message.text)), null)
  })

  test('an output schema that accepts no value is a failure with that reason', async () => {
    const asked = request({ tools: [], io: { output_schema: { not: {} } } }, [hello])
    await assert.rejects(
      rehearsalModel().ask(asked, { signal }),
      (e) => e instanceof ModelFailure && e.code === 'EXAMPLE_IMPOSSIBLE',
    )
  })

  test('an agent with a single iteration answers at once', async () => {
    const asked = request({}, [hello])
    const plan = { ...asked.plan, limits: { ...asked.plan.limits, max_iterations: 1 } }
    const { message } = await rehearsalModel().ask({ ...asked, plan }, { signal })
    assert.equal(message.calls.length, 0)
    assert.match(message.text, /without calling a tool/)
  })

  test('streams the same text that it answers', async () => {
    let streamed = ''
    const { message } = await rehearsalModel().ask(request({ tools: [] }, [hello]), {
      signal,
      onText: (piece) => {
        streamed += piece
      },
    })
    assert.equal(streamed, message.text)
  })

  test('the same request gets the same answer and usage', async () => {
    const twice = await Promise.all([0, 1].map(() => rehearsalModel().ask(request({}, [hello]), { signal })))
    assert.deepEqual(twice[0], twice[1])
    assert.ok((twice[0]?.usage.output_tokens ?? 0) > 0)
  })
})

describe('rehearsalTools', () => {
  const tool = planOf({}, REHEARSAL).tools[0] as ModelRequest['plan']['tools'][number]

  test('answers with an example of the output schema', async () => {
    const output_schema = {
      type: 'object',
      properties: { id: { type: 'string', format: 'uuid' } },
      required: ['id'],
    }
    const result = await rehearsalTools().call(
      { tool: { ...tool, output_schema }, args: {}, key: 'k' },
      { signal },
    )
    assert.equal(compileUserSchema(output_schema)(result), null)
  })

  test('without one, answers with the arguments, marked as rehearsed', async () => {
    assert.deepEqual(await rehearsalTools().call({ tool, args: { x: 1 }, key: 'k' }, { signal }), {
      rehearsed: true,
      tool: 'look',
      arguments: { x: 1 },
    })
  })

  test('an output schema that accepts no value is a failure of the call, which was not sent', async () => {
    const impossible = { ...tool, output_schema: { not: {} } }
    await assert.rejects(
      rehearsalTools().call({ tool: impossible, args: {}, key: 'k' }, { signal }),
      (e) => e instanceof ToolFailure && e.code === 'EXAMPLE_IMPOSSIBLE' && e.outcome === 'unsent',
    )
  })
})

test('a rehearsed run calls every tool, completes to the output schema, and has the same result twice', async () => {
  const schema = { type: 'object', properties: { verdict: { enum: ['yes', 'no'] } }, required: ['verdict'] }
  const program = programOf({ io: { output_schema: schema } }, REHEARSAL)
  const once = async () => {
    const start = initialState('run-1', program.plan.agent_id, program.hash)
    const ports = portsOf(rehearsalModel(), rehearsalTools())
    return resultOf(program.plan, await drive(program, start, { type: 'run.started', input: 'hi' }, ports))
  }
  const [a, b] = [await once(), await once()]
  assert.equal(a.status, 'completed')
  assert.equal(a.rehearsal, true)
  assert.deepEqual(a.output, { verdict: 'yes' })
  assert.equal(a.usage.tool_calls, 2)
  assert.deepEqual(a, b)
})

test('a rehearsal spends no money, so neither a ceiling nor a budget in dollars closes a route of it', async () => {
  const definition = parseAgentDefinition({
    sc_standard: 'SC-006',
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { fallbacks: [{ provider: 'groq', model: 'llama', max_cost_usd_per_1k_tokens: 0.001 }] },
    },
  })
  const result = await run(definition, { rehearse: true, budget: { usd: 1 }, env: {} })
  assert.equal(result.status, 'completed', JSON.stringify(result.error))
})
