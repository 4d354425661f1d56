import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pg from 'pg'
import { openDatabase, openPool } from '../../src/platform/database/open-database.ts'
import { tablesWithOtherRights } from '../../src/platform/database/roles.ts'
import { inOrganisation, type Sql } from '../../src/platform/database/tenant.ts'
import { onServer, rowsOf, type TestDatabase, testDatabase } from './postgres.ts'

const INSTALLATION = ['backups', 'installation', 'migrations', 'queues', 'virtual_time', 'workers']
const DENIED = { code: '42501' }

interface Table {
  readonly name: string
  readonly forced: boolean
  readonly policies: readonly string[] | null
}

const TABLES = `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced,
    (SELECT array_agg(polname::text ORDER BY polname) FROM pg_policy WHERE polrelid = c.oid) AS policies
  FROM pg_class AS c WHERE relnamespace = 'waybill'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`

/** Two organisations, each with one run. */
async function twoOrganisations({ database: { engine } }: TestDatabase): Promise<void> {
  for (const org of ['a', 'b']) {
    await engine.query('INSERT INTO waybill.organisations (org, name) VALUES ($1, $1)', [org])
    await engine.query(
      `INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, plans)
       VALUES ($1, 'run', 1, '{}', '{}', false, 0, 'agent', '{}')`,
      [org],
    )
    await engine.query(
      `INSERT INTO waybill.progress (org, run_id, epoch, seq, status, questions, updated_at, phase)
       VALUES ($1, 'run', 1, 1, 'running', 0, 0, 'parked')`,
      [org],
    )
  }
}

