import assert from 'node:assert/strict'
import { after, type TestContext } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { embeddedSite } from '../platform/embedded-site.ts'
import { timesOf } from './fault-site.ts'
import { FAULTS, LONG_FAULTS, type PlatformFault } from './platform-faults.ts'
import { PlatformSite, type Submitted } from './platform-site.ts'
import { randomProgram } from './random-program.ts'

/** Random programs in each round. */
const PROGRAMS = timesOf('WAYBILL_PLATFORM_PROGRAMS', 1)
export const SEED = timesOf('WAYBILL_SEED', 20261122)
/** Any number of rounds gets faults of all kinds: the stride has no factor in common with their number. */
const STRIDE = 5

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

/** Plays rounds, each with one fault; those of hundreds also with the faults that take long. */
export async function playRounds(t: TestContext, count: number): Promise<void> {
  const place = embeddedSite(t)
  const site = await PlatformSite.open(t, () => place.start({ settings: { fsync: 'on' } }), place.folder)
  const each = Object.entries(FAULTS)
  const long = count < 100 ? [] : Object.entries(LONG_FAULTS)
  const order = each.map((_, n) => each[(n * STRIDE) % each.length] ?? assert.fail())
  assert.equal(new Set(order).size, each.length, 'the stride leaves faults out')
  const rounds = Array.from({ length: count }, (_, n) => order[n % order.length] ?? assert.fail())
  for (const [n, [name, fault]] of [...rounds, ...long].entries()) await oneRound(site, n, name, fault)
  await site.verifyLeft()
  t.diagnostic(`WAYBILL_SEED=${SEED}: ${count} rounds, ${site.unknown} calls of unknown fate`)
}

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
    countRound(name, site, runs, startedAt)
  } catch (error) {
    throw new Error(`round ${n} (WAYBILL_SEED=${SEED}), ${name}`, { cause: error })
  }
}

/** Starts runs of each kind, one with a sub-agent, and random programs. */
export function workload(
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

export function countRound(
  fault: string,
  site: PlatformSite,
  runs: readonly Submitted[],
  startedAt: number,
): void {
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
