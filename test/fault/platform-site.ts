import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedPostgres } from '../../src/platform/database/embedded/start-embedded.ts'
import { type Database, openDatabase, prepareDatabase } from '../../src/platform/database/open-database.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { foldRun } from '../../src/run/record/run-summary.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import { waitingCallsOf } from '../../src/session/waiting-calls.ts'
import { verifyAudit } from '../../src/trust/audit-chain.ts'
import { embeddedSite } from '../platform/embedded-site.ts'
import { type Script, scriptedRun, type WorkerConfig, workersOf } from '../platform/engine-fixture.ts'

export const LEASE_MS = 1000

/** The agents of the workload. */
const AGENTS = {
  /** Two at a time. */
  plain: { runtime: { concurrency: 2 } },
  asking: { compliance: { human_in_the_loop: { enabled: true } } },
  /** Its questions lapse before a person answers. */
  timed: { compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 1 } } },
}

export type Kind = keyof typeof AGENTS

export interface Submitted {
  readonly id: string
  readonly kind: Kind
  readonly script: Script
}

/** A PostgreSQL with fsync, two workers, and the runs of one round after another. */
export class PlatformSite {
  readonly server: EmbeddedPostgres
  readonly database: Database
  readonly records: ReturnType<typeof openPostgresRecords>
  /** How often a person was asked about the outcome of a call. */
  unknown = 0
  readonly #start: () => Promise<ChildProcess>
  readonly #log: string
  readonly #publicKey: ReturnType<typeof createPublicKey>
  #workers: ChildProcess[] = []

  static async open(t: TestContext): Promise<PlatformSite> {
    const start = workersOf(t)
    const place = embeddedSite(t)
    const server = await place.start({ settings: { fsync: 'on' } })
    const urls = await prepareDatabase(server.url)
    const database = await openDatabase(urls)
    t.after(() => database.close())
    await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
    const { privateKey } = generateKeyPairSync('ed25519')
    const auditKey = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const config = {
      urls,
      leaseMs: LEASE_MS,
      log: join(place.folder, 'calls'),
      toolMs: 20,
      modelMs: 60,
      auditKey,
    }
    const records = openPostgresRecords(database, 'a', { worker: null, signAudit: () => privateKey })
    const site = new PlatformSite(server, database, records, config, start, createPublicKey(privateKey))
    await site.fill()
    return site
  }

  private constructor(
    server: EmbeddedPostgres,
    database: Database,
    records: PlatformSite['records'],
    config: WorkerConfig,
    start: (config: WorkerConfig) => Promise<ChildProcess>,
    publicKey: ReturnType<typeof createPublicKey>,
  ) {
    this.server = server
    this.database = database
    this.records = records
    this.#start = () => start(config)
    this.#log = config.log
    this.#publicKey = publicKey
  }

  /** Starts workers until there are two. */
  async fill(): Promise<void> {
    this.#workers = this.#workers.filter(
      ({ exitCode, signalCode }) => exitCode === null && signalCode === null,
    )
    while (this.#workers.length < 2) this.#workers.push(await this.#start())
  }

  worker(n: number): ChildProcess {
    const worker = this.#workers[n % this.#workers.length]
    assert.ok(worker)
    return worker
  }

  async kill(n: number): Promise<void> {
    const worker = this.worker(n)
    if (worker.exitCode !== null || worker.signalCode !== null) return
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  }

  async submit(id: string, kind: Kind, script: Script): Promise<Submitted> {
    await this.records.runs.enqueue(scriptedRun(id, { ...script, name: id }, AGENTS[kind]), {})
    return { id, kind, script }
  }

