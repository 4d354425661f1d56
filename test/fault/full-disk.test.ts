import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codeOf, permits, Site, timesOf, writesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'
import { mayMount, smallDisk } from './small-disk.ts'

const KB = 1024
const WORKERS = ['a', 'b', 'c', 'd']
const ROUNDS = 4

/** From "the run cannot be stored" to "about half of it fits"; WAYBILL_FULL_DISKS adds more. */
const DISKS = timesOf('WAYBILL_FULL_DISKS', 3)
const LEVELS = Array.from({ length: DISKS }, (_, index) => 64 + Math.round((index * 480) / (DISKS - 1)))

describe('a disk that becomes full while a swarm of four runs', {
  skip: mayMount() ? false : 'needs the permission to mount',
}, () => {
  for (const free of LEVELS)
    test(`stops the run with ${free} KB free; afterwards it is resumed to the right answer`, async (t) => {
      const world = await openFaultWorld(t, { rounds: () => ROUNDS, padding: 4_000 })
      const site = new Site(t, world)
      const disk = await smallDisk(t, site.place.folder, site.home, 8_000 * KB)
      site.prefix = disk.prefix
      site.swarm(WORKERS)
      disk.leave(free * KB)
      const ended = await site.run(site.go('head', '--input', 'go'))
      assert.deepEqual([ended.code, codeOf(ended)], [3, 'DISK_FULL'], ended.err)
      disk.clear()
      const [run] = await site.roots()
      if (run === undefined)
        return assert.equal(world.modelCalls(), 0, 'it was not stored, and something left')
      assert.ok(!(await site.types(run)).includes('call.failed'), 'a full disk is not a failed sub-agent')
      const { result } = await site.settle(run)
      assert.deepEqual([result.status, result.output], ['completed', 'yes go'])
      site.assertWrites(writesOf(WORKERS, ROUNDS))
    })
})

/** From "the database cannot be opened" to "enough for everything". */
const LIMITS = [23, 28, 40]
describe('a swarm of four with a low limit of open files', {
  skip: permits('prlimit', '--nofile=64') ? false : 'needs prlimit',
}, () => {
  for (const limit of LIMITS)
    test(`with ${limit}: it completes, or stops and is resumed to the right answer`, async (t) => {
      const world = await openFaultWorld(t, { rounds: () => ROUNDS })
      const site = new Site(t, world)
      site.swarm(WORKERS)
      const ended = await site.run(site.go('head', '--input', 'go'), {
        prefix: ['prlimit', `--nofile=${limit}`],
      })
      const [run] = await site.roots()
      if (run === undefined)
        return assert.equal(world.modelCalls(), 0, 'it was not stored, and something left')
      if (ended.code !== 0) assert.deepEqual([ended.code, codeOf(ended)], [3, 'TOO_MANY_FILES'], ended.out)
      assert.ok(!(await site.types(run)).includes('call.failed'), 'a limit is not a failed sub-agent')
      const { result } = await site.settle(run)
      assert.deepEqual([result.status, result.output], ['completed', 'yes go'])
      site.assertWrites(writesOf(WORKERS, ROUNDS))
    })
})
