import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { PlanRequest } from '../../src/platform/agents/planner.ts'
import type { PlatformStatus } from '../../src/platform/records/run-view.ts'
import type { StartRun } from '../../src/platform/runs/run.ts'
import { TenantRuns } from '../../src/platform/runs/runs.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { RunFollower } from '../../src/platform/streams/run-follower.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import type { Decision, Fact } from '../../src/run/event.ts'
import type { FirstFact } from '../../src/run/record/records.ts'
import type { Principal } from '../../src/session/principal.ts'
import {
  answered,
  Driven,
  ended,
  idsOf,
  newRun,
  refused,
  started,
} from '../../src/testing/contracts/records-fixture.ts'
import { planOf } from '../run/fixture.ts'
import { twoWorkers } from './records/organisation.ts'

const LIMITS = { max_iterations: 3, budget_tokens: 100, budget_usd: 2, budget_calls: 5, budget_ms: 60_000 }
const PLAN = { ...planOf(), limits: LIMITS }

/** Runs of the organisation `a`, whose legs the test drives itself. */
async function world(t: TestContext) {
  const { database, requests, one } = await twoWorkers(t)
  const planned: { readonly request: PlanRequest; readonly first: FirstFact }[] = []
  const notified: string[] = []
  const principal: Principal = { organisation: 'a', user: 'ann', roles: ['operator'] }
  const notify = (_org: string, runId: string) => void notified.push(`arrived ${runId}`)
  const runs = new TenantRuns({
    database,
    principal,
    records: requests,
    follower: new RunFollower(database.engine),
    webhookGrants: { hosts: [parseHostGrant('hooks.example', 'config')] },
    planner: {
      newRun: async (request, first, { run_id = '' }) => {
        planned.push({ request, first })
        return { run: { ...newRun(run_id, { plan: PLAN, user: 'ada' }), first }, version: '1.0.0' }
      },
    },
    notify,
    commanded: (_org, runId) => notified.push(`commanded ${runId}`),
  })
  const sessions = new TenantSessions({ database, principal, runs, notify })
  const begin = (id: string, request: StartRun = {}) => runs.start('agent-1', { input: id, ...request }, id)
  /** Begins a run, and drives it to this fact. */
  const drive = async (id: string, fact: readonly [Fact, Decision], request?: StartRun) => {
    await begin(id, request)
    const run = await one.runs.openLeg(id, 1)
    assert.ok(run !== null)
    const driven = new Driven(run)
    await driven.append(started(id))
    await driven.append(...fact)
    await run.close()
  }
  return { database, runs, sessions, planned, notified, begin, drive }
}

const idsIn = async (runs: TenantRuns, status: PlatformStatus) => idsOf((await runs.list({ status })).items)
const later = () => new Date(Date.now() + 60_000).toISOString()

describe('a run in a session', () => {
  test('that is requested again after a crash is one message', async (t) => {
    const { database, sessions } = await world(t)
    await database.engine.query(
      `INSERT INTO waybill.agents (org, agent_id, name) VALUES ('a', 'agent-1', 'Clerk')`,
    )
    const start = (id: string) => sessions.start('agent-1', { input: 'hello', session: 's' }, id)
    const first = await start('m1')
    assert.deepEqual(await start('m1'), first)
    const ids = async () =>
      (await database.engine.query<{ id: string }>('SELECT id FROM waybill.messages ORDER BY n')).rows.map(
        ({ id }) => id,
      )
    assert.deepEqual(await ids(), ['m1'])
    await start('m2')
    await start('m2')
    assert.deepEqual(await ids(), ['m1', 'm2'])
  })
})

describe('the events of a run', () => {
  test('after one that it does not have are refused with a code, in a page and in a stream', async (t) => {
    const { runs, drive } = await world(t)
    await drive('one', ended('completed'))
    const signal = AbortSignal.timeout(10_000)
    const ahead = (error: { code?: string }) => error.code === 'EVENT_ID_AHEAD'
    const { seq = 0 } = (await runs.events('one', 0, 100)).at(-1) ?? {}
    assert.deepEqual(await runs.events('one', seq, 100), [])
    assert.deepEqual(await runs.events('one', seq - 1, 1), [...(await runs.events('one', 0, 100)).slice(-1)])
    for (const after of [seq + 1, 2 ** 40]) {
      await assert.rejects(runs.events('one', after, 100), ahead)
      await assert.rejects(runs.follow('one', after, signal).next(), ahead)
    }
    assert.equal((await runs.follow('one', seq, signal).next()).value?.type, 'end')
  })
})

