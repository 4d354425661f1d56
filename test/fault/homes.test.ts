import assert from 'node:assert/strict'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, type TestContext, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { codeOf, permits, Site } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'
import { mayMount, smallDisk } from './small-disk.ts'

/** A site with a run that waits for a person. */
async function waitingSite(t: TestContext, prepare?: (site: Site) => Promise<void>) {
  const site = new Site(t, await openFaultWorld(t))
  await prepare?.(site)
  site.writer('clerk', { compliance: { human_in_the_loop: { enabled: true }, audit_log: true } })
  const started = await (site.prefix.length === 0 ? site.ask : site.run).call(
    site,
    site.go('clerk', '--input', 'go'),
  )
  assert.equal(started.code, 4, started.err)
  return { site, run: String(JSON.parse(started.out).run_id) }
}

/** Commands that only read. */
const READS = [
  ['runs', 'list'],
  ['approvals', 'list'],
  ['audit', 'verify'],
  ['runs', 'show', 'last'],
] as const

describe('a home that this process cannot fully use', () => {
  test('a run of a later version is listed and shown, and can be neither resumed nor decided', async (t) => {
    const { site, run } = await waitingSite(t)
    makeNewer(site)
    const { runs } = (await site.json('runs', 'list')) as unknown as { runs: readonly { run_id: string }[] }
    assert.deepEqual(
      runs.map(({ run_id }) => run_id),
      [run],
    )
    assert.equal((await site.json('runs', 'show', run)).run_id, run)
    assert.ok((await site.types(run)).includes('run.started'))
    const resumed = await site.ask(['resume', run, '--json'])
    assert.deepEqual([resumed.code, codeOf(resumed)], [3, 'RECORD_NEWER'])
    assert.equal(site.world.writes.size, 0)
  })

  for (const old of ['runs', 'audit'])
    test(`the layout of an earlier version (${old}/) is refused, and not changed`, async (t) => {
      const site = new Site(t, await openFaultWorld(t))
      site.writer('clerk')
      mkdirSync(join(site.home, old), { recursive: true })
      for (const argv of [...READS, site.go('clerk', '--input', 'go')]) {
        const ended = await site.ask([...argv, '--json'])
        assert.deepEqual([ended.code, codeOf(ended)], [2, 'HOME_LAYOUT_OLD'], argv.join(' '))
      }
      assert.equal(site.world.modelCalls(), 0)
    })

  const NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  test('a home without read permission is an error, not an empty home', {
    skip: permits(NOBODY[0] ?? '', ...NOBODY.slice(1))
      ? false
      : 'needs the permission to become another user',
  }, async (t) => {
    const { site } = await waitingSite(t)
    chmodSync(site.place.folder, 0o755)
    for (const argv of READS) {
      const ended = await site.run([...argv, '--json'], { prefix: NOBODY })
      assert.deepEqual([ended.code, codeOf(ended)], [2, 'HOME_UNREADABLE'], argv.join(' ') + ended.err)
    }
  })

  test('a home on a read-only disk can be read, and runs are refused', {
    skip: mayMount() ? false : 'needs the permission to mount',
  }, async (t) => {
    let readOnly = async () => {}
    const { site, run } = await waitingSite(t, async (site) => {
      const disk = await smallDisk(t, site.place.folder, site.home, 8_000_000)
      site.prefix = disk.prefix
      readOnly = () => disk.remount('ro')
    })
    await readOnly()
    for (const argv of READS) {
      const ended = await site.run([...argv, '--json'])
      assert.equal(ended.code, 0, argv.join(' ') + ended.out + ended.err)
    }
    const { runs } = (await site.json('runs', 'list')) as unknown as { runs: readonly object[] }
    assert.equal(runs.length, 1)
    const asked = site.world.modelCalls()
    for (const argv of [
      site.go('clerk', '--input', 'go'),
      ['resume', run, '--json'],
      ['approvals', 'approve', run, '--json'],
    ]) {
      const ended = await site.run(argv)
      assert.deepEqual(
        [ended.code, codeOf(ended)],
        [2, 'HOME_UNWRITABLE'],
        argv.join(' ') + ended.out + ended.err,
      )
    }
    assert.equal(site.world.modelCalls(), asked)
    const { out } = await site.run(['runs', 'rm', run, '--yes', '--json'])
    assert.equal(JSON.parse(out).kept[0].error.code, 'HOME_UNWRITABLE')
  })
})

/** Rewrites the only run like a later version would, with a valid checksum. */
function makeNewer(site: Site): void {
  const db = new DatabaseSync(join(site.home, 'waybill.db'), { timeout: 5000 })
  try {
    const row = db.prepare('SELECT * FROM runs').get() as Record<string, string | number | null>
    const names = 'run_id v header first imported created_at agent_id user batch parent root plans'.split(' ')
    const checksum = crc32(names.map((name) => (name === 'v' ? 2 : row[name])).join('\0'))
    db.prepare('UPDATE runs SET v = 2, checksum = ?').run(checksum)
  } finally {
    db.close()
  }
}
