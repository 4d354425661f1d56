import type { Program } from '../../plan/plan.ts'
import type { Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import { DRAIN_MS, driveBelow, STARTS } from './drive.ts'
import type { DriveOptions, DrivePorts } from './drive-ports.ts'
import type { Performed } from './effect-context.ts'
import { nextWakeUp } from './wake-ups.ts'

/** A longer delay of a question is not slept through, in milliseconds. */
const LONGEST_SLEEP_MS = 1000

export interface LegOptions extends DriveOptions {
  /** A longer delay of a question parks the run, in milliseconds. */
  readonly longestSleepMs?: number
}

/** Where a run has stopped for the time being. It holds no promise, no timer and no process. */
export interface Parked {
  readonly state: RunState
  /** When the next leg is due if nothing happens before (milliseconds since the epoch); null: something must happen. */
  readonly wake_at: number | null
}

/**
 * Drives one leg of a run, for a driver that keeps runs somewhere else while they wait: it takes in what has happened,
 * performs what follows, and parks the run when nothing is left but waiting, for a person or for a time. A run is a
 * chain of legs, each of which begins with the fold of the events on record.
 * @param state the fold of the run's record
 * @param happened facts since the last leg, such as a person's decision; `run.resumed` first when the process of the
 * last leg has died in the middle
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
  const due = happened.some(({ type }) => STARTS.has(type)) ? null : dueQuestion(state, now)
  const wake = isStopped(state) ? null : nextWakeUp(program, state, drainMs)
  const facts = wake !== null && wake.at <= now ? [...happened, wake.fact] : happened
  const next = await driveBelow(program, state, facts, ports, {
    ...options,
    ...(due !== null && { due: [due] }),
    defers: (effect) => effect.type === 'model' && effect.attempt.delay_ms > longestSleepMs,
  })
  return { state: next, wake_at: wakeAt(program, next, drainMs) }
}

/** Somebody has stopped it: it goes on when somebody says so, and time does not count. */
function isStopped({ end, status }: RunState): boolean {
  return end !== null || status === 'paused'
}

/** The question that the last leg has left to this one, with what is left of its delay. */
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
