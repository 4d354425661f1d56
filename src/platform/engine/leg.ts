import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Control } from '../../run/drive/drive-ports.ts'
import type { Fact } from '../../run/event.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { AgentSessions } from '../../session/agent-sessions.ts'
import { nextFact, type Session, type Turn } from '../../session/session.ts'
import { countRun } from '../budgets/spending.ts'
import type { Database } from '../database/open-database.ts'
import type { OpenLeg } from '../records/leases.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { isOutage } from '../records/storage-errors.ts'
import { parkStopped } from '../stops/stops.ts'
import { type Command, commandsTaken, resumeLater, type StoredCommand, steer } from './commands.ts'
import type { FairTurns } from './fair-turns.ts'
import { leaseLapsed, type WorkerLease } from './lease.ts'
import { legFailed } from './leg-failed.ts'
import { beginsTurn, hasNews, LegNews, type News } from './leg-news.ts'
import type { Leg } from './leg-queue.ts'
import type { LiveRun, LiveRuns } from './live-runs.ts'
import { releaseSlot, type SlotRun, takeSlot } from './slots.ts'

/** Recorded as `by` of what the platform itself does. */
export const PLATFORM = 'the platform'

/** Recorded as `by` of the pause of a run that a stop covers. */
const STOP = 'the stop switch'

/** A run that killed so many workers in a row is set aside. */
const DEATHS = 3

export interface LegHost {
  readonly database: Database
  readonly lease: WorkerLease
  readonly live: LiveRuns
  /** Opens the records of an organisation for the identity of this worker. */
  readonly recordsOf: (org: string, identity: string) => PostgresRecords
  /**
   * Returns the sessions that open a run with its recorded plan, over the records of this identity of the worker. They
   * are shared, and closed elsewhere.
   */
  readonly sessionsOf: (org: string, run: StoredRun, identity: string) => Promise<AgentSessions>
  /** Returns the receivers of a run's text and events, for one drive. */
  readonly follow: (org: string, session: Session) => Promise<Pick<Turn, 'onEvent' | 'onText'>>
  /** Opening a run takes many statements, so few are opened at a time: each statement would wait behind those of all others. */
  readonly openings: FairTurns
  /** Aborted when this process stops: legs in progress pause, and continue elsewhere. */
  readonly stopping: AbortSignal
  readonly log: (level: 'warn' | 'error', message: string) => void
}

/**
 * Performs one leg of a run: takes its lease, drives it until it ends or only waits, and parks it. Never throws: a leg
 * that cannot be performed is tried again later; see {@link legFailed}.
 */
export async function performLeg(host: LegHost, leg: Leg): Promise<void> {
  const { org, run_id } = leg
  try {
    // A worker without a lease is dead for the others: what it opened would be counted as its death.
    await host.lease.untilHeld(host.stopping)
    const { identity } = host.lease
    const drive = await host.openings.during(org, () => openDrive(host, leg, identity))
    if (drive !== undefined) await driveLeg(host, leg, drive)
  } catch (error) {
    // Another worker has the run: that is its leg now.
    if (isCode(error, 'RUN_LOCKED', 'RUN_TAKEN_OVER')) return
    // It waited for its lease when it was stopped. The leg is found by the reconciler of another worker.
    if (host.stopping.aborted && error instanceof Error && error.name === 'AbortError') return
    // A database that is away says nothing about the run.
    const counts = !isOutage(error)
    host.log(counts ? 'error' : 'warn', `leg ${leg.n} of run ${run_id}: ${messageOf(error)}`)
    await legFailed(host.database.engine, leg, messageOf(error), { counts }).catch(() => {})
  }
}

/** @returns undefined if this leg is not to be driven */
async function openDrive(host: LegHost, leg: Leg, identity: string): Promise<LegDrive | undefined> {
  host.stopping.throwIfAborted()
  const { runs } = host.recordsOf(leg.org, identity)
  const held = await runs.openLeg(leg.run_id, leg.n)
  if (held === null) return undefined
  if (held.deaths < DEATHS) return LegDrive.open(host, leg, held, identity)
  await runs.setAside(leg.run_id, `${held.deaths} workers in a row died while they drove this run`)
  return undefined
}

async function driveLeg(host: LegHost, leg: Leg, drive: LegDrive): Promise<void> {
  try {
    await drive.untilParked()
  } finally {
    // The worker finds a lease that could not be released.
    await drive
      .close()
      .catch((error) => host.log('warn', `run ${leg.run_id} is released later: ${messageOf(error)}`))
  }
}

