import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { defined } from '../../document/defined.ts'
import type { Records, SlotHolder, SlotRequest } from '../../run/record/records.ts'
import { type RecordsCase, refused, settles, slot } from './records-fixture.ts'

async function take(
  records: Records,
  request: SlotRequest,
  options?: Parameters<Records['slots']['take']>[1],
) {
  return await records.slots.take(request, options)
}

/** Requests a slot and waits until the request is in the queue. */
async function queued(records: Records, request: SlotRequest, signal?: AbortSignal) {
  let holders: readonly SlotHolder[] | undefined
  let isQueued = () => {}
  const waits = new Promise<void>((resolve) => {
    isQueued = resolve
  })
  const taken = take(records, request, {
    ...defined({ signal }),
    onWait: (current) => {
      holders = current
      isQueued()
    },
  })
  taken.catch(() => isQueued())
  await Promise.race([waits, taken.catch(() => {})])
  return { taken, holders: () => holders }
}

const above = (...runs: readonly (readonly [agent: string, run_id: string])[]) => ({
  above: runs.map(([agent, run_id]) => ({ agent, run_id })),
})

/** The cases of the slots of agents (AAIF §4.6 concurrency). */
export const slotCases: readonly RecordsCase[] = [
  [
    'at most the limit of runs hold a slot at once, over all processes; other agents have their own slots',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const first = await take(one, slot('a', 'r1', { limit: 2 }))
      await take(two, slot('a', 'r2', { limit: 2 }))
      await take(one, slot('b', 'r3'))
      const third = await queued(two, slot('a', 'r4', { limit: 2 }))
      assert.equal(await settles(third.taken, 250), false)
      assert.deepEqual(
        third.holders()?.map(({ run_id }) => run_id),
        ['r1', 'r2'],
      )
      await first()
      const release = await third.taken
      await release()
      await release()
      await first()
    },
  ],
  [
    'a slot that is released twice frees only itself, even if another run now holds a slot',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const first = await take(one, slot('a', 'r1'))
      await first()
      const second = await take(two, slot('a', 'r2'))
      await first()
      await refused('CONCURRENCY_EXCEEDED', () => take(one, slot('a', 'r3'), { wait: false }))
      const third = await queued(one, slot('a', 'r3'))
      await first()
      assert.equal(await settles(third.taken, 250), false)
      await Promise.all([second(), second()])
      const release = await third.taken
      await second()
      await refused('CONCURRENCY_EXCEEDED', () => take(two, slot('a', 'r4'), { wait: false }))
      await release()
      await (await take(two, slot('a', 'r4'), { wait: false }))()
    },
  ],
  [
    'a run that takes a slot again after it released one keeps it when the first is released again',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const first = await take(one, slot('a', 'r1'))
      await first()
      const again = await take(one, slot('a', 'r1'))
      await first()
      await refused('CONCURRENCY_EXCEEDED', () => take(two, slot('a', 'r2'), { wait: false }))
      await again()
    },
  ],
  [
    'slots are granted in the order of the requests',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const release = await take(one, slot('a', 'r0'))
      const order: string[] = []
      const all: Promise<void>[] = []
      for (const [n, records] of [one, two, two, one, two].entries()) {
        const { taken } = await queued(records, slot('a', `w${n}`))
        all.push(
          taken.then(async (give) => {
            order.push(`w${n}`)
            await sleep(5)
            await give()
          }),
        )
      }
      await release()
      await Promise.all(all)
      assert.deepEqual(order, ['w0', 'w1', 'w2', 'w3', 'w4'])
    },
  ],
  [
    'a request that may not wait is refused, and leaves no ticket behind',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const release = await take(one, slot('a', 'r1'))
      await refused('CONCURRENCY_EXCEEDED', () => take(two, slot('a', 'r2'), { wait: false }))
      await release()
      // The refused request left no ticket before this one.
      const waiting = await take(two, slot('a', 'r3'), { wait: false })
      await refused('CONCURRENCY_EXCEEDED', () => take(one, slot('a', 'r4'), { wait: false }))
      await waiting()
    },
  ],
  [
    'a request that may not wait does not overtake waiting requests',
    async ({ open }) => {
      const records = await open()
      const first = await take(records, slot('a', 'r1', { limit: 2 }))
      await take(records, slot('a', 'r2', { limit: 2 }))
      // Its limit is lower, so it waits for both.
      const narrow = await queued(records, slot('a', 'r3', { limit: 1 }))
      await first()
      await refused('CONCURRENCY_EXCEEDED', () =>
        take(records, slot('a', 'r4', { limit: 2 }), { wait: false }),
      )
      assert.equal(await settles(narrow.taken, 150), false)
      narrow.taken.catch(() => {})
    },
  ],
  [
    'the slots of a process that died are granted to waiting requests',
    async ({ open, crash }) => {
      const [one, two, three] = [await open(), await open(), await open()]
      await take(one, slot('a', 'r1'))
      const gone = await queued(three, slot('a', 'r2'))
      gone.taken.catch(() => {})
      const waiting = await queued(two, slot('a', 'r3'))
      await crash(three)
      await crash(one)
      const release = await waiting.taken
      await release()
    },
  ],
  [
    'closing a store releases its slots',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      await take(one, slot('a', 'r1'))
      const waiting = await queued(two, slot('a', 'r2'))
      await one.close()
      await (await waiting.taken)()
    },
  ],
  [
    'closing a store ends the waiting requests of its own runs',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      const release = await take(one, slot('a', 'r1'))
      const waiting = await queued(two, slot('a', 'r2'))
      const ended = refused('RECORDS_CLOSED', () => waiting.taken)
      await two.close()
      await ended
      await release()
      await (await take(one, slot('a', 'r3'), { wait: false }))()
    },
  ],
  [
    'an aborted request rejects with the reason, and does not block others',
    async ({ open }) => {
      const records = await open()
      const release = await take(records, slot('a', 'r1'))
      const stop = new AbortController()
      const stopped = await queued(records, slot('a', 'r2'), stop.signal)
      const waiting = await queued(records, slot('a', 'r3'))
      const reason = new Error('no longer wanted')
      stop.abort(reason)
      await assert.rejects(stopped.taken, reason)
      await assert.rejects(() => take(records, slot('a', 'r4'), { signal: stop.signal }), reason)
      const atOnce = new AbortController()
      const abort = () => atOnce.abort(reason)
      const asked = take(records, slot('a', 'r5'), { signal: atOnce.signal, onWait: abort })
      assert.equal(await settles(asked), true)
      await assert.rejects(asked, reason)
      await release()
      await (await waiting.taken)()
    },
  ],
  [
    'a request that is aborted while it is granted rejects with the reason, and holds no slot',
    async ({ open }) => {
      const records = await open()
      const release = await take(records, slot('a', 'r1'))
      const stop = new AbortController()
      const stopped = await queued(records, slot('a', 'r2'), stop.signal)
      const waiting = await queued(records, slot('a', 'r3'))
      const reason = new Error('no longer wanted')
      // A store that releases the slot synchronously has granted it to the next request by now.
      const released = release()
      stop.abort(reason)
      await assert.rejects(stopped.taken, reason)
      await released
      await (await waiting.taken)()
    },
  ],
  [
    'a request that closes a circle of waiting runs is refused, and the others continue',
    async ({ open }) => {
      const [one, two, three] = [await open(), await open(), await open()]
      const holdA = await take(one, slot('a', 'r1'))
      const holdB = await take(two, slot('b', 'r2'))
      const first = await queued(one, slot('b', 'r3', above(['a', 'r1'])))
      // Waits as well, but no run waits for it.
      const beside = await queued(three, slot('b', 'r4', above(['c', 'r9'])))
      const error = await refused('CONCURRENCY_DEADLOCK', () =>
        take(two, slot('a', 'r5', above(['b', 'r2']))),
      )
      assert.match(error.message, /^deadlock: /)
      await holdB()
      await (await first.taken)()
      await (await beside.taken)()
      await holdA()
    },
  ],
  [
    'a circle over three agents is detected when it is closed, and not earlier',
    async ({ open }) => {
      const [one, two, three] = [await open(), await open(), await open()]
      await take(one, slot('a', 'r1'))
      await take(two, slot('b', 'r2'))
      const holdC = await take(three, slot('c', 'r3'))
      const first = await queued(one, slot('b', 'w1', above(['a', 'r1'])))
      const second = await queued(two, slot('c', 'w2', above(['b', 'r2'])))
      await refused('CONCURRENCY_DEADLOCK', () => take(three, slot('a', 'w3', above(['c', 'r3']))))
      await holdC()
      await (await second.taken)()
      first.taken.catch(() => {})
    },
  ],
  [
    'waiting for active runs is never refused, at any depth of the chain',
    async ({ open }) => {
      const [one, two] = [await open(), await open()]
      await take(one, slot('a', 'r1', { limit: 2 }))
      const works = await take(two, slot('a', 'r2', { limit: 2 }))
      await take(two, slot('b', 'r3'))
      // One slot of agent a belongs to an active run, which will release it.
      const waits = await queued(two, slot('a', 'w1', { limit: 2, ...above(['b', 'r3']) }))
      const other = await queued(one, slot('b', 'w2', above(['a', 'r1'])))
      assert.equal(await settles(Promise.race([waits.taken, other.taken]), 200), false)
      await works()
      await (await waits.taken)()
      other.taken.catch(() => {})
    },
  ],
  [
    'an agent that calls itself beyond its limit waits for itself, and is refused',
    async ({ open }) => {
      const records = await open()
      await take(records, slot('a', 'r1', { limit: 2 }))
      await take(records, slot('a', 'r2', { limit: 2, ...above(['a', 'r1']) }))
      const chain = above(['a', 'r1'], ['a', 'r2'])
      await refused('CONCURRENCY_DEADLOCK', () => take(records, slot('a', 'r3', { limit: 2, ...chain })))
      // Another run of the same agent only waits.
      const other = await queued(records, slot('a', 'r4', { limit: 2 }))
      assert.equal(await settles(other.taken, 150), false)
      other.taken.catch(() => {})
    },
  ],
]
