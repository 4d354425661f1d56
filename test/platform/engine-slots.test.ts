import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { legFailed } from '../../src/platform/engine/leg-failed.ts'
import { recoverLost, recoverRuns, releaseLeftSlots } from '../../src/platform/engine/reconcile.ts'
import { releaseSlot, type SlotRun, takeSlot } from '../../src/platform/engine/slots.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { testDatabase } from './postgres.ts'
import { scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const signAudit = () => privateKey
const ONE_AT_A_TIME = { runtime: { concurrency: 1 } }

async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls } = await testDatabase(t)
  const { engine } = database
  await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
  const records = openPostgresRecords(database, 'a', { worker: null, signAudit })
  const worker = async (name: string) => {
    await engine.query(
      `INSERT INTO waybill.workers (worker, until, queues) VALUES ($1, clock_timestamp() + interval '1 hour', '{}')`,
      [name],
    )
    return openPostgresRecords(database, 'a', { worker: name, signAudit })
  }
  const dies = (name: string) => engine.query('DELETE FROM waybill.workers WHERE worker = $1', [name])
  const queued = async (run_id: string): Promise<SlotRun> => {
    const run = scriptedRun(run_id, { pays: 1 }, ONE_AT_A_TIME)
    await records.runs.enqueue(run, {})
    return { org: 'a', run_id, plan: run.plan, unattended: false }
  }
  return { database, urls, engine, records, worker, dies, queued, startWorker }
}

async function granted(engine: pg.Pool): Promise<readonly string[]> {
  const { rows } = await engine.query<{ run_id: string }>(
    'SELECT run_id FROM waybill.slots WHERE granted ORDER BY 1',
  )
  return rows.map(({ run_id }) => run_id)
}

async function legOf(engine: pg.Pool, runId: string): Promise<number> {
  const { rows } = await engine.query<{ leg: number }>('SELECT leg FROM waybill.progress WHERE run_id = $1', [
    runId,
  ])
  return rows[0]?.leg ?? 0
}

