import type { Program } from '../../plan/plan.ts'
import type { Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import { DRAIN_MS, driveBelow, STARTS } from './drive.ts'
import type { DriveOptions, DrivePorts } from './drive-ports.ts'
import type { Performed } from './effect-context.ts'
import { nextWakeUp } from './wake-ups.ts'

/** A longer delay of a question parks the run, in milliseconds. */
const LONGEST_SLEEP_MS = 1000

export interface LegOptions extends DriveOptions {
  /** A longer delay of a question parks the run, in milliseconds. */
  readonly longestSleepMs?: number
}

/** A run that is parked. It holds no promise, no timer and no process. */
export interface Parked {
  readonly state: RunState
  /**
   * When the next leg is due without a new fact (milliseconds since the epoch); null: only a new fact continues the
   * run.
   */
  readonly wake_at: number | null
}

/**
 * Drives one leg of a run, for drivers that store runs while they wait. Takes in new facts, performs the effects
 * that follow, and parks the run when it only waits for a person or a time. A run is a chain of legs, each of which
 * begins with the fold of the recorded events.
 * @param state the fold of the run's record
 * @param happened facts since the last leg, such as a person's decision; `run.resumed` first if the process of the
 * last leg died
 * @throws RecordFailure
 */
export async function driveLeg(
  program: Program,
  state: RunState,
  happened: readonly Fact[],
  { ask: _ask, ...ports }: DrivePorts,
  { longestSleepMs = LONGEST_SLEEP_MS, ...options }: LegOptions = {},
): Promise<Parked> {
  const drainMs = options.drainMs ?? DRAIN_MS
  const now = ports.clock.now()
  const due = happened.some(({ type }) => STARTS.has(type) || type === 'turn.interrupted')
    ? null
    : dueQuestion(state, now)
  const wake = isStopped(state) ? null : nextWakeUp(program, state, drainMs)
  const facts = wake !== null && wake.at <= now ? [...happened, wake.fact] : happened
  const next = await driveBelow(program, state, facts, ports, {
    ...options,
    ...(due !== null && { due: [due] }),
    defers: (effect) => effect.type === 'model' && effect.attempt.delay_ms > longestSleepMs,
  })
  return { state: next, wake_at: wakeAt(program, next, drainMs) }
}

/**
 * Returns true if the run has ended or is paused: it continues only if a person resumes it, and time does not
 * count.
 */
function isStopped({ end, status }: RunState): boolean {
  return end !== null || status === 'paused'
}

/** Returns the question that the last leg has left to this one, with the rest of its delay. */
function dueQuestion({ attempt, at, end, status }: RunState, now: number): Performed | null {
  if (attempt === null || end !== null || status !== 'running') return null
  return { type: 'model', attempt: { ...attempt, delay_ms: Math.max(0, at + attempt.delay_ms - now) } }
}

function wakeAt(program: Program, state: RunState, drainMs: number): number | null {
  if (isStopped(state)) return null
  const { at, attempt } = state
  const question = attempt === null ? [] : [at + attempt.delay_ms]
  const next = nextWakeUp(program, state, drainMs)
  const times = next === null ? question : [...question, next.at]
  return times.length === 0 ? null : Math.min(...times)
}
