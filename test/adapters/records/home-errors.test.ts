import assert from 'node:assert/strict'
import { chownSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import {
  asHomeError,
  isBusy,
  isCorrupt,
  isOfTheHome,
} from '../../../src/adapters/records/sqlite/home-errors.ts'
import { pauseMs, retryBusy } from '../../../src/adapters/records/sqlite/retry-busy.ts'
import { WaybillError } from '../../../src/document/issue.ts'
import { recordsClosed } from '../../../src/run/record/record-errors.ts'
import { folderOf } from './records-fixture.ts'

/** An error as `node:sqlite` throws it. */
const sqlite = (errcode: unknown) =>
  Object.assign(new Error('text of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode })
const ofFiles = (code: string) => Object.assign(new Error('text of the system'), { code })

type Kind = 'busy' | 'corrupt' | 'home' | 'busy, home' | 'other'

/** Result codes of https://www.sqlite.org/rescode.html, some of them extended. */
const KINDS: readonly (readonly [name: string, errcode: unknown, kind: Kind])[] = [
  ['ERROR', 1, 'other'],
  ['PERM', 3, 'home'],
  ['BUSY', 5, 'busy, home'],
  ['BUSY_RECOVERY', 261, 'busy, home'],
  ['BUSY_SNAPSHOT', 517, 'busy, home'],
  ['LOCKED', 6, 'busy, home'],
  ['LOCKED_SHAREDCACHE', 262, 'busy, home'],
  ['NOMEM', 7, 'home'],
  ['READONLY', 8, 'home'],
  ['READONLY_DBMOVED', 1032, 'home'],
  ['IOERR', 10, 'home'],
  ['IOERR_WRITE', 778, 'home'],
  ['CORRUPT', 11, 'corrupt'],
  ['CORRUPT_INDEX', 779, 'corrupt'],
  ['FULL', 13, 'home'],
  ['CANTOPEN', 14, 'home'],
  ['CANTOPEN_ISDIR', 526, 'home'],
  ['CONSTRAINT_UNIQUE', 2067, 'other'],
  ['MISUSE', 21, 'other'],
  ['NOTADB', 26, 'corrupt'],
  ['a number as text', '5', 'other'],
  ['no number', undefined, 'other'],
]

describe('errors of SQLite are distinguished by their primary code', () => {
  for (const [name, errcode, kind] of KINDS)
    test(`${name}: ${kind}`, () => {
      const error = sqlite(errcode)
      assert.deepEqual(
        [isBusy(error), isCorrupt(error), isOfTheHome(error)],
        [kind.includes('busy'), kind === 'corrupt', kind.includes('home')],
      )
    })

  for (const other of [new Error('x'), null, undefined, 'text'])
    test(`${other} is none of them`, () => {
      assert.deepEqual([isBusy(other), isCorrupt(other), isOfTheHome(other)], [false, false, false])
    })
})

/** An existing database in a folder that is not full. */
function databaseIn(t: TestContext): string {
  const file = join(folderOf(t), 'waybill.db')
  writeFileSync(file, '')
  return file
}

function codeOf(error: unknown, file: string, doing: 'read' | 'write'): string | undefined {
  const found = asHomeError(error, file, doing)
  if (found === error) return undefined
  assert.ok(found instanceof WaybillError)
  assert.equal(found.cause, error)
  assert.equal(found.details.file, file)
  assert.ok(found.details.hint?.includes('waybill resume'))
  return found.code
}

describe('an error of the home has a hint', () => {
  const table: readonly (readonly [
    string,
    error: Error,
    reading: string | undefined,
    writing: string | undefined,
  ])[] = [
    ['BUSY', sqlite(5), 'HOME_BUSY', 'HOME_BUSY'],
    ['LOCKED', sqlite(6), 'HOME_BUSY', 'HOME_BUSY'],
    ['CORRUPT', sqlite(11), 'RECORD_DAMAGED', 'RECORD_DAMAGED'],
    ['NOTADB', sqlite(26), 'RECORD_DAMAGED', 'RECORD_DAMAGED'],
    ['FULL', sqlite(13), 'DISK_FULL', 'DISK_FULL'],
    ['READONLY', sqlite(8), 'HOME_UNWRITABLE', 'HOME_UNWRITABLE'],
    ['READONLY_DBMOVED', sqlite(1032), 'HOME_UNWRITABLE', 'HOME_UNWRITABLE'],
    ['CANTOPEN', sqlite(14), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    ['CANTOPEN_ISDIR', sqlite(526), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    ['PERM', sqlite(3), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    ['IOERR', sqlite(10), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    // An unreadable home is also unwritable; the error reports reading.
    ['IOERR_READ', sqlite(266), 'HOME_UNREADABLE', 'HOME_UNREADABLE'],
    ['IOERR_WRITE', sqlite(778), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    // The file ends before the requested page.
    ['IOERR_SHORT_READ', sqlite(522), 'RECORD_DAMAGED', 'RECORD_DAMAGED'],
    ['CONSTRAINT_UNIQUE', sqlite(2067), undefined, undefined],
    ['ERROR', sqlite(1), undefined, undefined],
    ['ENOSPC', ofFiles('ENOSPC'), 'DISK_FULL', 'DISK_FULL'],
    ['EDQUOT', ofFiles('EDQUOT'), 'DISK_FULL', 'DISK_FULL'],
    ['EROFS', ofFiles('EROFS'), 'HOME_UNWRITABLE', 'HOME_UNWRITABLE'],
    ['EACCES', ofFiles('EACCES'), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    ['EPERM', ofFiles('EPERM'), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'],
    ['EMFILE', ofFiles('EMFILE'), 'TOO_MANY_FILES', 'TOO_MANY_FILES'],
    ['ENFILE', ofFiles('ENFILE'), 'TOO_MANY_FILES', 'TOO_MANY_FILES'],
    ...['ENOTDIR', 'EEXIST', 'EIO', 'ELOOP', 'ENOENT', 'ENAMETOOLONG'].map(
      (code) => [code, ofFiles(code), 'HOME_UNREADABLE', 'HOME_UNWRITABLE'] as const,
    ),
    ['ECONNREFUSED', ofFiles('ECONNREFUSED'), undefined, undefined],
    ['an error without a code', new Error('x'), undefined, undefined],
  ]
  for (const [name, error, reading, writing] of table)
    test(`${name}: ${reading ?? 'itself'} in reading, ${writing ?? 'itself'} in writing`, (t) => {
      const file = databaseIn(t)
      assert.equal(codeOf(error, file, 'read'), reading)
      assert.equal(codeOf(error, file, 'write'), writing)
    })

  test('of permissions, it names the owner of the home if that is another user', (t) => {
    const own = process.getuid?.()
    if (own === undefined) return t.skip('needs users')
    const message = (file: string): string =>
      (asHomeError(ofFiles('EACCES'), file, 'read') as WaybillError).message
    const folder = folderOf(t)
    assert.doesNotMatch(message(join(folder, 'waybill.db')), /belongs/)
    // Only root can give a folder away; another user finds one that belongs to root.
    if (own === 0) chownSync(folder, 65534, 65534)
    const [path, uid] = own === 0 ? [folder, 65534] : ['/etc', 0]
    assert.ok(
      message(join(path, 'waybill.db')).endsWith(
        `; ${path} belongs to the user with uid ${uid}, and this process runs with uid ${own}`,
      ),
    )
    assert.doesNotMatch(message(join(folder, 'absent/absent/waybill.db')), /belongs/)
  })

  test('an error of Waybill is returned unchanged', (t) => {
    const error = recordsClosed()
    assert.equal(asHomeError(error, databaseIn(t), 'write'), error)
  })

  test('a file in place of a parent folder: the home can be neither written nor read', (t) => {
    const file = join(databaseIn(t), 'home/waybill.db')
    assert.equal(codeOf(ofFiles('EACCES'), file, 'write'), 'HOME_UNREADABLE')
  })

  test('a missing folder that cannot be created', (t) => {
    const file = join(folderOf(t), 'deep/home/waybill.db')
    assert.equal(codeOf(ofFiles('EACCES'), file, 'write'), 'HOME_UNWRITABLE')
    // The free space of its disk is unknown.
    assert.equal(codeOf(sqlite(14), file, 'write'), 'HOME_UNWRITABLE')
    assert.equal(codeOf(sqlite(778), file, 'write'), 'HOME_UNWRITABLE')
  })

  test('a folder in which a database is about to be created', (t) => {
    const file = join(dirname(databaseIn(t)), 'other.db')
    assert.equal(codeOf(ofFiles('EACCES'), file, 'write'), 'HOME_UNWRITABLE')
  })

  test('SQLite does not report a full disk if it cannot create a file', {
    skip: process.platform === 'linux' ? false : 'needs a file system without free blocks',
  }, () => {
    const file = '/proc/waybill.db'
    assert.equal(codeOf(sqlite(14), file, 'write'), 'DISK_FULL')
    assert.equal(codeOf(sqlite(778), file, 'write'), 'DISK_FULL')
    assert.equal(codeOf(sqlite(778), file, 'read'), 'HOME_UNREADABLE')
    // The index of the write-ahead log, which a reader creates too.
    for (const index of [10, 4618, 4874, 5386]) assert.equal(codeOf(sqlite(index), file, 'read'), 'DISK_FULL')
  })
})

describe('a busy database is retried', () => {
  /** The longest pause of a try, in milliseconds: it doubles up to 50, and 1 is added always. */
  const longest: readonly (readonly [tries: number, ms: number])[] = [
    [0, 3],
    [1, 5],
    [2, 9],
    [3, 17],
    [4, 33],
    [5, 51],
    [6, 51],
    [1000, 51],
  ]
  for (const [tries, ms] of longest)
    test(`after try ${tries}: in 1 ms to ${ms} ms`, (t) => {
      const random = t.mock.method(Math, 'random', () => 0)
      assert.equal(pauseMs(tries), 1)
      random.mock.mockImplementation(() => 1)
      assert.equal(pauseMs(tries), ms)
    })

  /** Tries an act whose results are these, at these times; an Error is thrown. */
  async function tried(t: TestContext, results: readonly unknown[], times: readonly number[]) {
    let n = 0
    let looked = 0
    t.mock.method(performance, 'now', () => times[looked++])
    const act = () => {
      const result = results[n++]
      if (result instanceof Error) throw result
      return result
    }
    const [outcome] = await Promise.allSettled([retryBusy('/home/db', act)])
    return { outcome, tries: n }
  }

  test('until it succeeds', async (t) => {
    const { outcome, tries } = await tried(t, [sqlite(5), sqlite(6), 'done'], [0, 1, 2])
    assert.deepEqual(outcome, { status: 'fulfilled', value: 'done' })
    assert.equal(tries, 3)
  })

  test('for 10 s, and then it is HOME_BUSY', async (t) => {
    const busy = sqlite(5)
    const { outcome, tries } = await tried(t, [busy, busy, busy, 'late'], [500, 600, 10_500, 10_501])
    assert.equal(tries, 3)
    assert.ok(outcome?.status === 'rejected')
    assert.equal(outcome.reason.code, 'HOME_BUSY')
    assert.equal(outcome.reason.cause, busy)
  })

  test('any other error ends the retries immediately', async (t) => {
    const full = sqlite(13)
    const { outcome, tries } = await tried(t, [full, 'late'], [0, 1])
    assert.deepEqual(outcome, { status: 'rejected', reason: full })
    assert.equal(tries, 1)
  })
})
