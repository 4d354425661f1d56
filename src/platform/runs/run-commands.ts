import { setTimeout as sleep } from 'node:timers/promises'
import { WaybillError } from '../../document/issue.ts'
import type { Principal } from '../../session/principal.ts'
import type { Database } from '../database/open-database.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { type Command, giveCommand } from '../engine/commands.ts'
import { addCausers, causersIn } from '../people/causers.ts'
import { assertHere } from '../records/moved-runs.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { runRow } from '../records/read-run.ts'
import { listedRow } from '../records/run-row.ts'
import { type PlatformStatus, platformStatus } from '../records/run-view.ts'
import { assertNotStopped } from '../stops/stops.ts'
import type { RunStanding } from './run.ts'

export interface CommandParts {
  readonly database: Pick<Database, 'app'>
  readonly principal: Principal
  readonly records: PostgresRecords
  /** Notifies the worker of this process, if there is one, that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
  /** A command was stored for a run: it must also take effect while no worker lives. */
  readonly commanded: (org: string, runId: string) => void
}

/** How often the effect of a command is looked for, in milliseconds. */
const LOOK_MS = 50

/** Statuses after which a run changes only if a person or a client acts. */
export const SETTLED: ReadonlySet<PlatformStatus> = new Set([
  'completed',
  'failed',
  'refused',
  'cancelled',
  'awaiting_approval',
  'paused',
  'set_aside',
  'moved',
  'damaged',
])

/** Pauses, resumes and cancels runs of one organisation. */
export class RunCommands {
  readonly #parts: CommandParts

  constructor(parts: CommandParts) {
    this.#parts = parts
  }

  /**
   * Gives a command to a run, and waits a moment for its effect.
   * @throws RUN_ENDED, RUN_SET_ASIDE
   */
  async give(runId: string, command: Command): Promise<RunStanding> {
    const { database, principal, notify, commanded } = this.#parts
    const settled = await inOrganisation(database.app, this.#org, async (sql) => {
      // Until the transaction ends, its run neither ends nor moves: the command is stored for a run that takes it in.
      await sql.query('SELECT FROM waybill.progress WHERE org = $1 AND run_id = $2 FOR UPDATE', [
        this.#org,
        storedText(runId),
      ])
      await assertHere(sql, this.#org, runId)
      const status = platformStatus(listedRow(await runRow(sql, this.#org, runId)))
      if (status === 'set_aside' && command.type !== 'cancel') throw setAside(runId)
      if (isOver(status)) {
        // A second cancel is not an error: the run does not run.
        if (command.type === 'cancel') return status
        throw ended(runId, status)
      }
      if (command.type === 'resume') {
        await assertNotStopped(sql, this.#org, { run_id: runId })
        // What the run does from now on, this member has caused too.
        await addCausers(sql, this.#org, runId, causersIn(principal))
      }
      if (status === 'set_aside') await takeUpAgain(sql, this.#org, runId)
      await giveCommand(sql, this.#org, runId, command, principal.user)
      return undefined
    })
    if (settled !== undefined) return { run_id: runId, status: settled }
    notify(this.#org, runId)
    commanded(this.#org, runId)
    return this.#reachedAfter(runId, command)
  }

  /** Waits a moment for the effect of a command, so that the answer usually tells the state that it led to. */
  async #reachedAfter(runId: string, { type }: Command): Promise<RunStanding> {
    const until = performance.now() + 2000
    for (;;) {
      const now = await this.reached(runId)
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

  /** Returns the status that a run has reached. @throws RUN_UNKNOWN */
  async reached(runId: string): Promise<RunStanding> {
    return { run_id: runId, status: platformStatus(await this.#parts.records.runs.listed(runId)) }
  }

  /** Queues a run that was set aside, as if it had never failed. */
  async queueAgain(runId: string): Promise<RunStanding> {
    const { database, principal } = this.#parts
    await inOrganisation(database.app, this.#org, async (sql) => {
      await addCausers(sql, this.#org, runId, causersIn(principal))
      await queueAgain(sql, this.#org, runId)
    })
    return this.reached(runId)
  }

  get #org(): string {
    return this.#parts.principal.organisation
  }
}

function isOver(status: PlatformStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'refused' || status === 'cancelled'
}

async function queueAgain(sql: Sql, org: string, runId: string): Promise<void> {
  await takeUpAgain(sql, org, runId)
  await sql.query('SELECT waybill.wake($1, $2)', [org, storedText(runId)])
}

/** Parks a run that was set aside, as if it had never failed. */
async function takeUpAgain(sql: Sql, org: string, runId: string): Promise<void> {
  await sql.query(
    `UPDATE waybill.progress SET phase = 'parked', died = '{}', failures = 0, why = NULL
     WHERE org = $1 AND run_id = $2 AND phase = 'set_aside'`,
    [org, storedText(runId)],
  )
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
