import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import { subjectKeyFiles } from '../../src/compose/subject-key-files.ts'
import { backupTables } from '../../src/platform/backup/backup-tables.ts'
import { type RestoreOptions, restoreBackup } from '../../src/platform/backup/restore-backup.ts'
import { subjectOf } from '../../src/platform/backup/subject-keys.ts'
import { writeBackup } from '../../src/platform/backup/write-backup.ts'
import { applySteps, setRights } from '../../src/platform/database/migrate.ts'
import { TABLES } from '../../src/platform/features.ts'
import { noticeCopiedDatabase } from '../../src/platform/records/notice-copy.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { ASKS } from '../run/core.ts'
import { untilOver, workersOf } from './engine-fixture.ts'
import { until } from './leg-place.ts'
import { onServer, rowsOf, type TestDatabase, testDatabase } from './postgres.ts'
import { type Script, scriptedRun } from './scripted-agent.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const AUDITED = { compliance: { ...ASKS.compliance, audit_log: true } }

function folders(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'waybill-backup-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  let made = 0
  return { log: join(root, 'log'), keys: join(root, 'keys'), next: () => join(root, `backup-${++made}`) }
}

const recordsOf = ({ database }: Pick<TestDatabase, 'database'>, org = 'a') =>
  openPostgresRecords(database, org, { worker: null, signAudit: () => privateKey })

function backUp({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>, folder: string, keys: string) {
  return writeBackup({
    ownerUrl,
    tables: TABLES.tables,
    folder,
    subjects: subjectKeyFiles(keys),
    keys: [],
    version: '9.9.9',
  })
}

function restore(
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
  folder: string,
  keys: string,
  more: Partial<RestoreOptions> = {},
) {
  const nextEntry = entryMaker(() => privateKey)
  return restoreBackup({
    ...{ ownerUrl, steps: TABLES.steps, folder, subjects: subjectKeyFiles(keys), nextEntry, paused: false },
    ...more,
  })
}

/** Two organisations with runs of users that have ended, wait for a person, and are in progress. */
async function filled(t: TestContext, log: string) {
  const startWorker = workersOf(t)
  const place = await testDatabase(t)
  await place.database.engine.query(
    `INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', E'B\\t"\\\\\\nü')`,
  )
  const enqueue = async (id: string, script: Script, user?: string, agent = {}, org = 'a') => {
    const run = scriptedRun(id, { ...script, name: id }, agent)
    const header = { ...run.header, ...(user !== undefined && { user }) }
    await recordsOf(place, org).runs.enqueue({ ...run, header }, {})
  }
  const start = (target: Pick<TestDatabase, 'urls'> = place) =>
    startWorker({ urls: target.urls, leaseMs: 1000, log, modelMs: 5 })
  return { ...place, enqueue, start }
}

/** All rows of all tables of a backup, apart from what belongs to processes. */
async function contents(ownerUrl: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    const found: Record<string, readonly unknown[]> = {}
    for (const { name, columns } of await backupTables(client, TABLES.tables)) {
      const { rows } = await client.query(
        `SELECT ${columns.map((one) => `"${one}"`).join(', ')} FROM waybill.${name}`,
      )
      found[name] = rows
        .map((row) =>
          JSON.stringify({ ...row, ...(name === 'progress' && { holder: null, taken_at: null, died: [] }) }),
        )
        .sort()
    }
    return found
  } finally {
    await client.end()
  }
}

