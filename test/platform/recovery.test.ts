import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import {
  recoverLegs,
  recoverLost,
  recoverRuns,
  recoverUnreceived,
  releaseLeftSlots,
  wakeDue,
  workerReturned,
} from '../../src/platform/engine/reconcile.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { until } from './leg-place.ts'
import { testDatabase } from './postgres.ts'
import { asRequest, asWorker } from './records/organisation.ts'
import { type Script, scriptedRun } from './scripted-agent.ts'

const HOUR = 3_600_000

async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls } = await testDatabase(t)
  const { engine } = database
  await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-recovery-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const queued = async (org: string, ids: readonly string[], script: Script = { pays: 1 }) => {
    for (const id of ids) await asRequest(database, org).runs.enqueue(scriptedRun(id, script), {})
  }
  const worker = (name: string) =>
    engine.query(
      `INSERT INTO waybill.workers (worker, until, queues, about)
       VALUES ($1, clock_timestamp() + interval '1 hour', '{}', jsonb_build_object('executor', $1::text))`,
      [name],
    )
  const dies = (name: string) => engine.query('DELETE FROM waybill.workers WHERE worker = $1', [name])
  /** Hands out all legs in the queue to a process. */
  const handOut = (executor: string) =>
    engine.query(
      `UPDATE waybill_queue.workflow_status SET status = 'PENDING', executor_id = $1, started_at_epoch_ms = 1
       WHERE status = 'ENQUEUED'`,
      [executor],
    )
  const opens = async (name: string, ids: readonly string[]) => {
    const { runs } = asWorker(t, database, 'a', name)
    for (const id of ids) {
      const { leg } = await runs.listed(id)
      assert.ok(await runs.openLeg(id, leg), id)
    }
  }
  /** The legs in the queue, in the order in which they are handed out. */
  const inQueue = async () => {
    const { rows } = await engine.query<{ workflow_uuid: string }>(
      `SELECT workflow_uuid FROM waybill_queue.workflow_status WHERE status = 'ENQUEUED' ORDER BY priority, created_at`,
    )
    return rows.map(({ workflow_uuid }) => workflow_uuid)
  }
  /** All that runs on a timer in every worker, in two workers at once. */
  const looks = async (times: number) => {
    const look = async () => {
      await wakeDue(engine)
      await recoverRuns(engine)
      await recoverLegs(engine)
      await recoverLost(engine)
      await releaseLeftSlots(engine)
    }
    for (let n = 0; n < times; n++) await Promise.all([look(), look()])
  }
  return { database, engine, urls, folder, startWorker, queued, worker, dies, handOut, opens, inQueue, looks }
}

