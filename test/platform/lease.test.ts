import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WorkerLease } from '../../src/platform/engine/lease.ts'
import { testDatabase } from './postgres.ts'
import { cutConnections } from './records/cut-connections.ts'

const LEASE_MS = 1500

async function leased(t: TestContext) {
  const { database } = await testDatabase(t)
  const lapsed: string[] = []
  const first = Promise.withResolvers<string>()
  const lease = new WorkerLease(database.engine, {
    leaseMs: LEASE_MS,
    queues: [],
    onLapsed(identity) {
      lapsed.push(identity)
      first.resolve(identity)
    },
  })
  await lease.start()
  t.after(() => lease.stop())
  const rows = async () =>
    (await database.engine.query('SELECT worker, until > clock_timestamp() AS live FROM waybill.workers'))
      .rows
  return { database, lease, lapsed, lapses: first.promise, rows }
}

describe('the lease of a worker', () => {
  it('is renewed for as long as the worker lives, and ends with it', async (t) => {
    const { lease, lapsed, rows } = await leased(t)
    const { identity } = lease
    await sleep(1.5 * LEASE_MS)
    assert.equal(lease.identity, identity)
    assert.equal(lease.isHeld(identity), true)
    assert.deepEqual(await rows(), [{ worker: identity, live: true }])
    await lease.stop()
    assert.equal(lease.isHeld(identity), false)
    assert.deepEqual(await rows(), [])
    assert.deepEqual(lapsed, [])
  })

  it('that has lapsed by the clock of the database is never renewed: the worker continues as another', async (t) => {
    const { database, lease, lapsed, lapses } = await leased(t)
    const { identity } = lease
    await database.engine.query(
      `UPDATE waybill.workers SET until = clock_timestamp() - interval '1 millisecond'`,
    )
    assert.equal(await lapses, identity)
    assert.notEqual(lease.identity, identity)
    await lease.untilHeld(t.signal)
    assert.equal(lease.isHeld(lease.identity), true)
    assert.equal(lease.isHeld(identity), false)
    assert.equal(lapsed[0], identity)
  })

  it('is renewed on another connection when one hangs without an error', async (t) => {
    const { urls } = await testDatabase(t)
    const cut = await cutConnections(urls)
    t.after(() => cut.close())
    const lapsed: string[] = []
    const lease = new WorkerLease(cut.database.engine, {
      leaseMs: LEASE_MS,
      queues: [],
      onLapsed: (identity) => lapsed.push(identity),
    })
    t.after(() => lease.stop())
    await lease.start()
    const { identity } = lease
    cut.hang()
    await sleep(1.5 * LEASE_MS)
    assert.ok(cut.hung > 0, 'a connection was used')
    assert.deepEqual([lapsed, lease.isHeld(identity)], [[], true])
  })

  it('that has lapsed is noticed although no connection answers', async (t) => {
    const { urls } = await testDatabase(t)
    const cut = await cutConnections(urls)
    t.after(() => cut.close())
    const lapsed = Promise.withResolvers<string>()
    const lease = new WorkerLease(cut.database.engine, {
      leaseMs: LEASE_MS,
      queues: [],
      onLapsed: lapsed.resolve,
    })
    t.after(() => lease.stop())
    await lease.start()
    const { identity } = lease
    cut.hang(true)
    assert.equal(await lapsed.promise, identity)
    assert.equal(lease.isHeld(identity), false)
    cut.refuse()
  })

  it('is not trusted when the worker was suspended for longer than most of it', async (t) => {
    const { lease, lapses } = await leased(t)
    const { identity } = lease
    // No timer runs meanwhile, as in a suspended process.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LEASE_MS * 0.9)
    assert.equal(lease.isHeld(identity), false)
    assert.equal(await lapses, identity)
    await lease.untilHeld(t.signal)
    assert.equal(lease.isHeld(identity), false)
  })
})
