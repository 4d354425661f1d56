import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import type { Control } from '../../run/drive/drive-ports.ts'
import type { Fact } from '../../run/event.ts'
import { decisionFact } from '../../run/record/left-decision.ts'
import type { OpenRun, StoredRun } from '../../run/record/records.ts'
import { asksPerson } from '../../run/unsettled.ts'
import type { AgentSessions } from '../../session/agent-sessions.ts'
import { leftDecision } from '../../session/left-decisions.ts'
import { nextFact, type Session, type Turn } from '../../session/session.ts'
import type { Database } from '../database/open-database.ts'
import type { OpenLeg } from '../records/leases.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import { nextFacts } from '../sessions/next-facts.ts'
import { commandsOf, commandsTaken, resumeLater, type StoredCommand } from './commands.ts'
import type { WorkerLease } from './lease.ts'
import { legFailed } from './leg-failed.ts'
import type { Leg } from './leg-queue.ts'
import type { LiveRun, LiveRuns } from './live-runs.ts'
import { releaseSlot, takeSlot } from './slots.ts'

/** Recorded as `by` of what the platform itself does. */
export const PLATFORM = 'the platform'

/** A run that killed so many workers in a row is set aside. */
const DEATHS = 3

export interface LegHost {
  readonly database: Database
  readonly lease: WorkerLease
  readonly live: LiveRuns
  /** Opens the records of an organisation for the identity of this worker. */
  readonly recordsOf: (org: string) => PostgresRecords
  /** Returns the sessions that open a run with its recorded plan. They are shared, and closed elsewhere. */
  readonly sessionsOf: (org: string, run: StoredRun) => Promise<AgentSessions>
  /** Returns the receivers of a run's text and events. */
  readonly follow: (org: string, run: OpenRun) => Pick<Turn, 'onEvent' | 'onText'>
  /** Aborted when this process stops: legs in progress pause, and continue elsewhere. */
  readonly stopping: AbortSignal
  readonly log: (level: 'warn' | 'error', message: string) => void
}

/**
 * Performs one leg of a run: takes its lease, drives it until it ends or only waits, and parks it. Never throws: a leg
 * that cannot be performed is tried again later, and is set aside with the reason after the third time.
 */
export async function performLeg(host: LegHost, leg: Leg): Promise<void> {
  const { org, run_id } = leg
  const records = host.recordsOf(org)
  try {
    const held = await records.runs.openLeg(run_id, leg.n)
    if (held === null) return
    if (held.deaths >= DEATHS) {
      await records.runs.setAside(run_id, `${held.deaths} workers in a row died while they drove this run`)
      return
    }
    await driveLeg(host, leg, held)
  } catch (error) {
    // Another worker has the run: that is its leg now.
    if (isCode(error, 'RUN_LOCKED', 'RUN_TAKEN_OVER')) return
    host.log('error', `leg ${leg.n} of run ${run_id}: ${messageOf(error)}`)
    await legFailed(host.database.engine, leg, messageOf(error)).catch(() => {})
  }
}