describe('a backup', () => {
  it('holds every row of a moment while runs continue; restored elsewhere, the runs continue there', async (t) => {
    const { log, keys, next } = folders(t)
    const source = await filled(t, log)
    const worker = await source.start()
    await source.enqueue('done', { pays: 2 }, 'ann', AUDITED_FREE)
    await source.enqueue('other', { pays: 1 }, undefined, {}, 'b')
    await source.enqueue('asks', { pays: 1 }, 'bob', AUDITED)
    await source.enqueue('long', { pays: 60 }, 'ann')
    const records = recordsOf(source)
    await untilOver(records, ['done'])
    await untilOver(recordsOf(source, 'b'), ['other'])
    await until(async () => (await records.runs.listed('asks')).phase === 'parked')
    await until(async () => readFileSync(log, 'utf8').includes('"long"'))
    const folder = next()
    const manifest = await backUp(source, folder, keys)
    worker.kill('SIGKILL')
    assert.equal(manifest.tables.find(({ name }) => name === 'runs')?.rows, 4)
    assert.equal(statSync(join(folder, 'manifest.json')).mode & 0o777, 0o600)
    assert.equal(
      (await rowsOf(source.ownerUrl, 'SELECT bytes > 0 AS some FROM waybill.backups'))[0]?.some,
      true,
    )
    const target = await testDatabase(t)
    const restored = await restore(target, folder, keys)
    assert.deepEqual(
      [restored.organisations, restored.questions, restored.left_out, restored.unsigned],
      // The workers of the tests sign with a key of their own, so the log of their organisation cannot be continued here.
      [2, 1, { rows: 0, users: 0 }, ['a']],
    )
    await source.start(target)
    const again = recordsOf(target)
    const [question] = (await again.runs.list({ questions: true }, {})).items
    await leaveDecision(again, question?.run_id ?? '', undefined, { verdict: 'approve', by: 'ann' })
    // The call that was in flight when the backup was taken may have taken effect, and so may the next one: a person says so.
    let decided = ''
    for (const verdict of ['assume', 'resend'] as const) {
      const isAsked = ({ id, status }: { readonly id: string; readonly status: string }) =>
        status === 'unknown' && id !== decided
      const askedCall = async () => (await again.runs.read('long')).state.calls.find(isAsked)
      await until(async () => (await askedCall()) !== undefined)
      decided = (await askedCall())?.id ?? ''
      await leaveDecision(again, 'long', decided, { verdict, by: 'ann' })
    }
    assert.deepEqual(await untilOver(again, ['asks', 'long']), ['completed', 'completed'])
    const factsOf = async (org: string) =>
      (await recordsOf(target, org).audit.lines()).map((line) => JSON.parse(line).fact.kind)
    assert.deepEqual(await factsOf('b'), ['platform.restored'])
    assert.ok((await factsOf('a')).includes('run.started'))
  })

  it('is the same again after a restore, for every table, and from an older schema', async (t) => {
    const { log, keys, next } = folders(t)
    const source = await filled(t, log)
    await source.start()
    await source.enqueue('done', { pays: 2, steps: [['send']] }, 'ann', AUDITED_FREE)
    await source.enqueue('asks', { pays: 1 }, 'bob', AUDITED)
    const records = recordsOf(source)
    await untilOver(records, ['done'])
    await until(async () => (await records.runs.listed('asks')).phase === 'parked')
    await fillOthers(source)
    const first = next()
    await backUp(source, first, keys)
    const target = await testDatabase(t)
    await restore(target, first, keys)
    const [before, after] = [await contents(source.ownerUrl), await contents(target.ownerUrl)]
    for (const name of Object.keys(before)) {
      // They say that the database is a copy.
      if (name === 'installation' || name === 'copied_runs') continue
      const rows = after[name]?.filter((row) => !String(row).includes('platform.restored'))
      if (name !== 'audit_heads') assert.deepEqual(rows, before[name], name)
      assert.ok(name === 'messages' || (before[name]?.length ?? 0) > 0 || EMPTY.has(name), `${name} has rows`)
    }
    // Sequences continue: a new row does not take a number that is in use.
    await onServer(target.ownerUrl, `INSERT INTO waybill.grants (org, id, body) VALUES ('a', 'next', '{}')`)
    for (const steps of [1, TABLES.steps.length - 1]) {
      const old = await testDatabase(t)
      await onServer(old.ownerUrl, 'DROP SCHEMA waybill CASCADE')
      const client = new pg.Client({ connectionString: old.ownerUrl })
      await client.connect()
      await applySteps(client, TABLES.steps.slice(0, steps))
      await setRights(client)
      await client.query(`INSERT INTO waybill.organisations (org, name) VALUES ('old', 'Old')`)
      await client.end()
      const folder = next()
      await backUp(old, folder, keys)
      const into = await testDatabase(t)
      assert.equal((await restore(into, folder, keys)).organisations, 1)
      assert.equal(
        (await rowsOf(into.ownerUrl, 'SELECT count(*)::int AS n FROM waybill.migrations'))[0]?.n,
        TABLES.steps.length,
      )
    }
  })

  it('leaves out users whose key was destroyed, and no others; the keys are not in it', async (t) => {
    const { log, keys, next } = folders(t)
    const source = await filled(t, log)
    await source.start()
    for (const [id, user] of [
      ['r1', 'ann'],
      ['r2', 'bob'],
      ['r3', undefined],
    ] as const)
      await source.enqueue(id, { pays: 1 }, user)
    await untilOver(recordsOf(source), ['r1', 'r2', 'r3'])
    const folder = next()
    await backUp(source, folder, keys)
    const bytes = readdirSync(folder).map((file) => readFileSync(join(folder, file)))
    for (const file of readdirSync(keys))
      for (const line of readFileSync(join(keys, file), 'utf8').trim().split('\n')) {
        const key = line.split(' ')[1] ?? ''
        const raw = Buffer.from(key, 'base64')
        assert.ok(bytes.every((each) => !each.includes(raw) && !each.includes(key)))
      }
    await onServer(
      source.ownerUrl,
      `INSERT INTO waybill.erasures (org, id, user_id, subject, by, removed_at) VALUES
         ('a', '1', NULL, '${subjectOf('a', 'ann')}', 'admin', now()), ('b', '1', NULL, '${subjectOf('b', 'bob')}', 'admin', now()),
         ('a', '2', 'bob', '${subjectOf('a', 'bob')}', 'admin', NULL)`,
    )
    await backUp(source, next(), keys)
    // The key of a user whose rows are still there is not destroyed.
    const destroyed = await rowsOf(
      source.ownerUrl,
      'SELECT org, id FROM waybill.erasures WHERE keys_destroyed_at IS NOT NULL ORDER BY org',
    )
    assert.deepEqual(destroyed, [
      { org: 'a', id: '1' },
      { org: 'b', id: '1' },
    ])
    const target = await testDatabase(t)
    const { left_out } = await restore(target, folder, keys)
    assert.equal(left_out.users, 1)
    const ids = async (at: TestDatabase) =>
      (await rowsOf(at.ownerUrl, 'SELECT run_id FROM waybill.runs ORDER BY run_id')).map(
        ({ run_id }) => run_id,
      )
    assert.deepEqual(await ids(target), ['r2', 'r3'])
    const without = await testDatabase(t)
    assert.equal((await restore(without, folder, join(keys, 'none'))).left_out.users, 2)
    assert.deepEqual(await ids(without), ['r3'])
  })

  it('keys of users are destroyed only if they are older, and stay destroyed', (t) => {
    const { keys } = folders(t)
    let now = 100
    const open = () => subjectKeyFiles(keys, () => now)
    const first = open()
    const { id, key } = first.create('aa11')
    assert.deepEqual(first.create('aa11').id, id)
    first.save()
    const second = open()
    assert.deepEqual(second.read(id), key)
    assert.equal(second.read('aa11.other'), undefined)
    second.destroy('aa11', 99)
    assert.deepEqual(second.read(id), key)
    second.destroy('aa11', 100)
    second.destroy('aa22', 100)
    second.save()
    now = 200
    const third = open()
    assert.equal(third.read(id), undefined)
    assert.notEqual(third.create('aa11').id, id)
    assert.equal(third.read(id), undefined)
    third.save()
    assert.equal(statSync(join(keys, 'aa.keys')).mode & 0o777, 0o600)
  })

  it('is refused if it is incomplete, changed or newer, and if the database is in use; nothing changes then', async (t) => {
    const { log, keys, next } = folders(t)
    const source = await filled(t, log)
    const folder = next()
    await backUp(source, folder, keys)
    await assert.rejects(backUp(source, folder, keys), { code: 'BACKUP_FOLDER_USED' })
    const target = await testDatabase(t)
    const manifest = join(folder, 'manifest.json')
    const good = readFileSync(manifest)
    const value = JSON.parse(good.toString('utf8'))
    const write = (changed: unknown) => () => writeFileSync(manifest, JSON.stringify(changed))
    const file = join(folder, 'organisations.rows')
    const rows = readFileSync(file)
    const tables = (changed: object) =>
      write({
        ...value,
        tables: value.tables.map((one: { name: string }) =>
          one.name === 'organisations' ? { ...one, ...changed } : one,
        ),
      })
    for (const [name, change, code] of [
      ['no manifest', () => rmSync(manifest), 'BACKUP_DAMAGED'],
      ['half a manifest', () => truncateSync(manifest, 100), 'BACKUP_DAMAGED'],
      ['a list', write([]), 'BACKUP_DAMAGED'],
      ['no tables', write({ ...value, tables: undefined }), 'BACKUP_DAMAGED'],
      ['a later form', write({ ...value, format: 2 }), 'BACKUP_NEWER'],
      ['a later schema', write({ ...value, migrations: [...value.migrations, {}] }), 'BACKUP_NEWER'],
      [
        'another schema',
        write({ ...value, migrations: [{ ...value.migrations[0], sha256: 'x' }] }),
        'BACKUP_DAMAGED',
      ],
      ['a path out of the folder', tables({ file: '../log' }), 'BACKUP_DAMAGED'],
      ['fewer rows than it says', tables({ rows: 3 }), 'BACKUP_DAMAGED'],
      ['a missing file', () => rmSync(file), 'BACKUP_DAMAGED'],
      ['a longer file', () => appendFileSync(file, 'x'), 'BACKUP_DAMAGED'],
      ['a changed file', () => writeFileSync(file, Buffer.from(rows).fill(0, 60, 61)), 'BACKUP_DAMAGED'],
    ] as const) {
      change()
      await assert.rejects(restore(target, folder, keys), { code }, name)
      writeFileSync(manifest, good)
      writeFileSync(file, rows)
    }
    assert.deepEqual(await rowsOf(target.ownerUrl, 'SELECT org FROM waybill.organisations'), [])
    for (const used of [
      `INSERT INTO waybill.organisations (org, name) VALUES ('mine', 'Mine')`,
      `INSERT INTO waybill.workers (worker, until, queues) VALUES ('w', now() + interval '5 s', '{}')`,
    ]) {
      const busy = await testDatabase(t)
      await onServer(busy.ownerUrl, used)
      await assert.rejects(restore(busy, folder, keys), { code: 'DATABASE_NOT_EMPTY' })
    }
    assert.equal((await restore(target, folder, keys)).organisations, 2)
  })

  it('restored, a run asks about each write that the lost system may have made after it, and makes none again', async (t) => {
    const { log, keys, next } = folders(t)
    const source = await filled(t, log)
    await source.enqueue('late', { pays: 2, steps: ['book'] })
    await source.enqueue('decided', { pays: 1 }, undefined, ASKS)
    const worker = await source.start()
    const before = recordsOf(source)
    await until(async () => (await before.runs.listed('decided')).phase === 'parked')
    worker.kill('SIGKILL')
    await onServer(
      source.ownerUrl,
      `DELETE FROM waybill.events WHERE run_id = 'late';
      UPDATE waybill.progress SET seq = 0, status = 'running', stop_reason = NULL, phase = 'queued', holder = NULL WHERE run_id = 'late'`,
    )
    rmSync(log, { force: true })
    await leaveDecision(before, 'decided', undefined, { verdict: 'approve', by: 'ann' })
    const folder = next()
    await backUp(source, folder, keys)
    await source.start()
    await untilOver(before, ['late', 'decided'])
    const sends = () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('send')).length
    const sent = sends()
    assert.ok(sent >= 3, readFileSync(log, 'utf8'))
    const target = await testDatabase(t)
    const { generation } = await restore(target, folder, keys)
    assert.equal(generation, 2)
    await source.start(target)
    const records = recordsOf(target)
    for (let asked = 0; asked < 2; asked++) {
      const callOf = async () => (await records.runs.read('late')).state.calls[0]
      await until(async () => (await callOf())?.id === `c${asked + 1}`)
      const call = await callOf()
      assert.deepEqual([call?.status, call?.id], ['unknown', `c${asked + 1}`])
      await leaveDecision(records, 'late', undefined, { verdict: 'assume', by: 'ann' })
    }
    assert.deepEqual(await untilOver(records, ['late']), ['completed'])
    // The decision of before does not count: the question is open again.
    assert.deepEqual((await records.runs.listed('decided')).status, 'waiting')
    assert.equal(sends(), sent)
  })

  it('put back without a restore, it asks its open questions again, because they may have been decided', async (t) => {
    const { log } = folders(t)
    const source = await filled(t, log)
    await source.start()
    await source.enqueue('asks', { pays: 1 }, undefined, ASKS)
    const records = recordsOf(source)
    const callOf = async () => (await records.runs.read('asks')).state.calls[0]
    await until(
      async () =>
        (await callOf())?.status === 'asking' && (await records.runs.listed('asks')).phase === 'parked',
    )
    const nextEntry = entryMaker(() => privateKey)
    const { engine } = source.database
    await noticeCopiedDatabase(engine, { place: 'one', nextEntry })
    await noticeCopiedDatabase(engine, { place: 'two', nextEntry })
    await until(async () => (await callOf())?.status === 'unknown')
    await until(async () => (await records.runs.listed('asks')).phase === 'parked')
    assert.throws(() => readFileSync(log))
    await leaveDecision(records, 'asks', undefined, { verdict: 'resend', by: 'ann' })
    assert.deepEqual(await untilOver(records, ['asks']), ['completed'])
    assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n'), ['send {"n":1,"name":"asks"}'])
  })

  it('restored with --paused, it sends nothing until the stop is lifted; tokens may be revoked', async (t) => {
    const { log, keys, next } = folders(t)
    const source = await filled(t, log)
    await source.enqueue('waits', { pays: 1 })
    await onServer(
      source.ownerUrl,
      `INSERT INTO waybill.members (org, user_id, kind, name, roles, created_by) VALUES ('a', 'ann', 'person', '', '{admin}', 'x');
       INSERT INTO waybill.tokens (org, id, hash, name, roles, user_id, created_by) VALUES ('a', 't', '\\x00', '', '{admin}', 'ann', 'x')`,
    )
    const folder = next()
    await backUp(source, folder, keys)
    const target = await testDatabase(t)
    const restored = await restore(target, folder, keys, { paused: true, revokeTokens: true })
    assert.equal(restored.continuing, 1)
    await source.start(target)
    const records = recordsOf(target)
    await until(async () => (await records.runs.listed('waits')).phase === 'parked')
    assert.throws(() => readFileSync(log))
    const stops = await rowsOf(target.ownerUrl, 'SELECT org, kind FROM waybill.stops ORDER BY org')
    assert.deepEqual(stops, [
      { org: 'a', kind: 'organisation' },
      { org: 'b', kind: 'organisation' },
    ])
    assert.equal(
      (await rowsOf(target.ownerUrl, 'SELECT FROM waybill.tokens WHERE revoked_at IS NULL')).length,
      0,
    )
  })
})

