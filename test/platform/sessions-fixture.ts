import { generateKeyPairSync } from 'node:crypto'
import type { TestContext } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { Program } from '../../src/plan/plan.ts'
import type { Database } from '../../src/platform/database/open-database.ts'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { nextFacts } from '../../src/platform/engine/next-facts.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import { insertRun } from '../../src/platform/records/write-run.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { driveLeg } from '../../src/run/drive/drive-leg.ts'
import type { Control, DrivePorts } from '../../src/run/drive/drive-ports.ts'
import type { Fact } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { NewRun } from '../../src/run/record/records.ts'
import { runHeader } from '../../src/run/record/run-header.ts'
import { summaryOf } from '../../src/run/record/run-summary.ts'
import type { RunState } from '../../src/run/state.ts'
import { programOf } from '../run/fixture.ts'
import { begunRuns } from './begun-runs.ts'
import { testDatabase } from './postgres.ts'

const AGENT = '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c'
const { privateKey } = generateKeyPairSync('ed25519')

/** Sessions of one organisation on a database of their own, with a small driver of legs. */
export class SessionWorld {
  readonly database: Database
  readonly sessions: TenantSessions
  readonly notified: string[] = []
  readonly #program: Program
  readonly #worker: PostgresRecords

  static async open(t: TestContext, agent: JsonObject = {}): Promise<SessionWorld> {
    const { database } = await testDatabase(t)
    for (const org of ['acme', 'other'])
      await database.engine.query('INSERT INTO waybill.organisations (org, name) VALUES ($1, $1)', [org])
    await database.engine.query(
      `INSERT INTO waybill.workers (worker, until, queues) VALUES ('w', now() + interval '1 hour', '{}')`,
    )
    await database.engine.query(
      `INSERT INTO waybill.agents (org, agent_id, name) VALUES ('acme', $1, 'Clerk'), ('other', $1, 'Clerk')`,
      [AGENT],
    )
    const world = new SessionWorld(database, programOf(agent))
    t.after(() => world.#worker.close())
    return world
  }

  private constructor(database: Database, program: Program) {
    this.database = database
    this.#program = program
    this.#worker = openPostgresRecords(database, 'acme', { worker: 'w', signAudit: () => privateKey })
    this.sessions = this.sessionsOf('acme')
  }

  sessionsOf(organisation: string): TenantSessions {
    return new TenantSessions({
      database: this.database,
      principal: { organisation, user: 'ann', roles: ['admin'] },
      notify: (_org, runId) => this.notified.push(runId),
      runs: begunRuns((_agentId, { input = '', session, user }, runId, also) => {
        const { plan, hash } = this.#program
        const run: NewRun = {
          header: runHeader({ plan, hash }, runId, { session, user }),
          plan,
          family: [],
          first: { type: 'run.started', input },
        }
        return inOrganisation(this.database.app, organisation, async (sql) => {
          const summary = summaryOf(initialState(runId, plan.agent_id, hash))
          const place = { holder: null, epoch: 0, imported: false, summary, phase: 'held' as const }
          await insertRun(sql, run, { org: organisation, ...place })
          await sql.query('SELECT waybill.enqueue_leg($1, $2)', [organisation, runId])
          await also?.(sql)
        })
      }),
    })
  }

  /** Creates a session of the agent. @returns its name */
  async created(): Promise<string> {
    return (await this.sessions.create({ agent_id: AGENT })).session
  }

  facts(runId: string, state: RunState): Promise<readonly Fact[]> {
    return inOrganisation(this.database.engine, 'acme', (sql) => nextFacts(sql, 'acme', runId, state))
  }

  /** The state of the session's run. */
  async stateOf(session: string): Promise<RunState> {
    return (await this.#worker.runs.read(await this.runOf(session))).state
  }

  async runOf(session: string): Promise<string> {
    const { run_id } = await this.sessions.read(session)
    if (run_id === null) throw new Error('the session has no run')
    return run_id
  }

  /**
   * Drives the session's run until no message is due, as an engine does: stored messages become facts, also while it is
   * driven.
   * @param before facts of this leg that do not come from messages, such as `run.resumed`
   * @param crashAfter the process dies when so many events of this leg are on record
   */
  async leg(
    session: string,
    ports: Pick<DrivePorts, 'model' | 'tools'>,
    {
      before = [],
      crashAfter = Number.POSITIVE_INFINITY,
      drainMs = 20,
    }: { before?: readonly Fact[]; crashAfter?: number; drainMs?: number } = {},
  ): Promise<RunState> {
    const runId = await this.runOf(session)
    const run = await this.#worker.runs.open(runId)
    let state = run.state
    let left = crashAfter
    let control: Control | undefined
    this.deliver = async () => {
      for (const fact of await this.facts(runId, state)) control?.submit(fact)
    }
    try {
      for (let more = before; ; more = []) {
        const begin = state.seq === 0 ? [run.first] : []
        const happened = [...begin, ...more, ...(await this.facts(runId, state))]
        if (happened.length === 0) return state
        const clock = {
          now: () => Date.now(),
          sleep: () => Promise.resolve(),
          alarm: (at: number, ring: () => void) => {
            const timer = setTimeout(ring, at - Date.now())
            return () => clearTimeout(timer)
          },
        }
        const sink: DrivePorts['sink'] = {
          append: async (events, durable, after) => {
            if (left <= 0) throw new Error('the process died')
            await run.append(events, { durable, state: after })
            left -= events.length
            state = after
          },
        }
        const given = (one: Control) => {
          control = one
        }
        const next = await driveLeg(
          this.#program,
          state,
          happened,
          { ...ports, clock, sink },
          { control: given, drainMs },
        )
        state = next.state
      }
    } finally {
      await run.close()
    }
  }

  /** Submits the messages that are due to the run that is being driven. */
  deliver: () => Promise<void> = async () => {}
}
