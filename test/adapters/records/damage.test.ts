import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { SqliteRecords } from '../../../src/adapters/records/sqlite/open-sqlite-records.ts'
import { drive, fact, newRun, refused } from '../../../src/testing/contracts/records-fixture.ts'
import { filled, folderOf, openIn, TIMES, tamper } from './records-fixture.ts'

const ROUNDS = 40 * TIMES

describe('a damaged record is reported, with its name', () => {
  const table: readonly (readonly [string, string, RegExp])[] = [
    [
      'an event that was changed',
      `UPDATE events SET line = replace(line, '"by":"test"', '"by":"tess"') WHERE seq = 4`,
      /run r1 is damaged at event 4: it was changed/,
    ],
    [
      'an event with another checksum',
      'UPDATE events SET checksum = checksum + 1 WHERE seq = 3',
      /r1 is damaged at event 3/,
    ],
    [
      'an event that is missing',
      'DELETE FROM events WHERE run = 1 AND seq = 2',
      /r1 is damaged at event 2: it is missing/,
    ],
    [
      'a first event that is missing',
      'DELETE FROM events WHERE run = 1 AND seq = 1',
      /r1 is damaged at event 1/,
    ],
    [
      'a last event that is missing',
      'DELETE FROM events WHERE run = 1 AND seq = 5',
      /r1 is damaged at event 5/,
    ],
    ['all events missing', 'DELETE FROM events WHERE run = 1', /r1 is damaged at event 1/],
    [
      'an event too many',
      `INSERT INTO events (run, seq, line, checksum) SELECT run, 6, line, checksum FROM events WHERE run = 1 AND seq = 5`,
      /r1 is damaged at event 6/,
    ],
    [
      'events in another order',
      'UPDATE events SET seq = CASE seq WHEN 4 THEN 50 ELSE 4 END WHERE run = 1 AND seq IN (4, 5); UPDATE events SET seq = 5 WHERE seq = 50',
      /r1 is damaged at event 4: it was changed/,
    ],
    [
      "another run's event",
      'UPDATE events SET line = (SELECT line FROM events WHERE run = 2 AND seq = 1), checksum = (SELECT checksum FROM events WHERE run = 2 AND seq = 1) WHERE run = 1 AND seq = 1',
      /r1 is damaged at event 1/,
    ],
    [
      'a number of events that is not that of the last',
      'UPDATE progress SET seq = 4 WHERE run = 1',
      /run r1 is damaged/,
    ],
    [
      'a number that is too large',
      'UPDATE progress SET seq = 9223372036854775807 WHERE run = 1',
      /run r1 is damaged: a number/,
    ],
    ['a changed status', `UPDATE progress SET status = 'completed' WHERE run = 1`, /run r1 is damaged/],
    [
      'progress that is missing',
      'DELETE FROM progress WHERE run = 1',
      /run r1 is damaged: its progress is missing/,
    ],
    [
      'a changed header',
      `UPDATE runs SET header = replace(header, 'Clerk', 'Clerc') WHERE id = 1`,
      /run r1 is damaged: its header/,
    ],
    [
      'a header that is no JSON',
      `UPDATE runs SET header = '{' WHERE id = 1`,
      /run r1 is damaged: its header/,
    ],
    [
      'a changed input',
      `UPDATE runs SET first = replace(first, 'input of r1', 'x') WHERE id = 1`,
      /run r1 is damaged/,
    ],
    [
      'an owner in another row than in the header',
      `UPDATE runs SET user = 'eve' WHERE id = 1`,
      /run r1 is damaged/,
    ],
    [
      'a run that says that it was imported',
      'UPDATE runs SET imported = 1 WHERE id = 1',
      /run r1 is damaged/,
    ],
    [
      'a plan that is missing',
      `DELETE FROM plans WHERE body LIKE '%agent-1%'`,
      /run r1 is damaged: its plan/,
    ],
    [
      'a plan of the family that is missing',
      `DELETE FROM plans WHERE body LIKE '%agent-2%'`,
      /run r1 is damaged: its plan/,
    ],
    [
      'a changed plan',
      `UPDATE plans SET body = replace(body, 'You are', 'you are')`,
      /run r1 is damaged: its plan/,
    ],
  ]
  for (const [name, statement, message] of table)
    test(name, async (t) => {
      const { home, records } = await filled(t)
      tamper(home, statement)
      const error = await refused('RECORD_DAMAGED', () => records.runs.read('r1'))
      assert.match(error.message, message)
      assert.equal((error as Error & { details: { file?: string } }).details.file, join(home, 'waybill.db'))
      await assert.rejects(records.runs.open('r1'), /RECORD_DAMAGED|damaged|RUN_IMPORTED|read from a file/)
      // It does not hide others, and can be removed.
      assert.deepEqual(
        (await records.runs.list()).items.map(({ run_id }) => run_id),
        ['r2', 'r1'],
      )
      assert.equal(
        (await records.runs.list({ status: 'completed' })).items.some(({ run_id }) => run_id === 'r2'),
        true,
      )
      await records.runs.remove('r1')
      assert.deepEqual(
        (await records.runs.list()).items.map(({ run_id }) => run_id),
        ['r2'],
      )
    })

  test('a list names the runs that it cannot show', async (t) => {
    const { home, records } = await filled(t)
    tamper(
      home,
      `UPDATE runs SET header = 'x' WHERE id = 1`,
      'UPDATE progress SET questions = 9223372036854775807 WHERE run = 2',
    )
    const { items } = await records.runs.list()
    assert.deepEqual(
      items.map(({ run_id, damaged }) => [run_id, damaged?.code]),
      [
        ['r2', 'RECORD_DAMAGED'],
        ['r1', 'RECORD_DAMAGED'],
      ],
    )
    assert.equal(items[1]?.header, null)
  })

  test('a time that is too large does not hide other runs, on any page', async (t) => {
    const { home, records } = await filled(t)
    for (const id of ['r3', 'r4']) await (await records.runs.create(newRun(id))).close()
    const moments = [2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)]
    tamper(home, ...moments.map((at, n) => `UPDATE runs SET created_at = ${at} WHERE id = ${n + 1}`))
    const order = ['r2', 'r1', 'r4', 'r3']
    for (const limit of [1, 2, 3, 4]) {
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await records.runs.list({}, { limit, ...(cursor !== undefined && { cursor }) })
        for (const { run_id, damaged } of page.items)
          seen.push(damaged === undefined ? run_id : `${run_id} ${damaged.code}`)
        cursor = page.next ?? undefined
        assert.ok(seen.length <= order.length, `by ${limit}: ${seen}`)
      } while (cursor !== undefined)
      assert.deepEqual(
        seen,
        order.map((id) => (id === 'r4' ? id : `${id} RECORD_DAMAGED`)),
        `by ${limit}`,
      )
    }
    await records.runs.remove('r1')
    assert.equal(await records.runs.has('r1'), false)
  })

  test('changed decisions, sealed lines and grants are not used', async (t) => {
    const { home, records } = await filled(t)
    await records.grants.give(
      { id: 'g1', kind: 'host', what: 'a.example', by: 'ann', at: '2026-01-01', uses_left: 1 },
      [],
    )
    tamper(
      home,
      `UPDATE decisions SET line = replace(line, 'approve', 'deny')`,
      `UPDATE sealed SET line = 'x'`,
      `UPDATE grants SET body = replace(body, '"uses_left":1', '"uses_left":9')`,
    )
    await refused('RECORD_DAMAGED', () => records.runs.decisions('r1'))
    await refused('RECORD_DAMAGED', () => records.runs.sealed('r1'))
    await refused('RECORD_DAMAGED', () => records.grants.list())
    await refused('RECORD_DAMAGED', () => records.grants.spend('g1', 0))
  })

  test('any flipped bit and any deleted row is reported, or does not change what is read', async (t) => {
    const { home, records } = await filled(t)
    const before = JSON.stringify(await readAll(records))
    const db = new DatabaseSync(join(home, 'waybill.db'), {
      timeout: 5000,
      enableForeignKeyConstraints: false,
    })
    t.after(() => db.close())
    let reported = 0
    let random = 7
    const below = (n: number) => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((random / 2_147_483_648) * n)
    }
    for (let round = 0; round < ROUNDS; round++) {
      db.exec('SAVEPOINT before')
      const table =
        (['runs', 'progress', 'events', 'plans', 'decisions', 'sealed'] as const)[below(6)] ?? 'events'
      const rows = db.prepare(`SELECT rowid AS id, * FROM ${table}`).all() as Record<string, unknown>[]
      const row = rows[below(rows.length)] ?? {}
      const what = spoil(db, table, row, below)
      db.exec('RELEASE before')
      let after: string
      try {
        after = JSON.stringify(await readAll(records))
      } catch (error) {
        const { code, message } = error as { code?: string; message: string }
        // A run whose id is another is not found under the old one.
        assert.ok(
          code === 'RECORD_DAMAGED' || (code === 'RUN_NOT_FOUND' && what.includes('run_id')),
          `${what}: ${code} ${message}`,
        )
        after = ''
        reported++
      }
      if (after !== '') assert.equal(after, before, what)
      restore(db, table, row)
      assert.equal(JSON.stringify(await readAll(records)), before, `restored after ${what}`)
    }
    assert.ok(reported > ROUNDS / 2, `${reported} of ${ROUNDS}`)
  })
})