const AUDITED_FREE = { compliance: { audit_log: true } }

/** Tables that the runs of the test do not fill. */
const EMPTY = new Set<string>([])

/** A row in each table that no run of the test fills. */
async function fillOthers({ ownerUrl }: TestDatabase): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  for (const { name, columns } of await backupTables(client, TABLES.tables)) {
    const { rowCount } = await client.query(`SELECT FROM waybill.${name} LIMIT 1`)
    if (rowCount !== 0) continue
    const { rows } = await client.query<{ name: string; type: string }>(
      `SELECT column_name AS name, udt_name AS type FROM information_schema.columns
       WHERE table_schema = 'waybill' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL
         AND is_identity = 'NO' AND column_name = ANY ($2)`,
      [name, columns],
    )
    const values = rows.map(({ name: column, type }) => sampleOf(column, type))
    await client
      .query(
        `INSERT INTO waybill.${name} (${rows.map((one) => one.name).join(', ')}) VALUES (${values.join(', ')})`,
      )
      .catch(() => EMPTY.add(name))
  }
  await client.end()
}

function sampleOf(column: string, type: string): string {
  if (column === 'org') return `'a'`
  if (column === 'run_id') return `'done'`
  if (column === 'user_id') return `'ann'`
  switch (type) {
    case 'bytea':
      return `'\\x00ff0a5c'`
    case 'jsonb':
      return `'{"a":"\\\\n"}'`
    case 'bool':
      return 'true'
    case '_text':
      return `'{}'`
    case 'timestamptz':
      return 'now()'
    case 'text':
      return `E'tab\\t line\\n back\\\\ quote\\' ü'`
    default:
      return '7'
  }
}
