import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { begunRuns } from './begun-runs.ts'
import { workersOf } from './engine-fixture.ts'
import { testDatabase } from './postgres.ts'
import { type Script, scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')

async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls } = await testDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-sessions-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
  await database.engine.query(
    `INSERT INTO waybill.agents (org, agent_id, name) VALUES ('a', 'clerk', 'Clerk')`,
  )
  const records = openPostgresRecords(database, 'a', { worker: null, signAudit: () => privateKey })
  const sessions = new TenantSessions({
    database,
    principal: { organisation: 'a', user: 'ann', roles: ['admin'] },
    notify: () => {},
    runs: begunRuns(async (_agent, { input, session }, runId, also) => {
      const { header, ...run } = scriptedRun(runId, input as unknown as Script)
      const inSession = session === undefined ? header : { ...header, session }
      await records.runs.enqueue({ ...run, header: inSession }, {}, also)
    }),
  })
  const { session } = await sessions.create({ agent_id: 'clerk' })
  const settled = async () => {
    for (let looked = 0; looked < 200; looked++) {
      const view = await sessions.read(session)
      if (view.queued === 0 && view.status === 'completed') return view
      await sleep(50)
    }
    return sessions.read(session)
  }
  const state = async () => (await records.runs.read((await sessions.read(session)).run_id ?? '')).state
  const config = { urls, leaseMs: 1000, log: join(folder, 'log') }
  return { sessions, session, settled, state, config, startWorker, database }
}

const SCRIPT = { pays: 0 }

describe('sessions on the durable engine', () => {
  test('messages during a turn, and after it, become turns in their order', async (t) => {
    const { sessions, session, settled, state, config, startWorker } = await place(t)
    await startWorker({ ...config, modelMs: 200 })
    await sessions.send(session, { input: SCRIPT })
    await sessions.send(session, { input: 'two' })
    await sessions.send(session, { input: 'three' })
    assert.equal((await settled()).status, 'completed')
    assert.equal((await state()).turn, 3)
    await sessions.send(session, { input: 'four' })
    assert.equal((await settled()).queued, 0)
    const users = (await state()).messages.toArray().filter(({ role }) => role === 'user')
    assert.deepEqual(
      users.map((message) => message.role === 'user' && message.text),
      [JSON.stringify(SCRIPT), 'two', 'three', 'four'],
    )
  })

  test('an interruption stops a turn that another process drives', async (t) => {
    const { sessions, session, settled, state, config, startWorker } = await place(t)
    await startWorker({ ...config, modelMs: 1500 })
    await sessions.send(session, { input: SCRIPT })
    for (let n = 0; n < 300 && (await state()).attempt === null; n++) await sleep(20)
    await sessions.send(session, { input: 'two', on_busy: 'interrupt' })
    assert.equal((await settled()).status, 'completed')
    const { turn, messages } = await state()
    assert.equal(turn, 2)
    assert.ok(messages.some((message) => message.role === 'user' && message.others === true))
  })

  test('messages of a killed worker are neither lost nor repeated', async (t) => {
    const { sessions, session, settled, state, config, startWorker } = await place(t)
    const first = await startWorker({ ...config, modelMs: 300 })
    await sessions.send(session, { input: SCRIPT })
    for (const input of ['two', 'three', 'four']) await sessions.send(session, { input })
    for (let n = 0; n < 500 && (await state()).turn < 2; n++) await sleep(10)
    first.kill('SIGKILL')
    await startWorker(config)
    assert.equal((await settled()).queued, 0)
    const users = (await state()).messages.toArray().filter(({ role }) => role === 'user')
    assert.equal(users.length, 4)
  })
})
