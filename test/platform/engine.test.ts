import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { testDatabase } from './postgres.ts'
import { scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')

async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls } = await testDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-engine-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
  const records = openPostgresRecords(database, 'a', { worker: null, signAudit: () => privateKey })
  const config = { urls, leaseMs: 1000, log: join(folder, 'log') }
  const paid = () => {
    try {
      return readFileSync(config.log, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  return { database, records, config, paid, startWorker }
}

describe('the durable engine', () => {
  it('a run that is queued while its worker is idle is driven to its end', async (t) => {
    const { database, records, config, paid, startWorker } = await place(t)
    await startWorker(config)
    // Its polls of the queue are held now.
    const isIdle = async () =>
      (await database.engine.query('SELECT 1 FROM waybill.workers WHERE idle')).rowCount === 1
    while (!(await isIdle())) await sleep(50)
    await records.runs.enqueue(scriptedRun('r1', { pays: 3 }), {})
    assert.deepEqual(await untilOver(records, ['r1']), ['completed'])
    assert.equal(paid().length, 3)
    const { state } = await records.runs.read('r1')
    assert.equal(state.end?.output, 'paid 3')
  })

  it('queuing a leg notifies workers that are idle, and no others', async (t) => {
    const { database, records } = await place(t)
    const listener = await database.engine.connect()
    let notified = 0
    listener.on('notification', () => notified++)
    try {
      await listener.query('LISTEN waybill_legs')
      const insert =
        'INSERT INTO waybill.workers (worker, until, queues, idle) VALUES ($1, now() + $2, $3, $4)'
      await database.engine.query(insert, ['busy', '1 hour', [], false])
      await database.engine.query(insert, ['dead', '-1 hour', [], true])
      await records.runs.enqueue(scriptedRun('r1', { pays: 1 }), {})
      // A notification precedes the answer to a statement that follows it.
      await listener.query('SELECT 1')
      assert.equal(notified, 0)
      await database.engine.query(insert, ['idle', '1 hour', [], true])
      await records.runs.enqueue(scriptedRun('r2', { pays: 1 }), {})
      while (notified === 0) await listener.query('SELECT pg_sleep(0.02)')
    } finally {
      listener.release(true)
    }
  })

  it('the run of a killed worker continues elsewhere, and no call is sent twice', async (t) => {
    const { records, config, paid, startWorker } = await place(t)
    const first = await startWorker({ ...config, modelMs: 300 })
    await records.runs.enqueue(scriptedRun('r1', { pays: 5 }), {})
    // A call that is in flight when its worker dies would become a question to a person.
    const answers = async () =>
      (await records.runs.events('r1')).filter(({ fact }) => fact.type === 'call.answered').length
    while ((await answers()) < 2) await sleep(20)
    first.kill('SIGKILL')
    // On a busy machine the start of a process takes longer than a takeover.
    await startWorker(config)
    const readyAt = performance.now()
    const outcome = await untilOver(records, ['r1'], 10_000)
    assert.ok(performance.now() - readyAt < 10_000)
    assert.deepEqual(outcome, ['completed'])
    assert.deepEqual(
      paid(),
      [1, 2, 3, 4, 5].map((n) => `send {"n":${n}}`),
    )
  })

  it('long legs of one organisation do not take all places of a worker', async (t) => {
    const { database, records, config, startWorker } = await place(t)
    const { engine } = database
    const long = Array.from({ length: 60 }, (_, n) => `long-${n}`)
    await Promise.all(long.map((id) => records.runs.enqueue(scriptedRun(id, { pays: 1, ms: 600_000 }), {})))
    await startWorker({ ...config, concurrency: 30 })
    // 25 legs of an organisation have places of their own, and 30 more are driven in the others.
    const driven = async () => {
      const { rows } = await engine.query(
        `SELECT count(*)::int AS n FROM waybill.progress WHERE org = 'a' AND holder IS NOT NULL`,
      )
      return rows[0]?.n
    }
    while ((await driven()) !== 55) await sleep(50)
    const others = openPostgresRecords(database, 'b', { worker: null, signAudit: () => privateKey })
    await others.runs.enqueue(scriptedRun('single', { pays: 1 }), {})
    assert.deepEqual(await untilOver(others, ['single'], 20_000), ['completed'])
    const phases = await Promise.all(long.map(async (id) => (await records.runs.listed(id)).phase))
    assert.deepEqual([...new Set(phases)], ['queued'])
  })

  it('a run that kills its worker three times is set aside with the reason', async (t) => {
    const { records, config, startWorker } = await place(t)
    await records.runs.enqueue(scriptedRun('r1', { pays: 1, kills: 1 }), {})
    for (let n = 0; n < 4; n++) {
      const worker = await startWorker({ ...config, leaseMs: 400 })
      for (let waited = 0; waited < 100 && worker.exitCode === null && worker.signalCode === null; waited++) {
        if ((await records.runs.listed('r1')).phase === 'set_aside') break
        await sleep(50)
      }
    }
    const { phase, why } = await records.runs.listed('r1')
    assert.equal(phase, 'set_aside')
    assert.match(why ?? '', /3 workers/)
  })
})
