import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  decided,
  drive,
  fact,
  newRun,
  QUESTION,
  refused,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { folderOf, openIn } from './records-fixture.ts'

const SCRIPT = join(import.meta.dirname, 'fault-process.ts')
const canMount = spawnSync('unshare', ['-m', 'true']).status === 0

/** Runs the script in a mount namespace of its own, after these commands of a shell. */
function inMounts(prepare: string, ...given: readonly string[]): Record<string, unknown> {
  const command = `set -e; ${prepare}; exec "$@"`
  const { stdout, stderr, status, signal } = spawnSync(
    'unshare',
    ['-m', 'bash', '-c', command, 'bash', process.execPath, SCRIPT, ...given],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, `${signal} ${stderr}`)
  return JSON.parse(stdout)
}

describe('a disk that is full', () => {
  for (const leaveKb of [0, 20, 60, 150, 250, 350, 450, 600, 900, 1500])
    test(`with ${leaveKb} KB left: DISK_FULL, no loss, and it continues after space was freed`, (t) => {
      if (!canMount) return t.skip('needs the permission to mount')
      const folder = folderOf(t)
      const seen = inMounts(`mount -t tmpfs -o size=6m none ${folder}`, 'fullDisk', folder, String(leaveKb))
      assert.deepEqual(seen.codes, ['DISK_FULL'], JSON.stringify(seen))
      assert.equal(seen.during, seen.acknowledged)
      assert.equal(seen.again, 'ok')
      assert.equal(seen.after, Number(seen.acknowledged) + 3)
      assert.equal(seen.entries, Math.max(0, Number(seen.acknowledged) - 1))
      assert.equal(seen.integrity, 'ok')
    })
})

describe('a home that cannot be written', () => {
  const READ = { events: 1, audit: 1, decisions: 1, items: 0, empty: 0 }
  const REFUSED = {
    create: 'HOME_UNWRITABLE',
    open: 'HOME_UNWRITABLE',
    remove: 'HOME_UNWRITABLE',
    make: 'HOME_UNWRITABLE',
  }
  for (const left of ['closed', 'killed', 'beside a writer'] as const)
    test(`${left}: it is listed and read, and writing is refused`, async (t) => {
      if (!canMount) return t.skip('needs the permission to mount')
      const folder = folderOf(t)
      const home = join(folder, 'home')
      const records = openIn(t, home)
      const run = await drive(records, newRun('r1'))
      await run.append(started('r1'), {}, { audit: [fact('run.started')], durable: true })
      await records.runs.decide('r1', QUESTION, decided('ann', 1))
      if (left === 'closed') await records.close()
      if (left === 'killed') leaveAsKilled(home, join(folder, 'copy'))
      const prepare = `${left === 'killed' ? `mv ${home} ${folder}/old; mv ${folder}/copy ${home};` : ''} mount --bind ${folder} ${folder}; mount -o remount,bind,ro ${folder}`
      const seen = inMounts(prepare, 'readOnly', folder)
      const live = left === 'beside a writer'
      assert.deepEqual(seen, { list: [{ run_id: 'r1', live }], ...READ, ...REFUSED })
    })

  test('opened read-only, no files are created or written', async (t) => {
    const folder = folderOf(t)
    const home = join(folder, 'home')
    const none = openIn(t, home, { readOnly: true })
    assert.deepEqual(await none.runs.list(), { items: [], next: null })
    await refused('HOME_UNWRITABLE', () => none.runs.create(newRun('r1')))
    assert.equal(existsSync(home), false)
    const records = openIn(t, home)
    const run = await drive(records, newRun('r1'))
    await run.append(started('r1'))
    assert.equal((await none.runs.listed('r1')).live, true)
    for (const write of [
      () => none.runs.open('r1'),
      () => none.audit.append([fact('x')]),
      () => none.grants.give({ id: 'g', kind: 'host', what: 'x', by: 'x', at: 'x' }, []),
      () => none.slots.take({ agent: 'a', agent_name: 'A', limit: 1, run_id: 'r', above: [] }),
    ])
      await refused('HOME_UNWRITABLE', write)
    await records.close()
    const before = readdirSync(home)
    assert.equal((await none.runs.events('r1')).length, 1)
    assert.deepEqual(readdirSync(home), before)
  })

  test('reading a folder without a database creates no files, and a file in place of the folder is an error', async (t) => {
    const folder = folderOf(t)
    const records = openIn(t, join(folder, 'home'))
    assert.deepEqual((await records.runs.list()).items, [])
    await refused('RUN_NOT_FOUND', () => records.runs.open('r1'))
    await refused('RUN_NOT_FOUND', () => records.runs.remove('r1'))
    assert.equal(await records.memory.forget({}), 0)
    assert.equal(await records.grants.spend('g', 0), false)
    await records.close()
    assert.deepEqual(readdirSync(folder), [])
    writeFileSync(join(folder, 'file'), '')
    await refused('HOME_UNREADABLE', () => openIn(t, join(folder, 'file')).runs.list())
    await refused('HOME_UNWRITABLE', () => openIn(t, join(folder, 'file')).runs.create(newRun('r1')))
    mkdirSync(join(folder, 'dir/waybill.db'), { recursive: true })
    await refused('HOME_UNREADABLE', () => openIn(t, join(folder, 'dir')).runs.list())
  })
})

test('too few file descriptors: TOO_MANY_FILES at each point, and it continues when there are more', (t) => {
  const folder = folderOf(t)
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['-c', 'ulimit -n 60; exec "$@"', 'bash', process.execPath, SCRIPT, 'fewFiles', folder],
    { encoding: 'utf8' },
  )
  assert.equal(status, 0, stderr)
  const { codes } = JSON.parse(stdout) as { codes: readonly string[] }
  for (const [left, code] of codes.entries())
    assert.match(code, /^(TOO_MANY_FILES|ok) (TOO_MANY_FILES|ok) ok$/, `${left} left: ${code}`)
  assert.ok(codes.filter((code) => code.startsWith('TOO_MANY_FILES')).length > 2, codes.join('; '))
  assert.ok(codes.at(-1)?.startsWith('ok'), codes.join('; '))
})

/** Copies the database with its log as it is, by another process: `fs` of this one must not open these files. */
function leaveAsKilled(home: string, copy: string): void {
  assert.equal(spawnSync('cp', ['-r', home, copy]).status, 0)
}
