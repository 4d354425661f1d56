import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import type pg from 'pg'
import { advanceVirtualTime, lookForWork, wakeDue } from '../../src/platform/engine/reconcile.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import type { Schedule } from '../../src/platform/records/run-records.ts'
import { testDatabase } from './postgres.ts'
import { scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')

async function place(t: TestContext) {
  const { database } = await testDatabase(t)
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
  const submit = async (org: string, ids: readonly string[], schedule: Schedule = {}) => {
    const { runs } = openPostgresRecords(database, org, { worker: null, signAudit: () => privateKey })
    const left = [...ids]
    const lanes = Array.from({ length: 4 }, async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift())
        await runs.enqueue(scriptedRun(id, { pays: 1 }), schedule)
    })
    await Promise.all(lanes)
  }
  return { engine: database.engine, submit }
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)

/** Returns the runs in the order in which the queue hands out their legs. */
async function order(engine: pg.Pool): Promise<readonly string[]> {
  const { rows } = await engine.query<{ workflow_uuid: string }>(
    `SELECT workflow_uuid FROM waybill_queue.workflow_status WHERE status = 'ENQUEUED' ORDER BY priority, created_at`,
  )
  return rows.map(({ workflow_uuid }) => workflow_uuid.replace(/#.*/, ''))
}

/** Hands out legs like the queue. */
async function handOut(engine: pg.Pool, count: number): Promise<void> {
  await engine.query(
    `UPDATE waybill_queue.workflow_status SET status = 'SUCCESS' WHERE workflow_uuid IN (
       SELECT workflow_uuid FROM waybill_queue.workflow_status WHERE status = 'ENQUEUED'
       ORDER BY priority, created_at LIMIT $1)`,
    [count],
  )
}

describe('the order of legs', () => {
  it('2,000 queued runs of an organisation delay the single run of another one by at most one leg', async (t) => {
    const { engine, submit } = await place(t)
    await submit('a', many(2000))
    await submit('b', ['single'])
    assert.ok((await order(engine)).indexOf('b/single') <= 1)
  })

  it('also when the other one arrives after half of them were handed out', async (t) => {
    const { engine, submit } = await place(t)
    await submit('a', many(200))
    await handOut(engine, 100)
    await advanceVirtualTime(engine)
    await submit('b', ['single'])
    assert.ok((await order(engine)).indexOf('b/single') <= 2)
  })

  it('an organisation that was idle gets no credit: its runs alternate with those of the other one', async (t) => {
    const { engine, submit } = await place(t)
    await submit('a', many(60))
    await handOut(engine, 30)
    await advanceVirtualTime(engine)
    await submit('b', many(20))
    const first = (await order(engine)).slice(0, 20)
    const ofB = first.filter((id) => id.startsWith('b/')).length
    assert.ok(ofB >= 9 && ofB <= 11, `${ofB} of 20`)
  })

  it('a run with a high priority precedes earlier ones of its organisation, and one with a low priority follows', async (t) => {
    const { engine, submit } = await place(t)
    await submit('a', ['low'], { priority: -2 })
    await submit('a', many(20))
    await submit('a', ['h1', 'h2', 'h3'], { priority: 2 })
    const all = await order(engine)
    assert.ok(all.indexOf('a/h3') <= 5, all.join())
  })

  it('an organisation with 25 legs has its further ones in the queue for many, and others do not', async (t) => {
    const { engine, submit } = await place(t)
    await submit('a', many(26))
    await submit('a', ['named'], { queue: 'slow' })
    await submit('b', ['single'])
    const { rows } = await engine.query(
      `SELECT queue_name AS queue, count(*)::int AS n, max(workflow_uuid) AS last FROM waybill_queue.workflow_status
       WHERE status = 'ENQUEUED' GROUP BY 1 ORDER BY 1`,
    )
    assert.deepEqual(rows, [
      { queue: 'default', n: 26, last: 'b/single#1' },
      { queue: 'many default', n: 1, last: rows[1]?.last },
      { queue: 'many slow', n: 1, last: 'a/named#1' },
    ])
    const { queues } = await lookForWork(engine)
    assert.deepEqual([...queues].sort(), ['default', 'many default', 'many slow'])
  })

  it('a run is not queued before the moment at which it may start', async (t) => {
    const { engine, submit } = await place(t)
    await submit('a', ['later'], { dueAt: Date.now() + 3_600_000 })
    assert.equal(await wakeDue(engine), 0)
    assert.deepEqual(await order(engine), [])
    await engine.query('UPDATE waybill.progress SET due_at = 1')
    assert.equal(await wakeDue(engine), 1)
    assert.equal(await wakeDue(engine), 0)
    assert.deepEqual(await order(engine), ['a/later'])
  })
})
