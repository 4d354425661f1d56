import type { Program } from '../../../src/plan/plan.ts'
import { apply } from '../../../src/run/apply.ts'
import type {
  driveBelow as driveBelowInProcess,
  drive as driveInProcess,
} from '../../../src/run/drive/drive.ts'
import { DRAIN_MS as drainMs } from '../../../src/run/drive/drive.ts'
import { driveLeg } from '../../../src/run/drive/drive-leg.ts'
import type { Control, DriveOptions, DrivePorts } from '../../../src/run/drive/drive-ports.ts'
import type { Fact } from '../../../src/run/event.ts'
import { decodeEvent, encodeEvent } from '../../../src/run/record/event-line.ts'
import { RecordFailure } from '../../../src/run/record-port.ts'
import type { RunState } from '../../../src/run/state.ts'

export const DRAIN_MS = drainMs

/** Replaces `drive`: every wait ends a leg, and the next leg starts from the record alone. */
export const drive: typeof driveInProcess = async (program, start, first, ports, options = {}) => {
  try {
    return await driveBelow(program, start, [first].flat(), ports, options)
  } catch (error) {
    throw error instanceof RecordFailure ? error.cause : error
  }
}

export const driveBelow: typeof driveBelowInProcess = async (program, start, first, ports, options) => {
  const platform = new Platform(program, start, ports, options)
  return platform.run(first)
}

/** Number of legs that have begun in this process. */
export const legs = { begun: 0, woken: 0 }

/** The part of a platform between two legs: keeps the record and the inbox, wakes runs, and asks people. */
class Platform {
  readonly #program: Program
  readonly #start: RunState
  readonly #ports: DrivePorts
  readonly #options: DriveOptions
  readonly #lines: string[] = []
  readonly #asked = new Set<string>()
  #inbox: Fact[] = []
  #control: Control | null = null

  constructor(program: Program, start: RunState, ports: DrivePorts, options: DriveOptions) {
    this.#program = program
    this.#start = start
    this.#ports = ports
    this.#options = options
  }

  async run(first: readonly Fact[]): Promise<RunState> {
    const { clock, sink } = this.#ports
    const submit = (fact: Fact) => {
      if (this.#control === null) this.#inbox.push(fact)
      else this.#control.submit(fact)
    }
    this.#options.control?.({
      submit,
      cancel: (by) => submit({ type: 'run.cancelled', by }),
      interrupt: (by, how) => submit({ type: 'turn.interrupted', by, how }),
      steer: (input) => submit({ type: 'user.steered', input }),
      pause: (by) => (this.#control === null ? submit({ type: 'run.paused', by }) : this.#control.pause(by)),
    })
    this.#inbox.unshift(...first)
    for (;;) {
      const happened = this.#inbox.splice(0)
      legs.begun++
      const { state, wake_at } = await driveLeg(
        this.#program,
        this.#load(),
        happened,
        {
          ...this.#ports,
          sink: {
            append: async (events, durable, state) => {
              const appended = sink.append(events, durable, state)
              if (appended !== undefined) await appended
              this.#lines.push(...events.map(encodeEvent))
            },
          },
        },
        {
          ...this.#options,
          longestSleepMs: 50,
          control: (control) => {
            this.#control = control
          },
        },
      )
      this.#control = null
      const stopped = this.#options.signal?.aborted === true
      if (stopped || state.end !== null || state.status === 'paused') return this.#load()
      if (this.#inbox.length > 0) continue
      if (state.status === 'waiting') {
        await this.#ask(state)
        if (this.#inbox.length === 0) return this.#load()
        continue
      }
      if (wake_at === null) return this.#load()
      legs.woken++
      await clock.sleep(Math.max(0, wake_at - clock.now()), new AbortController().signal)
    }
  }

  #load(): RunState {
    return this.#lines.map(decodeEvent).reduce(apply, this.#start)
  }

  /** Asks a person once about each call. */
  async #ask(state: RunState): Promise<void> {
    for (const call of state.calls) {
      const name = `${call.id} ${call.status}`
      if ((call.status !== 'asking' && call.status !== 'unknown') || this.#asked.has(name)) continue
      this.#asked.add(name)
      const fact = await this.#ports.ask?.(call, state, new AbortController().signal)
      if (fact !== null && fact !== undefined) this.#inbox.push(fact)
    }
  }
}
