import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning } from '../../src/platform/database/embedded/postmaster.ts'
import { giveCommand } from '../../src/platform/engine/commands.ts'
import { recoverLegs, recoverLost, recoverRuns } from '../../src/platform/engine/reconcile.ts'
import type { RunEvent } from '../../src/run/event.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import { waitingCallsOf } from '../../src/session/waiting-calls.ts'
import type { Script } from '../platform/scripted-agent.ts'
import { LEASE_MS, type PlatformSite, type Submitted } from './platform-site.ts'

export interface Round {
  readonly site: PlatformSite
  readonly random: () => number
  readonly runs: readonly Submitted[]
}

/** One fault, named after its incident. */
export interface PlatformFault {
  /** Changes the script of the run that the fault is about. */
  readonly script?: Partial<Script>
  /** How many people decide each question. */
  readonly deciders?: number
  /** The first run may be cancelled. */
  readonly cancels?: true
  /** Resolves when the fault is over. */
  readonly act: (round: Round) => Promise<void>
}

/** Queues all runs again that are in the queue, whichever worker has them. */
async function queueAll({ database, org }: PlatformSite): Promise<void> {
  await database.engine.query(
    // As the reconciler does it: a run that another process holds at this moment is skipped, not waited for.
    `SELECT waybill.enqueue_leg(org, run_id) FROM (
       SELECT org, run_id FROM waybill.progress WHERE org = $1 AND phase = 'queued' AND leg > 0
       ORDER BY run_id FOR UPDATE SKIP LOCKED) AS queued`,
    [org],
  )
}