/** A leg in progress: drives the run for as long as something arrives for it. */
class LegDrive {
  readonly #host: LegHost
  readonly #run: { readonly org: string; readonly run_id: string }
  readonly #slot: SlotRun
  readonly #held: OpenLeg
  readonly #session: Session
  readonly #records: PostgresRecords
  readonly #identity: string
  readonly #fenced: AbortController
  readonly #live: LiveRun
  readonly #stopping = () => this.#interrupt()
  readonly #news: LegNews
  #control: Control | undefined
  #interrupted = false
  /** Who has paused the run in this leg. */
  #pausedBy: string | undefined
  /** The stop that covers the run: it sends nothing, and waits until the stop is lifted. */
  #stop: string | null
  /** The last command that was taken in is a pause. */
  #staysPaused = false

  static async open(host: LegHost, { org, run_id }: Leg, held: OpenLeg, identity: string): Promise<LegDrive> {
    const records = host.recordsOf(org, identity)
    const sessions = await host.sessionsOf(org, held, identity)
    const session = await sessions.openHeld(held, () => {
      if (!host.lease.isHeld(identity)) throw leaseLapsed(run_id)
    })
    return new LegDrive(host, { org, run_id }, held, session, records, identity)
  }

  private constructor(
    host: LegHost,
    run: { readonly org: string; readonly run_id: string },
    held: OpenLeg,
    session: Session,
    records: PostgresRecords,
    identity: string,
  ) {
    this.#host = host
    this.#run = run
    this.#slot = { ...run, plan: held.plan, unattended: held.header.batch !== undefined }
    this.#held = held
    this.#session = session
    this.#records = records
    this.#identity = identity
    this.#fenced = new AbortController()
    this.#news = new LegNews(host.database, run.org, records, session)
    this.#stop = held.stop
    this.#live = {
      ...run,
      seen: held.wakes,
      stop: held.stop,
      onStop: (stop) => this.#stopBy(stop),
      fence: () => this.#fenced.abort(leaseLapsed(run.run_id)),
      onWake: () => this.#takeInLive(),
    }
    host.live.add(this.#live)
    // The lease may have lapsed while the run was opened.
    if (!host.lease.isHeld(identity)) this.#live.fence()
    host.stopping.addEventListener('abort', this.#stopping, { once: true })
  }

  /** Returns when the run is over, parked, or lost to another worker. */
  async untilParked(): Promise<void> {
    const { runs } = this.#records
    const { run_id } = this.#run
    let { wakes } = this.#held
    let isFirst = true
    for (;;) {
      // The run may belong to another worker: nothing is taken for it, and nothing recorded.
      if (this.#fenced.signal.aborted) return
      const news = await this.#news.read()
      // A command was given to the turn that it was given in.
      if (this.#session.state.end !== null) await this.#remove(news.commands)
      const isStopped = this.#stop !== null && !cancels(news)
      if (!isStopped && (hasNews(news) || (await this.#isDue(isFirst)))) {
        if (!(await this.#drive(news))) {
          if (await runs.park(this.#held, { phase: 'slot', wakes })) return
          // The slot may have been granted meanwhile.
          wakes = await runs.wakes(run_id)
          continue
        }
      }
      isFirst = false
      if (this.#fenced.signal.aborted) return
      if (!isStopped) await this.#forget(news.commands)
      // They were there before, but could not be taken in until now.
      const next = await this.#news.messages()
      if (next.length > 0 && !this.#interrupted && this.#stop === null && this.#mayDrive([], next)) continue
      if (await this.#park(wakes)) return
      wakes = await runs.wakes(run_id)
    }
  }

  async close(): Promise<void> {
    this.#host.stopping.removeEventListener('abort', this.#stopping)
    this.#host.live.remove(this.#live)
    await this.#session.close()
  }

  /**
   * Returns whether the run continues without a command, a message or a decision. A run that waits does not, unless
   * something has arrived for a sub-agent, a rule was made or a time has come: it takes no slot and records nothing.
   */
  async #isDue(isFirst: boolean): Promise<boolean> {
    const { end, status } = this.#session.state
    if (end !== null) return false
    // What it asks may have been decided by the newer record.
    if (isFirst && this.#held.copied !== undefined) return true
    if (status !== 'waiting') return isFirst
    return (isFirst || (!this.#interrupted && this.#stop === null)) && (await this.#session.hasArrived())
  }

  /** @returns false if the run must wait for a slot of its agent */
  async #drive({ commands, messages }: News): Promise<boolean> {
    const { engine } = this.#host.database
    if (!this.#mayDrive(commands, messages)) {
      await releaseSlot(engine, this.#slot, this.#identity)
      return true
    }
    const { run, state } = this.#session
    // A command was given to the turn that it was given in.
    const given = state.end === null ? commands : []
    const isGiven = (type: Command['type']) => given.some(({ body }) => body.type === type)
    const begins = nextFact(run, state, PLATFORM)
    let facts = beginsTurn(messages) ? messages : [begins, ...messages]
    if (!(await takeSlot(engine, this.#slot, this.#identity)) && !isGiven('cancel')) {
      if (!isGiven('pause')) return false
      // Without a slot it must not be resumed, because that sends calls again.
      facts = state.seq === 0 ? [begins] : []
    }
    const receivers = await this.#host.follow(this.#run.org, this.#session)
    try {
      await this.#session.drive(facts, {
        slotHeld: true,
        signal: this.#fenced.signal,
        ...receivers,
        onEvent: (event, at) => {
          if (at.run_id === run.header.run_id) this.#note(event.fact)
          receivers.onEvent?.(event, at)
        },
        control: (control) => {
          this.#control = control
          for (const command of given) steer(control, command)
          if (this.#host.stopping.aborted) this.#interrupt()
          if (this.#stop !== null && !given.some(({ body }) => body.type === 'cancel')) control.pause(STOP)
        },
      })
    } finally {
      this.#control = undefined
      if (!this.#fenced.signal.aborted) await releaseSlot(engine, this.#slot, this.#identity)
    }
    return true
  }

  /** A run that a person has paused is driven only to be resumed, cancelled or interrupted. */
  #mayDrive(commands: readonly StoredCommand[], messages: readonly Fact[]): boolean {
    const { end, status } = this.#session.state
    if (beginsTurn(messages)) return true
    if (end !== null) return false
    return status !== 'paused' || commands.some(({ body }) => body.type !== 'pause')
  }

  /** What arrives in time is taken in by the drive; what comes too late is found before the run parks. */
  async #takeInLive(): Promise<void> {
    const { commands, messages, decisions } = await this.#news.read()
    for (const command of commands) steer(this.#control, command)
    for (const fact of [...messages, ...decisions]) this.#control?.submit(fact)
  }

  async #forget(commands: readonly StoredCommand[]): Promise<void> {
    const last = commands.at(-1)
    if (last === undefined) return
    this.#staysPaused = last.body.type === 'pause'
    await this.#remove(commands)
  }

  async #remove(commands: readonly StoredCommand[]): Promise<void> {
    const last = commands.at(-1)
    const { org, run_id } = this.#run
    if (last !== undefined) await commandsTaken(this.#host.database.engine, org, run_id, last.n)
  }

  /** @returns false if something has arrived that this leg has not seen */
  async #park(wakes: number): Promise<boolean> {
    const { runs } = this.#records
    const { org, run_id } = this.#run
    if (this.#session.state.end !== null) {
      const parked = await runs.park(this.#held, { phase: 'over', wakes })
      if (parked) await this.#count()
      return parked
    }
    const stop = this.#stop
    if (stop !== null) {
      const paused = this.#session.state.status === 'paused' && this.#pausedBy === STOP
      return runs.park(this.#held, { phase: 'parked', wakes }, (sql) =>
        parkStopped(sql, { org, run_id, stop, paused }),
      )
    }
    const wakeAt = await this.#session.wakeAt()
    if (!this.#mustContinue())
      return runs.park(this.#held, { phase: 'parked', wakes, ...(wakeAt !== null && { dueAt: wakeAt }) })
    return runs.park(this.#held, { phase: 'parked', wakes, dueAt: Date.now() }, (sql) =>
      resumeLater(sql, org, run_id, PLATFORM),
    )
  }

  /** Returns whether only the end of this process has paused the run, so that another process must resume it at once. */
  #mustContinue(): boolean {
    const isPaused = this.#session.state.status === 'paused'
    return this.#interrupted && isPaused && this.#pausedBy === PLATFORM && !this.#staysPaused
  }

  #note(fact: Fact): void {
    if (fact.type === 'run.paused') this.#pausedBy = fact.by
    if (fact.type === 'run.resumed') this.#pausedBy = undefined
    // Messages that came before the first turn lead to nothing until it has begun.
    if (fact.type === 'run.started' && this.#held.header.session !== undefined)
      this.#takeInLive().catch(() => {})
  }

  /** Adds the use of a run to the budgets. If this fails, the reconciler does it. */
  async #count(): Promise<void> {
    const { header } = this.#held
    const payer = { org: this.#run.org, agent_id: header.agent_id, ...defined({ user: header.user }) }
    const { state } = this.#session
    await countRun(this.#host.database.engine, payer, header.run_id, state, new Date()).catch(() => {})
  }

  #stopBy(stop: string): void {
    this.#stop = stop
    this.#control?.pause(STOP)
  }

  #interrupt(): void {
    this.#interrupted = true
    this.#control?.pause(PLATFORM)
  }
}

/** A cancel sends nothing, so it also takes effect under a stop. */
function cancels({ commands }: News): boolean {
  return commands.some(({ body }) => body.type === 'cancel')
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof WaybillError && codes.includes(error.code)
}