/** Returns all readable data of both runs. */
async function readAll(records: SqliteRecords): Promise<unknown> {
  const all: unknown[] = []
  for (const id of ['r1', 'r2']) {
    all.push(await records.runs.read(id), await records.runs.events(id), await records.runs.decisions(id))
    const { damaged, ...listed } = await records.runs.listed(id)
    if (damaged !== undefined) throw Object.assign(new Error(damaged.message), { code: damaged.code })
    all.push(listed)
  }
  all.push(await records.runs.sealed('r1'))
  return all
}

/** Deletes a row or flips one bit of one of its values. */
function spoil(
  db: DatabaseSync,
  table: string,
  row: Record<string, unknown>,
  below: (n: number) => number,
): string {
  const id = row.id as number
  // A completely deleted decision, sealed line or run cannot be distinguished from one that never existed.
  if (below(8) === 0 && ['events', 'progress', 'plans'].includes(table)) {
    db.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(id)
    return `${table} ${id} deleted`
  }
  const names = Object.keys(row).filter(
    (name) =>
      !['id', 'n', 'run', 'holder', 'epoch', 'root', 'parent'].includes(name) ||
      (name === 'run' && table === 'events'),
  )
  const name = names[below(names.length)] ?? 'line'
  const value = row[name]
  const flipped =
    typeof value === 'string' && value.length > 0
      ? flipText(value, below)
      : typeof value === 'number'
        ? value ^ (1 << below(30))
        : 'x'
  try {
    db.prepare(`UPDATE ${table} SET ${name} = ? WHERE rowid = ?`).run(flipped, id)
  } catch {
    return 'refused by the database itself'
  }
  return `${table} ${id} ${name}: ${String(flipped).slice(0, 200)}`
}

