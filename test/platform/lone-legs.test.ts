import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import { LoneLegs } from '../../src/platform/engine/lone-legs.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { testDatabase } from './postgres.ts'
import { asWorker } from './records/organisation.ts'
import { scriptedRun } from './scripted-agent.ts'
import { keysBeside, scriptedDriving } from './scripted-sessions.ts'

/** A queued run `r1`, and a process without a worker that cancels it. */
async function place(t: TestContext) {
  const { database } = await testDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-lone-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'log')
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
  const records = openPostgresRecords(database, 'a', { worker: null, signAudit: keysBeside(log).signAudit })
  await records.runs.enqueue(scriptedRun('r1', { pays: 1 }), {})
  const lone = new LoneLegs({ ...scriptedDriving(database, { log }), database, log: () => {} })
  t.after(() => lone.close())
  return {
    database,
    /** Cancels the run, and waits until this takes effect. */
    async cancel(): Promise<void> {
      await giveCommand(database.engine, 'a', 'r1', { type: 'cancel' }, 'ann')
      lone.performIfAlone('a', 'r1')
      const end = performance.now() + 10_000
      while ((await records.runs.listed('r1')).status !== 'cancelled') {
        assert.ok(performance.now() < end, 'the run is not cancelled')
        await sleep(20)
      }
    },
    async lease(worker: string, ms: number, about: object): Promise<void> {
      await database.engine.query(
        `INSERT INTO waybill.workers (worker, until, queues, about)
         VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond', '{}', $3)`,
        [worker, ms, JSON.stringify(about)],
      )
    },
  }
}

describe('a cancel without a live worker', () => {
  it('takes effect while another process performs a single leg', async (t) => {
    const { lease, cancel } = await place(t)
    await lease('a request', 60_000, {})
    await cancel()
  })

  it('takes effect when the lease of a killed worker has lapsed', async (t) => {
    const { database, lease, cancel } = await place(t)
    await lease('w1', 600, { executor: 'e1' })
    await asWorker(t, database, 'a', 'w1').runs.openLeg('r1', 1)
    await cancel()
  })
})
