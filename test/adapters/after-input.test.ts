import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { startTimeLimit } from '../../src/adapters/clock/after-input.ts'
import { createSystemClock } from '../../src/adapters/clock/system-clock.ts'
import { createHookPort } from '../../src/adapters/tools/hook-port.ts'

const LIMIT_MS = 100
/** `state[0]` counts the answers that are sent. */
const state = new Int32Array(new SharedArrayBuffer(4))

const SERVER = `
const { createServer } = require('node:http')
const { parentPort, workerData } = require('node:worker_threads')
const server = createServer((_request, response) => {
  setTimeout(() => response.end('x'.repeat(200000), () => Atomics.add(workerData, 0, 1)), 50)
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`

let worker: Worker
let url = ''
before(async () => {
  worker = new Worker(SERVER, { eval: true, workerData: state })
  const [port] = await once(worker, 'message')
  url = `http://127.0.0.1:${port}/`
  // The first request loads the client.
  await (await fetch(url)).text()
})
after(() => worker.terminate())

/** Holds up this thread until the answer is sent, and the limit has passed. */
function holdUp(answers: number): void {
  const end = performance.now() + LIMIT_MS + 50
  while (Atomics.load(state, 0) < answers || performance.now() < end);
}

describe('after the process was held up, an answer that is there is read first', () => {
  /** Asks for an answer, holds up the thread, and returns the order of answer and limit. */
  async function firstOf(limited: (answer: () => Promise<unknown>, late: () => void) => Promise<unknown>) {
    const order: string[] = []
    const sent = Atomics.load(state, 0)
    const answer = async () => {
      const asked = fetch(url).then((response) => response.text())
      // When the request has left.
      setTimeout(() => holdUp(sent + 1), 20)
      await asked
      order.push('answer')
    }
    await limited(answer, () => order.push('limit'))
    return order
  }

  test('by a time limit', async () => {
    const order = await firstOf(async (answer, late) => {
      const cancel = startTimeLimit(LIMIT_MS, late)
      await answer()
      cancel()
    })
    assert.deepEqual(order, ['answer'])
  })

  test('by an alarm of the clock', async () => {
    const clock = createSystemClock()
    const order = await firstOf(async (answer, late) => {
      const cancel = clock.alarm(clock.now() + LIMIT_MS, late)
      await answer()
      cancel()
    })
    assert.deepEqual(order, ['answer'])
  })

  test('by the limit of a hook', async () => {
    const run = { run_id: 'r', agent_id: 'a', agent_name: 'A', input: null }
    const order = await firstOf(async (answer) => {
      const hooks = createHookPort(new Map([['done', answer]]), LIMIT_MS)
      const done = await hooks.run({ hook: 'on_complete', name: 'done', key: 'k', ...run })
      assert.deepEqual(done, { ok: true })
    })
    assert.deepEqual(order, ['answer'])
  })
})

test('a time limit without an answer passes, and a cancelled one does not', async () => {
  let passed = 0
  const cancelled = startTimeLimit(1, () => passed++)
  cancelled()
  await new Promise<void>((resolve) => startTimeLimit(5, resolve))
  assert.equal(passed, 0)
})
