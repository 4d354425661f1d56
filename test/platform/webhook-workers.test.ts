import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { WEBHOOK_EVENTS } from '../../src/platform/webhooks/webhook.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { testDatabase } from './postgres.ts'
import { scriptedRun } from './scripted-agent.ts'
import { keysBeside } from './scripted-sessions.ts'
import { receiver, until } from './webhooks-fixture.ts'

describe('webhooks of the durable engine', () => {
  it('a message that its worker was sending when it was killed is sent by another, with the same id', async (t) => {
    const startWorker = workersOf(t)
    const { database, urls } = await testDatabase(t)
    const folder = mkdtempSync(join(tmpdir(), 'waybill-webhooks-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const { url, host, messages, behaves } = await receiver(t)
    const log = join(folder, 'log')
    const { messages: keys, signAudit } = keysBeside(log)
    await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
    await database.engine.query(
      `INSERT INTO waybill.webhooks (org, id, url, receiver, events, runs, signature, salt, key, created_by)
       VALUES ('a', 'w', $1, $1, $2, 'all', 'v1', 'salt', $3, 'ann')`,
      [`${url}/`, WEBHOOK_EVENTS, keys.current()],
    )
    const records = openPostgresRecords(database, 'a', { worker: null, signAudit })
    const config = { urls, leaseMs: 1000, log, webhookHosts: [host], webhookTimeoutMs: 1000 }
    behaves.set('/', () => {})
    const first = await startWorker(config)
    await records.runs.enqueue(scriptedRun('r1', { pays: 1 }), {})
    await until(() => messages.length === 1, 'the first attempt')
    first.kill('SIGKILL')
    behaves.delete('/')
    await startWorker(config)
    assert.deepEqual(await untilOver(records, ['r1']), ['completed'])
    await until(() => messages.length >= 2, 'the second attempt')
    const [lost, repeated] = messages
    assert.deepEqual([repeated?.id, repeated?.body], [lost?.id, lost?.body])
    assert.equal(JSON.parse(repeated?.body ?? '').type, 'run.ended')
    const state = async () =>
      (await database.engine.query('SELECT state, attempts FROM waybill.deliveries')).rows
    await until(async () => (await state())[0]?.state === 'delivered', 'the record of the delivery')
    // On a slow machine the second attempt may time out as well.
    const [{ attempts }] = await state()
    assert.ok(attempts >= 2, `${attempts} attempts`)
  })
})
