import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { assertNotStopped, stopsOf } from '../../src/platform/stops/stops.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { until } from './leg-place.ts'
import { testDatabase } from './postgres.ts'
import { type Script, scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')

async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls } = await testDatabase(t)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-stops-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
  const recordsOf = (org: string) =>
    openPostgresRecords(database, org, { worker: null, signAudit: () => privateKey })
  const stopsIn = (org: string) =>
    stopsOf({
      app: database.app,
      org,
      principal: { organisation: org, user: 'ann', roles: ['operator'] },
      audited: async () => {},
      records: recordsOf(org),
      notify: () => {},
    })
  const records = recordsOf('a')
  const config = { urls, leaseMs: 1000, log: join(folder, 'log') }
  const calls = () => {
    try {
      return readFileSync(config.log, 'utf8').trim().split('\n')
    } catch {
      return []
    }
  }
  const enqueue = async (run_id: string, script: Script, user?: string) => {
    const run = scriptedRun(run_id, { ...script, name: run_id })
    await records.runs.enqueue(user === undefined ? run : { ...run, header: { ...run.header, user } }, {})
  }
  const callsOf = (run_id: string) => calls().filter((line) => line.includes(`"${run_id}`)).length
  const phaseOf = async (run_id: string) => (await records.runs.listed(run_id)).phase
  const start = () => startWorker({ ...config, modelMs: 20 })
  return { database, records, stops: stopsIn('a'), stopsIn, calls, callsOf, enqueue, phaseOf, start }
}

const whole = (id: string, count: number) =>
  Array.from({ length: count }, (_, n) => `send {"n":${n + 1},"name":"${id}"}`)