describe('the webhook of a run', () => {
  test('is one of the organisation or a URL, and is notified of the runs that name it', async (t) => {
    const { database, runs, begin, drive } = await world(t)
    const webhook = 'https://hooks.example/runs'
    await drive('one', ended('completed'), { webhook })
    await drive('two', ended('failed'), { webhook })
    await drive('three', ended('completed'))
    const { rows: webhooks } = await database.engine.query(
      'SELECT id, url, runs, signature, created_by FROM waybill.webhooks',
    )
    const [{ id, ...made }] = webhooks
    assert.deepEqual(made, { url: webhook, runs: 'named', signature: 'v1a', created_by: 'ann' })
    await drive('four', ended('completed'), { webhook: id })
    const { run_id: again } = await runs.retry('one', 'again')
    const { rows: named } = await database.engine.query(
      'SELECT webhook FROM waybill.run_webhooks WHERE run_id = $1',
      [again],
    )
    assert.deepEqual(named, [{ webhook: id }])
    const { rows } = await database.engine.query(
      'SELECT run_id, type, webhook FROM waybill.deliveries ORDER BY n',
    )
    assert.deepEqual(
      rows,
      ['one', 'two', 'four'].map((run_id) => ({ run_id, type: 'run.ended', webhook: id })),
    )
    await assert.rejects(begin('five', { webhook: 'nowhere' }), { code: 'WEBHOOK_NOT_FOUND' })
    await assert.rejects(begin('six', { webhook: 'http://127.0.0.1/' }), { code: 'ENDPOINT_ADDRESS_PRIVATE' })
    await assert.rejects(begin('seven', { webhook: 'https://other.example/' }), {
      code: 'ENDPOINT_NOT_GRANTED',
    })
    const { rowCount } = await database.engine.query('SELECT FROM waybill.runs')
    assert.equal(rowCount, 5)
  })
})

describe('the runs of an organisation', () => {
  test('are listed by each of their statuses', async (t) => {
    const { database, runs, begin, drive } = await world(t)
    await begin('queued')
    await begin('scheduled', { start_after: later() })
    await begin('aside')
    await begin('damaged')
    await drive('over', ended('completed'))
    await drive('asking', answered('asking'))
    await database.engine.query(
      `UPDATE waybill.progress SET phase = 'set_aside', why = 'it has killed 3 workers' WHERE run_id = 'aside'`,
    )
    await database.engine.query(`UPDATE waybill.runs SET header = '{' WHERE run_id = 'damaged'`)
    const table: readonly (readonly [PlatformStatus, readonly string[]])[] = [
      ['queued', ['queued']],
      ['scheduled', ['scheduled']],
      ['set_aside', ['aside']],
      ['damaged', ['damaged']],
      ['completed', ['over']],
      ['awaiting_approval', ['asking']],
      ['failed', []],
      ['paused', []],
    ]
    for (const [status, ids] of table) assert.deepEqual(await idsIn(runs, status), ids, status)
    const { status, why, version } = await runs.read('aside')
    assert.deepEqual([status, why, version], ['set_aside', 'it has killed 3 workers', '1.0.0'])
    assert.equal((await runs.list({})).items.length, 6)
  })

  test('take a command unless they are over or were set aside; a second cancel is not an error', async (t) => {
    const { database, runs, notified, begin, drive } = await world(t)
    await drive('over', ended('completed'))
    assert.deepEqual(await runs.cancel('over'), { run_id: 'over', status: 'completed' })
    await refused('RUN_ENDED', () => runs.pause('over'))
    await refused('RUN_ENDED', () => runs.resume('over'))
    await refused('RUN_NOT_FOUND', () => runs.pause('unknown'))
    await begin('aside')
    await database.engine.query(`UPDATE waybill.progress SET phase = 'set_aside' WHERE run_id = 'aside'`)
    await refused('RUN_SET_ASIDE', () => runs.pause('aside'))
    await refused('RUN_SET_ASIDE', () => runs.resume('aside'))
    notified.length = 0
    assert.equal((await runs.cancel('aside')).status, 'queued')
    assert.deepEqual(notified, ['arrived aside', 'commanded aside'])
    const { rows } = await database.engine.query('SELECT run_id, body, by FROM waybill.commands')
    assert.deepEqual(rows, [{ run_id: 'aside', body: { type: 'cancel' }, by: 'ann' }])
  })
})

