import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Grants } from '../../policy/endpoint-gate.ts'
import { withoutPhase } from '../../run/record/moved-to.ts'
import type { OriginCall } from '../../run/state.ts'
import { repeatableWrites } from '../../session/origin-of.ts'
import type { Planner } from '../agents/planner.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { addCausers, causersIn, causersOf } from '../people/causers.ts'
import { addSubjects, assertNotErasing, subjectsOf } from '../people/subjects.ts'
import type { PlatformFilter } from '../records/list-runs.ts'
import { movedTo } from '../records/moved-runs.ts'
import {
  listedView,
  type PlatformStatus,
  platformStatus,
  type RunView,
  wholeView,
} from '../records/run-view.ts'
import { assertNotStopped } from '../stops/stops.ts'
import { eventIdAhead } from '../streams/event-id-ahead.ts'
import { LAST_EVENT, type RunFollower } from '../streams/run-follower.ts'
import { findWebhook, nameWebhook, webhookOfRun } from '../webhooks/rows.ts'
import { readBatch, startBatch } from './batches.ts'
import type { RunQuery, RunStanding, Runs, StartRun } from './run.ts'
import { type CommandParts, RunCommands, SETTLED } from './run-commands.ts'

export interface RunsParts extends CommandParts {
  readonly planner: Pick<Planner, 'newRun'>
  readonly follower: RunFollower
  /** Asks the receiver of a run that was given away whether it still knows the run. Absent: nothing moves. */
  readonly lookAfter?: (org: string, runId: string) => Promise<void>
  /** The hosts that webhooks may be sent to. */
  readonly webhookGrants: Grants
}

interface StoreOptions {
  readonly batch?: { readonly id: string; readonly key: string; readonly index: number }
  /** Further statements of the same transaction. */
  readonly also?: (sql: Sql) => Promise<void>
  /** A trigger starts it: its input is untrusted. */
  readonly triggered?: true
  /** Members who have caused it, besides the principal. */
  readonly causers?: readonly string[]
  /** The run that led to it: who has caused that one has caused this one. */
  readonly origin?: string
  /** The runs whose data its input has. */
  readonly derivedFrom?: readonly string[]
  /** Idempotent writes that the run repeats, with the keys that they were sent with. */
  readonly repeats?: readonly OriginCall[]
}

/** How often a request that waits for a run looks at it, in milliseconds. */
const LOOK_MS = 50

/** The runs of one organisation, for one principal. */
export class TenantRuns implements Runs {
  readonly #parts: RunsParts
  readonly #commands: RunCommands

  constructor(parts: RunsParts) {
    this.#parts = parts
    this.#commands = new RunCommands(parts)
  }

  async start(agentId: string, request: Omit<StartRun, 'session'>, runId = uuidv7()): Promise<RunStanding> {
    await this.begin(agentId, request, runId)
    return this.reached(runId)
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
    { triggered, causers, derivedFrom }: Pick<StoreOptions, 'triggered' | 'causers' | 'derivedFrom'> = {},
  ): Promise<void> {
    await this.#store(agentId, request, runId, defined({ also, triggered, causers, derivedFrom }))
    this.#parts.notify(this.#org, runId)
  }

  /** Returns the status that a run has reached. @throws RUN_UNKNOWN */
  reached(runId: string): Promise<RunStanding> {
    return this.#commands.reached(runId)
  }

  async settled(runId: string, withinMs: number, signal?: AbortSignal): Promise<RunView> {
    const until = performance.now() + withinMs
    for (let pause = LOOK_MS; ; pause = Math.min(pause * 1.5, 500)) {
      const record = await this.#parts.records.runs.listed(runId)
      const status = platformStatus(record)
      // A standing rule may decide at once: a run that a worker drives does not wait for a person yet.
      const isSettled = SETTLED.has(status) && (status !== 'awaiting_approval' || record.phase === 'parked')
      const left = until - performance.now()
      if (isSettled || left <= 0) return this.read(runId)
      await sleep(Math.min(pause, left), undefined, { signal })
    }
  }

