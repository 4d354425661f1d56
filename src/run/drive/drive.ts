import type { Program } from '../../plan/plan.ts'
import type { Step } from '../advance.ts'
import type { Fact, FactOf } from '../event.ts'
import { HostFailure } from '../ports.ts'
import { RecordFailure } from '../record-port.ts'
import type { RunState } from '../state.ts'
import { RunTrace } from '../trace/run-trace.ts'
import { asksAhead, Shown } from './ask-ahead.ts'
import { callEndHook, callHook } from './call-hook.ts'
import type { DriveOptions, DrivePorts } from './drive-ports.ts'
import type { Performed } from './effect-context.ts'
import { type EffectHost, InFlight } from './in-flight.ts'
import { Journal } from './journal.ts'
import { Alarm, nextWakeUp } from './wake-ups.ts'

/** Time for calls in flight after a pause, or before the end of a run, in milliseconds. */
export const DRAIN_MS = 10_000

/**
 * Drives a run in this process until it ends, is paused, or waits for a person. Records facts, performs the effects
 * that follow, and records the facts that these lead to.
 * @param first the facts to begin with: `run.started`, `user.said`, `run.resumed`, or `turn.interrupted` and `user.said`
 * @throws whatever the record of this run or of a sub-agent throws, because a run must not continue without its
 * record; the cause of a HostFailure
 */
export async function drive(
  program: Program,
  start: RunState,
  first: Fact | readonly Fact[],
  ports: DrivePorts,
  options: DriveOptions = {},
): Promise<RunState> {
  try {
    return await driveBelow(program, start, [first].flat(), ports, options)
  } catch (error) {
    throw error instanceof RecordFailure || error instanceof HostFailure ? error.cause : error
  }
}

/** Options for drivers that are built on this one. */
export interface ScheduleOptions extends DriveOptions {
  /** Effects to begin with; their facts are on record already. */
  readonly due?: readonly Performed[]
  /** Returns true for effects that the driver performs in another way. */
  readonly defers?: (effect: Performed) => boolean
}

/**
 * Drives a run until no effect is in flight, as {@link drive} does, for drivers that are built on it.
 * @throws RecordFailure, which no calling agent may treat as a failure of this agent
 */
export function driveBelow(
  program: Program,
  start: RunState,
  first: readonly Fact[],
  ports: DrivePorts,
  options: ScheduleOptions,
): Promise<RunState> {
  return new Scheduler(program, start, ports, options).run(first)
}

/** Facts that begin or resume a turn. */
export const STARTS: ReadonlySet<Fact['type']> = new Set(['run.started', 'user.said', 'run.resumed'])

class Scheduler implements EffectHost {
  readonly program: Program
  readonly ports: DrivePorts
  /** Until on_start has been called, no question and no call is sent. */
  begun: Promise<unknown> = Promise.resolve()
  readonly #options: ScheduleOptions
  readonly #journal: Journal
  readonly #inFlight: InFlight
  readonly #shown: Shown
  readonly #alarm: Alarm
  readonly #facts: Fact[] = []
  /** The user's inputs that wait for the end of the turn in progress. */
  readonly #inputs: FactOf<'user.said'>[] = []
  #wake: (() => void) | null = null
  #broken: { readonly error: unknown } | null = null
  #trace: RunTrace | undefined
  /** The part of the current answer that the model has written so far. */
  #partial = ''
  /** After that part, the model has begun to call tools. */
  #calling = false
  /** The run has ended, and its end hook was not called yet. */
  #endDue = false
  #drain: (() => void) | null = null
  #drained = false
  #settled = false

  constructor(program: Program, start: RunState, ports: DrivePorts, options: ScheduleOptions) {
    this.program = program
    this.ports = ports
    this.#options = options
    this.#journal = new Journal(program, start, ports)
    this.#inFlight = new InFlight(this)
    this.#shown = new Shown(options)
    this.#alarm = new Alarm(ports.clock, (fact) => this.#report(fact))
  }