async function driveLeg(host: LegHost, leg: Leg, held: OpenLeg): Promise<void> {
  const { org, run_id } = leg
  const { engine } = host.database
  const records = host.recordsOf(org)
  const identity = host.lease.identity
  const fenced = new AbortController()
  const guard = () => {
    if (!host.lease.isHeld(identity)) throw leaseLapsed(run_id)
  }
  const session = await (await host.sessionsOf(org, held)).openHeld(held, guard)
  const { plan, header } = held
  const unattended = header.batch !== undefined
  const live: LiveRun = {
    org,
    run_id,
    seen: held.wakes,
    fence: () => fenced.abort(leaseLapsed(run_id)),
    // What arrives in time is taken in by the drive; what comes too late is found before the run parks.
    onWake: async () => {
      for (const command of await commandsOf(engine, org, run_id)) steer(control, command)
      await submitDecisions(records, session, () => control)
      for (const fact of await messagesOf(engine, org, session)) control?.submit(fact)
    },
  }
  let control: Control | undefined
  let stopped = false
  const stop = () => {
    stopped = true
    control?.pause(PLATFORM)
  }
  host.live.add(live)
  host.stopping.addEventListener('abort', stop, { once: true })
  try {
    for (let wakes = held.wakes, begun = false; ; ) {
      const commands = await commandsOf(engine, org, run_id)
      const messages = await messagesOf(engine, org, session)
      if (!begun || messages.length > 0 || (await hasNews(records, session, commands))) {
        begun = true
        if (mayDrive(session, commands, messages)) {
          if (!(await takeSlot(engine, { org, run_id, plan, unattended }, identity))) {
            if (await records.runs.park(held, { phase: 'slot', wakes })) return
            wakes = await records.runs.wakes(run_id)
            begun = false
            continue
          }
          try {
            // A command was given to the turn that it was given in.
            const given = session.state.end === null ? commands : []
            await session.drive(firstFacts(session, messages), {
              slotHeld: true,
              signal: fenced.signal,
              ...host.follow(org, held),
              control: (one) => {
                control = one
                for (const command of given) steer(one, command)
                if (host.stopping.aborted) stop()
              },
            })
          } finally {
            control = undefined
            if (!fenced.signal.aborted) await releaseSlot(engine, { org, run_id, plan, unattended })
          }
        }
      }
      const last = commands.at(-1)
      if (last !== undefined) await commandsTaken(engine, org, run_id, last.n)
      if (fenced.signal.aborted) return
      // They were there before, but could not be taken in until now.
      const next = await messagesOf(engine, org, session)
      if (next.length > 0 && !stopped && mayDrive(session, [], next)) continue
      if (session.state.end !== null) {
        if (await records.runs.park(held, { phase: 'over', wakes })) return
        // Something has arrived since, such as the next message of a session.
        wakes = await records.runs.wakes(run_id)
        continue
      }
      const isInterrupted = stopped && session.state.status === 'paused'
      if (isInterrupted) await resumeLater(engine, org, run_id, PLATFORM)
      // A run that this process has interrupted is due at once, on another one.
      const dueAt = isInterrupted ? Date.now() : session.wakeAt
      if (await records.runs.park(held, { phase: 'parked', wakes, ...(dueAt !== null && { dueAt }) })) return
      wakes = await records.runs.wakes(run_id)
    }
  } finally {
    host.stopping.removeEventListener('abort', stop)
    host.live.remove(live)
    await session.close()
  }
}

/** Returns whether something has arrived that a drive must take in. */
async function hasNews(
  records: PostgresRecords,
  { run, state }: Session,
  commands: readonly StoredCommand[],
): Promise<boolean> {
  if (commands.length > 0) return true
  for (const call of state.calls.filter(asksPerson))
    if ((await leftDecision(records, run.header.run_id, call)) !== undefined) return true
  return false
}

/** Returns the facts that the messages of a run's session lead to now. */
async function messagesOf(engine: pg.Pool, org: string, { run, state }: Session): Promise<readonly Fact[]> {
  const { session, run_id } = run.header
  return session === undefined ? [] : nextFacts(engine, org, run_id, state)
}

/** Returns the facts that begin a drive: the next turn, or the turn in progress with the messages to it. */
function firstFacts({ run, state }: Session, messages: readonly Fact[]): readonly Fact[] {
  return beginsTurn(messages) ? messages : [nextFact(run, state, PLATFORM), ...messages]
}

function beginsTurn(messages: readonly Fact[]): boolean {
  return messages.some(({ type }) => type === 'user.said')
}

/** A run that a person has paused is driven only to be resumed, cancelled or interrupted. */
function mayDrive(
  { state: { end, status } }: Session,
  commands: readonly StoredCommand[],
  messages: readonly Fact[],
): boolean {
  if (beginsTurn(messages)) return true
  if (end !== null) return false
  return status !== 'paused' || commands.some(({ body }) => body.type !== 'pause')
}

function steer(control: Control | undefined, { by, body }: StoredCommand): void {
  if (body.type === 'pause') control?.pause(by)
  else if (body.type === 'cancel') control?.cancel(by)
}

/** Passes on the decisions of people about calls of a run that is being driven. */
async function submitDecisions(
  records: PostgresRecords,
  { run, state }: Session,
  control: () => Control | undefined,
): Promise<void> {
  for (const call of state.calls.filter(asksPerson)) {
    const left = await leftDecision(records, run.header.run_id, call)
    if (left !== undefined) control()?.submit(decisionFact(left))
  }
}

function leaseLapsed(runId: string): WaybillError {
  return new WaybillError('RUN_TAKEN_OVER', {
    fault: 'failed',
    message: `this worker was stopped or cut off for longer than its lease, so it no longer owns run ${runId}`,
    hint: 'another worker continues the run; look for long pauses of the machine',
  })
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof WaybillError && codes.includes(error.code)
}