describe('the stop switch', () => {
  it('stops all sending of two workers within a second, lists what was in flight, and loses nothing', async (t) => {
    const { stops, records, calls, enqueue, start } = await place(t)
    await Promise.all([start(), start()])
    const ids = Array.from({ length: 12 }, (_, n) => `r${n}`)
    // The last run is in the middle of a call that takes long.
    await enqueue('r11', { pays: 30, ms: 2_500 })
    await until(async () =>
      (await records.runs.read('r11')).state.calls.some(({ status }) => status === 'sent'),
    )
    await Promise.all(ids.slice(0, 11).map((id) => enqueue(id, { pays: 30 })))
    // Each has begun, and none has ended.
    const begun = () => ids.slice(0, 11).every((one) => calls().some((line) => line.includes(`"${one}"`)))
    while (calls().length < 40 || !begun()) await sleep(10)
    const { id, in_flight, runs } = await stops.stop({ organisation: 'a', reason: 'a wrong price' })
    assert.equal(runs, 12)
    const [slow] = in_flight.filter(({ run_id }) => run_id === 'r11')
    assert.deepEqual(slow, { run_id: 'r11', call_id: slow?.call_id, tool: 'send', effect: 'once' })
    await sleep(1_000)
    const sent = calls().length
    await sleep(1_000)
    assert.equal(calls().length, sent)
    await until(async () =>
      (await Promise.all(ids.map((one) => records.runs.listed(one)))).every(
        ({ phase }) => phase === 'parked',
      ),
    )
    const { why, status } = await records.runs.listed('r0')
    assert.deepEqual([why, status], ['stopped by ann', 'paused'])
    assert.equal((await stops.list()).items[0]?.reason, 'a wrong price')
    assert.deepEqual(await stops.lift(id), { runs: 12 })
    await until(async () => calls().length > sent + 12)
    const cut = await stops.stop({ run: 'r11' })
    assert.deepEqual([cut.kind, cut.subject], ['run', 'r11'])
    assert.deepEqual(
      await untilOver(records, ids.slice(0, 11)),
      ids.slice(0, 11).map(() => 'completed'),
    )
    for (const one of ids.slice(0, 11))
      assert.deepEqual(
        calls().filter((line) => line.includes(`"${one}"`)),
        whole(one, 30),
      )
  })

  it('covers the runs of a user, of an agent with its callers, or one run, and no others', async (t) => {
    const { database, stops, records, enqueue, callsOf, start, phaseOf } = await place(t)
    await start()
    const table = [
      ['user', 'bob', { user: 'bob' }, { pays: 200 }],
      ['agent', 'helper', {}, { pays: 0, steps: Array(60).fill(['send']) }],
      ['run', 'run-1', {}, { pays: 200 }],
    ] as const
    await enqueue('free', { pays: 60 }, 'carl')
    for (const [kind, , { user }, script] of table as never as [string, string, { user?: string }, Script][])
      await enqueue(`${kind}-1`, script, user)
    for (const [kind, subject] of table) {
      await until(async () => callsOf(`${kind}-1`) > 0)
      // The sub-agent of the tests has the id of its caller.
      if (kind === 'agent')
        await database.engine.query(`UPDATE waybill.runs SET agent_id = 'helper' WHERE root = 'agent-1'`)
      await stops.stop({ [kind]: subject })
      await until(async () => (await phaseOf(`${kind}-1`)) === 'parked')
    }
    assert.equal((await stops.list()).items.length, 3)
    const sent = table.map(([kind]) => callsOf(`${kind}-1`))
    assert.deepEqual(await untilOver(records, ['free']), ['completed'])
    assert.deepEqual(
      table.map(([kind]) => callsOf(`${kind}-1`)),
      sent,
    )
  })

  it('a run that was queued does not begin, one that is cancelled ends, and one that a person has paused stays paused', async (t) => {
    const { stops, records, database, enqueue, calls, phaseOf, start } = await place(t)
    const { id } = await stops.stop({ organisation: 'a' })
    for (const one of ['begins', 'ends', 'stays']) await enqueue(one, { pays: 1 })
    const command = (one: string, type: 'cancel' | 'pause') =>
      inOrganisation(database.app, 'a', (sql) => giveCommand(sql, 'a', one, { type }, 'bob'))
    await command('ends', 'cancel')
    await start()
    await until(async () => (await phaseOf('begins')) === 'parked' && (await phaseOf('ends')) === 'over')
    assert.equal((await records.runs.listed('ends')).status, 'cancelled')
    assert.equal((await records.runs.listed('begins')).seq, 0)
    assert.deepEqual(calls(), [])
    await until(async () => (await phaseOf('stays')) === 'parked')
    await command('stays', 'pause')
    assert.deepEqual(await stops.lift(id), { runs: 2 })
    assert.deepEqual(await untilOver(records, ['begins']), ['completed'])
    await until(async () => (await records.runs.listed('stays')).status === 'paused')
    assert.deepEqual(calls(), ['send {"n":1,"name":"begins"}'])
  })

  it('of two stops the second holds a run after the first was lifted', async (t) => {
    const { stops, records, enqueue, callsOf, phaseOf, start } = await place(t)
    await start()
    await enqueue('r1', { pays: 40 }, 'bob')
    await until(async () => callsOf('r1') > 2)
    const first = await stops.stop({ organisation: 'a' })
    await until(async () => (await phaseOf('r1')) === 'parked')
    const second = await stops.stop({ user: 'bob' })
    const sent = callsOf('r1')
    assert.deepEqual(await stops.lift(first.id), { runs: 1 })
    await until(async () => (await records.runs.listed('r1')).leg > 1 && (await phaseOf('r1')) === 'parked')
    assert.equal(callsOf('r1'), sent)
    assert.deepEqual(await stops.lift(second.id), { runs: 1 })
    assert.deepEqual(await untilOver(records, ['r1']), ['completed'])
    assert.equal(callsOf('r1'), 40)
  })

  it('refuses new runs and resumed ones of what it covers, and belongs to its organisation', async (t) => {
    const { database, stops, stopsIn, enqueue } = await place(t)
    await enqueue('r1', { pays: 1 }, 'bob')
    const refused = (org: string, run: Parameters<typeof assertNotStopped>[2]) =>
      inOrganisation(database.app, org, (sql) => assertNotStopped(sql, org, run)).then(
        () => null,
        (error) => error.code,
      )
    const { id } = await stops.stop({ user: 'bob' })
    assert.equal(await refused('a', { agent_id: 'x', user: 'bob' }), 'RUNS_STOPPED')
    assert.equal(await refused('a', { run_id: 'r1' }), 'RUNS_STOPPED')
    assert.equal(await refused('a', { agent_id: 'x', user: 'carl' }), null)
    assert.equal(await refused('b', { agent_id: 'x', user: 'bob' }), null)
    await assert.rejects(stopsIn('b').lift(id), { code: 'STOP_NOT_FOUND' })
    await assert.rejects(stopsIn('b').stop({ run: 'r1' }), { code: 'RUN_NOT_FOUND' })
    await assert.rejects(stops.stop({ organisation: 'b' }), { code: 'ORGANISATION_NOT_FOUND' })
    for (const wrong of [{}, { run: 'r1', user: 'bob' }])
      await assert.rejects(stops.stop(wrong), { code: 'REQUEST_INVALID' })
    await stops.lift(id)
    await assert.rejects(stops.lift(id), { code: 'STOP_NOT_FOUND' })
    assert.equal(await refused('a', { run_id: 'r1' }), null)
  })
})
