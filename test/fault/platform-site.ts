import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createPublicKey, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded.ts'
import { type Database, openDatabase, prepareDatabase } from '../../src/platform/database/open-database.ts'
import { TABLES } from '../../src/platform/features.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import type { TriggerEngine } from '../../src/platform/triggers/trigger-engine.ts'
import { eachRun } from '../../src/run/record/each-run.ts'
import { rootRunId } from '../../src/run/record/run-header.ts'
import { foldRun } from '../../src/run/record/run-summary.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import { allWaitingCalls, type WaitingCall } from '../../src/session/waiting-calls.ts'
import { verifyAudit } from '../../src/trust/verify-audit-chain.ts'
import { type WorkerConfig, workersOf } from '../platform/engine-fixture.ts'
import { type Script, scriptedRun } from '../platform/scripted-agent.ts'
import { keysBeside } from '../platform/scripted-sessions.ts'
import { scriptedTriggers } from '../platform/scripted-triggers.ts'
import { type Receiver, receiver } from '../platform/webhooks-fixture.ts'
import { AroundRuns } from './around-runs.ts'
import { AGENTS, type Done, type Kind, outcomeOf, predicted } from './random-program.ts'

export const LEASE_MS = 1000

export interface Submitted {
  readonly id: string
  readonly kind: Kind
  /** What the pure core does without faults. */
  readonly predicted: Promise<Done>
}

/** A PostgreSQL with two workers, and the runs of one round after another, each in an organisation of its own. */
export class PlatformSite {
  readonly server: Pick<EmbeddedPostgres, 'pid' | 'data'>
  readonly database: Database
  /** The organisation of the round. */
  org = ''
  /** How often a person was asked about the outcome of a call. */
  unknown = 0
  /** Of webhooks. */
  readonly receiver: Receiver
  readonly #firings: TriggerEngine
  #around: AroundRuns | undefined
  readonly #start: () => Promise<ChildProcess>
  readonly #log: string
  readonly #publicKey: KeyObject
  #records: PostgresRecords | undefined
  #workers: ChildProcess[] = []

