import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { preparedDatabase } from '../../src/compose/platform-database.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openDatabase, prepareDatabase } from '../../src/platform/database/open-database.ts'
import { TABLES } from '../../src/platform/features.ts'
import { emptyDatabase, onServer, rowsOf, testDatabase } from './postgres.ts'

const SCHEMAS = `SELECT nspname AS schema FROM pg_namespace WHERE nspname LIKE 'waybill%' ORDER BY 1`
const ALL_TABLES = `SELECT n.nspname || '.' || c.relname AS name, c.relacl::text AS rights, c.oid::int AS oid
  FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE n.nspname LIKE 'waybill%' ORDER BY 1`

/** An owner as a provider of databases creates them: not a superuser, with a database of its own. */
async function ordinaryOwner(t: TestContext, rights = 'CREATEROLE'): Promise<string> {
  const base = await emptyDatabase(t)
  const name = `owner_${randomBytes(4).toString('hex')}`
  const url = new URL(base)
  await onServer(base, `CREATE ROLE ${name} LOGIN ${rights} PASSWORD 'own'`, `GRANT ${name} TO CURRENT_USER`)
  await onServer(base, `ALTER DATABASE ${url.pathname.slice(1)} OWNER TO ${name}`)
  t.after(() => onServer(base.replace(/[^/]*$/, 'waybill'), `DROP ROLE ${name}`))
  url.username = name
  url.password = 'own'
  return url.href
}

