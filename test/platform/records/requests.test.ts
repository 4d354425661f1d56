import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { inOrganisation } from '../../../src/platform/database/tenant.ts'
import type { MemoryOwner } from '../../../src/run/extension.ts'
import type { Grant } from '../../../src/run/record/grant.ts'
import {
  answered,
  decided,
  drive,
  fact,
  imported,
  newRun,
  QUESTION,
  refused,
  slot,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { verifyAudit } from '../../../src/trust/verify-audit-chain.ts'
import { testDatabase } from '../postgres.ts'
import { addOrganisations, addWorker, asRequest, asWorker, auditKeys } from './organisation.ts'

const OWNER: MemoryOwner = { definition: 'd', agent_id: 'a', scope: 'user', user: 'ada', session: '' }
const GRANT: Grant = {
  id: 'g1',
  kind: 'host',
  what: 'api.example',
  by: 'ann',
  at: '2026-03-01T08:00:00.000Z',
}

async function two(t: TestContext) {
  const { database } = await testDatabase(t)
  await addOrganisations(database, 'a', 'b')
  return { database, a: asRequest(database, 'a'), b: asRequest(database, 'b') }
}

describe('records for a request', () => {
  it('a run is stored without lease, and can be read, listed, decided about and removed', async (t) => {
    const { a, database } = await two(t)
    const run = await a.runs.create(newRun('r1', { user: 'ada' }), { durable: true })
    assert.equal((await a.runs.listed('r1')).live, false)
    await assert.rejects(async () => run.append([], { durable: false, state: run.state }), TypeError)
    await assert.rejects(async () => a.runs.open('r1'), TypeError)
    await assert.rejects(async () => a.slots.take(slot('a', 'r1')), TypeError)
    await run.close()
    const worker = asWorker(t, database, 'a', await addWorker(database))
    const driven = await drive(worker, 'r1')
    assert.equal(driven.run.epoch, 2)
    await driven.append(started('r1'))
    await driven.append(...answered('asking'))
    const [shown] = (await a.runs.list({ questions: true })).items
    assert.deepEqual([shown?.run_id, shown?.live, shown?.questions], ['r1', true, 1])
    assert.equal((await a.runs.read('r1')).state.seq, 2)
    assert.deepEqual(
      (await a.runs.events('r1', 0, 1)).map(({ seq }) => seq),
      [1],
    )
    assert.deepEqual(await a.runs.decide('r1', QUESTION, decided('ann', 2)), { outcome: 'kept' })
    assert.deepEqual(
      (await worker.runs.decisions('r1')).map(({ by }) => by),
      ['ann'],
    )
    await refused('RUN_LOCKED', () => a.runs.remove('r1'))
    await driven.run.close()
    assert.deepEqual(await a.runs.remove('r1', () => [fact('runs.removed')]), ['r1'])
    assert.deepEqual(await worker.runs.find('r1', 9), [])
  })

  it('grants, memory and the audit log are shared with the workers, in one chain', async (t) => {
    const { a, database } = await two(t)
    const worker = asWorker(t, database, 'a', await addWorker(database))
    await Promise.all([
      a.grants.give(GRANT, [fact('granted')]),
      worker.audit.append([fact('one'), fact('two')]),
      a.audit.append([fact('three')]),
      worker.audit.append([fact('four')]),
    ])
    assert.equal(await worker.grants.spend('g1', 0), true)
    const item = { scope: 'user', key: 'tea', content: 'green', saved_at: 1, expires_at: null } as const
    await a.memory.save(OWNER, item, 'c1')
    assert.equal((await worker.memory.items(OWNER, 2))[0]?.content, 'green')
    const lines = await a.audit.lines()
    const head = await a.audit.head()
    assert.equal(lines.length, 5)
    assert.deepEqual(verifyAudit(`${lines.join('\n')}\n`, auditKeys, head ?? undefined).problems, [])
  })

  it('texts from clients that PostgreSQL cannot store are stored unchanged, and stay different', async (t) => {
    const { a, b } = await two(t)
    const odd = ['nul \0', 'nul \uFFFD', '\uD800', '\uD801', '"', '"nul \\u0000"', '\\0', '']
    for (const [n, text] of odd.entries())
      await a.memory.save(
        { ...OWNER, user: text },
        { scope: 'user', key: text, content: text, saved_at: 1, expires_at: null },
        `call \0${n}`,
      )
    for (const text of odd) {
      const kept = await a.memory.items({ ...OWNER, user: text }, 2)
      assert.deepEqual(
        kept.map(({ user, key, content }) => [user, key, content]),
        [[text, text, text]],
      )
      assert.equal((await b.memory.items({ ...OWNER, user: text }, 2)).length, 0)
      assert.equal(await a.runs.has(text), false)
      await refused('RUN_NOT_FOUND', () => a.runs.read(text))
      assert.deepEqual((await a.runs.list({ user: text, agent_id: text, batch: text })).items, [])
      assert.deepEqual(await a.runs.find(`${text}x`, 3), [])
    }
    assert.equal(await a.memory.forget({ user: 'nul \0' }), 1)
    assert.equal((await a.memory.list({}, 2)).length, odd.length - 1)
  })
})

describe('separation of organisations in the records', () => {
  it('an organisation sees and changes no row of another one, in any table', async (t) => {
    const { a, b, database } = await two(t)
    const worker = asWorker(t, database, 'a', await addWorker(database))
    const driven = await drive(worker, newRun('r1', { user: 'ada' }))
    await driven.append(started('r1'), {}, { audit: [fact('x')], sealed: ['sealed'] })
    await driven.append(...answered('asking'))
    await a.runs.decide('r1', QUESTION, decided('ann', 2))
    await a.grants.give(GRANT, [])
    await a.memory.save(OWNER, { scope: 'user', key: 'k', content: 'c', saved_at: 1, expires_at: null }, 'c1')
    await a.routes.merge(new Map([['m', { at: 1, turn: 1, failures: 0, answers: [] }]]))
    await worker.slots.take(slot('agent', 'r1'))

    for (const ask of ['read', 'events', 'listed', 'remove', 'decisions'] as const)
      await refused('RUN_NOT_FOUND', () => b.runs[ask]('r1'))
    await refused('RUN_NOT_FOUND', () => b.runs.decide('r1', QUESTION, decided('eve', 2)))
    assert.deepEqual((await b.runs.list()).items, [])
    assert.deepEqual((await b.runs.list({ questions: true, root: 'r1' })).items, [])
    assert.deepEqual(await b.runs.find('r', 9), [])
    assert.deepEqual(await b.runs.sealed('r1'), [])
    assert.deepEqual(await b.grants.list(), [])
    assert.equal(await b.grants.spend('g1', 0), false)
    assert.deepEqual(await b.grants.revoke(new Set(['g1']), () => []), [])
    assert.equal(await b.memory.forget({}), 0)
    assert.deepEqual(await b.audit.lines(), [])
    assert.equal(await b.audit.head(), null)
    assert.equal((await b.routes.read()).size, 0)
    assert.equal(await b.runs.setAside('r1', 'x'), false)
    assert.equal(await b.runs.wake('r1'), null)
    assert.equal(await worker.runs.wakes('r1'), 0)

    // The same id belongs to each organisation separately.
    await b.runs.import([imported('r1', 1)])
    await b.grants.give({ ...GRANT, why: 'of b' }, [])
    assert.equal((await a.runs.read('r1')).header.user, 'ada')
    assert.equal((await a.grants.list())[0]?.why, undefined)
    assert.deepEqual(await b.runs.remove('r1'), ['r1'])
    assert.equal((await a.runs.events('r1')).length, 2)

    // Even statements without condition.
    const tables = await database.engine.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class AS c JOIN pg_attribute AS k ON k.attrelid = c.oid AND k.attname = 'org'
       WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind = 'r' ORDER BY 1`,
    )
    const filled = [
      'runs',
      'progress',
      'plans',
      'events',
      'decisions',
      'sealed',
      'slots',
      'audit',
      'audit_heads',
      'items',
    ]
    for (const { name } of tables.rows) {
      const all = await database.engine.query(`SELECT 1 FROM waybill.${name} WHERE org = 'a'`)
      if (filled.includes(name)) assert.ok((all.rowCount ?? 0) > 0, `${name} is not tested`)
      const seen = await inOrganisation(database.app, 'b', (sql) =>
        sql.query<{ org: string }>(`SELECT org FROM waybill.${name}`),
      )
      assert.ok(
        seen.rows.every(({ org }) => org === 'b'),
        name,
      )
      const moved = await inOrganisation(database.app, 'b', (sql) =>
        sql.query(`DELETE FROM waybill.${name} WHERE org = 'a'`),
      )
      assert.equal(moved.rowCount, 0, name)
    }
    assert.deepEqual(
      filled.filter((name) => !tables.rows.some((table) => table.name === name)),
      [],
    )
  })

  it('a request can wake and queue only runs of its own organisation', async (t) => {
    const { a, database } = await two(t)
    await a.runs.create(newRun('r1'))
    for (const call of [`waybill.wake('a', 'r1')`, `waybill.enqueue_leg('a', 'r1')`])
      await assert.rejects(
        inOrganisation(database.app, 'b', (sql) => sql.query(`SELECT ${call}`)),
        { code: '42501' },
      )
    const { phase, leg } = await a.runs.listed('r1')
    assert.deepEqual([phase, leg], ['held', 0])
  })
})