function flipText(text: string, below: (n: number) => number): string {
  const at = below(text.length)
  return text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ (1 << below(5))) + text.slice(at + 1)
}

function restore(db: DatabaseSync, table: string, row: Record<string, unknown>): void {
  const { id, ...values } = row
  const names = Object.keys(values)
  const key = (
    db.prepare(`SELECT name FROM pragma_table_info('${table}') WHERE pk > 0 AND type = 'INTEGER'`).get() as
      | { name?: string }
      | undefined
  )?.name
  const columns = key === undefined || names.includes(key) ? names : [key, ...names]
  const given = columns.map((name) => (name === key && !(name in values) ? id : values[name]))
  db.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(id as number)
  const rowid = key === undefined ? ['rowid'] : []
  const all = [...rowid, ...columns]
  db.prepare(`INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})`).run(
    ...([...(key === undefined ? [id] : []), ...given] as (string | number)[]),
  )
}

describe('records of other versions', () => {
  test('a run of a later version can be listed and shown, and not resumed', async (t) => {
    const { home, records } = await filled(t)
    const { crc32 } = await import('node:zlib')
    const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000 })
    const row = db.prepare('SELECT * FROM runs WHERE id = 1').get() as Record<string, string | number | null>
    const names = [
      'run_id',
      'v',
      'header',
      'first',
      'imported',
      'created_at',
      'agent_id',
      'user',
      'batch',
      'parent',
      'root',
      'plans',
    ]
    const checksum = crc32(names.map((name) => (name === 'v' ? 2 : row[name])).join('\0'))
    db.prepare('UPDATE runs SET v = 2, checksum = ? WHERE id = 1').run(checksum)
    db.close()
    assert.equal((await records.runs.listed('r1')).damaged?.code, 'RECORD_NEWER')
    assert.equal((await records.runs.read('r1')).state.seq, 5)
    assert.equal((await records.runs.events('r1')).length, 5)
    const error = await refused('RECORD_NEWER', () => records.runs.open('r1'))
    assert.match(error.message, /version 2/)
  })

  const unknown: readonly (readonly [string, object, object])[] = [
    ['an unknown event', { type: 'run.teleported' }, {}],
    ['an unknown member of a fact', { type: 'run.resumed', by: 'x', later: 1 }, {}],
    ['an unknown decision', { type: 'run.resumed', by: 'x' }, { sent_twice: true }],
  ]
  for (const [name, strange, decision] of unknown)
    test(`${name} can be shown, and the run is not resumed`, async (t) => {
      const { records } = await filled(t)
      const run = await drive(records, 'r1')
      await run.append(strange as never, decision as never)
      await run.run.close()
      assert.equal((await records.runs.events('r1')).length, 6)
      assert.equal((await records.runs.read('r1')).state.seq, 6)
      await refused('RECORD_NEWER', () => records.runs.open('r1'))
      // The lease was released.
      assert.equal((await records.runs.listed('r1')).live, false)
    })

  test('a database of a later version is neither read nor written', async (t) => {
    const { home, records } = await filled(t)
    await records.close()
    tamper(home, 'PRAGMA user_version = 99')
    const later = openIn(t, home)
    await refused('RECORD_NEWER', () => later.runs.list())
    await refused('RECORD_NEWER', () => later.runs.create(newRun('r9')))
  })

  const files: readonly (readonly [string, (file: string) => void])[] = [
    [
      'a file that is no database',
      (file) => writeFileSync(file, 'not a database, and long enough to be looked at'.repeat(50)),
    ],
    ['a database of another program', (file) => other(file, 'CREATE TABLE notes (text TEXT)')],
    [
      'a database with another mark',
      (file) => other(file, 'PRAGMA application_id = 77; CREATE TABLE notes (text TEXT)'),
    ],
  ]
  for (const [name, make] of files)
    test(`${name} is reported, and not changed`, async (t) => {
      const home = join(folderOf(t), 'home')
      mkdirSync(home)
      make(join(home, 'waybill.db'))
      for (const readOnly of [false, true])
        await refused('RECORD_DAMAGED', () => openIn(t, home, { readOnly }).runs.list())
      await refused('RECORD_DAMAGED', () => openIn(t, home).runs.create(newRun('r1')))
    })
})

