import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { driveLeg, type LegOptions, type Parked } from '../../src/run/drive/drive-leg.ts'
import type { Fact } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { ModelFailure } from '../../src/run/ports.ts'
import type { RunState } from '../../src/run/state.ts'
import { calls, fakeClock, modelOf, portsOf, programOf, text, toolsOf } from './fixture.ts'

const DAY = 86_400_000

/** A run that the test drives leg by leg. */
function byLegs(members: JsonObject, model: ReturnType<typeof modelOf>, options: LegOptions = {}) {
  const program = programOf(members)
  const clock = fakeClock()
  const tools = toolsOf({ send: () => 1 })
  const ports = portsOf(model, tools, { clock })
  let state: RunState = initialState('r', 'a', program.hash)
  return {
    clock,
    ports,
    tools,
    async leg(...happened: Fact[]): Promise<Parked> {
      const parked = await driveLeg(program, state, happened, ports, options)
      state = parked.state
      assert.equal(clock.nextAlarm(), null, 'a parked run holds no timer')
      return parked
    },
  }
}

const GO: Fact = { type: 'run.started', input: 'hi' }
const asking = (timeout_seconds?: number) => ({
  compliance: { human_in_the_loop: { enabled: true, ...(timeout_seconds && { timeout_seconds }) } },
})
const busy = (ms: number) => new ModelFailure('rate_limited', 'MODEL_RATE_LIMITED', 'slow down', ms)
const ONE_ROUTE = { model: { provider: 'openai', preferred: 'gpt-4o' } }

describe('a run in legs', () => {
  test('parks for a person, returns when the approval times out, and denies it then and not earlier', async () => {
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('then not'))
    const { clock, leg, ports } = byLegs(asking((400 * DAY) / 1000), model)
    const { state, wake_at } = await leg(GO)
    assert.equal(state.status, 'waiting')
    assert.equal(wake_at, clock.now() + 400 * DAY)
    const seen = ports.events.length
    clock.advance(400 * DAY - 1)
    assert.equal((await leg()).wake_at, wake_at)
    assert.equal(ports.events.length, seen)
    clock.advance(1)
    const ended = await leg()
    assert.deepEqual([ended.state.status, ended.wake_at], ['completed', null])
    assert.ok(ports.events.some(({ fact }) => fact.type === 'approval.lapsed'))
  })

  test('continues with a decision that a person has made meanwhile', async () => {
    const model = modelOf(calls(['a', 'send', { x: 1 }]), text('done'))
    const { leg, tools } = byLegs({ ...asking(), runtime: { timeout_seconds: 60 } }, model)
    // The time limit does not run while the run waits for a person.
    assert.equal((await leg(GO)).wake_at, null)
    const { state } = await leg({ type: 'person.decided', call_id: 'a', verdict: 'approve', by: 'ann' })
    assert.deepEqual([state.end?.output, tools.made.length], ['done', 1])
  })

  test('parks for a long delay of a question, and sends the question when it is over', async () => {
    const model = modelOf(busy(20_000), text('up again'))
    const { clock, leg } = byLegs(ONE_ROUTE, model)
    const { wake_at } = await leg(GO)
    assert.equal(wake_at, clock.now() + 20_000)
    assert.deepEqual([clock.slept, model.requests.length], [[], 1])
    clock.advance(10_000)
    assert.equal((await leg()).wake_at, wake_at)
    assert.equal(model.requests.length, 1)
    clock.advance(10_000)
    assert.equal((await leg()).state.end?.output, 'up again')
  })

  test('a leg after a crash sends the question again at once, and only once', async () => {
    const model = modelOf(busy(20_000), text('up'))
    const { clock, leg } = byLegs(ONE_ROUTE, model)
    await leg(GO)
    clock.advance(20_000)
    assert.equal((await leg({ type: 'run.resumed', by: 'a test' })).state.end?.output, 'up')
    assert.equal(model.requests.length, 2)
  })

  test('sleeps through a short delay in the same leg', async () => {
    for (const [longestSleepMs, slept] of [
      [500, [500]],
      [499, []],
    ] as const) {
      const { clock, leg } = byLegs(ONE_ROUTE, modelOf(busy(500), text('up')), { longestSleepMs })
      const { state } = await leg(GO)
      assert.deepEqual(clock.slept, slept)
      assert.equal(state.end === null, slept.length === 0)
    }
  })

  test('wakes at its deadline if that is before the end of a delay', async () => {
    const members = { ...ONE_ROUTE, runtime: { timeout_seconds: 10 } }
    const { clock, leg } = byLegs(members, modelOf(busy(20_000), text('too late')))
    const { wake_at } = await leg(GO)
    assert.equal(wake_at, clock.now() + 10_000)
    clock.advance(10_000)
    assert.equal((await leg()).state.end?.error?.code, 'TIMEOUT')
  })

  test('a paused run has no wake-up', async () => {
    const members = { ...ONE_ROUTE, runtime: { timeout_seconds: 60 } }
    const { clock, leg } = byLegs(members, modelOf(busy(20_000), text('up')))
    await leg(GO)
    const paused = await leg({ type: 'run.paused', by: 'a test' })
    assert.deepEqual([paused.state.status, paused.wake_at], ['paused', null])
    clock.advance(DAY)
    assert.equal((await leg()).state.status, 'paused')
    assert.equal((await leg({ type: 'run.resumed', by: 'a test' })).state.end?.output, 'up')
  })
})
