import assert from 'node:assert/strict'
import { it } from 'node:test'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { retire } from '../../src/platform/engine/retention.ts'
import { TABLES } from '../../src/platform/features.ts'
import { testDatabase } from './postgres.ts'

it('what is no longer needed is removed after its time, and nothing else', async (t) => {
  const { database } = await testDatabase(t)
  const { engine } = database
  const old = `now() - interval '25 hours'`
  await engine.query(`
    INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A');
    INSERT INTO waybill.plans (org, hash, body, created_at) VALUES
      ('a', 'used', '{}', ${old}), ('a', 'family', '{}', ${old}), ('a', 'unused', '{}', ${old}), ('a', 'new', '{}', now());
    INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, plans)
      SELECT 'a', run, 1, '{}', '{}', false, 0, 'x', '{used,family}' FROM unnest(ARRAY['live', 'dead', 'next']) AS run;
    INSERT INTO waybill.workers (worker, until, queues) VALUES
      ('live', now() + interval '1 hour', '{}'), ('late', now() - interval '1 minute', '{}'),
      ('gone', now() - interval '61 minutes', '{}');
    INSERT INTO waybill.progress (org, run_id, epoch, holder, seq, status, questions, updated_at, phase) VALUES
      ('a', 'live', 1, 'live', 5, 'running', 0, 0, 'queued'), ('a', 'dead', 1, 'gone', 5, 'running', 0, 0, 'queued'),
      ('a', 'next', 1, 'gone', 4, 'running', 0, 0, 'queued');
    INSERT INTO waybill.texts (org, run_id, seq, epoch, n, attempt, text)
      SELECT 'a', run, 4, 1, 1, 1, 'text' FROM unnest(ARRAY['live', 'dead', 'next', 'removed']) AS run;
    INSERT INTO waybill.arriving_events (org, run_id, seq, line, at) VALUES
      ('a', 'left', 1, '{}', now() - interval '61 minutes'), ('a', 'arriving', 1, '{}', now() - interval '59 minutes');
    INSERT INTO waybill.conversations (org, session, agent_id) VALUES ('a', 's', 'x');
    INSERT INTO waybill.messages (org, session, id, on_busy, state, by, at) VALUES
      ('a', 's', 'old', 'enqueue', 'delivered', 'u', ${old}), ('a', 's', 'new', 'enqueue', 'delivered', 'u', now()),
      ('a', 's', 'waits', 'enqueue', 'queued', 'u', ${old});
    INSERT INTO waybill.idempotency (org, principal, operation, key, body_hash, resource, created_at) VALUES
      ('a', 'u', 'o', 'old', '', '', ${old}), ('a', 'u', 'o', 'new', '', '', now())`)
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  const kept = [ago(0).slice(0, 10), ago(0).slice(0, 7), ago(400).slice(0, 10), ago(400).slice(0, 7)]
  for (const period of [...kept, ago(401).slice(0, 10), ago(431).slice(0, 7)])
    await engine.query(
      `INSERT INTO waybill.spending (org, kind, subject, period) VALUES ('a', 'user', 'u', $1)`,
      [period],
    )
  // While a run is being stored, plans stay.
  await inOrganisation(engine, 'a', async (sql) => {
    await sql.query(
      `INSERT INTO waybill.plans (org, hash, body) VALUES ('a', 'unused', '{}') ON CONFLICT DO NOTHING`,
    )
    await sql.query(`UPDATE waybill.runs SET plans = plans || '{unused}' WHERE run_id = 'dead'`)
    await retire(engine, TABLES.sweeps)
  })
  const named = async (name: string, table: string) =>
    (
      await engine.query<{ name: string }>(`SELECT ${name} AS name FROM waybill.${table} ORDER BY 1`)
    ).rows.map(({ name }) => name)
  assert.deepEqual(await named('worker', 'workers'), ['late', 'live'])
  assert.deepEqual(await named('key', 'idempotency'), ['new'])
  assert.deepEqual(await named('id', 'messages'), ['new', 'waits'])
  assert.deepEqual(await named('period', 'spending'), kept.toSorted())
  assert.deepEqual(await named('run_id', 'arriving_events'), ['arriving'])
  assert.deepEqual(await named('run_id', 'texts'), ['live', 'next'])
  assert.deepEqual(await named('hash', 'plans'), ['family', 'new', 'unused', 'used'])
  await engine.query(`UPDATE waybill.runs SET plans = '{used,family}'`)
  await retire(engine, TABLES.sweeps)
  assert.deepEqual(await named('hash', 'plans'), ['family', 'new', 'used'])
})

it('a draft is removed when it is a day old and no run names it; a version stays', async (t) => {
  const { database } = await testDatabase(t)
  const { engine } = database
  await engine.query(`
    INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A');
    INSERT INTO waybill.agents (org, agent_id, name) VALUES ('a', 'x', 'X');
    INSERT INTO waybill.agent_versions (org, agent_id, version, digest, definition, media_type, body, status, report, uploaded_by, created_at)
      SELECT 'a', 'x', version, version, 'd', 'application/json', '', status, '{}', 'u', now() - age::interval FROM (VALUES
        ('1.0.0', 'inactive', '25 hours'), ('left', 'draft', '25 hours'), ('used', 'draft', '25 hours'), ('new', 'draft', '1 hour')
      ) AS v (version, status, age);
    INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, plans, version)
      VALUES ('a', 'r', 1, '{}', '{}', false, 0, 'x', '{}', 'used')`)
  await retire(engine, TABLES.sweeps)
  const { rows } = await engine.query('SELECT version FROM waybill.agent_versions ORDER BY 1')
  assert.deepEqual(
    rows.map(({ version }) => version),
    ['1.0.0', 'new', 'used'],
  )
})