export const FAULTS: Readonly<Record<string, PlatformFault>> = {
  'SIGKILL of a worker': {
    act: ({ site, random }) => site.kill(Math.floor(random() * 2)),
  },

  'SIGSTOP longer than the lease, then SIGCONT': {
    async act({ site, random }) {
      const worker = site.worker(Math.floor(random() * 2))
      worker.kill('SIGSTOP')
      await sleep(1.6 * LEASE_MS)
      worker.kill('SIGCONT')
    },
  },

  'SIGKILL of PostgreSQL': {
    act: async ({ site }) => void process.kill(site.server.pid, 'SIGKILL'),
  },

  'PostgreSQL restarts while a live worker recovers a dead one': {
    async act({ site, random }) {
      await site.kill(0)
      await sleep(LEASE_MS + random() * 300)
      const { pid, data } = site.server
      process.kill(pid, 'SIGINT')
      while (isRunning(pid, data)) await sleep(10)
    },
  },

  'two recoveries act on one stale listing': {
    async act({ site }) {
      await site.kill(1)
      const { engine } = site.database
      await sleep(LEASE_MS)
      await Promise.all([recoverRuns(engine), recoverRuns(engine)])
      await queueAll(site)
    },
  },

  'a dead worker is looked for again and again while no place is free': {
    async act({ site }) {
      const { engine } = site.database
      await site.kill(0)
      const survivor = site.worker(1)
      // It takes no leg, and its lease does not lapse.
      survivor.kill('SIGSTOP')
      await engine.query(
        `UPDATE waybill.workers SET until = until + interval '1 minute' WHERE worker LIKE $1`,
        [`${survivor.pid}-%`],
      )
      await sleep(1.2 * LEASE_MS)
      for (let n = 0; n < 20; n++)
        await Promise.all([recoverRuns(engine), recoverLegs(engine), recoverLost(engine)])
      const { rows } = await engine.query<{ run: string; legs: number }>(
        `SELECT regexp_replace(workflow_uuid, '#[0-9]+$', '') AS run, count(*)::int AS legs
         FROM waybill_queue.workflow_status WHERE status = 'ENQUEUED' GROUP BY 1 HAVING count(*) > 1`,
      )
      assert.deepEqual(rows, [], 'runs with several legs in the queue')
      await engine.query('UPDATE waybill.workers SET until = clock_timestamp() WHERE worker LIKE $1', [
        `${survivor.pid}-%`,
      ])
      survivor.kill('SIGCONT')
    },
  },

  'SIGKILL of PostgreSQL while clients read what has just been stored': {
    async act({ site, runs }) {
      const shown = new Map<string, readonly RunEvent[]>()
      let reads = true
      const client = async (id: string) => {
        while (reads) {
          const events = await site.records.runs.events(id).catch(() => [])
          if (events.length > (shown.get(id)?.length ?? 0)) shown.set(id, events)
        }
      }
      const clients = runs.map(({ id }) => client(id))
      await sleep(300)
      process.kill(site.server.pid, 'SIGKILL')
      reads = false
      await Promise.all(clients)
      for (const [id, events] of shown) {
        const kept = async () => (await site.records.runs.events(id)).slice(0, events.length)
        await site.until('the database answers', () =>
          kept().then(
            () => true,
            () => false,
          ),
        )
        assert.deepEqual(await kept(), events, `what a client has read of ${id}`)
      }
    },
  },

  'rolling restart: the old worker drains while the new one starts': {
    act: async ({ site }) => void (await Promise.all([site.kill(0, 'SIGTERM'), site.add()])),
  },

  'the heartbeats are blocked longer than the lease, while model calls continue': {
    async act({ site }) {
      const client = await site.database.engine.connect()
      try {
        await client.query('BEGIN; SELECT * FROM waybill.workers FOR UPDATE')
        await sleep(1.6 * LEASE_MS)
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    },
  },

  'cancel of a run whose worker is dead': {
    cancels: true,
    async act({ site, runs: [run] }) {
      await Promise.all([site.kill(0), site.kill(1)])
      assert.ok(run)
      await giveCommand(site.database.engine, site.org, run.id, { type: 'cancel' }, 'a person')
    },
  },

  'a run older than the lease system': {
    async act({ site }) {
      await Promise.all([site.kill(0), site.kill(1)])
      const { engine } = site.database
      // Neither its worker nor its leg is known.
      await engine.query('DELETE FROM waybill.workers')
      await engine.query('DELETE FROM waybill_queue.workflow_status')
      await engine.query(
        `UPDATE waybill.progress SET holder = CASE WHEN leg % 2 = 1 THEN 'of an older release' END
         WHERE org = $1 AND phase = 'queued'`,
        [site.org],
      )
    },
  },

  'recovery meets a run that is being driven in the same process': {
    async act({ site }) {
      await site.kill(1, 'SIGTERM')
      for (let n = 0; n < 3; n++) {
        await queueAll(site)
        await sleep(50)
      }
    },
  },

  'a call kills its own worker': { script: { killsIn: 2 }, act: async () => {} },

  'all connections are cut': {
    async act({ site }) {
      await site.database.engine.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'waybill_engine' AND pid <> pg_backend_pid()`,
      )
    },
  },

  'two people decide one question at the same time': { deciders: 2, act: async () => {} },

  'a decision is replayed while its long call runs': {
    script: { ms: 400 },
    async act({ site, runs }) {
      const asking = runs.find(({ kind }) => kind === 'asking')
      assert.ok(asking)
      const decide = async () => {
        const run = await site.records.runs.read(asking.id)
        const [waiting] = await waitingCallsOf(site.records, run)
        if (waiting === undefined) return undefined
        const decision = { verdict: 'approve' as const, by: 'a person' }
        await leaveDecision(site.records, asking.id, waiting.call.id, decision)
        return () => leaveDecision(site.records, asking.id, waiting.call.id, decision)
      }
      let again: Awaited<ReturnType<typeof decide>>
      await site.until('a question', async () => {
        again = await decide()
        return again !== undefined
      })
      await site.until('the call', () => site.calls(asking.id).length > 0)
      const replayed = await Promise.allSettled([again?.(), again?.()])
      assert.ok(replayed.every(({ status }) => status === 'rejected'))
      await queueAll(site)
    },
  },

  'both workers die between the claim of a firing and the start of its run': {
    async act({ site }) {
      const { engine } = site.database
      const client = await engine.connect()
      try {
        // Until the end of this transaction, no run can be stored.
        await client.query('BEGIN; LOCK TABLE waybill.runs IN SHARE MODE')
        await site.around.makeDue(6)
        await site.until('a claimed firing whose run cannot be stored', async () => {
          const { rowCount } = await engine.query(
            `SELECT FROM waybill.firings AS f JOIN waybill.triggers AS t ON t.org = f.org AND t.id = f.trigger
             WHERE f.org = $1 AND t.kind = 'schedule' AND f.state = 'pending' AND f.attempts > 0 AND EXISTS (
               SELECT FROM pg_locks AS l JOIN pg_stat_activity AS a USING (pid)
               WHERE l.relation = 'waybill.runs'::regclass AND NOT l.granted AND a.usename = 'waybill_app')`,
            [site.org],
          )
          return rowCount !== 0
        })
        await Promise.all([site.kill(0), site.kill(1)])
        await client.query('COMMIT')
      } finally {
        client.release()
      }
    },
  },

  'two faults at once: a worker and PostgreSQL are killed': {
    async act({ site, random }) {
      const killed = site.kill(Math.floor(random() * 2))
      process.kill(site.server.pid, 'SIGKILL')
      await killed
    },
  },
}

/** Faults that take too long for the suite. */
export const LONG_FAULTS: typeof FAULTS = {
  'a worker dies when tables have grown by 200,000 rows without statistics': {
    async act({ site, runs: [run] }) {
      const { engine } = site.database
      const many = `${site.org}-many`
      await engine.query('INSERT INTO waybill.organisations (org, name) VALUES ($1, $1)', [many])
      await engine.query(
        `INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, plans)
         SELECT $1, 'many' || n, v, header, first, imported, created_at, agent_id, plans
         FROM waybill.runs, generate_series(1, 200000) AS n WHERE org = $2 AND run_id = $3`,
        [many, site.org, run?.id],
      )
      await engine.query(
        `INSERT INTO waybill.progress (org, run_id, epoch, seq, status, questions, updated_at, phase, leg)
         SELECT org, run_id, 1, 0, 'waiting', 1, created_at, 'parked', 1 FROM waybill.runs WHERE org = $1`,
        [many],
      )
      await site.kill(0)
    },
  },
}