  get state(): RunState {
    return this.#journal.state
  }

  /** Created on first use: the first fact of a run names the trace of its caller. */
  get trace(): RunTrace {
    this.#trace ??= new RunTrace(this.state)
    return this.#trace
  }

  get onText(): DriveOptions['onText'] {
    return this.#shown.onText
  }

  async run(first: readonly Fact[]): Promise<RunState> {
    const { control, signal } = this.#options
    const poke = () => this.#poke()
    signal?.addEventListener('abort', poke, { once: true })
    control?.({
      pause: (by) => this.#pause(by),
      cancel: (by) => this.#report({ type: 'run.cancelled', by }),
      interrupt: (by, how) => this.#report({ type: 'turn.interrupted', by, how }),
      steer: (input) => this.#report({ type: 'user.steered', input }),
      submit: (fact) => this.#report(fact),
    })
    try {
      const state = await this.#run(first)
      await this.#shown.all()
      if (signal?.aborted === true) await this.#inFlight.stopAll()
      // Sub-agents that are cancelled at the end must record their own end before the records are closed.
      else if (state.end !== null) await this.#inFlight.agentsOver()
      return state
    } catch (error) {
      await this.#inFlight.stopAll()
      // Nothing may be recorded after the driver has returned.
      await this.#shown.all().catch(() => {})
      throw error
    } finally {
      signal?.removeEventListener('abort', poke)
      this.#alarm.cancel()
      this.#drain?.()
      this.#inFlight.stop()
    }
  }

