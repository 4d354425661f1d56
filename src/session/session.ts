import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { asJson, type Json, type JsonObject } from '../document/json.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { drive } from '../run/drive/drive.ts'
import { withAgents } from '../run/drive/drive-agents.ts'
import type { Control, DriveOptions } from '../run/drive/drive-ports.ts'
import { type Guard, guardedPorts } from '../run/drive/guarded-ports.ts'
import type { OpenPii } from '../run/drive/open-pii.ts'
import type { Fact } from '../run/event.ts'
import type { RouteBoard } from '../run/ports.ts'
import { auditLeg } from '../run/record/audit-leg.ts'
import { eachRun } from '../run/record/each-run.ts'
import type { PersonDecided } from '../run/record/left-decision.ts'
import type { OpenRun, SlotOptions } from '../run/record/records.ts'
import { SecretUses } from '../run/record/secret-uses.ts'
import { withCopied } from '../run/record/with-copied.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import type { TakeSlot } from '../run/slot-port.ts'
import type { CallEntry, Interruption, RunState, RunWarning } from '../run/state.ts'
import { claimDecision } from './claim-decision.ts'
import { familyWakeAt } from './family-wake-at.ts'
import { hasArrived } from './has-arrived.ts'
import { redactStream } from './redact-stream.ts'
import type { Histories, RunHost, World } from './run-host.ts'
import { agentRecords, type Beside, recordSink } from './run-records.ts'
import { slotsOf } from './slots.ts'
import { standingDecision } from './standing-decision.ts'
import { standingRules } from './standing-rules.ts'
import { watchPause } from './watch-pause.ts'

/** A call that a person must decide about. */
export interface AskedCall {
  readonly call: CallEntry
  /** Its arguments with real values instead of placeholders. */
  readonly args: JsonObject
  /** Of the agent that makes the call. */
  readonly plan: Plan
  readonly state: RunState
  /** Aborted when the question is withdrawn, because the run is being paused or has ended. */
  readonly signal: AbortSignal
  /** Returns the decision about it that was made elsewhere in the meantime. */
  readonly settled: () => Promise<PersonDecided | undefined>
}

/** Options for driving one turn of a run. */
export interface Turn extends Pick<DriveOptions, 'onEvent' | 'onText'> {
  /** Asks a person; null, or a promise of it, if no person can answer here now. */
  readonly ask?: (asked: AskedCall) => Promise<Fact | null> | null
  /** Called if another person decided before the person here. */
  readonly onOverruled?: (by: PersonDecided) => void
  readonly control?: (control: Control) => void
  /** How the run waits for a slot of its agent. */
  readonly slot?: SlotOptions & Pick<TakeSlot, 'unattended'>
  /** The caller has taken a slot for the run. */
  readonly slotHeld?: true
  /** When aborted, the drive stops at once and records nothing more. */
  readonly signal?: AbortSignal
}

export interface Driven {
  readonly state: RunState
  readonly result: RunResult
}

/** A run that this process holds: only this process may append to its record, until it is closed. */
export interface Session {
  readonly run: OpenRun
  readonly program: Program
  /** The state after the last drive. */
  readonly state: RunState
  /**
   * Returns when the run continues without a new fact, such as the lapse of its question or of a sub-agent's
   * (milliseconds since the epoch); null: only a fact continues it.
   */
  wakeAt(): Promise<number | null>
  /** Returns whether a run that waits has something to do, so that it must be driven; see {@link hasArrived}. */
  hasArrived(): Promise<boolean>
  /**
   * Drives the run until it ends, is paused, or waits for a person.
   * @param first the facts that begin the drive; absent: the next fact according to the record, see {@link nextFact}
   * @throws CONCURRENCY_EXCEEDED, CONCURRENCY_DEADLOCK; an error that prevents events from being recorded
   */
  drive(first?: Fact | readonly Fact[], turn?: Turn): Promise<Driven>
  /** Sends the rest of the telemetry; returns a warning if a part was not delivered in this time (milliseconds). */
  report(withinMs: number): Promise<RunWarning | undefined>
  close(): Promise<void>
}

export interface SessionParts {
  readonly host: RunHost
  readonly world: World
  readonly program: Program
  /** Of every agent that may take part, the root's first. */
  readonly plans: readonly Plan[]
  readonly routes?: RouteBoard
  readonly pii: OpenPii
  /** Called before each send; if it throws, the drive stops and records nothing more. */
  readonly guard?: Guard
  /** Called when the session has released the run. */
  readonly onClosed: () => Promise<void>
}

/**
 * Opens the session of a run whose lease this process holds. The same rules apply to every caller: required audit
 * entries are written, decisions of people elsewhere count, and the output contains no secret.
 */
