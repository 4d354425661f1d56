import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import { readLogPosition } from '../../src/platform/database/read-log-position.ts'
import { type CopySigns, noticeCopiedDatabase } from '../../src/platform/records/notice-copy.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { onServer, rowsOf, testDatabase } from './postgres.ts'
import { scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const nextEntry = entryMaker(() => privateKey)

async function filled(t: TestContext) {
  const place = await testDatabase(t)
  await onServer(
    place.ownerUrl,
    `INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A');
     INSERT INTO waybill.workers (worker, until, queues) VALUES ('w', now() + interval '1 h', '{}')`,
  )
  const { runs, audit } = openPostgresRecords(place.database, 'a', {
    worker: null,
    signAudit: () => privateKey,
  })
  for (const id of ['active', 'over']) await runs.enqueue(scriptedRun(id, { pays: 1 }), {})
  await onServer(place.ownerUrl, `UPDATE waybill.progress SET phase = 'over' WHERE run_id = 'over'`)
  const held = openPostgresRecords(place.database, 'a', { worker: 'w', signAudit: () => privateKey })
  t.after(() => held.abandon())
  const notice = (signs: Partial<CopySigns> = {}) =>
    noticeCopiedDatabase(place.database.engine, { nextEntry, ...signs })
  const marked = async () =>
    (await rowsOf(place.ownerUrl, 'SELECT run_id FROM waybill.copied_runs')).map(({ run_id }) => run_id)
  return { ...place, notice, marked, audit, open: () => held.runs.open('active') }
}

describe('a database that may be a copy', () => {
  it('is not noticed at its first starts, in its own folder, and with a stamp that it has reached', async (t) => {
    const { notice, marked, database } = await filled(t)
    const { position } = await readLogPosition(database.engine)
    const stamps = { highest: () => position, begin: () => assert.fail('no new id') }
    for (const signs of [{}, { place: '1 2' }, { place: '1 2' }, { place: '1 2', stamps }])
      assert.equal(await notice(signs), null)
    assert.deepEqual(await marked(), [])
  })

  it('is one in another folder: its generation rises once, and its active runs are marked', async (t) => {
    const { notice, marked, audit, open } = await filled(t)
    await notice({ place: '1 2' })
    const both = await Promise.all([notice({ place: '1 3' }), notice({ place: '1 3' })])
    assert.deepEqual(
      both.filter((one) => one !== null),
      [{ generation: 2, runs: 1 }],
    )
    assert.deepEqual(await marked(), ['active'])
    const entries = (await audit.lines()).map((line) => JSON.parse(line).fact)
    assert.deepEqual(
      entries.map(({ kind, generation }) => [kind, generation]),
      [['platform.copied', 2]],
    )
    const run = await open()
    assert.deepEqual(run.copied, { generation: 2 })
  })

  it('is one if its log is behind a stamp, and gets a new id', async (t) => {
    const { notice, database } = await filled(t)
    await notice()
    const { id, position } = await readLogPosition(database.engine)
    const begun: unknown[] = []
    const stamps = {
      highest: (of: string) => (of === id ? position + 1e9 : 0),
      begin: (...ids: unknown[]) => void begun.push(ids),
    }
    assert.equal((await notice({ stamps }))?.generation, 2)
    const next = await readLogPosition(database.engine)
    assert.notEqual(next.id, id)
    assert.deepEqual(begun, [[next.id, id]])
    assert.equal(await notice({ stamps }), null)
  })

  it('on another timeline or server, drives nothing before its generation has risen', async (t) => {
    for (const change of [`timeline = '0000000F'`, `system = '1'`]) {
      const { notice, open, ownerUrl } = await filled(t)
      await notice()
      await onServer(ownerUrl, `UPDATE waybill.installation SET ${change}`)
      await assert.rejects(open(), { code: 'RUN_LOCKED' })
      assert.equal((await notice())?.generation, 2)
      assert.deepEqual((await open()).copied, { generation: 2 })
    }
  })

  it('with lossless fail-over, another timeline is not a copy, and another server is', async (t) => {
    const { notice, ownerUrl, open } = await filled(t)
    await notice({ lossless: true })
    await onServer(ownerUrl, `UPDATE waybill.installation SET timeline = '0000000F'`)
    assert.equal(await notice({ lossless: true }), null)
    assert.equal((await open()).copied, undefined)
    await onServer(ownerUrl, `UPDATE waybill.installation SET system = '1'`)
    assert.equal((await notice({ lossless: true }))?.generation, 2)
  })
})