describe('a retry', () => {
  test('of a run that was set aside queues it as if it had never failed', async (t) => {
    const { database, runs, begin } = await world(t)
    await begin('r1')
    await database.engine.query(
      `UPDATE waybill.progress SET phase = 'set_aside', died = '{v,w,x}', why = 'x' WHERE run_id = 'r1'`,
    )
    assert.deepEqual(await runs.retry('r1'), { run_id: 'r1', status: 'queued' })
    const { rows } = await database.engine.query('SELECT phase, died, why, leg FROM waybill.progress')
    assert.deepEqual(rows, [{ phase: 'queued', died: [], why: null, leg: 2 }])
  })

  test('of a run that has ended is a new run of the same version, for the same user, with the same limits', async (t) => {
    const { runs, planned, drive } = await world(t)
    await drive('r1', ended('completed'))
    assert.deepEqual(await runs.retry('r1', 'r2'), { run_id: 'r2', status: 'queued' })
    assert.deepEqual(planned[1]?.first, { type: 'run.started', input: 'r1' })
    const { version, user, budget } = planned[1]?.request ?? {}
    assert.deepEqual(
      { version, user, budget },
      { version: '1.0.0', user: 'ada', budget: { tokens: 100, usd: 2, calls: 5, seconds: 60 } },
    )
  })

  test('sends the idempotent writes of the run again with the same keys', async (t) => {
    const { database, runs, planned, drive } = await world(t)
    const put = {
      id: 'c1',
      tool: 'put',
      args: { n: 1 },
      key: 'r1:1.1:c1',
      effect: 'idempotent',
      status: 'sent',
    }
    const send = { ...put, id: 'c2', tool: 'send', key: 'r1:1.1:c2', effect: 'once' }
    await drive('r1', ended('completed'))
    await database.engine.query(
      `UPDATE waybill.events SET line = (line::jsonb || jsonb_build_object('decision', (line::jsonb -> 'decision') || $1::jsonb))::text
       WHERE run_id = 'r1' AND seq = 1`,
      [JSON.stringify({ calls: [put, send] })],
    )
    await runs.retry('r1', 'r2')
    assert.deepEqual(planned[1]?.first.sent_by_origin, [
      { path: [], tool: 'put', args: { n: 1 }, key: 'r1:1.1:c1', idempotent: true },
    ])
  })

  test('keeps the conversation before the input, and the priority', async (t) => {
    const { database, runs, planned, drive } = await world(t)
    const history = [{ role: 'user', text: 'Hello' }] as const
    await drive('r1', ended('completed'), { history, priority: 2 })
    await runs.retry('r1', 'r2')
    assert.deepEqual(planned[1]?.first.history, history)
    const { rows } = await database.engine.query(`SELECT priority FROM waybill.progress WHERE run_id = 'r2'`)
    assert.deepEqual(rows, [{ priority: 2 }])
  })

  test('is refused while the run has not ended, and if only the run itself can read its input', async (t) => {
    const { database, runs, begin, drive } = await world(t)
    await begin('open')
    await refused('TURN_UNFINISHED', () => runs.retry('open'))
    await drive('r1', ended('completed'))
    await database.engine.query(`INSERT INTO waybill.sealed (org, root, line) VALUES ('a', 'r1', 'x')`)
    await refused('PII_VALUES_UNREADABLE', () => runs.retry('r1'))
  })
})