export async function openSession(run: OpenRun, parts: SessionParts): Promise<Session> {
  const { host, world, program, plans, routes, pii } = parts
  const { plan } = program
  const { records } = host
  const slots = slotsOf(records)
  const telemetry = await world.openTelemetry(program, () => historiesOf(host, run))
  const sources = {
    records,
    plans,
    allowed: host.settings.allowed_calls ?? [],
    by: host.by,
    standing: standingRules(records.grants, run.header.definitions),
  }
  const uses = new SecretUses(run.header)
  let state = run.state
  let { copied } = run

  const planOf = (hash: string): Plan => {
    const found = [...program.family.values()].find((one) => one.hash === hash)
    // A record is opened with its recorded plans.
    if (found === undefined) throw new Error(`no plan of this run has the hash ${hash}`)
    return found.plan
  }
  const driveFrom = async (first: readonly Fact[], turn: Turn): Promise<RunState> => {
    const audit = host.kept ? auditLeg(first[0], plans, run.header, host.settings) : []
    const beside: Beside = {
      audits: host.kept,
      audit,
      pii: pii.values,
      ...(host.auditsSecrets === true && { secrets: uses }),
    }
    const { onEvent, onText, ask, onOverruled, control, signal } = turn
    const stream = onText === undefined ? undefined : redactStream(world.redactor, onText)
    const follow: NonNullable<DriveOptions['onEvent']> = (event, at) => {
      telemetry?.follow(event, at)
      onEvent?.(event, at)
    }
    const askPerson = async (call: CallEntry, at: RunState, withdrawn: AbortSignal): Promise<Fact | null> => {
      const args = pii.port.reveal(call.args)
      const own = planOf(at.plan_hash)
      const settled = () => standingDecision(call, at, args, own, sources)
      const known = await settled()
      if (known !== undefined) return known
      const fact = (await ask?.({ call, args, plan: own, state: at, signal: withdrawn, settled })) ?? null
      if (fact?.type !== 'person.decided') return fact
      const claimed = await claimDecision(records, at.run_id, call, fact, own, world.redactor, at)
      if (claimed.verdict !== fact.verdict || claimed.by !== fact.by) onOverruled?.(claimed)
      return claimed
    }
    const ports = { ...guardedPorts(world.ports, parts.guard), pii: pii.port, ...defined({ routes }) }
    return drive(
      program,
      state,
      first,
      withAgents(
        program,
        { ...ports, sink: recordSink(run, plan, beside), ask: askPerson },
        agentRecords(records, run, beside),
        { slots, onEvent: follow },
      ),
      {
        onEvent: (event, at) => {
          state = at
          stream?.flush()
          follow(event, at)
        },
        ...(stream !== undefined && { onText: (delta: string) => stream.push(delta) }),
        ...defined({ control, signal }),
      },
    )
  }

  const takeSlot = async (slot: NonNullable<Turn['slot']> = {}) => {
    const { run_id } = run.header
    try {
      return await slots.take(plan, { ...slot, run_id })
    } catch (error) {
      // Refused instead of waiting: nothing happened in this run, so it is removed.
      if (state.seq === 0 && error instanceof WaybillError && error.code === 'CONCURRENCY_EXCEEDED') {
        await run.close()
        await records.runs.remove(run_id)
      }
      throw error
    }
  }

  return {
    run,
    program,
    get state() {
      return state
    },
    wakeAt: () => familyWakeAt(program, state, records.runs),
    hasArrived: () => hasArrived(program, state, { ...sources, reveal: pii.port.reveal, now: Date.now }),
    async drive(first = nextFact(run, state, host.by), turn = {}) {
      const release = turn.slotHeld === true ? () => {} : await takeSlot(turn.slot)
      let given: Control | undefined
      const control = (own: Control) => {
        given = own
        turn.control?.(own)
      }
      const unwatch = watchPause(records, run.header.run_id, (by) => given?.pause(by))
      try {
        const facts = withCopied(state, copied, [first].flat())
        copied = undefined
        state = await driveFrom(facts, { ...turn, control })
      } finally {
        unwatch()
        await release()
      }
      const result = world.redactor.json(asJson(resultOf(plan, state))) as unknown as RunResult
      return { state, result }
    },
    async report(withinMs) {
      const warning = await telemetry?.flush(withinMs)
      return warning === undefined ? undefined : { ...warning, message: world.redactor.text(warning.message) }
    },
    async close() {
      await run.close()
      await parts.onClosed()
    },
  }
}

/**
 * Returns the fact that begins a turn with a new input. @throws TURN_UNFINISHED while the previous turn has not
 * ended
 */
export function nextTurnFact({ run_id, end }: RunState, input: Json, hint: string): Fact {
  if (end !== null) return { type: 'user.said', input }
  throw new WaybillError('TURN_UNFINISHED', {
    fault: 'usage',
    message: `run ${run_id} has not ended its turn, so it accepts no new input`,
    hint,
  })
}

/**
 * Returns the facts that stop the turn in progress of a run that no process drives, and begin the next one.
 * @param by the user whose input interrupts the turn
 */
export function interruptingFacts(
  { end }: RunState,
  input: Json,
  by: string,
  how: Interruption,
): readonly Fact[] {
  const said: Fact = { type: 'user.said', input }
  return end === null ? [{ type: 'turn.interrupted', by, how }, said] : [said]
}

/** Returns the fact that continues a run: its input if it has not begun, else `run.resumed`. */
export function nextFact({ first }: Pick<OpenRun, 'first'>, { seq }: RunState, by: string): Fact {
  return seq === 0 ? first : { type: 'run.resumed', by }
}

async function historiesOf({ records }: RunHost, run: OpenRun): Promise<Histories> {
  if (run.state.seq === 0) return new Map()
  const family = await Array.fromAsync(eachRun(records, { root: run.header.run_id }))
  return new Map(
    await Promise.all(family.map(async ({ run_id }) => [run_id, await records.runs.events(run_id)] as const)),
  )
}
