import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { createMemoryPort } from '../../../src/adapters/memory/memory-port.ts'
import { memoryRecords } from '../../../src/adapters/records/memory/memory-records.ts'
import type { SqliteRecords } from '../../../src/adapters/records/sqlite/open-sqlite-records.ts'
import type { PlannedMemory } from '../../../src/plan/plan.ts'
import {
  AT,
  type Driven,
  decided,
  drive,
  fact,
  newRun,
  planNamed,
  QUESTION,
  refused,
  slot,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { folderOf, openIn, tamper } from './records-fixture.ts'

async function manyRuns(
  t: TestContext,
): Promise<{ readonly records: SqliteRecords; readonly runs: readonly Driven[] }> {
  const records = openIn(t, folderOf(t))
  const ids = Array.from({ length: 100 }, (_, n) => `r${n}`)
  return { records, runs: await Promise.all(ids.map((id) => drive(records, newRun(id)))) }
}

/** Counts the commits and flushes of an operation. */
async function costOf(
  records: SqliteRecords,
  work: () => unknown,
): Promise<readonly [commits: number, flushes: number]> {
  const before = records.counts()
  await work()
  const after = records.counts()
  return [after.commits - before.commits, after.flushes - before.flushes]
}

describe('the writes of one turn of the event loop are one commit', () => {
  test('a hundred appends at once cost one commit, and one flush when one of them is durable', async (t) => {
    const { records, runs } = await manyRuns(t)
    assert.equal(records.counts().commits, 1)
    const append = (durable: (n: number) => boolean) => () =>
      Promise.all(
        runs.map((run, n) => run.append({ type: 'run.resumed', by: 'x' }, {}, { durable: durable(n) })),
      )
    assert.deepEqual(
      await costOf(
        records,
        append(() => false),
      ),
      [1, 0],
    )
    assert.deepEqual(
      await costOf(
        records,
        append((n) => n === 50),
      ),
      [1, 1],
    )
    assert.deepEqual(
      await costOf(
        records,
        append(() => true),
      ),
      [1, 1],
    )
    assert.deepEqual(
      await costOf(
        records,
        append(() => false),
      ),
      [1, 0],
    )
  })

  test('decisions, grants, uses of grants, removals and audit entries are flushed; reading costs nothing', async (t) => {
    const { records, runs } = await manyRuns(t)
    const [run] = runs
    assert.ok(run !== undefined)
    const owner = { definition: 'd', agent_id: 'a', scope: 'user', user: 'u', session: '' } as const
    const item = { scope: 'user', key: 'k', content: 'x', saved_at: AT, expires_at: null } as const
    const keep = (key: string) => records.memory.keepVector(owner, { ...item, key }, new Float32Array([1]))
    const grant = { id: 'g', kind: 'host', what: 'x', by: 'x', at: 'x', uses_left: 1 } as const
    const table: readonly (readonly [string, () => unknown, readonly [number, number]])[] = [
      ['an append', () => run.append(started('r0')), [1, 0]],
      ['an append with an audit entry', () => run.tick(1, { audit: [fact('x')] }), [1, 1]],
      ['a decision', () => records.runs.decide('r0', QUESTION, decided('ann', 2)), [1, 1]],
      ['a grant', () => records.grants.give(grant, []), [1, 1]],
      ['the last use of a grant', () => records.grants.spend('g', 0), [1, 1]],
      ['a use that is refused', () => records.grants.spend('g', 0), [0, 0]],
      ['an audit entry', () => records.audit.append([fact('x')]), [1, 1]],
      ['a new run', () => records.runs.create(newRun('new')), [1, 0]],
      ['a durable new run', () => records.runs.create(newRun('durable'), { durable: true }), [1, 1]],
      ['giving a lease back', () => run.run.close(), [1, 0]],
      ["a definition's item", () => records.memory.seed(owner, item, 'hash'), [1, 0]],
      ['the same item again', () => records.memory.seed(owner, item, 'hash'), [0, 0]],
      ['the same item with another text', () => records.memory.seed(owner, item, 'other'), [1, 0]],
      ['vectors of several items', () => Promise.all(['k', 'l', 'm'].map(keep)), [1, 0]],
      ['a removal', () => records.runs.remove('r0'), [1, 1]],
      [
        'reading',
        () => Promise.all([records.runs.list(), records.runs.read('r1'), records.runs.find('r', 9)]),
        [0, 0],
      ],
    ]
    for (const [name, work, cost] of table) assert.deepEqual(await costOf(records, work), cost, name)
  })

  test('a recall writes the declared items, then all new vectors together; the next one does not write', async (t) => {
    const records = openIn(t, folderOf(t))
    const port = createMemoryPort({
      stores: new Map([['sqlite', records.memory]]),
      embed: async (texts) => texts.map(() => Float32Array.of(1)),
      redact: (text) => text,
    })
    const declared = (key: string): PlannedMemory => ({
      scope: 'long_term',
      key,
      content: key,
      kept_in: 'sqlite',
      retrieval_strategy: 'similarity',
      top_k: 5,
      ttl_seconds: 0,
      gate: 'allow',
    })
    const entries = ['k', 'l', 'm'].map(declared)
    const recall = () =>
      port.recall({ agent_id: 'a', definition_hash: 'd', entries, held: [], at: AT, query: 'x' })
    assert.deepEqual(await costOf(records, recall), [4, 0])
    assert.deepEqual(await costOf(records, recall), [0, 0])
    assert.equal((await recall()).items.length, 3)
  })

  test('a refusal after a write does not affect other writes', async (t) => {
    const { records, runs } = await manyRuns(t)
    const home = folderOf(t)
    const other = openIn(t, home)
    await other.audit.append([fact('x')])
    const run = await drive(other, newRun('r1'))
    tamper(home, 'DELETE FROM audit_head')
    const quiet = await drive(other, newRun('r2'))
    const outcomes = await Promise.allSettled([
      quiet.tick(),
      run.tick(1, { audit: [fact('y')] }),
      other.runs.create(newRun('r3')),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.equal((await other.runs.listed('r1')).seq, 0)
    assert.equal((await other.runs.listed('r2')).seq, 1)
    await Promise.all(runs.map((one) => one.tick()))
    assert.equal((await records.runs.listed('r99')).seq, 1)
  })

  test('closing waits for pending writes, and no writes follow it', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    const run = await drive(records, newRun('r1'))
    const appended = run.append(started('r1'))
    await records.close()
    await appended
    await refused('RECORDS_CLOSED', () => run.tick())
    await refused('RECORDS_CLOSED', () => records.runs.list())
    const again = openIn(t, home)
    const { seq, live } = await again.runs.listed('r1')
    assert.deepEqual([seq, live], [1, false])
  })
})

describe('removed data does not remain in the files', () => {
  const SECRET = 'SECRET-9f31c7'

  /** Another process reads the files, because `fs` of this process must not open them. */
  function isLeft(home: string): boolean {
    const { status } = spawnSync('grep', ['-rqaF', SECRET, home])
    assert.ok(status === 0 || status === 1)
    return status === 0
  }

  test('a run with its input, plan, events, decisions and sealed lines', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    const run = await drive(records, {
      ...newRun('r1', { plan: planNamed('agent-1', SECRET), user: SECRET }),
      first: { type: 'run.started', input: SECRET },
    })
    await run.append({ type: 'run.started', input: SECRET.repeat(3000) }, {}, { sealed: [SECRET] })
    await records.runs.decide('r1', QUESTION, { ...decided('ann', 1), why: SECRET })
    await run.run.close()
    await (await drive(records, newRun('r2'))).append(started('r2'))
    assert.equal(isLeft(home), true)
    await records.runs.remove('r1')
    assert.equal(isLeft(home), false)
    assert.equal((await records.runs.read('r2')).state.seq, 1)
  })

  test('deleted memory items, and those of an ended session', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    const owner = { definition: 'd', agent_id: 'a', scope: 'user', user: 'u', session: '' } as const
    const item = { scope: 'user', key: 'k', content: SECRET, saved_at: AT, expires_at: null } as const
    await records.memory.save(owner, item, 'c1')
    await records.memory.save(owner, { ...item, content: `other ${SECRET}` }, 'c2')
    const session = { ...owner, scope: 'session', user: '', session: 's' } as const
    await records.memory.save(session, { ...item, scope: 'session' }, 'c3')
    await records.memory.forget({ user: 'u' })
    assert.equal(isLeft(home), true)
    await records.memory.endSession('s')
    assert.equal(isLeft(home), false)
  })

  test('a plan is stored once for all runs that share it, and removed with the last of them', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    const [plan, same] = [planNamed('agent-1', SECRET), planNamed('agent-1', SECRET)]
    for (const [id, shared] of [
      ['r1', plan],
      ['r2', same],
    ] as const)
      await (await records.runs.create(newRun(id, { plan: shared, family: [planNamed('agent-2')] }))).close()
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(join(home, 'waybill.db'))
    const plans = () => Object.values(db.prepare('SELECT count(*) FROM plans').get() ?? {})[0]
    t.after(() => db.close())
    assert.equal(plans(), 2)
    await records.runs.remove('r1')
    assert.equal(plans(), 2)
    assert.deepEqual((await records.runs.read('r2')).plan, plan)
    await records.runs.remove('r2')
    assert.equal(plans(), 0)
  })
})

test('records in memory return synchronously', () => {
  const records = memoryRecords()
  const run = records.runs.create(newRun('r1'))
  assert.equal(run.epoch, 1)
  const event = { seq: 1, at: AT, fact: started('r1'), decision: {} }
  assert.equal(
    run.append([event], { durable: true, state: { ...run.state, seq: 1 }, audit: [fact('x')] }),
    undefined,
  )
  assert.equal(records.runs.read('r1').state.seq, 1)
  assert.equal(typeof records.slots.take(slot('a', 'r1')), 'function')
  assert.equal(records.grants.spend('none', 0), false)
  assert.equal((records.audit.lines() as readonly string[]).length, 1)
  assert.equal(run.close(), undefined)
})
