import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { PollGate } from '../../src/platform/engine/poll-gate.ts'

const HOUR = 3_600_000

/** Returns a gate that is closed at once when nothing happens. */
function closedGate(holdMs = HOUR) {
  const gate = new PollGate({ workMs: 0, holdMs })
  gate.open()
  while (!gate.isQuiet);
  gate.close()
  return gate
}

/** Returns whether a poll passes without another sign. */
async function passes(gate: PollGate): Promise<boolean> {
  const held = Symbol('held')
  const first = await Promise.race([gate.pass(), new Promise((resolve) => setImmediate(resolve, held))])
  gate.open()
  return first !== held
}

describe('the gate of an idle worker', () => {
  it('is open until the queue has started', async () => {
    const gate = new PollGate({ workMs: 0 })
    gate.close()
    assert.ok(await passes(gate))
  })

  it('holds polls when it is closed, and releases them when there may be work', async () => {
    const gate = closedGate()
    assert.ok(!(await passes(gate)))
    const polls = Promise.all([gate.pass(), gate.pass()])
    gate.open()
    await polls
  })

  it('holds a poll, and releases it after a while without a sign', async () => {
    const gate = closedGate(200)
    const released = gate.pass().then(() => 'released')
    const held = new Promise((resolve) => setImmediate(resolve, 'held'))
    assert.equal(await Promise.race([released, held]), 'held')
    assert.equal(await released, 'released')
  })

  it('is not closed while a leg is performed, or shortly after it', async () => {
    const gate = new PollGate({ workMs: HOUR })
    const leg = Promise.withResolvers<void>()
    const performed = gate.during(() => leg.promise)
    gate.close()
    assert.ok(await passes(gate))
    leg.resolve()
    await performed
    assert.ok(!gate.isQuiet)
    gate.close()
    assert.ok(await passes(gate))
  })

  it('is not closed by a leg that fails, and counts it once', async () => {
    const gate = new PollGate({ workMs: 0 })
    await assert.rejects(
      gate.during(() => Promise.reject(new Error('failed'))),
      /failed/,
    )
    while (!gate.isQuiet) await sleep(1)
    gate.close()
    assert.ok(!(await passes(gate)))
  })
})
