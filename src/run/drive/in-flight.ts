import type { Program } from '../../plan/plan.ts'
import type { Effect, Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import type { RunTrace } from '../trace/run-trace.ts'
import { isOnceSent } from '../unsettled.ts'
import type { Control, DrivePorts } from './drive-ports.ts'
import type { EffectContext, Performed } from './effect-context.ts'
import { perform } from './perform.ts'

/** An effect that aborts or cancels effects in flight. */
export type Steering = Exclude<Effect, Performed>

/** A command to the run of a sub-agent. */
type ChildCommand = 'pause' | 'cancel' | 'interrupt'

/** The callbacks of a driver for the effects that it starts. */
export interface EffectHost
  extends Pick<
    EffectContext,
    'program' | 'state' | 'ports' | 'begun' | 'trace' | 'partial' | 'calling' | 'onText' | 'record'
  > {
  /** Receives the fact of an effect. */
  settled(fact: Fact | null): void
  /** Receives an error that prevents the run from being driven. */
  broken(error: unknown): void
}

/** The effects in flight in one process. */
export class InFlight {
  readonly #host: EffectHost
  readonly #open = new Set<RunningEffect>()
  /** Sub-agents whose runs have not stopped yet. */
  readonly #agents = new Set<Promise<void>>()

  constructor(host: EffectHost) {
    this.#host = host
  }

  get size(): number {
    return this.#open.size
  }

  start(effect: Performed): void {
    const host = this.#host
    const under = new RunningEffect(effect, host)
    this.#open.add(under)
    const over = perform(effect, under).then(
      (fact) => {
        this.#open.delete(under)
        // Ids of calls are unique in their turn only: a fact of a turn that has ended must not reach the next one.
        const { end, turn } = host.state
        host.settled(end === null && under.state.turn === turn ? fact : null)
      },
      (error: unknown) => {
        this.#open.delete(under)
        host.broken(error)
      },
    )
    if (effect.type !== 'agent') return
    this.#agents.add(over)
    void over.then(() => this.#agents.delete(over))
  }

  /**
   * Aborts or cancels effects in flight. The driver no longer waits for a stopped effect; a fact that it still
   * returns counts.
   */
  steer(effect: Steering): void {
    for (const under of this.#open) {
      const continues = under.steer(effect)
      if (!continues && effect.type === 'abort' && effect.what === 'all') this.#open.delete(under)
    }
  }

  /** Stops everything except the runs of sub-agents, which record their own ends. */
  stop(): void {
    for (const under of this.#open) if (!under.isAgent) under.stop()
  }

  /**
   * Stops everything, and resolves when no sub-agent's run is driven any more, so that nothing is recorded after
   * that.
   */
  async stopAll(): Promise<void> {
    for (const under of this.#open) under.stop()
    await this.agentsOver()
  }

  /** Resolves when no sub-agent's run is driven any more. */
  async agentsOver(): Promise<void> {
    await Promise.all(this.#agents)
  }
}

/** One effect in flight, as seen by its performer and its driver. */
class RunningEffect implements EffectContext {
  readonly state: RunState
  readonly #effect: Performed
  readonly #host: EffectHost
  readonly #stop = new AbortController()
  #child: Control | undefined
  /** A pause or cancellation that was requested before the sub-agent's run could be controlled. */
  #wanted: ChildCommand | null = null

  constructor(effect: Performed, host: EffectHost) {
    this.#effect = effect
    this.#host = host
    this.state = host.state
    if (effect.type === 'agent' && host.state.status === 'paused') this.#wanted = 'pause'
  }

  get isAgent(): boolean {
    return this.#effect.type === 'agent'
  }
  get program(): Program {
    return this.#host.program
  }
  get ports(): DrivePorts {
    return this.#host.ports
  }
  get begun(): Promise<unknown> {
    return this.#host.begun
  }
  get trace(): RunTrace {
    return this.#host.trace
  }
  get onText(): EffectContext['onText'] {
    return this.#host.onText
  }
  get signal(): AbortSignal {
    return this.#stop.signal
  }
  get isWithdrawn(): boolean {
    return this.#stop.signal.aborted || (this.state.ending === null && this.#host.state.ending !== null)
  }

  partial(text: string): void {
    this.#host.partial(text)
  }

  calling(): void {
    this.#host.calling()
  }

  record(fact: Fact): Promise<void> {
    return this.#host.record(fact)
  }

  control(control: Control): void {
    this.#child = control
    if (this.#wanted !== null) this.#tellChild(this.#wanted)
  }

  stop(): void {
    this.#stop.abort()
  }

  /** @returns whether the effect continues */
  steer(steering: Steering): boolean {
    const effect = this.#effect
    switch (effect.type) {
      case 'agent':
        if (steering.type === 'cancel') {
          if (steering.call_id === effect.call.id) this.#tellChild('cancel')
        } else if (steering.what === 'model') this.#tellChild('pause')
        else this.#tellChild(this.#host.state.ending?.superseded === undefined ? 'cancel' : 'interrupt')
        return true
      case 'tool':
        if (steering.type === 'cancel' || steering.what === 'model' || this.#isWaitedFor(effect.call.id))
          return true
        this.stop()
        return false
      default:
        if (steering.type === 'cancel') return true
        this.stop()
        return false
    }
  }

  /** Returns whether the end of the run waits for this call's answer. */
  #isWaitedFor(callId: string): boolean {
    const { calls, ending } = this.#host.state
    return ending !== null && calls.some((call) => call.id === callId && isOnceSent(call))
  }

  #tellChild(what: ChildCommand): void {
    this.#wanted = what
    if (what === 'interrupt') this.#child?.interrupt('its parent', 'interrupt')
    else this.#child?.[what]('its parent')
  }
}
