import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { SlotHolder } from '../../../src/run/record/records.ts'
import { drive, newRun, refused, slot, started } from '../../../src/testing/contracts/records-fixture.ts'
import { folderOf, openIn, tamper } from './records-fixture.ts'

function rowsOf(home: string, sql: string): readonly Record<string, unknown>[] {
  const db = new DatabaseSync(join(home, 'waybill.db'), { timeout: 5000 })
  try {
    return db.prepare(sql).all()
  } finally {
    db.close()
  }
}

const locksIn = (home: string) => readdirSync(join(home, 'locks'))

describe('resources of a dead process', () => {
  test('are removed with the first lease of another process: leases, slots, its row and its lock file', async (t) => {
    const home = folderOf(t)
    const [dead, next] = [openIn(t, home), openIn(t, home)]
    for (const id of ['r1', 'r2']) await drive(dead, newRun(id))
    await dead.slots.take(slot('a', 'r1'))
    dead.abandon()
    await next.runs.create(newRun('r3'))
    const holders = rowsOf(
      home,
      'SELECT run_id, holder FROM progress JOIN runs ON runs.id = run ORDER BY run_id',
    )
    assert.deepEqual(
      holders.map(({ holder }) => holder === null),
      [true, true, false],
    )
    assert.equal(rowsOf(home, 'SELECT * FROM slots').length, 0)
    assert.equal(rowsOf(home, 'SELECT * FROM processes').length, 1)
    assert.equal(locksIn(home).length, 1)
  })

  test('are also removed if it crashed after the others checked', async (t) => {
    const home = folderOf(t)
    const [later, next] = [openIn(t, home), openIn(t, home)]
    await next.runs.create(newRun('r0'))
    for (const id of ['r1', 'r2']) await drive(later, newRun(id))
    await later.slots.take(slot('a', 'r1'))
    later.abandon()
    assert.equal((await next.runs.open('r1')).epoch, 2)
    assert.equal(rowsOf(home, 'SELECT * FROM progress WHERE holder IS NULL').length, 1)
    assert.equal(rowsOf(home, 'SELECT * FROM slots').length, 0)
    assert.equal(rowsOf(home, 'SELECT * FROM processes').length, 1)
    assert.equal(locksIn(home).length, 1)
  })

  test('include a slot, which is free for a process that may not wait', async (t) => {
    const home = folderOf(t)
    const [later, next] = [openIn(t, home), openIn(t, home)]
    await next.runs.create(newRun('r0'))
    await later.slots.take(slot('a', 'r1'))
    later.abandon()
    await (await next.slots.take(slot('a', 'r2'), { wait: false }))()
  })
})

describe('a store that is closed', () => {
  test('has no leases, slots, row or lock file', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    await drive(records, newRun('r1'))
    await records.slots.take(slot('a', 'r1'))
    await records.close()
    assert.equal(rowsOf(home, 'SELECT * FROM progress WHERE holder IS NOT NULL').length, 0)
    for (const table of ['slots', 'processes'])
      assert.equal(rowsOf(home, `SELECT * FROM ${table}`).length, 0, table)
    assert.deepEqual(locksIn(home), [])
  })
})

describe('a live holder whose lease was taken over', () => {
  test('neither appends nor releases the lease of its successor', async (t) => {
    const home = folderOf(t)
    const [old, next] = [openIn(t, home), openIn(t, home)]
    const run = await drive(old, newRun('r1'))
    tamper(home, 'UPDATE progress SET holder = NULL')
    assert.equal((await next.runs.open('r1')).epoch, 2)
    await refused('RUN_TAKEN_OVER', () => run.append(started('r1')))
    await run.run.close()
    await refused('RUN_LOCKED', () => openIn(t, home).runs.open('r1'))
  })

  test('a missing lock file means that its process is dead', async (t) => {
    const home = folderOf(t)
    const [old, next] = [openIn(t, home), openIn(t, home)]
    await drive(old, newRun('r1'))
    rmSync(join(home, 'locks', locksIn(home)[0] ?? ''))
    // The store itself is alive.
    await refused('RUN_LOCKED', () => old.runs.open('r1'))
    assert.equal((await next.runs.listed('r1')).live, false)
    assert.equal((await next.runs.open('r1')).epoch, 2)
  })
})

test('the process of another machine is not named by its pid', async (t) => {
  const home = folderOf(t)
  const records = openIn(t, home, { pid: 4711 })
  await drive(records, newRun('r1'))
  const message = async () => (await refused('RUN_LOCKED', () => records.runs.open('r1'))).message
  assert.match(await message(), /process 4711/)
  tamper(home, `UPDATE processes SET host = 'elsewhere'`)
  assert.match(await message(), /another process/)
})

test('a waiting run gets the pid of the process on this machine that holds the slot', async (t) => {
  const home = folderOf(t)
  const holder = openIn(t, home, { pid: 4711 })
  const other = openIn(t, home)
  await holder.slots.take(slot('a', 'r1'))
  const holders = async () => {
    let found: readonly SlotHolder[] | undefined
    const stop = new AbortController()
    const onWait = (shown: readonly SlotHolder[]) => {
      found = shown
      stop.abort(new Error('seen'))
    }
    await assert.rejects(other.slots.take(slot('a', 'r2'), { signal: stop.signal, onWait }), /seen/)
    return found
  }
  assert.deepEqual(await holders(), [{ run_id: 'r1', pid: 4711 }])
  tamper(home, `UPDATE processes SET host = 'elsewhere'`)
  assert.deepEqual(await holders(), [{ run_id: 'r1' }])
})

describe('files are private to their owner', () => {
  /** Every file and folder of a home that is in use, with its mode. */
  function modesIn(home: string): Readonly<Record<string, string>> {
    const names = ['.', ...readdirSync(home, { recursive: true })].map(String)
    return Object.fromEntries(
      names.map((name) => {
        const mode = (statSync(join(home, name)).mode & 0o777).toString(8)
        return [name.replace(/[0-9a-f]{24}/, 'HEX'), mode]
      }),
    )
  }

  const PRIVATE = {
    'waybill.db': '600',
    'waybill.db-wal': '600',
    'waybill.db-shm': '600',
    locks: '700',
    'locks/HEX.lock': '600',
  }

  for (const mask of [0o000, 0o022, 0o077])
    test(`created with the mask ${mask.toString(8).padStart(3, '0')}`, async (t) => {
      const before = process.umask(mask)
      t.after(() => process.umask(before))
      const home = join(folderOf(t), 'deep/home')
      const run = await drive(openIn(t, home), newRun('r1'))
      await run.append(started('r1'), {}, { durable: true })
      assert.deepEqual(modesIn(home), { '.': '700', ...PRIVATE })
    })

  for (const mode of [0o666, 0o640, 0o604])
    test(`a database that others may open (${mode.toString(8)}) is made private before its log is created`, async (t) => {
      const before = process.umask(0)
      t.after(() => process.umask(before))
      const home = folderOf(t)
      const first = openIn(t, home)
      await (await first.runs.create(newRun('r1'))).close()
      await first.close()
      chmodSync(join(home, 'waybill.db'), mode)
      await drive(openIn(t, home), 'r1')
      assert.deepEqual(modesIn(home), { '.': '700', ...PRIVATE })
    })

  test('an existing folder keeps its mode', async (t) => {
    const home = join(folderOf(t), 'home')
    mkdirSync(home)
    chmodSync(home, 0o750)
    await drive(openIn(t, home), newRun('r1'))
    assert.deepEqual(modesIn(home), { '.': '750', ...PRIVATE })
  })
})