describe('the database role of requests', () => {
  it('sees and changes the organisation that its transaction names, and no other', async (t) => {
    const test = await testDatabase(t)
    await twoOrganisations(test)
    const { app } = test.database
    const as = <T>(act: (sql: Sql) => Promise<T>) => inOrganisation(app, 'a', act)
    assert.deepEqual((await as((sql) => sql.query('SELECT org FROM waybill.runs'))).rows, [{ org: 'a' }])
    assert.equal((await as((sql) => sql.query(`UPDATE waybill.runs SET user_id = 'me'`))).rowCount, 1)
    assert.equal((await as((sql) => sql.query(`DELETE FROM waybill.runs WHERE org = 'b'`))).rowCount, 0)
    await assert.rejects(
      as((sql) => sql.query(`INSERT INTO waybill.organisations (org, name) VALUES ('c', 'C')`)),
      DENIED,
    )
    await assert.rejects(
      as((sql) => sql.query(`UPDATE waybill.runs SET org = 'b'`)),
      DENIED,
    )
    assert.deepEqual((await app.query('SELECT org FROM waybill.runs')).rows, [], 'outside of a transaction')
  })

  it('cannot switch row-level security off, nor become another role', async (t) => {
    const test = await testDatabase(t)
    await twoOrganisations(test)
    const client = new pg.Client({ connectionString: test.urls.app })
    client.on('error', () => {})
    await client.connect()
    t.after(() => client.end().catch(() => {}))
    await client.query('SET row_security = off')
    await assert.rejects(client.query('SELECT * FROM waybill.runs'), /row-level security/)
    await client.query('RESET row_security')
    await assert.rejects(client.query('SET ROLE waybill_engine'), DENIED)
    await assert.rejects(client.query('SET SESSION AUTHORIZATION waybill_engine'), DENIED)
    await assert.rejects(client.query(`SET ROLE ${new URL(test.ownerUrl).username}`), DENIED)
    for (const statement of [
      'ALTER TABLE waybill.runs DISABLE ROW LEVEL SECURITY',
      'DROP POLICY organisation ON waybill.runs',
      'CREATE POLICY mine ON waybill.runs USING (true)',
      'TRUNCATE waybill.runs CASCADE',
      'CREATE TABLE waybill.mine (n int)',
      'CREATE VIEW waybill.mine AS SELECT * FROM waybill.runs',
      'GRANT waybill_engine TO waybill_app',
    ])
      await assert.rejects(client.query(statement), { code: /^(42501|0LP01)$/ }, statement)
  })

  it('has no access to the tables of the installation', async (t) => {
    const { database } = await testDatabase(t)
    for (const table of INSTALLATION)
      for (const statement of [`SELECT * FROM waybill.${table}`, `DELETE FROM waybill.${table}`])
        await assert.rejects(database.app.query(statement), DENIED, statement)
  })

  it('can neither read nor write the queue, nor call its functions', async (t) => {
    const { ownerUrl, database } = await testDatabase(t)
    const tables = await rowsOf<{ name: string }>(
      ownerUrl,
      `SELECT quote_ident(relname) AS name FROM pg_class
       WHERE relnamespace = 'waybill_queue'::regnamespace AND relkind IN ('r', 'v')`,
    )
    assert.ok(tables.length >= 5)
    for (const { name } of tables)
      for (const statement of [`SELECT * FROM waybill_queue.${name}`, `DELETE FROM waybill_queue.${name}`])
        await assert.rejects(database.app.query(statement), DENIED, statement)
    await assert.rejects(
      database.app.query(`SELECT waybill_queue.enqueue_workflow('leg', 'default', ARRAY[to_json(1)])`),
      DENIED,
    )
    await assert.rejects(
      inOrganisation(database.app, 'a', (sql) => sql.query('CALL waybill_queue.anything()')),
      DENIED,
    )
  })

  it('queues legs of its own organisation, and no other', async (t) => {
    const test = await testDatabase(t)
    await twoOrganisations(test)
    const { app, engine } = test.database
    const enqueue = (org: string) => (sql: Sql) =>
      sql.query(`SELECT waybill.enqueue_leg($1, 'run') AS leg`, [org])
    const queued = `SELECT workflow_uuid AS id FROM waybill_queue.workflow_status`
    assert.deepEqual((await inOrganisation(app, 'a', enqueue('a'))).rows, [{ leg: 1 }])
    await assert.rejects(inOrganisation(app, 'a', enqueue('b')), DENIED)
    await assert.rejects(enqueue('a')(app), DENIED, 'outside of a transaction')
    assert.deepEqual((await engine.query(queued)).rows, [{ id: 'a/run#1' }])
    assert.deepEqual((await enqueue('b')(engine)).rows, [{ leg: 1 }])
  })

  it('has these limits under any name, and so has the role of the engine its rights', async (t) => {
    const test = await testDatabase(t)
    await twoOrganisations(test)
    const { ownerUrl } = test
    const admin = new URL(ownerUrl)
    admin.username = 'postgres'
    const suffix = admin.pathname.slice(-8)
    const openAs = async (role: string, parent: string) => {
      await onServer(admin.href, `CREATE ROLE ${role} LOGIN PASSWORD 'own' IN ROLE ${parent}`)
      const url = new URL(ownerUrl)
      url.username = role
      url.password = 'own'
      const pool = openPool(url.href, 'test', 1)
      t.after(async () => {
        await pool.end()
        admin.pathname = 'postgres'
        await onServer(admin.href, `DROP ROLE ${role}`)
      })
      return pool
    }
    const requests = await openAs(`requests_${suffix}`, 'waybill_app')
    const engine = await openAs(`legs_${suffix}`, 'waybill_engine')
    for (const name of ['enqueue_leg', 'wake']) {
      const call = (sql: Sql) => sql.query(`SELECT waybill.${name}('b', 'run') AS leg`)
      await assert.rejects(inOrganisation(requests, 'a', call), DENIED)
      await assert.rejects(call(requests), DENIED)
      assert.equal((await call(engine)).rowCount, 1)
    }
    assert.equal((await engine.query('SELECT org FROM waybill.runs')).rowCount, 2)
  })

  it('cannot redirect the function that queues legs to objects of its own', async (t) => {
    const test = await testDatabase(t)
    await twoOrganisations(test)
    await inOrganisation(test.database.app, 'a', async (sql) => {
      await sql.query(`CREATE TEMP TABLE progress AS SELECT 'b' AS org, 'run' AS run_id`)
      await sql.query(`SET LOCAL search_path = pg_temp, waybill`)
      await sql.query(`SELECT waybill.enqueue_leg('a', 'run')`)
    })
    const { rows } = await test.database.engine.query(`SELECT org, leg FROM waybill.progress ORDER BY org`)
    assert.deepEqual(rows, [
      { org: 'a', leg: 1 },
      { org: 'b', leg: 0 },
    ])
  })
})

