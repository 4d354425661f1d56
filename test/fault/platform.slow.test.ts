import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { embeddedSite, temporaryFolder } from '../platform/embedded-site.ts'
import { timesOf } from './fault-site.ts'
import { countRound, playRounds, SEED, workload } from './platform-rounds.ts'
import { PlatformSite } from './platform-site.ts'
import { mayMount, smallDisk } from './small-disk.ts'

/** Number of rounds, each with one fault; the long form is `npm run fault:platform`. */
const ROUNDS = timesOf('WAYBILL_PLATFORM_FAULTS', 20)

describe('the platform under each fault', () => {
  test(
    'every run ends as predicted, no event is lost, and no call is made twice',
    {
      timeout: 3_600_000,
    },
    (t) => playRounds(t, ROUNDS),
  )

  test('the disk of PostgreSQL is full: runs continue when there is space again', {
    skip: mayMount() ? false : 'needs the permission to mount',
  }, async (t) => {
    const { site, disk } = await onSmallDisk(t)
    const startedAt = performance.now()
    await site.begin('full')
    const long = await site.submit('plain', { pays: 60, name: 'long' })
    const runs = [long, ...(await workload(site, 'full', randomNumbers(SEED), {}))]
    await site.untilCalled([long], 2)
    await site.around.start()
    disk.leave(0)
    await untilStopped(site, 'long')
    assert.ok(site.calls('long').length < 60, 'the disk was not full')
    disk.clear()
    await site.settle(runs)
    await site.verify(runs)
    await site.verifyLeft()
    countRound('full disk', site, runs, startedAt)
  })
})

/** A platform whose PostgreSQL has a small disk, in memory. */
async function onSmallDisk(t: TestContext) {
  let stop = async () => {}
  t.after(() => stop())
  const folder = temporaryFolder()
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const place = embeddedSite(t)
  const disk = await smallDisk(t, '/', place.folder, 256 * 1024 * 1024, '755')
  const server = await place.process(disk.prefix)
  assert.ok(server.url, server.message)
  stop = async () => {
    disk.leave(0)
    const ended = once(server.child, 'exit')
    server.child.stdin?.end()
    assert.deepEqual(await ended, [0, null], 'it cannot be stopped while its disk is full')
  }
  const site = await PlatformSite.open(
    t,
    async () => ({ pid: server.pid, url: server.url, data: place.data }),
    folder,
  )
  return { site, disk }
}

/** Resolves when a run has made no call for a second, although it has not ended. */
async function untilStopped(site: PlatformSite, id: string): Promise<void> {
  let last = { calls: -1, at: 0 }
  await site.until('the runs stop', () => {
    const calls = site.calls(id).length
    if (calls !== last.calls) last = { calls, at: performance.now() }
    return performance.now() - last.at > 1000
  })
}
