import { once } from 'node:events'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { isRunning } from '../../src/platform/database/embedded/postmaster.ts'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import { recoverRuns } from '../../src/platform/engine/reconcile.ts'
import { timesOf } from './fault-site.ts'
import { LEASE_MS, PlatformSite, type Submitted } from './platform-site.ts'

/** Number of rounds, each with one fault; the long form is `npm run fault:platform`. */
const ROUNDS = timesOf('WAYBILL_PLATFORM_FAULTS', 11)
const SEED = timesOf('WAYBILL_SEED', 20261122)

interface Round {
  readonly site: PlatformSite
  readonly random: () => number
  readonly runs: readonly Submitted[]
}

/** Each fault returns when it is over. */
const FAULTS: Readonly<Record<string, (round: Round) => Promise<void>>> = {
  'SIGKILL of a worker': ({ site, random }) => site.kill(Math.floor(random() * 2)),

  'SIGSTOP longer than the lease, then SIGCONT': async ({ site, random }) => {
    const worker = site.worker(Math.floor(random() * 2))
    worker.kill('SIGSTOP')
    await sleep(2 * LEASE_MS)
    worker.kill('SIGCONT')
  },

  'SIGKILL of PostgreSQL': async ({ site }) => {
    process.kill(site.server.pid, 'SIGKILL')
  },

  'PostgreSQL restarts while a live worker recovers a dead one': async ({ site, random }) => {
    await site.kill(0)
    await sleep(LEASE_MS + random() * 300)
    const { pid, data } = site.server
    process.kill(pid, 'SIGINT')
    while (isRunning(pid, data)) await sleep(10)
  },

  'two recoveries act on one stale listing': async ({ site, runs }) => {
    await site.kill(1)
    const { engine } = site.database
    await sleep(LEASE_MS)
    await Promise.all([recoverRuns(engine), recoverRuns(engine)])
    // A listing that was read before: every run is queued again, whichever worker has it.
    for (const { id } of runs)
      await engine.query(
        `SELECT waybill.enqueue_leg(org, run_id) FROM waybill.progress WHERE org = 'a' AND run_id = $1 AND phase = 'queued'`,
        [id],
      )
  },

  'rolling restart: the old worker drains while the new one starts': async ({ site }) => {
    const old = site.worker(0)
    const ended = once(old, 'exit')
    old.kill('SIGTERM')
    await ended
  },

  'the heartbeats are blocked longer than the lease, while model calls continue': async ({ site }) => {
    const client = await site.database.engine.connect()
    try {
      await client.query('BEGIN; SELECT * FROM waybill.workers FOR UPDATE')
      await sleep(1.6 * LEASE_MS)
      await client.query('COMMIT')
    } finally {
      client.release()
    }
  },

  'cancel of a run whose worker is dead': async ({ site, runs }) => {
    await site.kill(0)
    await site.kill(1)
    const [run] = runs
    if (run !== undefined)
      await giveCommand(site.database.engine, 'a', run.id, { type: 'cancel' }, 'a person')
  },

  'a call kills its own worker': async () => {},

  'all connections are cut': async ({ site }) => {
    await site.database.engine.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'waybill_engine' AND pid <> pg_backend_pid()`,
    )
  },

  'two people decide one question at the same time': async () => {},
}

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
  test('every run ends, no event is lost, and no call is made twice', {
    timeout: 3_600_000,
  }, async (t) => {
    const site = await PlatformSite.open(t)
    const names = Object.keys(FAULTS)
    for (let n = 0; n < ROUNDS; n++) await oneRound(site, n, names[n % names.length] ?? '')
    t.diagnostic(`WAYBILL_SEED=${SEED}: ${ROUNDS} rounds, ${site.unknown} calls of unknown fate`)
  })
})

async function oneRound(site: PlatformSite, n: number, fault: string): Promise<void> {
  const random = randomNumbers(SEED + n)
  const startedAt = performance.now()
  await site.fill()
  const kills = fault === 'a call kills its own worker' ? { killsIn: 2 } : {}
  const runs = await Promise.all([
    site.submit(`r${n}a`, 'plain', { pays: 3 }),
    site.submit(`r${n}b`, 'plain', { pays: 3, ...kills }),
    site.submit(`r${n}c`, 'plain', { pays: 2 }),
    site.submit(`r${n}d`, 'asking', { pays: 2 }),
    site.submit(`r${n}e`, 'timed', { pays: 1 }),
  ])
  await site.untilCalled(runs, 1 + Math.floor(random() * 3))
  await FAULTS[fault]?.({ site, random, runs })
  await site.fill()
  const deciders = fault.startsWith('two people') ? 2 : 1
  try {
    await site.settle(runs, deciders)
    await site.verify(runs, fault.startsWith('cancel') ? [`r${n}a`] : [])
  } catch (error) {
    throw new Error(`round ${n} (WAYBILL_SEED=${SEED}), ${fault}`, { cause: error })
  }
  const row = table.get(fault) ?? { rounds: 0, runs: 0, calls: 0, longestMs: 0 }
  row.rounds++
  row.runs += runs.length
  row.calls += runs.flatMap(({ id }) => site.calls(id)).length
  row.longestMs = Math.max(row.longestMs, performance.now() - startedAt)
  table.set(fault, row)
  if (process.env.WAYBILL_TRACE !== undefined)
    process.stderr.write(`${n} ${fault} ${Math.round(performance.now() - startedAt)} ms\n`)
}
