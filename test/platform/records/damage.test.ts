import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { asStorageError, isUnreachable } from '../../../src/platform/records/storage-errors.ts'
import {
  AT,
  answered,
  decided,
  drive,
  fact,
  newRun,
  QUESTION,
  refused,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { twoWorkers } from './organisation.ts'

async function place(t: TestContext) {
  const { database, requests, one } = await twoWorkers(t)
  return { database, worker: one, requests, sql: (text: string) => database.engine.query(text) }
}

describe('damaged records in PostgreSQL', () => {
  it('a run whose data was changed is refused by name, is listed as damaged, and hides no other run', async (t) => {
    const { worker, requests, sql } = await place(t)
    const table: readonly (readonly [string, RegExp, listed: boolean])[] = [
      [`DELETE FROM waybill.events WHERE run_id = $ AND seq = 2`, /event 2: it is missing/, false],
      [`DELETE FROM waybill.events WHERE run_id = $ AND seq = 3`, /event 3: 3 events were stored/, false],
      [`DELETE FROM waybill.events WHERE run_id = $`, /event 1: 3 events were stored/, false],
      [
        `UPDATE waybill.events SET line = 'x' WHERE run_id = $ AND seq = 2`,
        /event 2: it cannot be read/,
        false,
      ],
      [
        `UPDATE waybill.events SET line = '{"seq":2}' WHERE run_id = $ AND seq = 2`,
        /event 2: it cannot/,
        false,
      ],
      [
        `UPDATE waybill.events SET line = replace(line, '"seq":2', '"seq":7') WHERE run_id = $ AND seq = 2`,
        /event 2: its sequence number is wrong/,
        false,
      ],
      [`UPDATE waybill.progress SET seq = 2 WHERE run_id = $`, /event 3: 2 events were stored/, false],
      [`DELETE FROM waybill.progress WHERE run_id = $`, /its progress is missing/, true],
      [`UPDATE waybill.runs SET header = '{' WHERE run_id = $`, /its header is not valid JSON/, true],
      [`UPDATE waybill.runs SET first = '1' WHERE run_id = $`, /its header is not valid JSON/, false],
      [`UPDATE waybill.runs SET plans = '{x}' WHERE run_id = $`, /its plan x is missing/, false],
    ]
    await worker.runs.create(newRun('sound', { later: 100 }))
    for (const [n, [change, message, isListed]] of table.entries()) {
      const id = `r${n}`
      const run = await drive(worker, newRun(id))
      await run.append(started(id))
      await run.tick(2)
      await run.run.close()
      await sql(change.replace('$', `'${id}'`))
      for (const act of [() => requests.runs.read(id), () => worker.runs.open(id)]) {
        const error = await refused('RECORD_DAMAGED', act)
        assert.match(error.message, message, change)
      }
      const listed = await requests.runs.listed(id)
      assert.equal(listed.damaged?.code, isListed ? 'RECORD_DAMAGED' : undefined, change)
      assert.equal(listed.live, false, change)
    }
    const { items } = await requests.runs.list()
    assert.equal(items.length, table.length + 1)
    assert.equal(items[0]?.damaged, undefined)
    for (const n of table.keys()) await requests.runs.remove(`r${n}`)
    assert.equal((await requests.runs.list()).items.length, 1)
  })

  it('a run of a later version is listed and not opened', async (t) => {
    const { worker, requests, sql } = await place(t)
    await (await worker.runs.create(newRun('r1'))).close()
    await sql(`UPDATE waybill.runs SET v = 999`)
    await refused('RECORD_NEWER', () => worker.runs.open('r1'))
    assert.equal((await requests.runs.listed('r1')).damaged?.code, 'RECORD_NEWER')
  })

  it('a changed decision, grant or end of the audit log is reported', async (t) => {
    const { worker, requests, sql } = await place(t)
    const run = await drive(worker, newRun('r1'))
    await run.append(started('r1'))
    await run.append(...answered('asking'))
    await requests.runs.decide('r1', QUESTION, decided('ann', 2))
    await sql(`UPDATE waybill.decisions SET line = 'x'`)
    await refused('RECORD_DAMAGED', () => requests.runs.decisions('r1'))
    const at = new Date(AT).toISOString()
    for (const body of ['x', 'null', '{"id":"g2"}']) {
      await requests.grants.give({ id: 'g1', kind: 'host', what: 'h', by: 'x', at }, [])
      await sql(`UPDATE waybill.grants SET body = '${body}'`)
      await refused('RECORD_DAMAGED', () => requests.grants.list())
      await refused('RECORD_DAMAGED', () => requests.grants.spend('g1', AT))
    }
    await requests.audit.append([fact('one'), fact('two')])
    for (const change of [
      `UPDATE waybill.audit SET line = 'x' WHERE n = 2`,
      `DELETE FROM waybill.audit WHERE n = 2`,
      `DELETE FROM waybill.audit`,
      `DELETE FROM waybill.audit_heads`,
    ]) {
      await sql(change)
      await refused('AUDIT_DAMAGED', () => requests.audit.append([fact('three')]))
      await sql(`DELETE FROM waybill.audit`)
      await sql(`DELETE FROM waybill.audit_heads`)
      await requests.audit.append([fact('one'), fact('two')])
    }
  })
})

describe('errors of PostgreSQL', () => {
  it('each error of the storage has a code of Waybill and a hint', () => {
    const failing = (code: string, message = 'x') => Object.assign(new Error(message), { code })
    const table: readonly (readonly [Error, string, again: boolean])[] = [
      ...[
        'ECONNREFUSED',
        'ECONNRESET',
        'EPIPE',
        'ETIMEDOUT',
        'ENOTFOUND',
        'EAI_AGAIN',
        '08006',
        '08003',
        '57P01',
        '57P02',
        '57P03',
        '53300',
      ].map((code) => [failing(code), 'DATABASE_UNREACHABLE', true] as const),
      ...[
        'Connection terminated unexpectedly',
        'Connection terminated',
        'timeout exceeded when trying to connect',
        'Client has encountered a connection error and is not queryable',
        'Connection terminated due to connection timeout',
      ].map((message) => [new Error(message), 'DATABASE_UNREACHABLE', true] as const),
      [failing('53100'), 'DISK_FULL', false],
      [failing('XX001'), 'RECORD_DAMAGED', false],
      [failing('XX002'), 'RECORD_DAMAGED', false],
      [new Error('Cannot use a pool after calling end on the pool'), 'RECORDS_CLOSED', false],
    ]
    for (const [error, code, again] of table) {
      const named = asStorageError(error) as Error & { code: string; details: { hint?: string } }
      assert.equal(named.code, code, error.message)
      assert.ok((named.details.hint ?? '').length > 0)
      assert.equal(isUnreachable(error), again, error.message)
    }
    const other = failing('23505')
    assert.equal(asStorageError(other), other)
    assert.equal(isUnreachable(other), false)
  })
})

describe('reading runs with many events', () => {
  it('opening a run reads each event once, in a constant number of statements', async (t) => {
    const { worker, database } = await place(t)
    const counted = async (id: string, events: number) => {
      const run = await drive(worker, newRun(id))
      await run.append(started(id))
      const all: Promise<void>[] = []
      for (let n = 1; n < events; n++) {
        const { event, state } = run.next({ type: 'run.resumed', by: 'x' })
        run.state = state
        all.push(Promise.resolve(run.run.append([event], { durable: false, state })))
      }
      await Promise.all(all)
      await run.run.close()
      const { rows } = await database.engine.query<{ lines: number; bytes: number }>(
        `SELECT count(*) AS lines, sum(length(line)) AS bytes FROM waybill.events WHERE run_id = $1`,
        [id],
      )
      assert.equal(rows[0]?.lines, events)
      let statements = 0
      const { engine } = database
      const connect = engine.connect.bind(engine)
      t.mock.method(engine, 'connect', async () => {
        const client = await connect()
        const query = client.query.bind(client)
        t.mock.method(client, 'query', (...asked: Parameters<typeof query>) => {
          statements++
          return query(...asked)
        })
        return client
      })
      const opened = await worker.runs.open(id)
      t.mock.restoreAll()
      assert.equal(opened.state.seq, events)
      await opened.close()
      return statements
    }
    assert.equal(await counted('r1', 10_000), await counted('r2', 10))
  })
})
