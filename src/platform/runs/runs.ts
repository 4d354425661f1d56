import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { RunFilter } from '../../run/record/records.ts'
import type { Principal } from '../../session/principal.ts'
import type { Database } from '../database/open-database.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { type Command, giveCommand } from '../engine/commands.ts'
import type { PlatformStatus, RunQuery, RunState202, Runs, RunView, Sessions, StartRun } from '../platform.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import type { SessionsParts } from '../sessions/tenant-sessions.ts'
import type { RunFollower } from '../streams/run-follower.ts'
import { readBatch, startBatch } from './batches.ts'
import type { Planner } from './planner.ts'
import { listedView, platformStatus, wholeView } from './run-view.ts'
import { NOT_SCHEDULED, type Scheduled, scheduledRuns } from './scheduled-runs.ts'

export interface RunsParts {
  readonly database: Database
  readonly principal: Principal
  readonly records: PostgresRecords
  readonly planner: Planner
  readonly follower: RunFollower
  /** Opens the sessions of the same principal, which begin their runs here. */
  readonly sessions: (begin: SessionsParts['begin']) => Sessions
  /** Notifies the worker of this process, if there is one, that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
  /** A command was stored for a run: it must also take effect while no worker lives. */
  readonly commanded: (org: string, runId: string) => void
}

interface StoreOptions {
  readonly batch?: { readonly id: string; readonly key: string; readonly index: number }
  /** Further statements of the same transaction. */
  readonly also?: (sql: Sql) => Promise<void>
}

/** How often a request that waits for a run looks at it, in milliseconds. */
const LOOK_MS = 50

/** Statuses after which a run changes only if a person or a client acts. */
const SETTLED: ReadonlySet<PlatformStatus> = new Set([
  'completed',
  'failed',
  'refused',
  'cancelled',
  'awaiting_approval',
  'paused',
  'set_aside',
  'damaged',
])

/** The runs of one organisation, for one principal. */
export class TenantRuns implements Runs {
  readonly #parts: RunsParts

  constructor(parts: RunsParts) {
    this.#parts = parts
  }

  async start(agentId: string, request: StartRun, runId = uuidv7()): Promise<RunState202> {
    const { session, input = '' } = request
    if (session !== undefined) return this.#startInSession(agentId, { ...request, session, input }, runId)
    await this.#store(agentId, request, runId)
    this.#parts.notify(this.#org, runId)
    return this.#reached(runId)
  }

  /**
   * Stores a run, and queues its first leg.
   * @param also further statements of the same transaction
   */
  async begin(
    agentId: string,
    request: StartRun,
    runId: string,
    also?: (sql: Sql) => Promise<void>,
  ): Promise<void> {
    await this.#store(agentId, request, runId, { ...defined({ also }) })
  }

  async settled(runId: string, withinMs: number, signal?: AbortSignal): Promise<RunView> {
    const until = performance.now() + withinMs
    for (let pause = LOOK_MS; ; pause = Math.min(pause * 1.5, 500)) {
      const { status } = await this.#reached(runId)
      const left = until - performance.now()
      if (SETTLED.has(status) || left <= 0) return this.read(runId)
      await sleep(Math.min(pause, left), undefined, { signal })
    }
  }

  async list({ status, agent_id, user, since, ...page }: RunQuery) {
    const filter: RunFilter = {
      roots: true,
      ...defined({ agent_id, user }),
      ...(since !== undefined && { since: Date.parse(since) }),
      ...statusFilter(status),
    }
    const { items, next } = await this.#parts.records.runs.list(filter, page)
    const scheduled = await this.#scheduled(items.map(({ run_id }) => run_id))
    const views = items.map((record) => listedView(record, scheduled.get(record.run_id) ?? NOT_SCHEDULED))
    // A page may have fewer items than its limit: the records know fewer statuses than the platform.
    return { items: views.filter((view) => status === undefined || view.status === status), next }
  }

  async read(runId: string): Promise<RunView> {
    const { runs } = this.#parts.records
    const record = await runs.listed(runId)
    const scheduled = await this.#scheduled([runId])
    return wholeView(record, await runs.read(runId), scheduled.get(runId) ?? NOT_SCHEDULED)
  }

  async events(runId: string, after: number, limit: number) {
    const events = await this.#parts.records.runs.events(runId, after)
    return events.slice(0, limit)
  }

  follow(runId: string, after: number, signal: AbortSignal) {
    const view = () => this.read(runId)
    return this.#parts.follower.follow({ org: this.#org, runId, after, signal, view })
  }

  pause(runId: string): Promise<RunState202> {
    return this.#command(runId, { type: 'pause' })
  }

  resume(runId: string): Promise<RunState202> {
    return this.#command(runId, { type: 'resume' })
  }

  cancel(runId: string): Promise<RunState202> {
    return this.#command(runId, { type: 'cancel' })
  }