  /** The calls that took effect: lines of the log that name the run. */
  calls(id: string): readonly string[] {
    if (!existsSync(this.#log)) return []
    return readFileSync(this.#log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(`"name":"${id}"`))
  }

  async untilCalled(runs: readonly Submitted[], times: number): Promise<void> {
    const until = performance.now() + 20_000
    while (runs.flatMap(({ id }) => this.calls(id)).length < times) {
      assert.ok(performance.now() < until, 'the runs make no calls')
      await sleep(10)
    }
  }

  /** Answers questions like a person, until all runs have ended. */
  async settle(runs: readonly Submitted[], decisions = 1): Promise<void> {
    const until = performance.now() + 40_000
    for (let left = runs; ; ) {
      left = await this.#stillRunning(left, decisions)
      if (left.length === 0) return
      if (performance.now() > until) {
        const listed = await Promise.all(left.map(({ id }) => this.records.runs.listed(id)))
        assert.fail(`these runs do not end: ${JSON.stringify(listed)}`)
      }
      await sleep(50)
    }
  }

  async #stillRunning(runs: readonly Submitted[], decisions: number): Promise<readonly Submitted[]> {
    const left: Submitted[] = []
    for (const run of runs) {
      // The database may be down at this moment.
      const listed = await this.records.runs.listed(run.id).catch(() => undefined)
      assert.notEqual(listed?.phase, 'set_aside', listed?.why ?? '')
      if (listed?.phase === 'over') continue
      left.push(run)
      if (listed !== undefined && listed.phase === 'parked')
        await this.#answer(run, decisions).catch(fromStorage)
    }
    return left
  }

  async #answer({ id, kind }: Submitted, decisions: number): Promise<void> {
    for (const { call, decided } of await waitingCallsOf(this.records, await this.records.runs.read(id))) {
      if (decided !== undefined) continue
      const isUnknown = call.status === 'unknown'
      if (!isUnknown && kind === 'timed') continue
      const { n } = call.args as { n: number }
      const happened = this.calls(id).some((line) => line.includes(`"n":${n},`))
      const answer = !isUnknown
        ? { verdict: 'approve' as const }
        : happened
          ? { verdict: 'assume' as const, result: 'paid' }
          : { verdict: 'resend' as const }
      if (isUnknown) this.unknown++
      const given = await Promise.allSettled(
        Array.from({ length: decisions }, (_, person) =>
          leaveDecision(this.records, id, call.id, { ...answer, by: `person ${person}` }),
        ),
      )
      const kept = given.filter(({ status }) => status === 'fulfilled')
      assert.ok(kept.length <= 1, 'two people decided one question')
    }
  }

  /** Proves that the runs ended as a faultless run does, and that nothing was lost, repeated or left over. */
  async verify(runs: readonly Submitted[], cancelled: readonly string[] = []): Promise<void> {
    for (const { id, kind, script } of runs) {
      const { header, state } = await this.records.runs.read(id)
      const mayEnd = cancelled.includes(id) ? ['completed', 'cancelled'] : ['completed']
      assert.ok(mayEnd.includes(state.status), `${id}: ${state.status} ${JSON.stringify(state.end?.error)}`)
      const calls = this.calls(id)
      assert.equal(new Set(calls).size, calls.length, `${id} called twice: ${calls.join()}`)
      if (state.status === 'completed') assert.equal(calls.length, kind === 'timed' ? 0 : script.pays, id)
      const events = await this.records.runs.events(id)
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map((_, index) => index + 1),
      )
      const folded = foldRun(header, events)
      const listed = await this.records.runs.listed(id)
      assert.deepEqual([folded.seq, folded.status], [listed.seq, listed.status])
    }
    await this.#verifyLeft()
    const lines = await this.records.audit.lines()
    const verdict = verifyAudit(lines.map((line) => `${line}\n`).join(''), () => this.#publicKey)
    assert.deepEqual(verdict.problems, [])
  }

  /** A worker that died after the end of its run leaves a slot until the next search for such slots. */
  async #verifyLeft(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const { rows } = await this.database.engine.query<{ slots: number; leases: number }>(
        `SELECT (SELECT count(*) FROM waybill.slots) AS slots,
           (SELECT count(*) FROM waybill.progress WHERE holder IS NOT NULL AND phase <> 'over') AS leases`,
      )
      if (rows[0]?.slots === 0 && rows[0].leases === 0) return
      assert.ok(tries < 100, `left over: ${JSON.stringify(rows[0])}`)
      await sleep(100)
    }
  }
}

function fromStorage(error: unknown): void {
  const code = (error as { readonly code?: string }).code
  // Decided or moved meanwhile, or the database is down.
  if (code === 'ERR_ASSERTION') throw error
}