describe('the tables of the platform', () => {
  it('have forced row-level security and two policies each, or belong to the installation', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const tables = await rowsOf<Table>(ownerUrl, TABLES)
    assert.ok(tables.length > 25)
    for (const { name, ...rights } of tables)
      assert.deepEqual(
        rights,
        INSTALLATION.includes(name)
          ? { forced: false, policies: null }
          : { forced: true, policies: ['organisation', 'whole'] },
        name,
      )
  })

  it('are named if their rights differ from those that a migration sets', async (t) => {
    const { ownerUrl, database } = await testDatabase(t)
    assert.deepEqual(await tablesWithOtherRights(database.app), [])
    for (const [table, change, back] of [
      [
        'runs',
        'ALTER TABLE waybill.runs DISABLE ROW LEVEL SECURITY',
        'ALTER TABLE waybill.runs ENABLE ROW LEVEL SECURITY',
      ],
      [
        'runs',
        'CREATE POLICY more ON waybill.runs TO waybill_app USING (true)',
        'DROP POLICY more ON waybill.runs',
      ],
      [
        'events',
        'ALTER POLICY organisation ON waybill.events USING (true)',
        `ALTER POLICY organisation ON waybill.events USING (org = current_setting('waybill.org', true))`,
      ],
      [
        'events',
        'ALTER POLICY whole ON waybill.events TO PUBLIC',
        'ALTER POLICY whole ON waybill.events TO waybill_engine, CURRENT_USER',
      ],
      [
        'workers',
        'GRANT SELECT ON waybill.workers TO waybill_app',
        'REVOKE SELECT ON waybill.workers FROM waybill_app',
      ],
      [
        'migrations',
        'GRANT UPDATE ON waybill.migrations TO PUBLIC',
        'REVOKE UPDATE ON waybill.migrations FROM PUBLIC',
      ],
      [
        'grants',
        'GRANT TRUNCATE ON waybill.grants TO waybill_app',
        'REVOKE TRUNCATE ON waybill.grants FROM waybill_app',
      ],
      [
        'tokens',
        'REVOKE INSERT ON waybill.tokens FROM waybill_engine',
        'GRANT INSERT ON waybill.tokens TO waybill_engine',
      ],
      ['more', 'CREATE TABLE waybill.more (org text)', 'DROP TABLE waybill.more'],
    ] as const) {
      await onServer(ownerUrl, change)
      assert.deepEqual(await tablesWithOtherRights(database.app), [table], change)
      await onServer(ownerUrl, back)
      assert.deepEqual(await tablesWithOtherRights(database.app), [], back)
    }
  })
})

describe('the start of the platform', () => {
  it('refuses a role of requests to which row-level security does not apply', async (t) => {
    const { ownerUrl, urls } = await testDatabase(t)
    const admin = new URL(ownerUrl)
    admin.username = 'postgres'
    const suffix = new URL(ownerUrl).pathname.slice(-8)
    const owner = new URL(ownerUrl).username
    for (const [name, rights, grants, why] of [
      ['superuser', 'SUPERUSER', '', /a superuser/],
      ['bypass', 'BYPASSRLS', '', /BYPASSRLS/],
      ['engine', '', `GRANT waybill_engine TO engine_${suffix}`, /role of the engine/],
      ['member', '', `GRANT ${owner} TO member_${suffix}`, /owner of a table/],
      ['noinherit', 'NOINHERIT', `GRANT ${owner} TO noinherit_${suffix}`, /owner of a table/],
    ] as const) {
      const role = `${name}_${suffix}`
      await onServer(admin.href, `CREATE ROLE ${role} LOGIN ${rights} PASSWORD 'own' IN ROLE waybill_app`)
      t.after(() =>
        onServer(ownerUrl.replace(/[^/]*$/, 'postgres').replace(owner, 'postgres'), `DROP ROLE ${role}`),
      )
      if (grants !== '') await onServer(admin.href, grants)
      const app = new URL(urls.app)
      app.username = role
      app.password = 'own'
      await assert.rejects(
        openDatabase({ ...urls, app: app.href }),
        (error: { code: string; message: string }) => {
          assert.equal(error.code, 'DATABASE_ROLE_UNSAFE')
          assert.match(error.message, why)
          return true
        },
      )
    }
    await assert.rejects(openDatabase({ ...urls, app: ownerUrl }), { code: 'DATABASE_ROLE_UNSAFE' })
    await (await openDatabase(urls)).close()
  })

  it('names a database that cannot be reached', async () => {
    const urls = { app: 'postgres://a:b@127.0.0.1:1/x', engine: 'postgres://a:b@127.0.0.1:1/x' }
    await assert.rejects(openDatabase(urls), { code: 'DATABASE_UNREACHABLE' })
  })
})
