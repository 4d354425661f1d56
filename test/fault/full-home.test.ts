import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { Place, waybill } from '../cli/fixture.ts'
import { BIN } from '../started-process.ts'
import { mayMount, smallDisk } from './small-disk.ts'

const KB = 1024
const REHEARSE = ['run', 'agent.json', '--rehearse', '--input', 'Go'] as const

/** A home on a disk of its own. */
async function fullHome(t: TestContext) {
  const place = new Place(t)
  const disk = await smallDisk(t, place.folder, place.home, 4_000 * KB)
  const exec = async (...argv: readonly string[]) => {
    const [command = '', ...rest] = [...disk.prefix, ...argv]
    const child = spawn(command, rest, { env: place.env, stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    return { out, err, code }
  }
  return { disk, exec, run: (...argv: readonly string[]) => exec(BIN, ...argv), database: place.database }
}

describe('a home on a full disk', {
  skip: mayMount() ? false : 'needs the permission to mount',
}, () => {
  test('is read, and what must be written is refused with DISK_FULL', async (t) => {
    const { disk, run } = await fullHome(t)
    assert.equal((await run(...REHEARSE)).code, 0)
    disk.leave(0)
    const listed = await run('runs', 'list', '--json')
    assert.equal(listed.code, 0, listed.err)
    assert.equal(JSON.parse(listed.out).runs.length, 1)
    assert.equal((await run('runs', 'show', 'last')).code, 0)
    const refused = await run(...REHEARSE, '--json')
    assert.deepEqual([refused.code, JSON.parse(refused.out).error.code], [3, 'DISK_FULL'], refused.err)
    assert.doesNotMatch(refused.err, /let this user read/)
    disk.clear()
    assert.equal((await run(...REHEARSE)).code, 0)
  })

  test('is read with the write-ahead log that a crash has left', async (t) => {
    const { disk, run, exec, database } = await fullHome(t)
    assert.equal((await run(...REHEARSE)).code, 0)
    const crash = `
      const { DatabaseSync } = require('node:sqlite')
      const db = new DatabaseSync(process.argv[1])
      db.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE left_over (x)')
      process.kill(process.pid, 'SIGKILL')`
    await exec(process.execPath, '-e', crash, database)
    await exec('rm', `${database}-shm`)
    disk.leave(0)
    const listed = await run('runs', 'list', '--json')
    assert.equal(listed.code, 0, listed.err)
    assert.equal(JSON.parse(listed.out).runs.length, 1)
  })
})

describe('a home whose folder cannot be created', () => {
  for (const home of ['/proc/none/x', '/proc/none/x/y/z'])
    test(`is an error, and not an endless loop: ${home}`, async (t) => {
      const place = new Place(t)
      place.env.WAYBILL_HOME = home
      const said = await waybill(place, [...REHEARSE, '--json'])
      assert.deepEqual([said.code, JSON.parse(said.out).error.code], [2, 'HOME_UNWRITABLE'], said.err)
    })
})