describe('recovery', () => {
  it('queues each run of a dead worker once, however often it is looked for while no place is free', async (t) => {
    const { engine, queued, worker, dies, handOut, opens, inQueue, looks } = await place(t)
    const ids = ['r1', 'r2', 'r3']
    await queued('a', ids)
    await worker('w1')
    await worker('w2')
    await handOut('w1')
    await opens('w1', ids)
    await dies('w1')
    await queued('b', ['other'])
    await queued('a', ['later'])
    await looks(5)
    const next = await inQueue()
    assert.deepEqual(next.toSorted(), ['a/later#1', 'a/r1#2', 'a/r2#2', 'a/r3#2', 'b/other#1'])
    assert.equal(next.at(-1), 'a/later#1', 'their turn has come already')
    // A process that has received the legs opens the runs one after the other.
    await handOut('w2')
    await looks(5)
    assert.deepEqual(await inQueue(), [])
    await opens('w2', ['r1'])
    await looks(5)
    assert.deepEqual(await inQueue(), [])
    await dies('w2')
    await looks(5)
    assert.deepEqual((await inQueue()).toSorted(), ['a/later#2', 'a/r1#3', 'a/r2#3', 'a/r3#3', 'b/other#2'])
    const { rows } = await engine.query(`SELECT count(*)::int AS n FROM waybill_queue.workflow_input`)
    assert.deepEqual(rows, [{ n: 13 }])
  })

  it('queues nothing for a run that is queued already, for every caller', async (t) => {
    const { engine, queued, inQueue } = await place(t)
    await queued('a', ['r1'])
    const asked = await Promise.all(
      Array.from({ length: 8 }, () => engine.query(`SELECT waybill.enqueue_leg('a', 'r1') AS leg`)),
    )
    assert.deepEqual(new Set(asked.map(({ rows }) => rows[0].leg)), new Set([null]))
    assert.deepEqual(await inQueue(), ['a/r1#1'])
  })

  it('takes a leg that is not current any more out of the queue', async (t) => {
    const { engine, queued, inQueue } = await place(t)
    await queued('a', ['r1'])
    await engine.query(`UPDATE waybill.progress SET phase = 'parked'`)
    await engine.query(`SELECT waybill.wake('a', 'r1')`)
    assert.deepEqual(await inQueue(), ['a/r1#2'])
    const { rows } = await engine.query('SELECT workflow_uuid FROM waybill_queue.workflow_input')
    assert.deepEqual(rows, [{ workflow_uuid: 'a/r1#2' }])
  })

  it('continues the runs of a worker that returns once, although the process that has their legs lives', async (t) => {
    const { engine, queued, worker, handOut, opens, inQueue, looks } = await place(t)
    await queued('a', ['r1', 'r2'])
    await worker('w1')
    await handOut('w1')
    await opens('w1', ['r1', 'r2'])
    // The identity of the lease is another one now; the process is the same.
    await engine.query(`UPDATE waybill.workers SET worker = 'w1 again' WHERE worker = 'w1'`)
    await Promise.all([workerReturned(engine, 'w1'), workerReturned(engine, 'w1'), looks(3)])
    await looks(3)
    assert.deepEqual((await inQueue()).toSorted(), ['a/r1#2', 'a/r2#2'])
  })

  it('a process finds the legs that it was given and has not received, and no other process does', async (t) => {
    const { engine, queued, worker, handOut, inQueue, looks } = await place(t)
    await queued('a', ['r1', 'r2'])
    await worker('w1')
    await worker('w2')
    await handOut('w1')
    await looks(3)
    assert.equal(await recoverUnreceived(engine, 'w2', () => false), 0)
    assert.deepEqual(await inQueue(), [])
    assert.equal(await recoverUnreceived(engine, 'w1', ({ run_id }) => run_id === 'r1'), 1)
    assert.deepEqual(await inQueue(), ['a/r2#2'])
    assert.equal(await recoverUnreceived(engine, 'w1', ({ run_id }) => run_id === 'r1'), 0)
  })

  it('workers whose places are all taken continue the runs of dead workers as soon as one is free', async (t) => {
    const { database, engine, urls, folder, startWorker, queued } = await place(t)
    const log = join(folder, 'log')
    // Long enough that no lease lapses because the machine is busy.
    const config = { urls, log, leaseMs: 10_000, concurrency: 2 }
    const heldBy = async (org: string, pid: number | undefined) => {
      const { rows } = await engine.query(
        `SELECT 1 FROM waybill.progress WHERE org = $1 AND phase = 'queued' AND holder LIKE $2`,
        [org, `${pid}-%`],
      )
      return rows.length
    }
    const full = await startWorker(config)
    const filling = ['f1', 'f2']
    for (const id of filling)
      await asRequest(database, 'b').runs.enqueue(scriptedRun(id, { pays: 0, steps: ['look'], ms: HOUR }), {})
    await until(async () => (await heldBy('b', full.pid)) === 2)
    const lost = ['r1', 'r2']
    await queued('a', lost, { pays: 0, steps: ['look'] })
    // Two workers take them, one after the other, and die.
    for (let deaths = 1; deaths <= 2; deaths++) {
      const dying = await startWorker({ ...config, leaseMs: 3000, toolMs: HOUR })
      await until(async () => (await heldBy('a', dying.pid)) === 2)
      dying.kill('SIGKILL')
      // Some leases later: every look finds them, and none queues them again.
      await until(async () => {
        const { rows } = await engine.query(
          `SELECT 1 FROM waybill.progress WHERE org = 'a' AND leg = $1 AND NOT waybill.is_live(holder)`,
          [deaths + 1],
        )
        return rows.length === 2
      })
      await sleep(3000)
      const { rows } = await engine.query(
        `SELECT max(p.leg) AS leg, (SELECT count(*)::int FROM waybill_queue.workflow_status WHERE status = 'ENQUEUED') AS queued
         FROM waybill.progress AS p WHERE org = 'a'`,
      )
      assert.deepEqual(rows, [{ leg: deaths + 1, queued: 2 }])
    }
    assert.equal(await heldBy('b', full.pid), 2)
    await giveCommand(engine, 'b', 'f1', { type: 'cancel' }, 'ann')
    assert.deepEqual(await untilOver(asRequest(database, 'a'), lost), ['completed', 'completed'])
  })
})