function other(file: string, sql: string): void {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

describe('a damaged audit log accepts no entries, and audited actions are refused', () => {
  const table: readonly (readonly [string, string])[] = [
    ['the head was removed', 'DELETE FROM audit_head'],
    ['the last entry was removed', 'DELETE FROM audit WHERE n = 3'],
    ['all entries were removed', 'DELETE FROM audit'],
    ['the last entry was changed', `UPDATE audit SET line = replace(line, 'three', 'threE') WHERE n = 3`],
    ['the last entry is no entry', `UPDATE audit SET line = 'x' WHERE n = 3`],
    [
      'the head is that of an earlier entry',
      'UPDATE audit_head SET line = (SELECT line FROM audit WHERE n = 2)',
    ],
    ['an entry was put behind the last', `INSERT INTO audit SELECT 4, line FROM audit WHERE n = 3`],
  ]
  for (const [name, statement] of table)
    test(name, async (t) => {
      const { home, records } = await filled(t)
      tamper(home, statement)
      await refused('AUDIT_DAMAGED', () => records.audit.append([fact('four')]))
      const run = await drive(records, 'r1')
      await refused('AUDIT_DAMAGED', () => run.tick(1, { audit: [fact('four')] }))
      assert.equal((await records.runs.listed('r1')).seq, 5)
      await refused('AUDIT_DAMAGED', () =>
        records.grants.give({ id: 'g', kind: 'host', what: 'x', by: 'x', at: 'x' }, [fact('four')]),
      )
      assert.deepEqual(await records.grants.list(), [])
      // Actions that are not audited continue.
      await run.tick()
    })
})
