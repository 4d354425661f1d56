import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { apply } from '../../src/run/apply.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { Control } from '../../src/run/drive/drive-ports.ts'
import type { Fact } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { RunState } from '../../src/run/state.ts'
import { ASKS } from './core.ts'
import { agent } from './family.ts'
import { FamilyWorld, ROOT, settle } from './family-world.ts'
import { calls, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

const DRAIN_MS = 4_000
const NOTE = 'The user interrupted the turn here, before it was complete.'
const begin: Fact = { type: 'run.started', input: 'one' }
const said: Fact = { type: 'user.said', input: 'two' }
const stop = (how: 'interrupt' | 'rollback' = 'interrupt'): Fact => ({
  type: 'turn.interrupted',
  by: 'ann',
  how,
})
const hangs = () => new Promise<never>(() => {})
const textsOf = ({ messages }: RunState) =>
  messages.toArray().map((message) => (message.role === 'tool' ? 'result' : message.text || 'calls'))
const program = programOf()
const fresh = (of = program) => initialState('run-1', of.plan.agent_id, of.hash)

/** Drives a run, and gives its control to the doubles. */
async function driven(
  model: Parameters<typeof portsOf>[0],
  tools: Parameters<typeof portsOf>[1],
  control: (control: Control) => void,
  of = program,
): Promise<RunState> {
  return drive(of, fresh(of), begin, portsOf(model, tools), { control, drainMs: 1 })
}

describe('messages to a run that is driven', () => {
  test('a message steers the turn while the model answers and while a tool works', async () => {
    let control: Control | undefined
    const model = modelOf(
      calls(['b', 'look', { x: 1 }]),
      async () => {
        control?.steer('and friendlier')
        return text('long')
      },
      text('short'),
    )
    const tools = toolsOf({
      look: () => {
        control?.steer('shorter')
        return 1
      },
    })
    const state = await driven(model, tools, (given) => {
      control = given
    })
    assert.deepEqual(textsOf(state), ['one', 'calls', 'result', 'shorter', 'long', 'and friendlier', 'short'])
    assert.equal(state.end?.output, 'short')
    assert.equal(state.turn, 1)
  })

  for (const how of ['interrupt', 'rollback'] as const)
    test(`${how}: stops the model, and the message is the next turn of the same drive`, async () => {
      let control: Control | undefined
      const aborted: boolean[] = []
      const model = modelOf((_request, signal) => {
        signal.addEventListener('abort', () => aborted.push(true))
        control?.interrupt('ann', how)
        control?.submit(said)
        return hangs()
      }, text('2'))
      const state = await driven(model, toolsOf({}), (given) => {
        control = given
      })
      assert.deepEqual(aborted, [true])
      assert.deepEqual(textsOf(state), how === 'interrupt' ? ['one', NOTE, 'two', '2'] : ['two', '2'])
      assert.equal(state.turn, 2)
      assert.equal(state.end?.status, 'completed')
    })

  test('a late answer to a call of an interrupted turn does not answer a call of the next turn', async () => {
    let control: Control | undefined
    let late: (result: number) => void = () => {}
    const model = modelOf(
      calls(['a', 'look', { x: 1 }]),
      async () => {
        setTimeout(() => late(1))
        return calls(['a', 'look', { x: 2 }])
      },
      text('2'),
    )
    const tools = toolsOf({
      look: ({ x }: JsonObject) => {
        if (x === 2) return new Promise((resolve) => setTimeout(() => resolve('right'), 5))
        setTimeout(() => {
          control?.interrupt('ann', 'interrupt')
          control?.submit(said)
        })
        return new Promise((resolve) => {
          late = resolve
        })
      },
    })
    const state = await driven(model, tools, (given) => {
      control = given
    })
    const results = state.messages.toArray().filter((message) => message.role === 'tool')
    assert.equal(results.at(-1)?.result, 'right')
  })

  test('an input that is submitted during a turn begins the next one when the turn has ended', async () => {
    let control: Control | undefined
    const model = modelOf(async () => {
      control?.submit(said)
      return text('1')
    }, text('2'))
    const state = await driven(model, toolsOf({}), (given) => {
      control = given
    })
    assert.deepEqual(textsOf(state), ['one', '1', 'two', '2'])
  })

  test('a run that waits for a person continues with the next turn when it is interrupted', async () => {
    const asks = programOf(ASKS)
    const tools = toolsOf({})
    const waiting = await drive(
      asks,
      fresh(asks),
      begin,
      portsOf(modelOf(calls(['a', 'send', { x: 1 }])), tools),
    )
    assert.equal(waiting.status, 'waiting')
    const state = await drive(asks, waiting, [stop(), said], portsOf(modelOf(text('2')), tools))
    assert.deepEqual(textsOf(state), ['one', 'calls', 'result', NOTE, 'two', '2'])
    assert.deepEqual(tools.made, [])
  })

  test('a paused run whose calls were abandoned is settled by an interruption', async () => {
    const ports = portsOf(modelOf(calls(['a', 'send', { x: 1 }])), toolsOf({ send: hangs }))
    let control: Control | undefined
    const first = drive(program, fresh(), begin, ports, {
      drainMs: 1,
      control: (given) => {
        control = given
      },
    })
    await settle()
    control?.pause('ann')
    await settle()
    ;(ports.clock as unknown as { advance(ms: number): void }).advance(10)
    const paused = await first
    assert.equal(paused.status, 'paused')
    const state = await drive(program, paused, [stop(), said], portsOf(modelOf(text('2'))))
    assert.deepEqual(textsOf(state), ['one', 'calls', 'result', NOTE, 'two', '2'])
    assert.equal(state.unsettled.length, 1)
  })

  test('a crash between any two events of an interruption: the run continues with the message', async () => {
    let control: Control | undefined
    const model = () => modelOf(calls(['a', 'send', { x: 1 }], ['b', 'look', { x: 1 }]), text('2'))
    const tools = toolsOf({
      look: hangs,
      send: async () => {
        control?.interrupt('ann', 'interrupt')
        control?.submit({ ...said, message: 'm2' } as Fact)
        await settle()
        return 1
      },
    })
    const ports = portsOf(model(), tools)
    await drive(program, fresh(), begin, ports, {
      drainMs: 1_000,
      control: (given) => {
        control = given
      },
    })
    const at = ports.events.findIndex(({ fact }) => fact.type === 'turn.interrupted')
    assert.ok(at > 0)
    for (let length = at + 1; length <= ports.events.length; length++) {
      const before = ports.events.slice(0, length).reduce(apply, fresh())
      const facts: Fact[] = [
        ...(before.end === null ? [{ type: 'run.resumed', by: 'a test' } as const] : []),
        { ...said, message: 'm2' } as Fact,
      ]
      const again = await drive(program, before, facts, portsOf(modelOf(text('2')), toolsOf({})))
      assert.equal(again.end?.output, '2', `after ${length} events`)
      assert.equal(textsOf(again).filter((one) => one === 'two').length, 1)
    }
  })
})

describe('an interruption of an agent with sub-agents', () => {
  const SEND = { name: 'send', description: 'Sends.', protocol: 'function' }
  const family = [
    agent('p', { orchestration: { subagents: [{ ref: 's', alias: 's' }], pipeline: ['s'] } }),
    agent('s', { tools: [SEND] }),
  ]
  for (const how of ['interrupt', 'rollback'] as const)
    test(`${how}: the sub-agent stops without asking a person, and the caller tells its model what was sent`, async (t) => {
      const world = await FamilyWorld.open(t, family, {
        says: { s: () => calls(['c', 'send', { who: 's' }]) },
        tools: { send: hangs },
      })
      let control: Control | undefined
      const ended = world.start({
        drainMs: DRAIN_MS,
        control: (given: Control) => {
          control = given
        },
      })
      await settle()
      assert.equal(world.sent.length, 1)
      control?.interrupt('ann', how)
      await settle()
      world.clock.advance(DRAIN_MS)
      const state = await ended
      assert.equal(state.end?.error?.code, 'TURN_INTERRUPTED')
      assert.equal(world.stateOf(world.runOf('s')).status, 'cancelled')
      assert.equal(world.stateOf(world.runOf('s')).unsettled.length, 1)
      const note = state.messages.at(state.messages.length - 1)
      assert.ok(note?.role === 'user' && note.others === true)
      assert.match(note.text, /"tool": "s"/)
      assert.match(note.text, /may or may not have taken effect/)
      assert.equal(world.stateOf(ROOT).agents.at(0)?.status, 'cancelled')
    })
})
