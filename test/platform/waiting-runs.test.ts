import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '../../src/document/json.ts'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import { freezeRun, type MoveRow } from '../../src/platform/moves/move-rows.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import { waitingCallsOf } from '../../src/session/waiting-calls.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { until } from './leg-place.ts'
import { testDatabase } from './postgres.ts'
import { type Script, scriptedRun } from './scripted-agent.ts'
import { keysBeside } from './scripted-sessions.ts'

/** How long runs are watched, in milliseconds: a run that drives itself adds ten events a second. */
const WATCHED_MS = 3000

const HOUR = 3_600_000
const ASKS = { compliance: { human_in_the_loop: { enabled: true } } }

/** What limits the runs of an organisation. */
const LIMITS = {
  none: { agent: {} },
  'one at a time': { agent: { runtime: { concurrency: 1 } } },
  'twenty at a time': { agent: { runtime: { concurrency: 20 } } },
  'a batch': { agent: {}, batch: true },
  'a budget of the organisation': {
    agent: {},
    limits: { budgets: [{ kind: 'organisation', per: 'day', tokens: 1_000_000 }] },
  },
  'a time limit and a budget of the agent': { agent: { runtime: { timeout_seconds: 600 } } },
} as const

/** What a run waits for. */
const KINDS: Readonly<
  Record<string, { readonly agent?: JsonObject; readonly script?: Script; readonly inMs?: number }>
> = {
  person: { agent: ASKS },
  'person, until a time': {
    agent: { compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 3600 } } },
  },
  delegate: { agent: ASKS, script: { pays: 0, steps: [['send']] } },
  time: { inMs: HOUR },
  pause: { agent: ASKS },
  'stop before it begins': {},
  'stop while it waits': { agent: ASKS },
}

async function place(t: TestContext) {
  const startWorker = workersOf(t)
  const { database, urls } = await testDatabase(t)
  const { engine } = database
  const folder = mkdtempSync(join(tmpdir(), 'waybill-waiting-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'log')
  const recordsOf = (org: string) =>
    openPostgresRecords(database, org, { worker: null, signAudit: keysBeside(log).signAudit })
  const stop = (org: string, run_id: string) =>
    engine.query(`INSERT INTO waybill.stops (org, id, kind, subject, by) VALUES ($1, $2, 'run', $2, 'ann')`, [
      org,
      run_id,
    ])
  /** What each run has stored, and how often it was touched. */
  const counts = async () => {
    const { rows } = await engine.query<{ org: string; run_id: string; phase: string }>(
      'SELECT org, run_id, seq, leg, wakes, epoch, phase, status, holder FROM waybill.progress ORDER BY org, run_id',
    )
    return rows
  }
  const untilQuiet = () =>
    until(async () => {
      const { rows } = await engine.query(
        `SELECT 1 FROM waybill.progress WHERE phase NOT IN ('parked', 'slot', 'held') AND org <> 'busy'`,
      )
      return rows.length === 0
    })
  return { engine, urls, log, recordsOf, stop, counts, untilQuiet, startWorker }
}

describe('a run that waits', () => {
  it('adds no event, no leg and no slot, whatever it waits for and whatever limits it, also if it is woken', async (t) => {
    const { engine, urls, log, recordsOf, stop, counts, untilQuiet, startWorker } = await place(t)
    for (const [limit, { agent: limited, ...more }] of Object.entries(LIMITS)) {
      const limits = 'limits' in more ? more.limits : {}
      await engine.query('INSERT INTO waybill.organisations (org, name, limits) VALUES ($1, $1, $2)', [
        limit,
        limits,
      ])
      for (const [kind, { agent = {}, script = { pays: 1 }, inMs }] of Object.entries(KINDS)) {
        const { header, ...run } = scriptedRun(kind, script, { ...agent, ...limited })
        const batched = 'batch' in more ? { ...header, batch: { id: 'b', key: kind, index: 0 } } : header
        if (kind === 'stop before it begins') await stop(limit, kind)
        await recordsOf(limit).runs.enqueue(
          { ...run, header: batched },
          inMs === undefined ? {} : { dueAt: Date.now() + inMs },
        )
      }
    }
    // One run has the only slot, and two wait for it.
    await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('busy', 'Busy')`)
    const busy = recordsOf('busy')
    const one = LIMITS['one at a time'].agent
    for (const id of ['holds', 'waits 1', 'waits 2'])
      await busy.runs.enqueue(scriptedRun(id, { pays: 1, ms: HOUR }, one), {})
    await startWorker({ urls, leaseMs: 5000, log })
    await until(async () => {
      const { rows } = await engine.query(
        `SELECT FROM waybill.progress WHERE org = 'busy' AND phase = 'slot'`,
      )
      return rows.length === 2
    })
    await untilQuiet()
    for (const org of Object.keys(LIMITS)) {
      await giveCommand(engine, org, 'pause', { type: 'pause' }, 'ann')
      await stop(org, 'stop while it waits')
      await recordsOf(org).runs.wake('stop while it waits')
    }
    await until(async () => {
      const { rows } = await engine.query(
        `SELECT 1 FROM waybill.progress WHERE run_id = 'pause' AND status = 'paused' AND phase = 'parked'
         UNION ALL SELECT 1 FROM waybill.stopped_runs WHERE run_id = 'stop while it waits'`,
      )
      return rows.length === 2 * Object.keys(LIMITS).length
    })
    await untilQuiet()

    const before = await counts()
    await sleep(WATCHED_MS)
    assert.deepEqual(await counts(), before)

    // A leg that finds nothing new changes nothing.
    for (const { org, run_id, phase } of before)
      if (phase === 'parked' && run_id !== 'time') await recordsOf(org).runs.wake(run_id)
    await untilQuiet()
    const recorded = (rows: readonly object[]) =>
      rows.map((row) => ({ ...row, leg: 0, wakes: 0, epoch: 0, holder: '' }))
    assert.deepEqual(recorded(await counts()), recorded(before))
    const slots = await engine.query(`SELECT org, run_id FROM waybill.slots WHERE org <> 'busy'`)
    assert.deepEqual(slots.rows, [])

    for (const org of Object.keys(LIMITS)) {
      // It is out of the hands of all workers, so it can be moved.
      const move = { jti: 'j', run_id: 'delegate', pull: false } as MoveRow
      assert.equal(await inOrganisation(engine, org, (sql) => freezeRun(sql, org, move, false)), true, org)
      // What it waited for continues it.
      const records = recordsOf(org)
      const run = await records.runs.read('person')
      const [waiting] = await waitingCallsOf(records, run)
      assert.ok(waiting)
      await leaveDecision(records, 'person', waiting.call.id, { verdict: 'approve', by: 'ann' })
    }
    for (const org of Object.keys(LIMITS))
      assert.deepEqual(await untilOver(recordsOf(org), ['person']), ['completed'], org)
  })
})
