import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { drive } from '../../src/run/drive/drive.ts'
import type { RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { RunState } from '../../src/run/state.ts'
import { calls, fakeClock, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

const DAY = 86_400_000
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** A run whose tool or person never answers, and a clock that the test advances. */
function hanging(members: JsonObject) {
  const program = programOf(members)
  const clock = fakeClock()
  const events: RunEvent[] = []
  let state: RunState | undefined
  const ports = portsOf(
    modelOf(calls(['a', 'look', { x: 1 }], ['b', 'send', { x: 1 }]), text('ok')),
    toolsOf({ look: () => new Promise(() => {}), send: () => 1 }),
    { clock, ask: () => new Promise(() => {}), sink: { append: (added) => void events.push(...added) } },
  )
  const start = initialState('r', 'a', program.hash)
  const ended = drive(program, start, { type: 'run.started', input: 'hi' }, ports, {
    onEvent: (_, at) => {
      state = at
    },
  })
  return { clock, events, ended, state: () => state }
}

const asking = (timeout_seconds: number) => ({
  compliance: { human_in_the_loop: { enabled: true, timeout_seconds } },
})

describe('waits of any length', () => {
  for (const days of [1, 24, 25, 400]) {
    test(`AAIF-4.6-01: a deadline of ${days} days passes on time and not a millisecond earlier`, async () => {
      const { clock, ended, state } = hanging({ runtime: { timeout_seconds: (days * DAY) / 1000 } })
      await settle()
      clock.advance(days * DAY - 1)
      await settle()
      assert.equal(state()?.status, 'running')
      clock.advance(1)
      assert.equal((await ended).end?.error?.code, 'TIMEOUT')
    })

    test(`AAIF-4.9-12: an approval times out after ${days} days and not a millisecond earlier`, async () => {
      const { clock, events, state } = hanging(asking((days * DAY) / 1000))
      await settle()
      clock.advance(days * DAY - 1)
      await settle()
      assert.equal(state()?.calls.find(({ id }) => id === 'b')?.status, 'asking')
      clock.advance(1)
      await settle()
      assert.equal(state()?.calls.find(({ id }) => id === 'b')?.status, 'done')
      assert.ok(events.some(({ fact }) => fact.type === 'approval.lapsed'))
    })
  }

  test('each of several approvals times out at its own time', async () => {
    const program = programOf(asking(60))
    const clock = fakeClock()
    const lapsed: (readonly [string, number])[] = []
    const start = initialState('r', 'a', program.hash)
    const model = modelOf(calls(['a', 'send', { x: 1 }], ['b', 'send', { x: 2 }]), text('ok'))
    const ports = portsOf(model, toolsOf({}), { clock, ask: () => new Promise(() => {}) })
    const ended = drive(program, start, { type: 'run.started', input: 'hi' }, ports, {
      onEvent: ({ fact, at }) => {
        if (fact.type === 'approval.lapsed') lapsed.push([fact.call_id, at])
      },
    })
    await settle()
    clock.advance(60_000)
    await ended
    assert.deepEqual(lapsed, [
      ['a', 1_060_000],
      ['b', 1_060_000],
    ])
  })

  test('after a drive no alarm is left', async () => {
    const program = programOf({ runtime: { timeout_seconds: 3600 }, ...asking(60) })
    for (const model of [modelOf(text('hi')), modelOf(calls(['a', 'send', { x: 1 }]))]) {
      const clock = fakeClock()
      const start = initialState('r', 'a', program.hash)
      await drive(
        program,
        start,
        { type: 'run.started', input: 'hi' },
        portsOf(model, toolsOf({}), { clock }),
      )
      assert.equal(clock.nextAlarm(), null)
    }
  })

  test('a pause abandons tools that take longer than the drain time', async () => {
    const program = programOf()
    const clock = fakeClock()
    const ports = portsOf(
      modelOf(calls(['a', 'send', { x: 1 }])),
      toolsOf({ send: () => new Promise(() => {}) }),
      { clock },
    )
    let over = false
    const start = initialState('r', 'a', program.hash)
    const paused = drive(program, start, { type: 'run.started', input: 'hi' }, ports, {
      drainMs: 5000,
      control: (control) => setImmediate(() => control.pause('a test')),
    }).finally(() => {
      over = true
    })
    await settle()
    await settle()
    clock.advance(4999)
    await settle()
    assert.equal(over, false)
    clock.advance(1)
    const state = await paused
    assert.deepEqual([state.status, state.calls[0]?.status], ['paused', 'sent'])
  })
})