  async retry(runId: string, newRunId?: string): Promise<RunState202> {
    const { records, database } = this.#parts
    const { status } = await this.#reached(runId)
    if (status === 'set_aside') {
      await inOrganisation(database.app, this.#org, (sql) => queueAgain(sql, this.#org, runId))
      return this.#reached(runId)
    }
    const { header, first, state } = await records.runs.read(runId)
    if (state.end === null)
      throw new WaybillError('TURN_UNFINISHED', {
        fault: 'usage',
        message: `run ${runId} has not ended, so it cannot be started again`,
        hint: 'resume it, or cancel it first',
      })
    const { version = undefined } = (await this.#scheduled([runId])).get(runId) ?? {}
    return this.start(
      header.agent_id,
      {
        input: first.input,
        ...defined({ user: header.user }),
        ...(version !== undefined && version !== null && { version }),
        ...(header.rehearsal && { rehearse: true }),
      },
      newRunId,
    )
  }

  startBatch: Runs['startBatch'] = (agentId, inputs, request, batchId = uuidv7()) =>
    startBatch(
      this.#parts.database.app,
      this.#parts.principal,
      batchId,
      agentId,
      inputs,
      async (input, run_id, batch) => {
        await this.#store(agentId, { ...request, input }, run_id, { batch })
        this.#parts.notify(this.#org, run_id)
      },
    )

  readBatch: Runs['readBatch'] = (batchId, page) =>
    readBatch(this.#parts.database.app, this.#org, batchId, page, async (runId) => this.read(runId))

  /** A run in a session is a message to it: the session has at most one active run. */
  async #startInSession(
    agentId: string,
    { on_busy, ...request }: StartRun & { readonly session: string; readonly input: Json },
    messageId: string,
  ): Promise<RunState202> {
    const { session, input, user } = request
    const sessions = this.#parts.sessions((id, message, runId, also) =>
      this.begin(id, { ...request, ...message }, runId, also),
    )
    await sessions.create({ agent_id: agentId, session, ...defined({ user }) })
    const { run_id } = await sessions.send(session, { id: messageId, input, ...defined({ on_busy }) })
    if (run_id === null) throw new Error(`the session ${session} has no run after a message`)
    return this.#reached(run_id)
  }

  get #org(): string {
    return this.#parts.principal.organisation
  }

  async #store(
    agentId: string,
    { input = '', history, user, session, version, budget, rehearse, start_after, priority }: StartRun,
    run_id: string,
    { batch, also }: StoreOptions = {},
  ): Promise<void> {
    const { planner, records } = this.#parts
    const planned = await planner.newRun(
      {
        org: this.#org,
        agent_id: agentId,
        by: this.#parts.principal.user,
        ...defined({ version, user, session, budget, rehearse }),
      },
      { type: 'run.started', input, ...defined({ history }) },
      { run_id, ...defined({ user, session, batch }) },
    )
    await records.runs.enqueue(
      planned.run,
      {
        version: planned.version,
        ...defined({ session, priority, queue: planned.queue }),
        ...(start_after !== undefined && { dueAt: Date.parse(start_after) }),
      },
      also,
    )
  }

  async #command(runId: string, command: Command): Promise<RunState202> {
    const { database, principal, notify, commanded } = this.#parts
    const { status } = await this.#reached(runId)
    if (status === 'set_aside' && command.type !== 'cancel') throw setAside(runId)
    if (isOver(status)) {
      // A second cancel is not an error: the run does not run.
      if (command.type === 'cancel') return { run_id: runId, status }
      throw ended(runId, status)
    }
    await inOrganisation(database.app, this.#org, async (sql) => {
      if (status === 'set_aside') await queueAgain(sql, this.#org, runId)
      await giveCommand(sql, this.#org, runId, command, principal.user)
    })
    notify(this.#org, runId)
    commanded(this.#org, runId)
    return this.#reachedAfter(runId, command)
  }

  /** Waits a moment for the effect of a command, so that the answer usually tells the state that it led to. */
  async #reachedAfter(runId: string, { type }: Command): Promise<RunState202> {
    const until = performance.now() + 2000
    for (;;) {
      const now = await this.#reached(runId)
      const isReached =
        type === 'resume'
          ? now.status !== 'paused'
          : type === 'pause'
            ? SETTLED.has(now.status)
            : isOver(now.status)
      if (isReached || performance.now() > until) return now
      await sleep(LOOK_MS)
    }
  }

  async #reached(runId: string): Promise<RunState202> {
    const record = await this.#parts.records.runs.listed(runId)
    const scheduled = (await this.#scheduled([runId])).get(runId) ?? NOT_SCHEDULED
    return { run_id: runId, status: platformStatus(record, scheduled) }
  }

  #scheduled(runIds: readonly string[]): Promise<ReadonlyMap<string, Scheduled>> {
    return scheduledRuns(this.#parts.database.app, this.#org, runIds)
  }
}

function isOver(status: PlatformStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'refused' || status === 'cancelled'
}

function statusFilter(status: PlatformStatus | undefined): RunFilter {
  switch (status) {
    case 'awaiting_approval':
      return { status: 'waiting' }
    case 'running':
    case 'interrupted':
    case 'queued':
    case 'scheduled':
      return { status: 'running' }
    case undefined:
    case 'set_aside':
    case 'damaged':
      return {}
    default:
      return { status }
  }
}

/** Queues a run that was set aside, as if it had never failed. */
async function queueAgain(sql: Sql, org: string, runId: string): Promise<void> {
  await sql.query(
    `UPDATE waybill.progress SET phase = 'parked', deaths = 0, why = NULL
     WHERE org = $1 AND run_id = $2 AND phase = 'set_aside'`,
    [org, runId],
  )
  await sql.query('SELECT waybill.wake($1, $2)', [org, runId])
}

function setAside(runId: string): WaybillError {
  return new WaybillError('RUN_SET_ASIDE', {
    fault: 'usage',
    message: `run ${runId} was set aside and does not run`,
    hint: 'see `why` of the run, then retry or cancel it',
  })
}

function ended(runId: string, status: string): WaybillError {
  return new WaybillError('RUN_ENDED', {
    fault: 'usage',
    message: `run ${runId} has ended: ${status}`,
    hint: 'start a new run, or send a message to its session',
  })
}
