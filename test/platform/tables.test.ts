import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type pg from 'pg'
import { joinTables } from '../../src/platform/database/tables.ts'
import { retire } from '../../src/platform/engine/retention.ts'
import { TABLES } from '../../src/platform/features.ts'
import { testDatabase } from './postgres.ts'
import { asRequest } from './records/organisation.ts'
import { scriptedRun } from './scripted-agent.ts'

/** Tables from which no sweep removes rows, and why they do not grow without end, or may. */
const KEPT: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(TABLES.tables).flatMap(([name, { kept }]) =>
      kept === undefined ? [] : [[`waybill.${name}`, kept]],
    ),
  ),
  'waybill_queue.application_versions': 'one for each version of the legs',
  'waybill_queue.dbos_migrations': 'one row',
  'waybill_queue.event_dispatch_kv': 'not used here',
  'waybill_queue.queues': 'one for each name of a queue in the definitions',
  'waybill_queue.workflow_schedules': 'not used here',
}

interface Tables {
  /** All tables of both schemas. */
  readonly all: readonly string[]
  /** Tables whose rows are removed with those of another one. */
  readonly cascading: ReadonlySet<string>
}

async function tablesOf(engine: pg.Pool): Promise<Tables> {
  const all = await engine.query<{ name: string }>(
    `SELECT relnamespace::regnamespace || '.' || relname AS name FROM pg_class
     WHERE relnamespace IN ('waybill'::regnamespace, 'waybill_queue'::regnamespace) AND relkind IN ('r', 'p') ORDER BY 1`,
  )
  const cascading = await engine.query<{ name: string }>(
    `SELECT conrelid::regclass::text AS name FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'c'`,
  )
  return {
    all: all.rows.map(({ name }) => name),
    cascading: new Set(cascading.rows.map(({ name }) => name)),
  }
}

/** Returns the tables from which a sweep deletes. */
async function sweptBy(engine: pg.Pool): Promise<ReadonlySet<string>> {
  const swept = new Set<string>()
  const recorded = new Proxy(engine, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (name !== 'query') return typeof value === 'function' ? value.bind(target) : value
      return (statement: string | { readonly text: string }, ...more: unknown[]) => {
        const text = typeof statement === 'string' ? statement : statement.text
        for (const [, table = ''] of text.matchAll(/DELETE FROM ([\w.]+)/g)) swept.add(table)
        return (value as (...given: unknown[]) => unknown).call(target, statement, ...more)
      }
    },
  })
  await retire(recorded, TABLES.sweeps)
  // Only if there is something to remove.
  return swept.add('waybill.plans')
}

