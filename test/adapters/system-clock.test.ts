import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createSystemClock, type Timers } from '../../src/adapters/clock/system-clock.ts'

const LONGEST = 2 ** 31 - 1

/** Timers like those of Node: a delay above 2^31-1 ms fires immediately. */
function nodeTimers() {
  let time = 0
  let timer: { readonly at: number; readonly ring: () => void } | null = null
  const timers: Timers = {
    now: () => time,
    setTimeout: (ring, ms) => {
      timer = { at: time + (ms > LONGEST ? 1 : ms), ring }
      return timer
    },
    clearTimeout: (given) => {
      if (given === timer) timer = null
    },
  }
  return {
    timers,
    pending: () => timer !== null,
    /** Advances the time and fires every timer that is due. */
    passTo(at: number) {
      while (timer !== null && timer.at <= at) {
        const due = timer
        timer = null
        time = due.at
        due.ring()
      }
      time = at
    },
    /** Changes the clock without affecting timers. */
    set(at: number) {
      if (timer !== null) timer = { at: timer.at + (at - time), ring: timer.ring }
      time = at
    },
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('the clock of this machine', () => {
  for (const ms of [0, 1, LONGEST - 1, LONGEST, LONGEST + 1, 3 * LONGEST + 5]) {
    test(`an alarm in ${ms} ms fires once, at that time`, () => {
      const { timers, passTo } = nodeTimers()
      let rang = 0
      createSystemClock(timers).alarm(ms, () => rang++)
      assert.equal(rang, 0)
      passTo(ms - 1)
      assert.equal(rang, 0)
      passTo(ms)
      assert.equal(rang, 1)
      passTo(ms + 2 * LONGEST)
      assert.equal(rang, 1)
    })

    test(`a sleep of ${ms} ms ends at that time`, async () => {
      const { timers, passTo } = nodeTimers()
      let awake = false
      void createSystemClock(timers)
        .sleep(ms, new AbortController().signal)
        .then(() => {
          awake = true
        })
      passTo(ms - 1)
      await settle()
      assert.equal(awake, false)
      passTo(ms)
      await settle()
      assert.equal(awake, true)
    })
  }

  test('an alarm follows the clock when it is set, a sleep does not', async () => {
    const { timers, passTo, set } = nodeTimers()
    let rang = false
    createSystemClock(timers).alarm(1000, () => {
      rang = true
    })
    passTo(500)
    set(0)
    passTo(500)
    assert.equal(rang, false)
    passTo(1000)
    assert.equal(rang, true)
  })

  test('a cancelled alarm and an aborted sleep leave no timer', async () => {
    const { timers, passTo, pending } = nodeTimers()
    const clock = createSystemClock(timers)
    clock.alarm(2 * LONGEST, () => assert.fail('it was taken back'))()
    assert.equal(pending(), false)
    const stop = new AbortController()
    const slept = clock.sleep(2 * LONGEST, stop.signal)
    passTo(LONGEST + 1)
    stop.abort(new Error('enough'))
    await assert.rejects(slept, /enough/)
    assert.equal(pending(), false)
    await assert.rejects(clock.sleep(1, stop.signal), /enough/)
    assert.equal(pending(), false)
  })
})
