import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { GroupCommit } from '../../../src/adapters/records/sqlite/group-commit.ts'
import { HomeDatabase } from '../../../src/adapters/records/sqlite/home-database.ts'
import type { Queries } from '../../../src/adapters/records/sqlite/queries.ts'
import {
  type Driven,
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
import { folderOf, openIn } from './records-fixture.ts'

/** Values of `PRAGMA synchronous`: only FULL flushes at each commit. */
const [NORMAL, FULL] = [1, 2]

/** Records how each commit of this process is made. */
function watchCommits(t: TestContext): number[] {
  const { exec } = DatabaseSync.prototype
  const seen: number[] = []
  t.mock.method(DatabaseSync.prototype, 'exec', function watched(this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT') seen.push(Number(this.prepare('PRAGMA synchronous').get()?.synchronous))
    exec.call(this, sql)
  })
  return seen
}

/** Lets the next commits of this process fail with an error of SQLite. @returns how many have failed so far */
function failCommits(t: TestContext, errcode: number, times: number): () => number {
  const { exec } = DatabaseSync.prototype
  let failed = 0
  t.mock.method(DatabaseSync.prototype, 'exec', function failing(this: DatabaseSync, sql: string) {
    if (sql === 'COMMIT' && failed < times) {
      failed++
      throw Object.assign(new Error('made to fail'), { code: 'ERR_SQLITE_ERROR', errcode })
    }
    exec.call(this, sql)
  })
  return () => failed
}

describe('only data that must survive a power failure is flushed', () => {
  test('each operation, in this order', async (t) => {
    const records = openIn(t, folderOf(t))
    const [run, other] = [await drive(records, newRun('r1')), await drive(records, newRun('r2'))]
    const grant = { id: 'g', kind: 'host', what: 'x', by: 'x', at: 'x' } as const
    const file = (id: string) => imported(id, 2)
    let giveBack: () => unknown = () => {}
    const table: readonly (readonly [string, () => unknown, readonly number[]])[] = [
      ['an append', () => run.append(started('r1')), [NORMAL]],
      ['a durable append', () => run.tick(1, { durable: true }), [FULL]],
      ['an append after a durable one', () => run.tick(), [NORMAL]],
      ['an append with an audit entry', () => run.tick(1, { audit: [fact('x')] }), [FULL]],
      ['an append with sealed lines', () => run.tick(1, { sealed: ['x'] }), [NORMAL]],
      [
        'one durable append among others, the first',
        () => Promise.all([run.tick(1, { durable: true }), other.tick()]),
        [FULL],
      ],
      [
        'one durable append among others, the last',
        () => Promise.all([run.tick(), other.tick(1, { durable: true })]),
        [FULL],
      ],
      ['a decision', () => records.runs.decide('r1', QUESTION, decided('ann', 99)), [FULL]],
      ['a grant without an audit entry', () => records.grants.give({ ...grant, uses_left: 2 }, []), [FULL]],
      ['a use of a grant that counts uses', () => records.grants.spend('g', 0), [FULL]],
      ['its last use', () => records.grants.spend('g', 0), [FULL]],
      ['a use that is refused', () => records.grants.spend('g', 0), []],
      ['a grant without a number of uses', () => records.grants.give({ ...grant, id: 'free' }, []), [FULL]],
      ['a use of it', () => records.grants.spend('free', 0), []],
      ['a revocation', () => records.grants.revoke(new Set(['free']), () => []), [FULL]],
      ['an audit entry', () => records.audit.append([fact('x')]), [FULL]],
      ['no audit entry', () => records.audit.append([]), []],
      ['a new run', () => records.runs.create(newRun('new')), [NORMAL]],
      ['a durable new run', () => records.runs.create(newRun('durable'), { durable: true }), [FULL]],
      ['an import', () => records.runs.import([file('i1')]), [NORMAL]],
      ['an import with an audit entry', () => records.runs.import([file('i2')], [fact('x')]), [FULL]],
      ['a removal', () => records.runs.remove('i1'), [FULL]],
      ['giving a lease back', () => run.run.close(), [NORMAL]],
      ['taking a lease', () => records.runs.open('r1'), [NORMAL]],
      [
        'a slot',
        async () => {
          giveBack = await records.slots.take(slot('a', 'r1'))
        },
        [NORMAL],
      ],
      ['giving a slot back', () => giveBack(), [NORMAL]],
    ]
    const seen = watchCommits(t)
    for (const [name, work, commits] of table) {
      seen.length = 0
      const before = records.counts().flushes
      await work()
      assert.deepEqual(seen, commits, name)
      assert.equal(records.counts().flushes - before, commits.filter((one) => one === FULL).length, name)
    }
  })
})

describe('a write that fails among others of one commit', () => {
  /** Errors of SQLite by their number; without one the error is of the write itself. */
  const table: readonly (readonly [name: string, errcode: number | undefined, code: string | undefined])[] = [
    ['an error of its own', undefined, undefined],
    ['a constraint', 19, undefined],
    ['a full disk', 13, 'DISK_FULL'],
    ['a file that became read-only', 8, 'HOME_UNWRITABLE'],
    ['a disk that cannot be written', 778, 'HOME_UNWRITABLE'],
  ]
  for (const [name, errcode, code] of table)
    for (const wrote of [false, true])
      test(`${name}, ${wrote ? 'after' : 'before'} it has written: ${code === undefined ? 'only it is refused' : `all are refused with ${code}`}`, async (t) => {
        const home = new HomeDatabase(join(folderOf(t), 'waybill.db'), false)
        t.after(() => home.close())
        const group = new GroupCommit(home)
        const error = Object.assign(new Error('made to fail'), errcode !== undefined && { errcode })
        const insert = (name: string) => group.write(({ q }) => put(q, name), { durable: false })
        const put = (q: Queries, name: string) => q.run('INSERT INTO routes VALUES (?, ?)', name, '{}')
        const failing = group.write(
          ({ q }) => {
            if (wrote) put(q, 'failing')
            throw error
          },
          { durable: false },
        )
        const outcomes = await Promise.allSettled([insert('before'), failing, insert('after')])
        const found = outcomes.map((outcome) =>
          outcome.status === 'fulfilled' ? 'kept' : (outcome.reason.code ?? outcome.reason.message),
        )
        const stored = await home.read(
          (q) => q.all<{ name: string }>('SELECT name FROM routes ORDER BY name').map((row) => row.name),
          () => [],
        )
        if (code === undefined) {
          assert.deepEqual(found, ['kept', 'made to fail', 'kept'])
          assert.deepEqual(stored, ['after', 'before'])
        } else {
          assert.deepEqual(found, [code, code, code])
          assert.deepEqual(stored, [])
        }
        await insert('next')
      })
})

describe('a commit that fails', () => {
  async function driven(t: TestContext, number: number) {
    const records = openIn(t, folderOf(t))
    const runs: Driven[] = []
    for (let n = 0; n < number; n++) runs.push(await drive(records, newRun(`r${n}`)))
    return { records, runs }
  }

  const table: readonly (readonly [string, number, string])[] = [
    ['the disk is full', 13, 'DISK_FULL'],
    ['the file became read-only', 8, 'HOME_UNWRITABLE'],
    ['the database is damaged', 11, 'RECORD_DAMAGED'],
  ]
  for (const [name, errcode, code] of table)
    test(`${name}: every write of the commit is refused with ${code}, nothing of them is stored, and the next is committed`, async (t) => {
      const { records, runs } = await driven(t, 3)
      const failed = failCommits(t, errcode, 1)
      await Promise.all([
        ...runs.map((run, n) => refused(code, () => run.append(started(`r${n}`), {}, { sealed: ['x'] }))),
        refused(code, () => records.audit.append([fact('x')])),
        refused(code, () => records.runs.create(newRun('new'))),
      ])
      assert.equal(failed(), 1)
      for (const n of runs.keys()) assert.deepEqual(await records.runs.events(`r${n}`), [])
      assert.deepEqual(await records.runs.sealed('r0'), [])
      assert.deepEqual(await records.audit.lines(), [])
      assert.equal(await records.runs.has('new'), false)
      await Promise.all(runs.map((run, n) => run.append(started(`r${n}`))))
      assert.equal((await records.runs.events('r2')).length, 1)
    })

  test('because another process is writing is retried, without duplicates', async (t) => {
    const { records, runs } = await driven(t, 2)
    const failed = failCommits(t, 5, 3)
    await Promise.all(runs.map((run, n) => run.append(started(`r${n}`), {}, { audit: [fact('x', n)] })))
    assert.equal(failed(), 3)
    for (const n of runs.keys()) assert.equal((await records.runs.events(`r${n}`)).length, 1)
    assert.equal((await records.audit.lines()).length, 2)
  })

  test('does not lose a lease that was registered in it', async (t) => {
    const home = folderOf(t)
    const [records, other] = [openIn(t, home), openIn(t, home, { pid: 4711 })]
    // Creating the database is a commit as well.
    await other.audit.append([fact('x')])
    failCommits(t, 13, 1)
    await refused('DISK_FULL', () => other.runs.create(newRun('r1')))
    await other.runs.create(newRun('r1'))
    const { message } = await refused('RUN_LOCKED', () => records.runs.open('r1'))
    assert.match(message, /process 4711/)
  })
})