describe('the migration of the database', { timeout: 110_000 }, () => {
  it('reports all steps in a dry run, and changes nothing', async (t) => {
    const url = await emptyDatabase(t)
    const due = await migrate(url, TABLES.steps, { dryRun: true })
    assert.deepEqual(
      due.map(({ name }) => name),
      [...TABLES.steps.map(({ name }) => name), 'queue'],
    )
    assert.deepEqual(await rowsOf(url, SCHEMAS), [])
    await prepareDatabase(url, TABLES.steps)
    assert.deepEqual(await rowsOf(url, SCHEMAS), [{ schema: 'waybill' }, { schema: 'waybill_queue' }])
    assert.deepEqual(await migrate(url, TABLES.steps, { dryRun: true }), [])
  })

  it('does not change a current database', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const before = await rowsOf(ownerUrl, ALL_TABLES)
    const [{ n: changes } = { n: 0 }] = await rowsOf<{ n: number }>(
      ownerUrl,
      'SELECT txid_current()::int AS n',
    )
    assert.deepEqual(await migrate(ownerUrl, TABLES.steps), [])
    await prepareDatabase(ownerUrl, TABLES.steps)
    assert.deepEqual(await rowsOf(ownerUrl, ALL_TABLES), before)
    const policies = await rowsOf<{ n: number }>(
      ownerUrl,
      'SELECT max(xmin::text::int) AS n FROM pg_policy WHERE polrelid > 0',
    )
    assert.ok((policies[0]?.n ?? 0) < changes, 'no policy was written again')
  })

  it('a command changes no table of an older version, and prepares an empty database', async (t) => {
    const url = await emptyDatabase(t)
    const steps = () => rowsOf(url, 'SELECT n FROM waybill.migrations')
    const known = TABLES.steps.length
    await prepareDatabase(url, TABLES.steps, {}, { upgrades: false })
    assert.equal((await steps()).length, known)
    // As the version before has left it.
    await onServer(url, `DELETE FROM waybill.migrations WHERE n = ${known}`)
    await assert.rejects(prepareDatabase(url, TABLES.steps, {}, { upgrades: false }), {
      code: 'DATABASE_OLDER',
    })
    assert.equal((await steps()).length, known - 1)
    await assert.rejects(
      preparedDatabase({
        home: '/nonexistent',
        data: '/nonexistent',
        databaseUrl: url,
        env: {},
        log: () => {},
      }),
      { code: 'DATABASE_OLDER' },
      'the default of every command',
    )
  })

  it('runs once when four processes start at once, which print nothing', async (t) => {
    const url = await emptyDatabase(t)
    const script = join(import.meta.dirname, 'migrate-process.ts')
    const run = () => promisify(execFile)(process.execPath, [script, url])
    for (const { stdout, stderr } of await Promise.all([run(), run(), run(), run()]))
      assert.deepEqual({ stdout, stderr }, { stdout: '', stderr: '' })
    assert.deepEqual(
      await rowsOf(url, 'SELECT n, name FROM waybill.migrations'),
      TABLES.steps.map(({ n, name }) => ({ n, name })),
    )
    assert.deepEqual(await migrate(url, TABLES.steps, { dryRun: true }), [])
  })

  it('leaves nothing behind if a statement fails', async (t) => {
    const url = await emptyDatabase(t)
    await prepareDatabase(await emptyDatabase(t), TABLES.steps)
    await onServer(url, 'CREATE SCHEMA waybill', 'CREATE TABLE waybill.routes (mine int)')
    await assert.rejects(migrate(url, TABLES.steps), /routes.* already exists/)
    const tables = await rowsOf(url, `SELECT tablename FROM pg_tables WHERE schemaname LIKE 'waybill%'`)
    assert.deepEqual(tables, [{ tablename: 'routes' }])
  })

  it('refuses a database of a later version, and one whose history differs', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    await onServer(ownerUrl, `UPDATE waybill.migrations SET sha256 = 'other'`)
    await assert.rejects(migrate(ownerUrl, TABLES.steps, { dryRun: true }), { code: 'DATABASE_DAMAGED' })
    await onServer(ownerUrl, `INSERT INTO waybill.migrations (n, name, sha256) VALUES (99, 'later', 'x')`)
    await assert.rejects(migrate(ownerUrl, TABLES.steps), { code: 'DATABASE_NEWER' })
  })

  it('repairs the rights of a table that were changed', async (t) => {
    const { ownerUrl, urls } = await testDatabase(t)
    await onServer(ownerUrl, 'ALTER TABLE waybill.runs NO FORCE ROW LEVEL SECURITY')
    await assert.rejects(openDatabase(urls), { code: 'DATABASE_ROLE_UNSAFE' })
    await migrate(ownerUrl, TABLES.steps)
    await (await openDatabase(urls)).close()
  })

  it('works with an owner without the rights of a superuser, in several databases of one server', async (t) => {
    // Roles belong to the server, and the test server has them from its template.
    const url = await emptyDatabase(t)
    const [first, second] = await Promise.all([
      prepareDatabase(url, TABLES.steps),
      prepareDatabase(await emptyDatabase(t), TABLES.steps),
    ])
    for (const urls of [first, second]) await (await openDatabase(urls)).close()
    const [role] = await rowsOf<{ rolsuper: boolean }>(
      url,
      'SELECT rolsuper FROM pg_roles WHERE rolname = CURRENT_USER',
    )
    assert.equal(role?.rolsuper, false)
  })

  it('keeps the roles of another installation on the server', async (t) => {
    const { urls } = await testDatabase(t)
    const other = await ordinaryOwner(t)
    await assert.rejects(prepareDatabase(other, TABLES.steps), { code: 'DATABASE_ROLE_UNSAFE' })
    await (await openDatabase(urls)).close()
    assert.deepEqual(await rowsOf(other, SCHEMAS), [])
  })

  it('uses given roles if the owner may not create any', async (t) => {
    const { urls } = await testDatabase(t)
    const owner = await ordinaryOwner(t, 'NOCREATEROLE')
    const path = new URL(owner).pathname
    const given = { app: new URL(urls.app), engine: new URL(urls.engine) }
    given.app.pathname = path
    given.engine.pathname = path
    const prepared = await prepareDatabase(owner, TABLES.steps, {
      app: given.app.href,
      engine: given.engine.href,
    })
    await (await openDatabase(prepared)).close()
  })

  it('creates the tables that DBOS itself expects', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const { verifySystemDatabase } = await import('@dbos-inc/dbos-sdk/internal/system_database')
    const { GlobalLogger } = await import('@dbos-inc/dbos-sdk/internal/telemetry/logs')
    const logger = new GlobalLogger(undefined, { logLevel: 'error' })
    await verifySystemDatabase(ownerUrl, logger, undefined, 'waybill_queue')
    await assert.rejects(verifySystemDatabase(ownerUrl, logger, undefined, 'another_schema'))
  })
})