describe('the slots of an agent', () => {
  it('a leg and a sub-agent that ask at the same time do not both get the last slot', async (t) => {
    const { database, engine, worker, queued } = await place(t)
    const w1 = await worker('w1')
    const r1 = await queued('r1')
    await w1.runs.openLeg('r1', 1)
    const client = await engine.connect()
    let asked: Promise<unknown>
    try {
      await client.query('BEGIN')
      await client.query(`SELECT waybill.take_slot('a', $1, 'Clerk', 1, 'r1', 'w1')`, [r1.plan.agent_id])
      const w2 = await worker('w2')
      asked = w2.slots
        .take(
          { agent: r1.plan.agent_id, agent_name: 'Clerk', limit: 1, run_id: 'child', above: [] },
          { wait: false },
        )
        .catch(({ code }) => code)
      await sleep(200)
      await client.query('COMMIT')
    } finally {
      client.release()
    }
    assert.equal(await asked, 'CONCURRENCY_EXCEEDED')
    assert.deepEqual(await granted(database.engine), ['r1'])
  })

  it('a worker that has lost a run neither takes nor releases its slot', async (t) => {
    const { engine, worker, dies, queued } = await place(t)
    const run = await queued('r1')
    const w1 = await worker('w1')
    await w1.runs.openLeg('r1', 1)
    assert.equal(await takeSlot(engine, run, 'w1'), true)
    await dies('w1')
    assert.equal(await recoverRuns(engine), 1)
    await releaseSlot(engine, run, 'w1')
    assert.deepEqual(await granted(engine), ['r1'], 'before another worker has opened the run')
    const w2 = await worker('w2')
    await w2.runs.openLeg('r1', 2)
    await releaseSlot(engine, run, 'w1')
    assert.deepEqual(await granted(engine), ['r1'], 'before it has taken over the slot')
    assert.equal(await takeSlot(engine, run, 'w2'), true)
    assert.equal(await takeSlot(engine, run, 'w1'), false)
    await releaseSlot(engine, run, 'w1')
    assert.deepEqual(await granted(engine), ['r1'])
    await releaseSlot(engine, run, 'w2')
    assert.deepEqual(await granted(engine), [])
  })

  for (const [end, sql] of [
    ['ended', `UPDATE waybill.progress SET phase = 'over' WHERE run_id = 'r1'`],
    ['was set aside', `UPDATE waybill.progress SET phase = 'set_aside', holder = NULL WHERE run_id = 'r1'`],
  ] as const)
    it(`the slot of a run that ${end} as its worker died is given to the next, which is woken`, async (t) => {
      const { engine, records, worker, dies, queued } = await place(t)
      const [r1, r2] = [await queued('r1'), await queued('r2')]
      const [w1, w2] = [await worker('w1'), await worker('w2')]
      await w1.runs.openLeg('r1', 1)
      assert.equal(await takeSlot(engine, r1, 'w1'), true)
      const held = await w2.runs.openLeg('r2', 1)
      assert.ok(held)
      assert.equal(await takeSlot(engine, r2, 'w2'), false)
      assert.equal(await w2.runs.park(held, { phase: 'slot' }), true)
      await releaseLeftSlots(engine)
      assert.deepEqual(await granted(engine), ['r1'], 'the slot of a live worker')
      await engine.query(sql)
      await dies('w1')
      await releaseLeftSlots(engine)
      assert.deepEqual(await granted(engine), ['r2'])
      assert.equal((await records.runs.listed('r2')).phase, 'queued')
    })

  it('a slot that its worker could not release is given to the next, although the worker lives', async (t) => {
    const { engine, records, worker, queued } = await place(t)
    const [r1, r2] = [await queued('r1'), await queued('r2')]
    const w1 = await worker('w1')
    for (const run of [r1, r2]) {
      const held = await w1.runs.openLeg(run.run_id, 1)
      assert.ok(held)
      assert.equal(await takeSlot(engine, run, 'w1'), run === r1)
      // The slot of r1 is not released before.
      const wakes = await w1.runs.wakes(run.run_id)
      assert.equal(await w1.runs.park(held, { phase: run === r1 ? 'parked' : 'slot', wakes }), true)
    }
    await releaseLeftSlots(engine)
    assert.deepEqual(await granted(engine), ['r2'])
    assert.equal((await records.runs.listed('r2')).phase, 'queued')
  })

  it('the slot of a conversation is kept between two turns of one leg', async (t) => {
    const { engine, worker, queued } = await place(t)
    const run = await queued('r1')
    const w1 = await worker('w1')
    await w1.runs.openLeg('r1', 1)
    assert.equal(await takeSlot(engine, run, 'w1'), true)
    await engine.query(`UPDATE waybill.progress SET phase = 'over'`)
    await releaseLeftSlots(engine)
    assert.deepEqual(await granted(engine), ['r1'])
  })

  it('the slot of a dead worker is kept for its run, which continues', async (t) => {
    const { engine, worker, dies, queued } = await place(t)
    const run = await queued('r1')
    const w1 = await worker('w1')
    await w1.runs.openLeg('r1', 1)
    await takeSlot(engine, run, 'w1')
    await dies('w1')
    await releaseLeftSlots(engine)
    assert.deepEqual(await granted(engine), ['r1'])
  })

  it('never more runs than the limit are active on four workers, two of which die, and their runs continue in 10 s', async (t) => {
    const { engine, records, urls, startWorker } = await place(t)
    const folder = mkdtempSync(join(tmpdir(), 'waybill-slots-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const log = join(folder, 'log')
    const config = { urls, leaseMs: 1000, log, toolMs: 30 }
    const ids = Array.from({ length: 24 }, (_, n) => `r${n}`)
    const script = { pays: 0, steps: ['book', 'book'] } as const
    const agent = { runtime: { concurrency: 3 } }
    for (const name of ids) await records.runs.enqueue(scriptedRun(name, { ...script, name }, agent), {})
    const workers = await Promise.all([config, config, config, config].map(startWorker))
    const continued: Promise<readonly string[]>[] = []
    for (const ended of [4, 10]) {
      while ((await endedRuns(engine)) < ended) await sleep(20)
      const [held] = await untilHeld(engine, workers)
      assert.ok(held)
      held.worker.kill('SIGKILL')
      // Not awaited here: all other runs may end before it does.
      continued.push(untilOver(records, [held.run_id], 10_000))
    }
    assert.deepEqual((await Promise.all(continued)).flat(), ['completed', 'completed'])
    const statuses = await untilOver(records, ids)
    assert.ok(
      statuses.every((status) => status === 'completed'),
      statuses.join(),
    )
    // A run holds its slot from its first call to its last. A call whose answer was lost is made again.
    const made = new Map<string, Set<number>>()
    for (const line of readFileSync(log, 'utf8').trim().split('\n')) {
      const { name, n } = JSON.parse(line.slice(5)) as { name: string; n: number }
      made.set(name, (made.get(name) ?? new Set()).add(n))
      const active = [...made.values()].filter((calls) => calls.size === 1)
      assert.ok(active.length <= 3, line)
    }
    assert.equal(made.size, ids.length)
  })
})

async function endedRuns(engine: pg.Pool): Promise<number> {
  const { rows } = await engine.query(`SELECT 1 FROM waybill.progress WHERE phase = 'over'`)
  return rows.length
}

/** Waits until live workers hold runs. @returns the runs, with their workers */
async function untilHeld(
  engine: pg.Pool,
  workers: readonly ChildProcess[],
): Promise<readonly { readonly run_id: string; readonly worker: ChildProcess }[]> {
  const end = performance.now() + 10_000
  for (;;) {
    assert.ok(performance.now() < end, 'no live worker holds a run')
    const { rows } = await engine.query<{ run_id: string; holder: string }>(
      `SELECT run_id, holder FROM waybill.progress WHERE phase = 'queued' AND waybill.is_live(holder)`,
    )
    const held = rows.flatMap(({ run_id, holder }) => {
      const worker = workers.find(
        ({ pid, signalCode }) => signalCode === null && holder.startsWith(`${pid}-`),
      )
      return worker === undefined ? [] : [{ run_id, worker }]
    })
    if (held.length > 0) return held
    await sleep(5)
  }
}

describe('a leg that the queue has lost', () => {
  it('is queued again if the connection was lost when it was handed out', async (t) => {
    const { engine, records, worker, queued } = await place(t)
    await queued('r1')
    assert.equal(await recoverLost(engine), 0, 'it is queued')
    await engine.query(
      `UPDATE waybill_queue.workflow_status SET status = 'PENDING', started_at_epoch_ms = 1 WHERE status = 'ENQUEUED'`,
    )
    assert.equal(await recoverLost(engine), 1)
    assert.equal(await recoverLost(engine), 0)
    const w1 = await worker('w1')
    assert.equal(await w1.runs.openLeg('r1', 1), null, 'the lost leg begins after all')
    assert.ok(await w1.runs.openLeg('r1', 2))
    assert.equal((await records.runs.listed('r1')).phase, 'queued')
  })

  it('is queued again if its worker gave the run back without parking it', async (t) => {
    const { engine, worker, queued } = await place(t)
    await queued('r1')
    const w1 = await worker('w1')
    const held = await w1.runs.openLeg('r1', 1)
    await engine.query(`UPDATE waybill_queue.workflow_status SET status = 'SUCCESS'`)
    assert.equal(await recoverLost(engine), 0, 'it is held')
    await held?.close()
    assert.equal(await recoverLost(engine), 1)
    assert.equal(await legOf(engine, 'r1'), 2)
  })

  it('a leg that fails does not count as the death of a worker', async (t) => {
    const { engine, records, worker, queued } = await place(t)
    await queued('r1')
    const w1 = await worker('w1')
    for (let n = 1; n <= 4; n++) {
      await legFailed(engine, { org: 'a', run_id: 'r1', n }, 'a secret is missing')
      assert.equal((await records.runs.listed('r1')).phase, 'parked')
      await records.runs.wake('r1')
    }
    const held = await w1.runs.openLeg('r1', 5)
    assert.equal(held?.deaths, 0)
    await legFailed(engine, { org: 'a', run_id: 'r1', n: 5 }, 'a secret is missing')
    const { phase, why } = await records.runs.listed('r1')
    assert.deepEqual([phase, why], ['set_aside', 'a secret is missing'])
  })
})
