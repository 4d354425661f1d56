import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { after, describe, type TestContext, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { embeddedSite, temporaryFolder } from '../platform/embedded-site.ts'
import { timesOf } from './fault-site.ts'
import { FAULTS, LONG_FAULTS, type PlatformFault } from './platform-faults.ts'
import { PlatformSite, type Submitted } from './platform-site.ts'
import { randomProgram } from './random-program.ts'
import { mayMount, smallDisk } from './small-disk.ts'

/** Number of rounds, each with one fault; the long form is `npm run fault:platform`. */
const ROUNDS = timesOf('WAYBILL_PLATFORM_FAULTS', 20)
/** Random programs in each round. */
const PROGRAMS = timesOf('WAYBILL_PLATFORM_PROGRAMS', 1)
const SEED = timesOf('WAYBILL_SEED', 20261122)

interface Row {
  rounds: number
  runs: number
  calls: number
  longestMs: number
}

const table = new Map<string, Row>()
after(() => {
  for (const [fault, { rounds, runs, calls, longestMs }] of table)
    process.stdout.write(
      `${fault}: ${rounds} rounds, ${runs} runs, ${calls} calls, longest round ${Math.round(longestMs)} ms\n`,
    )
})

describe('the platform under faults', () => {
  test('every run ends as predicted, no event is lost, and no call is made twice', {
    timeout: 3_600_000,
  }, async (t) => {
    const place = embeddedSite(t)
    const site = await PlatformSite.open(t, () => place.start({ settings: { fsync: 'on' } }), place.folder)
    const each = Object.entries(FAULTS)
    const long = ROUNDS < 100 ? [] : Object.entries(LONG_FAULTS)
    const rounds = Array.from({ length: ROUNDS }, (_, n) => each[n % each.length] ?? assert.fail())
    for (const [n, [name, fault]] of [...rounds, ...long].entries()) await oneRound(site, n, name, fault)
    await site.verifyLeft()
    t.diagnostic(`WAYBILL_SEED=${SEED}: ${ROUNDS} rounds, ${site.unknown} calls of unknown fate`)
  })

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
    count('full disk', site, runs, startedAt)
  })
})

async function oneRound(
  site: PlatformSite,
  n: number,
  name: string,
  { script = {}, deciders, cancels, act }: PlatformFault,
): Promise<void> {
  const random = randomNumbers(SEED + n)
  const startedAt = performance.now()
  try {
    await site.begin(`o${n}`)
    const runs = await workload(site, `r${n}`, random, script)
    await site.untilCalled(runs, 1 + Math.floor(random() * 3))
    await site.around.start()
    await act({ site, random, runs })
    await site.settle(runs, deciders)
    await site.verify(runs, cancels === true ? [`r${n}a`] : [])
    count(name, site, runs, startedAt)
  } catch (error) {
    throw new Error(`round ${n} (WAYBILL_SEED=${SEED}), ${name}`, { cause: error })
  }
}

/** Starts runs of each kind, one with a sub-agent, and random programs. */
function workload(
  site: PlatformSite,
  name: string,
  random: () => number,
  script: PlatformFault['script'],
): Promise<readonly Submitted[]> {
  const programs = Array.from({ length: PROGRAMS }, (_, n) => randomProgram(random, `${name}p${n}`))
  return Promise.all([
    site.submit('plain', { pays: 3, name: `${name}a` }),
    site.submit('plain', { pays: 3, name: `${name}b`, ...script }),
    site.submit('plain', { pays: 1, name: `${name}c`, steps: [['send', 'send']] }),
    site.submit('asking', { pays: 2, name: `${name}d`, ...script }),
    site.submit('timed', { pays: 1, name: `${name}e` }),
    ...programs.map(({ kind, script }) => site.submit(kind, script)),
  ])
}

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

function count(fault: string, site: PlatformSite, runs: readonly Submitted[], startedAt: number): void {
  const tookMs = performance.now() - startedAt
  const row = table.get(fault) ?? { rounds: 0, runs: 0, calls: 0, longestMs: 0 }
  row.rounds++
  row.runs += runs.length
  row.calls += runs.flatMap(({ id }) => site.calls(id)).length
  row.longestMs = Math.max(row.longestMs, tookMs)
  table.set(fault, row)
  if (process.env.WAYBILL_TRACE !== undefined)
    process.stderr.write(`${row.rounds} ${fault} ${Math.round(tookMs)} ms\n`)
}