  async #run(first: readonly Fact[]): Promise<RunState> {
    // The previous process may have crashed after recording the end but before calling the end hook.
    const called = (await callEndHook(this.program.plan, this.state, this.ports)).fact
    const [begin, ...more] = first
    const begins = begin?.type === 'user.said' && this.state.end !== null
    // A pause that arrives meanwhile applies to the turn that begins here.
    this.#facts.unshift(
      ...(called === null ? [] : [called]),
      ...(begins ? [await this.#withBackground(begin)] : []),
      ...(begins || begin === undefined ? more : [begin, ...more]).filter(
        (fact) => fact.type !== 'user.said' || void this.#inputs.push(fact),
      ),
    )
    for (const effect of this.#options.due ?? []) this.#start(effect)
    this.#setAlarm()
    for (;;) {
      if (this.#broken !== null) throw this.#broken.error
      if (this.#options.signal?.aborted === true) return this.state
      if (this.#facts.length > 0) {
        const recorded = this.#record()
        if (recorded !== undefined) await recorded
        continue
      }
      // Awaited at an end only: a fact that arrives meanwhile no longer matters.
      if (this.#endDue && (await this.#callEndHook())) continue
      const input = this.state.end === null ? undefined : this.#inputs.shift()
      if (input !== undefined) {
        // Before a cancellation that arrived meanwhile: it applies to the turn that begins here.
        this.#facts.unshift(await this.#withBackground(input))
        continue
      }
      if (this.#mustSettle()) continue
      if (this.state.end !== null || this.#inFlight.size === 0 || this.#drained) return this.state
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  /** Records the facts that have arrived, and performs what follows from them. */
  #record(): Promise<void> | undefined {
    const { steps, recorded } = this.#journal.add(this.#facts)
    if (recorded === undefined) {
      this.#follow(steps)
      return
    }
    if (!asksAhead(steps, this.program.plan) || this.#isStopped)
      return this.#shown.inTurn(recorded).then(() => this.#follow(steps))
    this.#shown.later(steps, recorded).catch((error: unknown) => this.broken(error))
    this.#perform(steps)
    return
  }

  /** Performs the effects of facts that are on record. */
  #follow(steps: readonly Step[]): void {
    if (steps.length === 0 || this.#isStopped) return
    if (steps.some(({ event }) => STARTS.has(event.fact.type))) this.#begin()
    if (steps.some(({ event }) => event.fact.type === 'turn.interrupted')) this.#endPause()
    this.#endDue ||= steps.some(({ event }) => event.decision.end !== undefined)
    this.#shown.now(steps)
    this.#perform(steps)
  }

  get #isStopped(): boolean {
    return this.#options.signal?.aborted === true || this.#broken !== null
  }

  #perform(steps: readonly Step[]): void {
    for (const { effects } of steps) {
      for (const effect of effects) {
        if (effect.type === 'abort' || effect.type === 'cancel') this.#inFlight.steer(effect)
        else this.#start(effect)
      }
    }
    this.#setAlarm()
  }

  #start(effect: Performed): void {
    if (this.#options.defers?.(effect) !== true) this.#inFlight.start(effect)
  }

  settled(fact: Fact | null): void {
    if (fact === null) this.#poke()
    else this.#report(fact)
  }

  broken(error: unknown): void {
    this.#broken ??= { error }
    this.#poke()
  }

  partial(text: string): void {
    this.#partial = text === '' ? '' : this.#partial + text
    if (text === '') this.#calling = false
  }

  calling(): void {
    this.#calling = true
  }

  record(fact: Fact): Promise<void> {
    const recorded = this.#journal.recorded(fact)
    this.#report(fact)
    return recorded
  }

  async #withBackground(first: Fact): Promise<Fact> {
    const { context, clock } = this.ports
    const { plan } = this.program
    if (first.type !== 'user.said' || plan.aging === undefined || context === undefined) return first
    const { signal = new AbortController().signal } = this.#options
    const background = await context.refresh(plan, this.state, clock.now(), signal)
    return background.length === 0 ? first : { ...first, background }
  }

  #begin(): void {
    const { hooks } = this.program.plan
    const { end, start_hook_turn, turn } = this.state
    if (hooks === undefined || end !== null || start_hook_turn >= turn) return
    this.begun = callHook(this.program.plan, 'on_start', this.state, this.ports).then(({ fact }) => {
      if (fact !== null) this.#report(fact)
    })
    // Effects that wait for it fail too; a run without such an effect must not continue either.
    this.begun.catch((error: unknown) => this.broken(error))
  }

  /** @returns whether a hook was called, so that its fact must be recorded */
  async #callEndHook(): Promise<boolean> {
    this.#endDue = false
    const { fact } = await callEndHook(this.program.plan, this.state, this.ports)
    if (fact !== null) this.#facts.push(fact)
    return fact !== null
  }

  #pause(by: string): void {
    const written = this.#partial !== '' && {
      partial: this.#partial,
      ...(this.#calling && { calls: true as const }),
    }
    this.#report({ type: 'run.paused', by, ...written })
    const { clock } = this.ports
    this.#drain ??= clock.alarm(clock.now() + (this.#options.drainMs ?? DRAIN_MS), () => {
      this.#drained = true
      this.#poke()
    })
  }

  /** An interruption ends a pause: its calls get the drain time of the interrupted turn. */
  #endPause(): void {
    this.#drain?.()
    this.#drain = null
    this.#drained = false
    this.#settled = false
  }

  /**
   * Settles the calls that an interrupted turn waits for although no process performs them: a pause or a crash has
   * stopped them.
   */
  #mustSettle(): boolean {
    const { end, ending, status } = this.state
    if (this.#settled || this.#inFlight.size > 0) return false
    if (end !== null || ending?.superseded === undefined || status === 'paused') return false
    this.#settled = true
    this.#facts.push({ type: 'run.resumed', by: 'the runtime' })
    return true
  }

  #report(fact: Fact): void {
    if (fact.type === 'user.said') this.#inputs.push(fact)
    else this.#facts.push(fact)
    this.#poke()
  }

  #poke(): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }

  #setAlarm(): void {
    this.#alarm.set(nextWakeUp(this.program, this.state, this.#options.drainMs ?? DRAIN_MS))
  }
}
