import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { OpenLeg } from '../../../src/platform/records/leases.ts'
import {
  answered,
  Driven,
  decided,
  ended,
  newRun,
  QUESTION,
  refused,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { addWorker, twoWorkers } from './organisation.ts'

async function place(t: TestContext) {
  const site = await twoWorkers(t)
  const queued = async () => {
    const { rows } = await site.database.engine.query<{ id: string }>(
      `SELECT workflow_uuid AS id FROM waybill_queue.workflow_status ORDER BY created_at, workflow_uuid`,
    )
    return rows.map(({ id }) => id)
  }
  return { ...site, queued }
}

function opened(leg: OpenLeg | null): OpenLeg {
  assert.ok(leg !== null, 'the leg is stale')
  return leg
}

/** Opens a leg and drives the run until it asks a person. */
async function asking(leg: OpenLeg | null): Promise<OpenLeg> {
  const run = opened(leg)
  const driven = new Driven(run)
  await driven.append(started('r1'))
  await driven.append(...answered('asking'))
  return run
}

describe('the legs of a run', () => {
  it('a run is stored, planned and queued in one transaction; the same id again changes nothing', async (t) => {
    const { requests, queued } = await place(t)
    const dueAt = Date.now() + 60_000
    const also: string[] = []
    const schedule = { queue: 'gpu', priority: 2, version: '1.0', session: 's1' }
    const enqueue = (id: string, more: { readonly dueAt?: number } = {}) =>
      requests.runs.enqueue(newRun(id), { ...schedule, ...more }, async () => {
        also.push(id)
      })
    assert.deepEqual([await enqueue('r1'), await enqueue('r1')], [true, false])
    assert.deepEqual(also, ['r1'])
    assert.deepEqual(await queued(), ['a/r1#1'])
    const { phase, leg, queue, priority, due_at, version, session } = await requests.runs.listed('r1')
    assert.deepEqual(
      { phase, leg, queue, priority, due_at, version, session },
      { phase: 'queued', leg: 1, queue: 'gpu', priority: 2, due_at: null, version: '1.0', session: 's1' },
    )
    // A run that is due later is parked until then.
    assert.equal(await enqueue('later', { dueAt }), true)
    const later = await requests.runs.listed('later')
    assert.deepEqual([later.phase, later.leg, later.due_at], ['parked', 0, dueAt])
    const failing = requests.runs.enqueue(newRun('r2'), {}, () =>
      Promise.reject(new Error('the message is taken')),
    )
    await assert.rejects(failing, /the message is taken/)
    assert.equal(await requests.runs.has('r2'), false)
    assert.deepEqual(await queued(), ['a/r1#1'])
  })

  it('a leg is opened once, and only while it is the current one', async (t) => {
    const { requests, one, two } = await place(t)
    assert.equal(await one.runs.openLeg('r1', 1), null)
    await requests.runs.enqueue(newRun('r1'), {})
    for (const leg of [0, 2]) assert.equal(await one.runs.openLeg('r1', leg), null)
    const outcomes = await Promise.allSettled([one, two, one, two].map(({ runs }) => runs.openLeg('r1', 1)))
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    assert.equal(won.length, 1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'RUN_LOCKED')
  })

  it('the death of a worker is counted when the next one opens the run, and an ordinary end is not', async (t) => {
    const { database, requests, one, two, ids } = await place(t)
    await requests.runs.enqueue(newRun('r1'), {})
    const first = opened(await one.runs.openLeg('r1', 1))
    assert.deepEqual([first.deaths, first.epoch], [0, 1])
    await first.close()
    const second = opened(await one.runs.openLeg('r1', 1))
    assert.deepEqual([second.deaths, second.epoch], [0, 2])
    await addWorker(database, ids[0], -1)
    const third = opened(await two.runs.openLeg('r1', 1))
    assert.deepEqual([third.deaths, third.epoch], [1, 3])
    await refused('RUN_TAKEN_OVER', () => new Driven(second).append(started('r1')))
    await refused('RUN_TAKEN_OVER', () => one.runs.park(second, { phase: 'parked' }))
  })

  it('a parked run holds no worker, and a decision queues its next leg', async (t) => {
    const { requests, one, two, queued } = await place(t)
    await requests.runs.enqueue(newRun('r1'), {})
    const run = await asking(await one.runs.openLeg('r1', 1))
    const dueAt = Date.now() + 60_000
    assert.equal(await one.runs.park(run, { phase: 'parked', dueAt }), true)
    // The lease is released already.
    await run.close()
    const parked = await requests.runs.listed('r1')
    assert.deepEqual([parked.phase, parked.live, parked.due_at], ['parked', false, dueAt])
    assert.equal(await two.runs.openLeg('r1', 1), null)
    assert.deepEqual(await requests.runs.decide('r1', QUESTION, decided('ann', 2)), { outcome: 'kept' })
    assert.deepEqual(await queued(), ['a/r1#2'], 'and no earlier one is left in the queue')
    const next = opened(await two.runs.openLeg('r1', 2))
    assert.deepEqual([next.leg, next.wakes, next.state.seq, next.deaths], [2, 1, 2, 0])
  })

  it('a run is not parked if something has arrived that its leg has not seen', async (t) => {
    const { requests, one, queued } = await place(t)
    await requests.runs.enqueue(newRun('r1'), {})
    const run = await asking(await one.runs.openLeg('r1', 1))
    await requests.runs.decide('r1', QUESTION, decided('ann', 2))
    assert.equal(await one.runs.park(run, { phase: 'parked' }), false)
    assert.deepEqual(await queued(), ['a/r1#1'])
    const wakes = await one.runs.wakes('r1')
    assert.equal(wakes, 1)
    assert.equal(await one.runs.park(run, { phase: 'parked', wakes }), true)
  })

  it('of parking and waking at once, one sees the other: no wake is lost', async (t) => {
    const { requests, one } = await place(t)
    for (let round = 0; round < 30; round++) {
      const id = `r${round}`
      await requests.runs.enqueue(newRun(id), {})
      const run = opened(await one.runs.openLeg(id, 1))
      const [parked, leg] = await Promise.all([
        one.runs.park(run, { phase: 'parked' }),
        requests.runs.wake(id),
      ])
      assert.equal(parked, leg === 2, id)
      await run.close()
    }
  })

  it("a decision about a sub-agent's call wakes the root, whose legs drive it", async (t) => {
    const { requests, one, queued } = await place(t)
    await requests.runs.enqueue(newRun('root'), {})
    const root = opened(await one.runs.openLeg('root', 1))
    const parent = { run_id: 'root', root_run_id: 'root' }
    const child = new Driven(await one.runs.create(newRun('child', { parent })))
    await child.append(started('child'))
    await child.append(...answered('asking'))
    await child.run.close()
    await one.runs.park(root, { phase: 'parked' })
    await requests.runs.decide('child', QUESTION, decided('ann', 2))
    assert.deepEqual(await queued(), ['a/root#2'])
    assert.equal((await requests.runs.listed('child')).phase, 'held')
  })

  it('a run that is not on a queue is not queued by a decision', async (t) => {
    const { requests, one, queued } = await place(t)
    const run = new Driven(await one.runs.create(newRun('r1')))
    await run.append(started('r1'))
    await run.append(...answered('asking'))
    await requests.runs.decide('r1', QUESTION, decided('ann', 2))
    assert.deepEqual(await queued(), [])
    assert.equal((await requests.runs.listed('r1')).phase, 'held')
  })

  it('the append that ends a run takes it off the queue in the same commit', async (t) => {
    const { requests, one, queued } = await place(t)
    await requests.runs.enqueue(newRun('r1'), {})
    const run = opened(await one.runs.openLeg('r1', 1))
    const driven = new Driven(run)
    await driven.append(started('r1'))
    assert.deepEqual((await requests.runs.listed('r1')).phase, 'queued')
    await driven.append(...ended('completed'))
    const { phase, due_at, live } = await requests.runs.listed('r1')
    assert.deepEqual([phase, due_at, live], ['over', null, true])
    assert.equal(await one.runs.park(run, { phase: 'parked' }), false)
    await run.close()
    assert.equal(await one.runs.openLeg('r1', 1), null)
    assert.equal(await requests.runs.wake('r1'), null)
    assert.equal(await requests.runs.setAside('r1', 'no'), false)
    assert.equal((await queued()).length, 1)
  })

  it('a run that is set aside says why, and is neither opened nor woken', async (t) => {
    const { requests, one, two, queued } = await place(t)
    await requests.runs.enqueue(newRun('r1'), {})
    const run = opened(await one.runs.openLeg('r1', 1))
    assert.equal(await two.runs.setAside('r1', 'it is driven by another worker'), false)
    assert.equal(await one.runs.setAside('r1', 'it has killed 3 workers'), true)
    await run.close()
    const { phase, why, live } = await requests.runs.listed('r1')
    assert.deepEqual([phase, why, live], ['set_aside', 'it has killed 3 workers', false])
    assert.equal(await two.runs.openLeg('r1', 1), null)
    assert.equal(await requests.runs.wake('r1'), null)
    assert.deepEqual(
      (await requests.runs.list({ phase: 'set_aside' })).items.map(({ run_id }) => run_id),
      ['r1'],
    )
    assert.equal((await queued()).length, 1)
  })
})
