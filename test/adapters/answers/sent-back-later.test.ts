import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import { apply } from '../../../src/run/apply.ts'
import { drive } from '../../../src/run/drive/drive.ts'
import type { Control } from '../../../src/run/drive/drive-ports.ts'
import type { RunEvent } from '../../../src/run/event.ts'
import { initialState } from '../../../src/run/initial-state.ts'
import type { ModelPort } from '../../../src/run/ports.ts'
import { decodeEvent, encodeEvent } from '../../../src/run/record/event-line.ts'
import type { RunState } from '../../../src/run/state.ts'
import { portsOf, programOf, toolsOf } from '../../run/fixture.ts'
import { captureOf, restored } from '../../state/captured.ts'
import { CHAT_WIRES, doubled, eventStream, sse } from './wire-doubles.ts'

const REASONING = 'I must look first.'
const message = {
  role: 'assistant',
  content: null,
  reasoning_content: REASONING,
  tool_calls: [
    { index: 0, id: 'call_abc1', type: 'function', function: { name: 'look', arguments: '{"x":1}' } },
  ],
}
const program = programOf({ tools: [{ name: 'look', description: 'Looks.' }] })
const [, CUSTOM] = CHAT_WIRES

/** A provider that refuses a tool round without its own reasoning. */
function strictModel(streamed: boolean): {
  readonly port: ModelPort
  readonly bodies: readonly JsonObject[]
} {
  const { port, bodies } = doubled((count) => {
    const messages = (bodies[count - 1]?.messages ?? []) as readonly JsonObject[]
    const called = messages.find(({ tool_calls }) => tool_calls !== undefined)
    if (called !== undefined && called.reasoning_content !== REASONING)
      return Response.json(
        { error: { message: 'The reasoning_content must be passed back.' } },
        { status: 400 },
      )
    const choice =
      called === undefined
        ? { index: 0, [streamed ? 'delta' : 'message']: message, finish_reason: 'tool_calls' }
        : {
            index: 0,
            [streamed ? 'delta' : 'message']: { role: 'assistant', content: 'seen' },
            finish_reason: 'stop',
          }
    return streamed ? eventStream(sse([{ choices: [choice] }])) : Response.json({ choices: [choice] })
  })
  const route = CUSTOM?.route ?? assert.fail()
  return { bodies, port: { ask: (request, options) => port.ask({ ...request, route }, options) } }
}

const tools = () => toolsOf({ look: () => 'a view' })
const start = () => initialState('run-1', program.plan.agent_id, program.hash)

/** Drives a run until a pause in its first call, and returns its record. */
async function pausedRun(streamed: boolean): Promise<readonly RunEvent[]> {
  let control: Control | undefined
  const looking = toolsOf({
    look: () => {
      control?.pause('ann')
      return 'a view'
    },
  })
  const ports = portsOf(strictModel(streamed).port, looking)
  await drive(program, start(), { type: 'run.started', input: 'go' }, ports, {
    control: (given) => {
      control = given
    },
    ...(streamed && { onText: () => {} }),
  })
  return ports.events
}

async function resumed(state: RunState, streamed: boolean): Promise<void> {
  const { port, bodies } = strictModel(streamed)
  const ports = portsOf(port, tools())
  const end = await drive(program, state, { type: 'run.resumed', by: 'ann' }, ports, {
    ...(streamed && { onText: () => {} }),
  })
  assert.deepEqual([end.end?.error, end.end?.output, bodies.length], [undefined, 'seen', 1])
}

describe('AAIF §8 reasoning that a provider needs back', () => {
  for (const streamed of [false, true]) {
    const how = streamed ? 'streamed' : 'whole'
    test(`AAIF-4.2-01: completes a tool round, ${how}`, async () => {
      const { port, bodies } = strictModel(streamed)
      const ports = portsOf(port, tools())
      const end = await drive(program, start(), { type: 'run.started', input: 'go' }, ports, {
        ...(streamed && { onText: () => {} }),
      })
      assert.deepEqual([end.end?.error, end.end?.output, bodies.length], [undefined, 'seen', 2])
    })

    test(`AAIF-8-01: goes back after a pause, in another process, ${how}`, async () => {
      const lines = (await pausedRun(streamed)).map((event) => encodeEvent(event))
      const state = lines.map((line) => decodeEvent(line)).reduce(apply, start())
      assert.equal(state.status, 'paused')
      await resumed(state, streamed)
    })

    test(`AAIF-8-01: goes back after a move of the state, ${how}`, async () => {
      const state = (await pausedRun(streamed)).reduce(apply, start())
      const world = { program, events: () => [] } as unknown as Parameters<typeof captureOf>[0]
      const document = JSON.parse(JSON.stringify(captureOf(world, state)))
      const [run] = restored(document, program, { runId: 'run-1' }).runs
      const events = (run?.facts ?? []).map(
        (fact, index): RunEvent => ({ seq: index + 1, at: 1_000_000, fact, decision: {} }),
      )
      await resumed(events.reduce(apply, start()), streamed)
    })
  }
})