describe('the tables of a platform', () => {
  it('each is described by the part that it belongs to, and each description has its table', async (t) => {
    const { engine } = (await testDatabase(t)).database
    const { all } = await tablesOf(engine)
    const own = all.filter((name) => name.startsWith('waybill.')).map((name) => name.slice('waybill.'.length))
    assert.deepEqual(Object.keys(TABLES.tables).sort(), own.sort())
  })

  it('have steps without gaps, each table once', () => {
    const step = (n: number) => ({ steps: [{ n, name: `step ${n}`, sql: '' }], tables: {} })
    assert.deepEqual(
      joinTables([step(2), step(1)]).steps.map(({ n }) => n),
      [1, 2],
    )
    assert.throws(() => joinTables([step(1), step(3)]), /step 3 \(step 3\) of the schema is not the next one/)
    assert.throws(() => joinTables([step(1), step(1)]), TypeError)
    const notes = { steps: [], tables: { notes: {} } }
    assert.throws(() => joinTables([notes, notes]), /a table belongs to two parts/)
  })

  it('each has a rule by which rows are removed, or a reason to keep them', async (t) => {
    const { engine } = (await testDatabase(t)).database
    const { all, cascading } = await tablesOf(engine)
    const swept = await sweptBy(engine)
    const withoutRule = all.filter(
      (name) => !swept.has(name) && !cascading.has(name) && KEPT[name] === undefined,
    )
    assert.deepEqual(withoutRule, [])
    const notKept = Object.keys(KEPT).filter((name) => swept.has(name) || cascading.has(name))
    assert.deepEqual(notKept, [], 'a table with a rule needs no reason')
    assert.deepEqual(
      Object.keys(KEPT).filter((name) => !all.includes(name)),
      [],
    )
  })

  it('after an hour of legs, each table of the queue has rows for those of the last minute only', async (t) => {
    const { database } = await testDatabase(t)
    const { engine } = database
    await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
    await asRequest(database, 'a').runs.enqueue(scriptedRun('r1', { pays: 1 }), {})
    const { all } = await tablesOf(engine)
    const counts = async () => {
      const of = async (name: string) =>
        (await engine.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`)).rows[0]?.n ?? 0
      const names = all.filter((name) => name.startsWith('waybill_queue.'))
      return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await of(name)] as const)))
    }
    const before = await counts()
    // Twenty legs a minute, as the queue and its processes store them; the last is done half a minute ago.
    await engine.query(`
      SELECT waybill_queue.enqueue_workflow('leg', 'default', ARRAY[to_json(n)], workflow_id => 'a/r1#' || n)
        FROM generate_series(2, 1201) AS n;
      INSERT INTO waybill_queue.workflow_output (workflow_uuid, output)
        SELECT workflow_uuid, '{}' FROM waybill_queue.workflow_status WHERE workflow_uuid <> 'a/r1#1';
      UPDATE waybill_queue.workflow_status SET status = 'SUCCESS',
        completed_at = (extract(epoch FROM clock_timestamp()) - 3630 + 3 * substring(workflow_uuid FROM '#(.*)')::int) * 1000
        WHERE workflow_uuid <> 'a/r1#1';
      -- Of legs that an earlier version has removed.
      INSERT INTO waybill_queue.workflow_input (workflow_uuid, inputs) SELECT 'a/gone#' || n, '{}' FROM generate_series(1, 500) AS n;
      INSERT INTO waybill_queue.workflow_output (workflow_uuid, output) SELECT 'a/gone#' || n, '{}' FROM generate_series(1, 500) AS n`)
    await retire(engine, TABLES.sweeps)
    const after = await counts()
    for (const [name, count] of Object.entries(after)) {
      const more = count - (before[name] ?? 0)
      assert.ok(more >= 0 && more <= 20, `${name}: ${more} rows more`)
    }
    assert.ok(
      (after['waybill_queue.workflow_input'] ?? 0) > 1,
      'what is done since less than a minute is kept',
    )
    const { rows } = await engine.query(
      `SELECT 1 FROM waybill_queue.workflow_input WHERE workflow_uuid = 'a/r1#1'`,
    )
    assert.equal(rows.length, 1, 'the leg that is queued is kept')
  })

  it('a command to a run that has ended is removed, and one that its run has not taken in is not', async (t) => {
    const { database } = await testDatabase(t)
    const { engine } = database
    await engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
    for (const id of ['ended', 'driven', 'queued'])
      await asRequest(database, 'a').runs.enqueue(scriptedRun(id, { pays: 1 }), {})
    await engine.query(`
      UPDATE waybill.progress SET phase = 'over', holder = CASE WHEN run_id = 'driven' THEN 'w' END WHERE run_id <> 'queued';
      INSERT INTO waybill.commands (org, run_id, body, by, at)
        SELECT 'a', run_id, '{"type":"cancel"}', 'ann', now() - interval '2 minutes' FROM waybill.progress;
      INSERT INTO waybill.commands (org, run_id, body, by) VALUES ('a', 'ended', '{"type":"pause"}', 'ann')`)
    await retire(engine, TABLES.sweeps)
    const { rows } = await engine.query(
      `SELECT run_id, body->>'type' AS type FROM waybill.commands ORDER BY 1`,
    )
    assert.deepEqual(rows, [
      { run_id: 'driven', type: 'cancel' },
      { run_id: 'ended', type: 'pause' },
      { run_id: 'queued', type: 'cancel' },
    ])
  })
})