  /** @param folder for the log of calls and the keys */
  static async open(
    t: TestContext,
    startServer: () => Promise<Pick<EmbeddedPostgres, 'pid' | 'data' | 'url'>>,
    folder: string,
  ): Promise<PlatformSite> {
    const start = workersOf(t)
    const server = await startServer()
    const urls = await prepareDatabase(server.url, TABLES.steps)
    const database = await openDatabase(urls)
    t.after(() => database.close())
    const webhooks = await receiver(t)
    const config = {
      urls,
      leaseMs: LEASE_MS,
      log: join(folder, 'calls'),
      toolMs: 20,
      modelMs: 40,
      triggers: true,
      webhookHosts: [webhooks.host],
      webhookTimeoutMs: 1000,
    }
    const site = new PlatformSite(server, database, config, start, webhooks)
    t.after(() => site.#firings.stop())
    return site
  }

  private constructor(
    server: PlatformSite['server'],
    database: Database,
    config: WorkerConfig,
    start: (config: WorkerConfig) => Promise<ChildProcess>,
    webhooks: Receiver,
  ) {
    this.receiver = webhooks
    this.#firings = scriptedTriggers(database, config, () => {})
    this.server = server
    this.database = database
    this.#start = () => start(config)
    this.#log = config.log
    // Created before the workers need it.
    this.#publicKey = createPublicKey(keysBeside(config.log).signAudit())
  }

  get records(): PostgresRecords {
    assert.ok(this.#records, 'no round has begun')
    return this.#records
  }

  /** Begins a round: an organisation, and two workers. */
  async begin(org: string): Promise<void> {
    await this.database.engine.query('INSERT INTO waybill.organisations (org, name) VALUES ($1, $1)', [org])
    this.org = org
    const { signAudit } = keysBeside(this.#log)
    this.#records = openPostgresRecords(this.database, org, { worker: null, signAudit })
    const { database, records, receiver } = this
    const around = { database, org, records, receiver, log: this.#log, engine: this.#firings }
    this.#around = await AroundRuns.begin(around)
    await this.fill()
  }

  /** What is active around the runs of this round. */
  get around(): AroundRuns {
    assert.ok(this.#around, 'no round has begun')
    return this.#around
  }

  /** Starts workers until there are two. */
  async fill(): Promise<void> {
    this.#workers = this.#workers.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )
    const missing = Array.from({ length: Math.max(0, 2 - this.#workers.length) }, () => this.add())
    await Promise.all(missing)
  }

  /** Starts one more worker. */
  async add(): Promise<void> {
    this.#workers.push(await this.#start())
  }

  worker(n: number): ChildProcess {
    const worker = this.#workers[n % this.#workers.length]
    assert.ok(worker)
    return worker
  }

  async kill(n: number, signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    const worker = this.worker(n)
    if (worker.exitCode !== null || worker.signalCode !== null) return
    const ended = once(worker, 'exit')
    worker.kill(signal)
    await ended
  }

  async submit(kind: Kind, script: Script): Promise<Submitted> {
    assert.ok(script.name)
    await this.records.runs.enqueue(scriptedRun(script.name, script, AGENTS[kind]), {})
    const prediction = predicted(kind, script)
    prediction.catch(() => {})
    return { id: script.name, kind, predicted: prediction }
  }

  /** The calls that took effect, of the run and of its sub-agents: lines of the log. */
  calls(id: string): readonly string[] {
    if (!existsSync(this.#log)) return []
    return readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"name":"${id}"`) || line.includes(`"name":"${id}.`))
  }

  async until(what: string, isTrue: () => Promise<boolean> | boolean, withinMs = 60_000): Promise<void> {
    const end = performance.now() + withinMs
    while (!(await isTrue())) {
      assert.ok(performance.now() < end, `does not happen: ${what}`)
      await sleep(20)
    }
  }

  untilCalled(runs: readonly Submitted[], times: number): Promise<void> {
    return this.until('calls', () => runs.flatMap(({ id }) => this.calls(id)).length >= times)
  }

  /** Answers questions like a person and starts workers again that have died, until all runs have ended. */
  async settle(runs: readonly Submitted[], decisions = 1): Promise<void> {
    const end = performance.now() + 60_000
    for (let left = runs; ; ) {
      left = await this.#stillRunning(left)
      if (left.length === 0 && (await this.around.settled().catch(() => null)) !== null) return
      await this.around.anHourLater()
      await this.fill()
      // The database may be down at this moment.
      const { calls } = await allWaitingCalls(this.records).catch(() => ({ calls: [] }))
      for (const call of calls) await this.#answer(runs, call, decisions).catch(unlessAssertion)
      if (performance.now() > end) {
        const listed = await Promise.all(left.map(({ id }) => this.records.runs.listed(id)))
        assert.fail(`these runs do not end, or what is around them: ${JSON.stringify(listed)}`)
      }
      await sleep(50)
    }
  }

  async #stillRunning(runs: readonly Submitted[]): Promise<readonly Submitted[]> {
    const left: Submitted[] = []
    for (const run of runs) {
      const listed = await this.records.runs.listed(run.id).catch(() => undefined)
      assert.notEqual(listed?.phase, 'set_aside', `${run.id}: ${listed?.why}`)
      if (listed?.phase !== 'over') left.push(run)
    }
    return left
  }

  async #answer(runs: readonly Submitted[], waiting: WaitingCall, decisions: number): Promise<void> {
    const { run, call, decided } = waiting
    if (decided !== undefined) return
    const root = runs.find(({ id }) => id === rootRunId(run.header))
    const isUnknown = call.status === 'unknown'
    if (!isUnknown && root?.kind === 'timed') return
    const { n, name } = call.args as { n: number; name: string }
    const happened = this.calls(name).some((line) => line.includes(`"n":${n},"name":"${name}"`))
    const answer = !isUnknown
      ? { verdict: 'approve' as const }
      : happened
        ? { verdict: 'assume' as const, result: 'paid' }
        : { verdict: 'resend' as const }
    if (isUnknown) this.unknown++
    // The policy wants two votes for payments.
    else if (call.tool === 'send') {
      const accepted = await this.around.decide(waiting, decisions)
      return assert.ok(accepted <= 1, 'one question was accepted twice')
    }
    const given = await Promise.allSettled(
      Array.from({ length: decisions }, (_, person) =>
        leaveDecision(this.records, run.header.run_id, call.id, { ...answer, by: `person ${person}` }),
      ),
    )
    const kept = given.filter(({ status }) => status === 'fulfilled')
    assert.ok(kept.length <= 1, 'two people decided one question')
  }

  /** Proves that the runs ended as the pure core predicts, and that nothing was lost or repeated. */
  async verify(runs: readonly Submitted[], cancelled: readonly string[] = []): Promise<void> {
    for (const { id, predicted } of runs) {
      const { state } = await this.records.runs.read(id)
      const mayEnd = cancelled.includes(id) ? ['completed', 'cancelled'] : ['completed']
      assert.ok(mayEnd.includes(state.status), `${id}: ${state.status} ${JSON.stringify(state.end?.error)}`)
      const calls = this.calls(id)
      const writes = calls.filter((line) => line.startsWith('send'))
      assert.equal(new Set(writes).size, writes.length, `${id} called twice: ${calls.join()}`)
      if (state.status === 'completed')
        assert.deepEqual(
          outcomeOf({ calls, state, events: await this.records.runs.events(id) }),
          outcomeOf(await predicted),
          id,
        )
    }
    for await (const { run_id } of eachRun(this.records, {})) await this.#verifyRecord(run_id)
    await this.around.verify()
    await this.#verifyAudit()
  }

  async #verifyRecord(id: string): Promise<void> {
    const { header } = await this.records.runs.read(id)
    const events = await this.records.runs.events(id)
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    )
    const folded = foldRun(header, events)
    const listed = await this.records.runs.listed(id)
    assert.deepEqual([folded.seq, folded.status], [listed.seq, listed.status])
  }

  /** The chain is whole, and has every event of every run once and in order. */
  async #verifyAudit(): Promise<void> {
    const lines = await this.records.audit.lines()
    const head = await this.records.audit.head()
    const text = lines.map((line) => `${line}\n`).join('')
    const verdict = verifyAudit(text, () => this.#publicKey, head ?? undefined)
    assert.deepEqual(verdict.problems, [])
    const audited = new Map<string, number[]>()
    for (const line of lines) {
      const { run_id, seq } = (JSON.parse(line) as { fact: { run_id?: string; seq?: number } }).fact
      if (run_id !== undefined && seq !== undefined)
        audited.set(run_id, [...(audited.get(run_id) ?? []), seq])
    }
    for await (const { run_id, seq } of eachRun(this.records, {}))
      assert.deepEqual(
        audited.get(run_id),
        Array.from({ length: seq }, (_, index) => index + 1),
        `${run_id} is not audited completely`,
      )
  }

  /** Proves that no slot and no lease is left. Slots of dead workers are searched from time to time. */
  async verifyLeft(): Promise<void> {
    let left: unknown
    await this.until('all slots and leases are released', async () => {
      const { rows } = await this.database.engine.query(
        `SELECT run_id, 'slot' AS of, '' AS phase, '' AS status, holder, NULL AS live FROM waybill.slots
         UNION ALL SELECT run_id, 'lease', phase, status, holder, waybill.is_live(holder) FROM waybill.progress
           WHERE holder IS NOT NULL`,
      )
      left = rows
      return rows.length === 0
    }).catch((error) => assert.fail(`${error.message}: ${JSON.stringify(left)}`))
  }
}

function unlessAssertion(error: unknown): void {
  // Decided or moved meanwhile, or the database is down.
  if ((error as { readonly code?: string }).code === 'ERR_ASSERTION') throw error
}
