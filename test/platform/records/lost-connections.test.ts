import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GroupCommit } from '../../../src/platform/records/group-commit.ts'
import {
  Driven,
  drive,
  fact,
  newRun,
  refused,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { verifyAudit } from '../../../src/trust/verify-audit-chain.ts'
import { testDatabase } from '../postgres.ts'
import { cutConnections } from './cut-connections.ts'
import { addOrganisations, addWorker, asWorker, auditKeys } from './organisation.ts'

/** The names of the prepared statements, as they are sent. */
const APPEND = '\0append\0'
const APPEND_ONE = '\0append-one\0'

async function place(t: TestContext, patienceMs?: number) {
  const opened: { close(): Promise<void> }[] = []
  // Before the database is removed, which is registered next.
  t.after(async () => {
    for (const one of opened) await one.close()
  })
  const { database, urls } = await testDatabase(t)
  await addOrganisations(database, 'a')
  const worker = await addWorker(database)
  const ways = await cutConnections(urls)
  opened.push(ways)
  const group = new GroupCommit(ways.database.engine, patienceMs === undefined ? {} : { patienceMs })
  const records = asWorker(t, ways.database, 'a', worker, group)
  const observer = asWorker(t, database, 'a', worker)
  return { database, ways, group, records, observer, worker }
}

describe('records whose connection is lost', () => {
  it('an append whose answer is lost is stored once, and succeeds', async (t) => {
    const { ways, records, observer } = await place(t)
    const run = await drive(records, newRun('r1'))
    await run.append(started('r1'))
    for (const [lost, options] of [
      [APPEND_ONE, { durable: true }],
      [APPEND_ONE, { durable: false }],
      [APPEND, { durable: true, sealed: ['s'] }],
      ['COMMIT', { durable: true, audit: [fact('sent')] }],
    ] as const) {
      const before = ways.cuts
      ways.loseAnswerTo(lost)
      await run.tick(1, options)
      assert.equal(ways.cuts, before + 1)
    }
    const seqs = (await observer.runs.events('r1')).map(({ seq }) => seq)
    assert.deepEqual(seqs, [1, 2, 3, 4, 5])
    assert.deepEqual(await observer.runs.sealed('r1'), ['s'])
    assert.equal((await observer.audit.lines()).length, 1)
  })

  it('an append that lost its answer is refused if another worker has taken over since', async (t) => {
    const { ways, records, observer, database, worker } = await place(t)
    const run = await drive(records, newRun('r1'))
    await run.append(started('r1'))
    ways.loseAnswerTo(APPEND_ONE)
    const appended = run.tick(1, { durable: true })
    appended.catch(() => {})
    for (let n = 0; n < 1000 && ways.cuts === 0; n++) await sleep(5)
    ways.refuse()
    await addWorker(database, worker, -1)
    const other = asWorker(t, database, 'a', await addWorker(database))
    const now = await drive(other, 'r1')
    await now.tick()
    ways.accept()
    await refused('RUN_TAKEN_OVER', () => appended)
    assert.equal((await observer.runs.events('r1')).length, 3)
  })

  it('a write whose commit is lost happens once', async (t) => {
    const { ways, records, observer } = await place(t)
    for (const act of [
      () => records.runs.create(newRun('r1'), { durable: true }),
      () => records.audit.append([fact('one')]),
      () =>
        records.grants.give(
          { id: 'g', kind: 'host', what: 'h', by: 'x', at: '2026-03-01T08:00:00.000Z', uses_left: 3 },
          [],
        ),
      () => records.grants.spend('g', 0),
      async () => (await records.runs.open('r2')).close(),
    ]) {
      if (act.toString().includes('open')) await (await observer.runs.create(newRun('r2'))).close()
      const before = ways.cuts
      ways.loseAnswerTo('COMMIT')
      await act()
      assert.equal(ways.cuts, before + 1, act.toString())
    }
    assert.equal((await observer.audit.lines()).length, 1)
    assert.equal((await observer.grants.list())[0]?.uses_left, 2)
    assert.equal((await observer.runs.open('r2')).epoch, 3)
  })

  it('runs continue after an outage, and none is ended by it', async (t) => {
    const { ways, records, observer } = await place(t)
    const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => drive(records, newRun(`r${n}`))))
    const driven = runs.map(async (run, n) => {
      await run.append(started(`r${n}`))
      for (let tick = 0; tick < 30; tick++)
        await run.tick(1, { durable: tick % 2 === 0, ...(n % 5 === 0 && { audit: [fact(`r${n}`, tick)] }) })
    })
    for (let outage = 0; outage < 3; outage++) {
      await sleep(30)
      ways.refuse()
      await sleep(150)
      ways.accept()
    }
    await Promise.all(driven)
    assert.ok(ways.cuts >= 3)
    for (const n of runs.keys()) assert.equal((await observer.runs.events(`r${n}`)).length, 31)
    const lines = await observer.audit.lines()
    assert.equal(lines.length, 4 * 30)
    const head = await observer.audit.head()
    assert.deepEqual(verifyAudit(`${lines.join('\n')}\n`, auditKeys, head ?? undefined).problems, [])
  })

  it('after the patience of a process, an outage has a code, a hint and no password', async (t) => {
    const { ways, records } = await place(t, 300)
    const run = await drive(records, newRun('r1'))
    ways.refuse()
    const { password } = new URL(ways.database.urls.engine)
    const error = await refused('DATABASE_UNREACHABLE', () => run.append(started('r1')))
    const { details } = error as Error & { readonly details: { readonly hint: string } }
    assert.match(details.hint, /PostgreSQL/)
    assert.equal(JSON.stringify([error.message, details]).includes(password), false)
    ways.accept()
    await new Driven(run.run).append(started('r1'))
  })

  it('ending the connections of the server does not end a run', async (t) => {
    const { database, records, observer } = await place(t)
    const run = await drive(records, newRun('r1'))
    await run.append(started('r1'))
    for (let n = 0; n < 10; n++) {
      const appended = run.tick(1, { durable: true })
      await database.engine.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE usename = current_user AND datname = current_database() AND pid <> pg_backend_pid()`,
      )
      await appended
    }
    assert.equal((await observer.runs.events('r1')).length, 11)
  })
})