  async list({ status, agent_id, user, since, ...page }: RunQuery) {
    const filter: PlatformFilter = {
      roots: true,
      ...defined({ agent_id, user }),
      ...(since !== undefined && { since: Date.parse(since) }),
      ...statusFilter(status),
    }
    const { items, next } = await this.#parts.records.runs.list(filter, page)
    const away = items.filter(({ phase }) => phase === 'moving' || phase === 'moved')
    const moved = await this.#movedTo(away.map(({ run_id }) => run_id))
    const views = items.map((item) => ({ ...listedView(item), ...moved.get(item.run_id) }))
    // A page may have fewer items than its limit: the records know fewer statuses than the platform.
    return { items: views.filter((view) => status === undefined || view.status === status), next }
  }

  async read(runId: string): Promise<RunView> {
    const { runs } = this.#parts.records
    const record = await runs.listed(runId)
    const view = wholeView(record, await runs.read(runId))
    if (record.phase !== 'moving' && record.phase !== 'moved') return view
    if (record.phase === 'moved') await this.#parts.lookAfter?.(this.#org, runId)
    return { ...view, ...(await this.#movedTo([runId])).get(runId) }
  }

  /** Returns where runs move or have moved to, by their ids. */
  async #movedTo(runIds: readonly string[]): Promise<ReadonlyMap<string, Pick<RunView, 'moved_to'>>> {
    if (runIds.length === 0) return new Map()
    const moved = await inOrganisation(this.#parts.database.app, this.#org, (sql) =>
      movedTo(sql, this.#org, runIds),
    )
    return new Map([...moved].map(([id, one]) => [id, { moved_to: withoutPhase(one) }]))
  }

  async events(runId: string, after: number, limit: number) {
    const { runs } = this.#parts.records
    const events = await runs.events(runId, Math.min(after, LAST_EVENT), limit)
    if (events.length > 0 || after === 0) return events
    const { seq } = await runs.listed(runId)
    if (after > seq) throw eventIdAhead(runId, after, seq)
    return events
  }

  follow(runId: string, after: number, signal: AbortSignal) {
    const view = () => this.read(runId)
    return this.#parts.follower.follow({ org: this.#org, runId, after, signal, view })
  }

  pause(runId: string): Promise<RunStanding> {
    return this.#commands.give(runId, { type: 'pause' })
  }

  resume(runId: string): Promise<RunStanding> {
    return this.#commands.give(runId, { type: 'resume' })
  }

  cancel(runId: string): Promise<RunStanding> {
    return this.#commands.give(runId, { type: 'cancel' })
  }

  async retry(runId: string, newRunId = uuidv7()): Promise<RunStanding> {
    const { runs } = this.#parts.records
    const { phase, version, priority } = await runs.listed(runId)
    if (phase === 'set_aside') return this.#commands.queueAgain(runId)
    const { header, plan, first, state } = await runs.read(runId)
    if (state.end === null) throw unfinished(runId)
    if ((await runs.sealed(runId)).length > 0) throw sealed(runId)
    const webhook = await this.#named(runId)
    const repeats = await repeatableWrites(this.#parts.records, runId)
    const { budget_tokens: tokens, budget_usd: usd, budget_calls: calls, budget_ms } = plan.limits
    const seconds = budget_ms === undefined ? undefined : budget_ms / 1000
    await this.#store(
      header.agent_id,
      {
        input: first.input,
        budget: defined({ tokens, usd, calls, seconds }),
        priority,
        ...defined({ history: first.history, user: header.user, webhook }),
        ...(version !== null && { version }),
        ...(header.rehearsal && { rehearse: true }),
      },
      newRunId,
      { origin: runId, repeats },
    )
    this.#parts.notify(this.#org, newRunId)
    return this.reached(newRunId)
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

  /** Returns the id of the webhook that a request names by its id or URL. @throws WEBHOOK_NOT_FOUND */
  async webhookOf(webhook: string | undefined): Promise<string | undefined> {
    if (webhook === undefined) return undefined
    const { database, principal, webhookGrants: grants } = this.#parts
    return inOrganisation(database.app, this.#org, (sql) =>
      findWebhook(sql, { org: this.#org, user: principal.user, webhook, grants }),
    )
  }

  /** Adds a run to those that a webhook is notified of. */
  async nameWebhook(runId: string, webhook: string): Promise<void> {
    await inOrganisation(this.#parts.database.app, this.#org, (sql) =>
      nameWebhook(sql, this.#org, runId, webhook),
    )
  }

  /** Returns the webhook that a run has named. */
  async #named(runId: string): Promise<string | undefined> {
    const { app } = this.#parts.database
    return inOrganisation(app, this.#org, (sql) => webhookOfRun(sql, this.#org, runId))
  }

  get #org(): string {
    return this.#parts.principal.organisation
  }

  async #store(
    agentId: string,
    request: StartRun,
    run_id: string,
    { batch, also, triggered, causers = [], origin, derivedFrom = [], repeats = [] }: StoreOptions = {},
  ): Promise<void> {
    const { input = '', history, user, session, version, budget, rehearse, start_after, priority } = request
    const { database, planner, records } = this.#parts
    await inOrganisation(database.app, this.#org, (sql) =>
      assertNotStopped(sql, this.#org, { agent_id: agentId, user }),
    )
    const webhook = await this.webhookOf(request.webhook)
    const planned = await planner.newRun(
      {
        org: this.#org,
        agent_id: agentId,
        by: this.#parts.principal.user,
        ...defined({ version, user, session, budget, rehearse }),
      },
      {
        type: 'run.started',
        input,
        ...defined({ history, triggered }),
        ...(repeats.length > 0 && { sent_by_origin: repeats }),
      },
      { run_id, on_behalf_of: this.#parts.principal.user, ...defined({ user, session, batch }) },
    )
    await records.runs.enqueue(
      planned.run,
      {
        version: planned.version,
        ...defined({ session, priority, queue: planned.queue }),
        ...(start_after !== undefined && { dueAt: Date.parse(start_after) }),
      },
      async (sql) => {
        await assertNotErasing(sql, this.#org, user)
        if (webhook !== undefined) await nameWebhook(sql, this.#org, run_id, webhook)
        const before = origin === undefined ? [] : await causersOf(sql, this.#org, [origin])
        await addCausers(sql, this.#org, run_id, [...causersIn(this.#parts.principal), ...causers, ...before])
        const origins = origin === undefined ? derivedFrom : [...derivedFrom, origin]
        const subjects = await subjectsOf(sql, this.#org, origins)
        for (const subject of subjects) await assertNotErasing(sql, this.#org, subject)
        await addSubjects(sql, this.#org, run_id, subjects)
        await also?.(sql)
      },
    )
  }
}

/** The statuses of the platform are narrower than those of the records: see {@link platformStatus}. */
function statusFilter(status: PlatformStatus | undefined): PlatformFilter {
  switch (status) {
    case 'awaiting_approval':
      return { status: 'waiting' }
    case 'running':
    case 'interrupted':
    case 'queued':
      return { status: 'running' }
    case 'scheduled':
      return { status: 'running', phase: 'parked' }
    case 'set_aside':
    case 'moving':
    case 'moved':
      return { phase: status }
    case undefined:
    case 'damaged':
      return {}
    default:
      return { status }
  }
}

function unfinished(runId: string): WaybillError {
  return new WaybillError('TURN_UNFINISHED', {
    fault: 'usage',
    message: `run ${runId} has not ended, so it cannot be started again`,
    hint: 'resume it, or cancel it first',
  })
}

/** Its record contains placeholders, which mean nothing to another run. */
function sealed(runId: string): WaybillError {
  return new WaybillError('PII_VALUES_UNREADABLE', {
    fault: 'usage',
    message: `run ${runId} was given personal data, which only this run can read`,
    hint: 'start a new run with the same input',
  })
}
