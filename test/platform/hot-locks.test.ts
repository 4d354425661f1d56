import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { appendAudit } from '../../src/platform/records/audit-chain-rows.ts'
import { RunCommands } from '../../src/platform/runs/run-commands.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { stopsOf } from '../../src/platform/stops/stops.ts'
import { recordAttempt } from '../../src/platform/webhooks/deliveries.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { begunRuns } from './begun-runs.ts'
import { legPlace } from './leg-place.ts'
import { type Script, scriptedRun } from './scripted-agent.ts'

const PRINCIPAL = { organisation: 'a', user: 'ann', roles: ['admin' as const] }

/** Rows on which all runs, entries or deliveries of an organisation wait, and the statements that lock them. */
const HOT: Readonly<Record<string, RegExp>> = {
  flows: /waybill\.(enqueue_leg|wake)\(/,
  audit: /audit_heads .*FOR UPDATE/s,
  webhook: /waybill\.webhooks .*FOR NO KEY UPDATE|UPDATE waybill\.webhooks/s,
}

/**
 * Counts the statements that a transaction makes after it has locked a hot row, without its commit: each is a round trip
 * for which all others of the organisation wait.
 */
function countedLocks(t: TestContext) {
  const after: Record<string, number> = {}
  const open = new WeakMap<object, Set<string>>()
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : ((first as { text?: string } | undefined)?.text ?? '')
    if (/^BEGIN/.test(text)) open.set(this, new Set())
    const locks = open.get(this)
    if (/^(COMMIT|ROLLBACK)/.test(text)) open.delete(this)
    else if (locks !== undefined) {
      for (const name of locks) after[name] = (after[name] ?? 0) + 1
      for (const [name, locking] of Object.entries(HOT))
        if (locking.test(text) && !locks.has(name)) {
          locks.add(name)
          after[name] ??= 0
        }
    }
    return (query as (...given: unknown[]) => unknown).apply(this, args)
  })
  return {
    /** What was counted since the last call. */
    take: () => {
      const taken = { ...after }
      for (const name of Object.keys(after)) delete after[name]
      return taken
    },
  }
}

describe('a row on which an organisation waits', () => {
  it('is locked by the last statements of a transaction', async (t) => {
    const { engine, records, database, queued, legOf } = await legPlace(t)
    await engine.query(`INSERT INTO waybill.agents (org, agent_id, name) VALUES ('a', 'clerk', 'Clerk')`)
    const sessions = new TenantSessions({
      database,
      principal: PRINCIPAL,
      notify: () => {},
      runs: begunRuns(async (_agent, { session = '' }, runId, also) => {
        const { header, ...run } = scriptedRun(runId, { pays: 0 } satisfies Script)
        await records.runs.enqueue({ ...run, header: { ...header, session } }, {}, also)
      }),
    })
    const commands = new RunCommands({
      database,
      principal: PRINCIPAL,
      records,
      notify: () => {},
      commanded: () => {},
    })
    const { privateKey } = generateKeyPairSync('ed25519')
    const maker = entryMaker(() => privateKey)
    const stops = stopsOf({
      app: database.app,
      org: 'a',
      principal: PRINCIPAL,
      records,
      notify: () => {},
      audited: (sql, kind, fact) =>
        appendAudit(sql, 'a', maker, [{ at: new Date().toISOString(), by: 'ann', kind, ...fact }]),
    } as Parameters<typeof stopsOf>[0])
    // The first entry of an audit log makes its head.
    await stops.lift((await stops.stop({ agent: 'none' })).id)
    await sessions.create({ agent_id: 'clerk', session: 's' })
    const { take } = countedLocks(t)

    await queued('r1', { compliance: { human_in_the_loop: { enabled: true } } })
    assert.deepEqual(take(), { flows: 0 }, 'a run is queued')
    await sessions.send('s', { input: 'one' })
    assert.deepEqual(take(), { flows: 0 }, 'a session begins')
    await sessions.send('s', { input: 'two' })
    assert.deepEqual(take(), { flows: 0 }, 'a message arrives')
    await legOf('r1')
    take()
    await commands.give('r1', { type: 'pause' })
    assert.deepEqual(take(), { flows: 0 }, 'a command is given')
    const { id } = await stops.stop({ run: 'r1' })
    await legOf('r1')
    take()
    await stops.lift(id)
    // After the lock of the head: the last entry is read, the next one is stored, and the runs are woken.
    assert.deepEqual(take(), { audit: 3, flows: 0 }, 'a stop is lifted')
  })

  it('is locked for no round trip by a delivery that succeeds', async (t) => {
    const { engine, queued } = await legPlace(t)
    await queued('r1')
    await engine.query(`
      INSERT INTO waybill.webhooks (org, id, url, receiver, events, runs, signature, created_by, failures, failing_since)
        VALUES ('a', 'w', 'https://hooks.example/', 'hooks.example', '{}', 'all', 'v1a', 'ann', 3, now());
      INSERT INTO waybill.deliveries (org, webhook, id, run_id, type, body, attempts)
        VALUES ('a', 'w', 'd', 'r1', 'run.ended', '{}', 1)`)
    const { take } = countedLocks(t)
    const delivery = { org: 'a', webhook: 'w', id: 'd', attempts: 1, base: 0 }
    const parts = { engine, nextEntry: () => assert.fail(), delaysMs: [], deadAfterMs: 1 }
    const succeed = () =>
      recordAttempt(
        parts as unknown as Parameters<typeof recordAttempt>[0],
        delivery as unknown as Parameters<typeof recordAttempt>[1],
        { status: 200 },
      )
    assert.equal(await succeed(), undefined)
    // Recorded once, also if it is recorded again.
    assert.equal(await succeed(), undefined)
    assert.deepEqual(take(), {})
    const { rows } = await engine.query(
      'SELECT d.state, w.delivered, w.failures, w.failing_since FROM waybill.deliveries AS d, waybill.webhooks AS w',
    )
    assert.deepEqual(rows, [{ state: 'delivered', delivered: 1, failures: 0, failing_since: null }])
  })
})
