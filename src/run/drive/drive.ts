import { type Json, WaybillError } from '../../document/issue.ts'
import type { Plan, PlannedModel, Program } from '../../plan/plan.ts'
import { advance, type Step } from '../advance.ts'
import { holdsAnswers } from '../decide/gate-answer.ts'
import { lapsesAt } from '../decide/gate-approval.ts'
import type { Effect, Fact, RunEvent } from '../event.ts'
import { toArray } from '../log.ts'
import {
  type Clock,
  type ContextPort,
  type HookPort,
  type MemoryPort,
  ModelFailure,
  type ModelPort,
  type RouteBoard,
  type RouteSight,
  ToolFailure,
  type ToolPort,
} from '../ports.ts'
import type { EventSink } from '../record-port.ts'
import type { CallEntry, ModelAttempt, Review, RunState } from '../state.ts'
import { RunTrace } from '../trace/run-trace.ts'
import { askJudge } from './ask-judge.ts'
import { callEndHook, callHook } from './call-hook.ts'
import { callMemory, recallForTurn } from './drive-memory.ts'
import type { PiiPort, TextGate } from './pii-port.ts'

export interface DrivePorts {
  readonly model: ModelPort
  readonly tools: ToolPort
  /** Absent: nothing is remembered, and a plan with memory is told so in a warning. */
  readonly memory?: MemoryPort
  readonly clock: Clock
  readonly sink: EventSink
  /** Asks a person. Null, or a promise of null: nobody here can answer now, so the run waits. */
  readonly ask?: (call: CallEntry, state: RunState, signal: AbortSignal) => Promise<Fact | null> | null
  /**
   * Drives a sub-agent's run: begins it, or goes on with it when it has begun. Gives the fact for its parent, or null
   * when it was stopped before its end.
   */
  readonly agents?: (call: CallEntry, parent: RunState, options: AgentOptions) => Promise<Fact | null>
  /** Fetches again what has become too old. Absent: it stays as it was. */
  readonly context?: ContextPort
  /** Calls the hooks that the plan names. Absent: none is called, and no call leaves that one would have to allow. */
  readonly hooks?: HookPort
  /** Remembers how routes fare; absent: strategies that need it keep to the declared order. */
  readonly routes?: RouteBoard
  /** Takes secrets out of a fact before it becomes an event; must return the same object when nothing changes. */
  readonly redact?: (fact: Fact) => Fact
  /** Keeps personal data out of the record and from models, as the plan says. */
  readonly pii?: PiiPort
}

export interface AgentOptions {
  readonly signal: AbortSignal
  /** The trace context of the call, for the run that it starts. */
  readonly trace_parent: string
  /** Takes what steers the sub-agent's run, so that a pause of the parent reaches it. */
  readonly control: (control: Control) => void
}

export interface DriveOptions {
  readonly onEvent?: (event: RunEvent, state: RunState) => void
  /** Text as it is generated: a side channel, never recorded. */
  readonly onText?: (delta: string) => void
  readonly control?: (control: Control) => void
  /** How long tools that are under way may go on after a pause before they are left behind. */
  readonly drainMs?: number
}

/** Steers a run from outside while it is driven. */
export interface Control {
  pause(by: string): void
  cancel(by: string): void
  tell(fact: Fact): void
}

/**
 * Drives a run in this process until it ends, is paused, or waits for a person.
 * The shell around the core: performs effects through ports and feeds what they bring back as facts.
 * @param first the fact to begin with: `run.started`, `user.said` or `run.resumed`
 * @throws whatever the event sink throws: without a record a run must not go on
 */
export function drive(
  program: Program,
  start: RunState,
  first: Fact,
  ports: DrivePorts,
  options: DriveOptions = {},
): Promise<RunState> {
  return new Drive(program, start, ports, options).run(first)
}

const STARTS: ReadonlySet<Fact['type']> = new Set(['run.started', 'user.said', 'run.resumed'])

class Drive {
  readonly #program: Program
  readonly #ports: DrivePorts
  readonly #options: DriveOptions
  readonly #facts: Fact[] = []
  /** Who waits until a fact is on record. */
  readonly #recorded = new Map<Fact, () => void>()
  #state: RunState
  #wake: (() => void) | null = null
  #open = 0
  #models = new AbortController()
  readonly #tools = new AbortController()
  #partial = ''
  #timer: NodeJS.Timeout | undefined
  #drained = false
  readonly #children = new Map<string, Control>()
  /** Until on_start has been called, nothing is asked and nothing leaves. */
  #begun: Promise<unknown> = Promise.resolve()
  /** The run has come to an end, which is still to be told. */
  #ending = false
  #trace: RunTrace | undefined
  readonly #sights: ((at: number) => readonly RouteSight[]) | undefined

  constructor(program: Program, start: RunState, ports: DrivePorts, options: DriveOptions) {
    this.#program = program
    this.#state = start
    this.#ports = ports
    this.#options = options
    const { models } = program.plan
    const { routes } = ports
    // Where there is no choice, nothing has to be read for one.
    const choice = models.filter(({ eligible }) => eligible).length > 1
    this.#sights = choice && routes !== undefined ? (at) => routes.read(models, at) : undefined
  }

  async run(first: Fact): Promise<RunState> {
    this.#options.control?.({
      pause: (by) => {
        this.#tell({ type: 'run.paused', by, ...(this.#partial !== '' && { partial: this.#partial }) })
        this.#armDrain()
      },
      cancel: (by) => this.#tell({ type: 'run.cancelled', by }),
      tell: (fact) => this.#tell(fact),
    })
    try {
      // Whoever drove it before died between its end and the telling of it.
      const told = (await callEndHook(this.#program.plan, this.#state, this.#ports)).fact
      // A pause that comes meanwhile is meant for the turn that begins here.
      this.#facts.unshift(...(told === null ? [] : [told]), await this.#withBackground(first))
      for (;;) {
        const effects = await this.#takeFacts()
        for (const effect of effects) this.#perform(effect)
        if (this.#facts.length > 0) continue
        // Awaited only at an end: a fact that comes in the meantime then no longer matters.
        if (this.#ending && (await this.#tellEnd())) continue
        if (this.#state.end !== null || this.#open === 0 || this.#drained) return this.#state
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    } finally {
      clearTimeout(this.#timer)
      // Aborting builds an error with its stack, which nobody is there to see when nothing is under way.
      if (this.#open > 0) {
        this.#models.abort()
        this.#tools.abort()
      }
    }
  }

  /** Advances over all facts at hand and records them in one go; their effects may be performed afterwards. */
  async #takeFacts(): Promise<readonly Effect[]> {
    const steps: Step[] = []
    const effects: Effect[] = []
    let durable = false
    const waiting: (() => void)[] = []
    for (let fact = this.#facts.shift(); fact !== undefined; fact = this.#facts.shift()) {
      const recorded = this.#recorded.get(fact)
      if (recorded !== undefined) waiting.push(recorded)
      this.#recorded.delete(fact)
      const redacted = this.#ports.redact?.(fact) ?? fact
      const clean = this.#ports.pii?.clean(redacted, this.#program, this.#state) ?? redacted
      const at = this.#ports.clock.now()
      const step = advance(this.#program, this.#state, clean, at, this.#sights?.(at))
      if (step === null) continue
      this.#state = step.state
      const asked = step.event.decision.attempt
      // Told at once and not when it leaves: the next run that chooses must know that this turn is taken.
      if (asked !== undefined) this.#onRoute(asked, (board, route) => board.asked(route, at))
      steps.push(step)
      for (const effect of step.effects) {
        if (effect.type === 'tool' && effect.call.effect !== 'none') durable = true
        effects.push(effect)
      }
      if (step.event.decision.deadline_at !== undefined) this.#armDeadline()
    }
    if (steps.length === 0) {
      for (const tell of waiting) tell()
      return effects
    }
    const appended = this.#ports.sink.append(
      steps.map((step) => step.event),
      durable,
    )
    if (appended !== undefined) await appended
    for (const tell of waiting) tell()
    if (steps.some(({ event }) => STARTS.has(event.fact.type))) this.#begin()
    this.#ending ||= steps.some(({ event }) => event.decision.end !== undefined)
    // Nobody is told of what a crash could still undo.
    for (const step of steps) this.#options.onEvent?.(step.event, step.state)
    return effects
  }

  async #withBackground(first: Fact): Promise<Fact> {
    const { context, clock } = this.#ports
    const { plan } = this.#program
    if (first.type !== 'user.said' || plan.aging === undefined || context === undefined) return first
    const background = await context.refresh(plan, this.#state, clock.now(), this.#models.signal)
    return background.length === 0 ? first : { ...first, background }
  }

  #begin(): void {
    const { hooks } = this.#program.plan
    if (hooks === undefined || this.#state.end !== null || this.#state.greeted >= this.#state.turn) return
    this.#begun = callHook(this.#program.plan, 'on_start', this.#state, this.#ports).then(({ fact }) => {
      if (fact !== null) this.#tell(fact)
    })
  }

  /** @returns whether a hook was called, whose fact is then to be recorded */
  async #tellEnd(): Promise<boolean> {
    this.#ending = false
    const { fact } = await callEndHook(this.#program.plan, this.#state, this.#ports)
    if (fact !== null) this.#facts.push(fact)
    return fact !== null
  }

  #tell(fact: Fact): void {
    this.#facts.push(fact)
    this.#poke()
  }

  #poke(): void {
    const wake = this.#wake
    this.#wake = null
    wake?.()
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case 'recall':
        this.#await(this.#recall())
        return
      case 'model':
        this.#await(this.#askModel(effect.attempt))
        return
      case 'tool':
        this.#await(this.#callTool(effect.call))
        return
      case 'agent':
        this.#await(this.#callAgent(effect.call))
        return
      case 'judge':
        this.#await(this.#judge(effect.review))
        return
      case 'cancel':
        this.#children.get(effect.call_id)?.cancel('its parent')
        return
      case 'ask': {
        if (this.#armLapse(effect.call)) return
        const answer = this.#ports.ask?.(effect.call, this.#state, this.#models.signal) ?? null
        if (answer !== null) this.#await(answer)
        return
      }
      case 'abort':
        this.#models.abort()
        this.#models = new AbortController()
        if (effect.what === 'all') this.#tools.abort()
        for (const child of this.#children.values()) {
          if (effect.what === 'all') child.cancel('its parent')
          else child.pause('its parent')
        }
        return
    }
  }

  #await(fact: Promise<Fact | null>): void {
    this.#open++
    void fact.then((value) => {
      this.#open--
      if (value !== null) this.#facts.push(value)
      this.#poke()
    })
  }

  async #recall(): Promise<Fact | null> {
    const { signal } = this.#models
    const fact = await recallForTurn(this.#program, this.#state, this.#ports)
    return signal.aborted ? null : fact
  }

  async #askModel(attempt: ModelAttempt): Promise<Fact | null> {
    const { clock, model } = this.#ports
    const { signal } = this.#models
    // Nothing is shown that a gate might still withhold.
    const { plan } = this.#program
    const gate = holdsAnswers(this.#program) ? null : this.#textGate(plan)
    const route = plan.models[attempt.route]
    if (route === undefined) return null
    const messages = toArray(this.#state.messages)
    const trace = this.#traced()
    const span = trace.attemptSpan(attempt.n)
    let started = clock.now()
    this.#partial = ''
    try {
      await this.#begun
      if (signal.aborted) return null
      started = clock.now()
      if (attempt.delay_ms > 0) {
        await clock.sleep(attempt.delay_ms, signal)
        started = clock.now()
      }
      const answer = await model.ask(
        { plan, route, messages, headers: trace.parentHeader(plan, this.#state, span) },
        gate === null
          ? { signal }
          : {
              signal,
              onText: (delta) => {
                this.#partial += delta
                gate.push(delta)
              },
            },
      )
      if (signal.aborted) return null
      gate?.flush()
      this.#partial = ''
      const at = clock.now()
      const latency_ms = at - started
      this.#onRoute(attempt, (board, of) => board.answered(of, latency_ms, at))
      return {
        type: 'model.answered',
        attempt: attempt.n,
        message: answer.message,
        finish: answer.finish,
        usage: answer.usage,
        ...(answer.warnings.length > 0 && { warnings: answer.warnings }),
        latency_ms,
      }
    } catch (error) {
      if (signal.aborted) return null
      const failure =
        error instanceof ModelFailure ? error : new ModelFailure('route', 'MODEL_ERROR', messageOf(error))
      const at = clock.now()
      const { kind } = failure
      const rest = failure.retryAfterMs === undefined ? {} : { retry_after_ms: failure.retryAfterMs }
      this.#onRoute(attempt, (board, of) => board.failed(of, { kind, ...rest }, at))
      return {
        type: 'model.failed',
        attempt: attempt.n,
        kind,
        code: failure.code,
        message: failure.message,
        ...rest,
        latency_ms: at - started,
      }
    }
  }

  /** Made when it is first needed: the first fact of a run says which trace it was called in. */
  #traced(): RunTrace {
    this.#trace ??= new RunTrace(this.#state)
    return this.#trace
  }

  #lasting(call: CallEntry): CallEntry {
    const { pii } = this.#ports
    return pii === undefined ? call : { ...call, args: pii.lasting(call.args) }
  }

  #textGate(plan: Plan): TextGate | null {
    // Where nobody watches a stream is asked for all the same, when the definition says so (AAIF §4.6 streaming).
    const { onText = plan.streaming && !plan.rehearsal ? () => {} : undefined } = this.#options
    if (onText === undefined) return null
    const { pii } = this.#ports
    return pii === undefined ? { push: onText, flush: () => {} } : pii.stream(plan, onText)
  }

  async #judge(review: Review): Promise<Fact | null> {
    const { clock, model } = this.#ports
    const started = clock.now()
    const { signal } = this.#models
    const fact = await askJudge(model, this.#program.plan, review, this.#state, signal)
    if (fact?.type !== 'judge.answered' && fact?.type !== 'judge.failed') return fact
    return { ...fact, latency_ms: clock.now() - started }
  }

  #onRoute(attempt: ModelAttempt, tell: (board: RouteBoard, route: PlannedModel) => void): void {
    const route = this.#program.plan.models[attempt.route]
    if (this.#ports.routes !== undefined && route !== undefined) tell(this.#ports.routes, route)
  }

  async #callTool(call: CallEntry): Promise<Fact | null> {
    const { clock, tools } = this.#ports
    const { signal } = this.#tools
    const { plan } = this.#program
    const tool = this.#program.tool.get(call.tool)
    if (tool === undefined) return null
    await this.#begun
    const veto = await this.#veto(call)
    if (veto !== null) return veto
    if (signal.aborted) return null
    const started = clock.now()
    // At the last moment: the record and the model know only what stands for it.
    const args = this.#ports.pii?.reveal(call.args) ?? call.args
    try {
      const trace = this.#traced()
      const headers = trace.headers(plan, this.#state, trace.callSpan(call))
      const result: Json =
        tool.protocol === 'memory'
          ? await callMemory(this.#program, this.#state, this.#lasting(call), this.#ports)
          : await tools.call({ tool, args, key: call.key, headers }, { signal })
      return { type: 'call.answered', call_id: call.id, result, latency_ms: clock.now() - started }
    } catch (error) {
      const failure =
        error instanceof ToolFailure ? error : new ToolFailure('TOOL_ERROR', messageOf(error), 'unknown')
      return {
        type: 'call.failed',
        call_id: call.id,
        code: failure.code,
        message: failure.message,
        outcome: failure.outcome,
        latency_ms: clock.now() - started,
      }
    }
  }

  async #callAgent(call: CallEntry): Promise<Fact | null> {
    const { agents, clock } = this.#ports
    const started = clock.now()
    const failed = (code: string, message: string): Fact => ({
      type: 'call.failed',
      call_id: call.id,
      code,
      message,
      outcome: 'answered',
      latency_ms: clock.now() - started,
    })
    await this.#begun
    const veto = this.#program.tool.has(call.tool) ? await this.#veto(call) : null
    if (veto !== null) return veto
    if (this.#state.end !== null) return null
    if (agents === undefined) return failed('SUBAGENT_UNAVAILABLE', 'this host drives no sub-agents')
    const trace = this.#traced()
    try {
      return await agents(call, this.#state, {
        signal: this.#tools.signal,
        trace_parent: trace.parentOf(this.#program.plan, this.#state, trace.callSpan(call)),
        control: (control) => {
          this.#children.set(call.id, control)
          if (this.#state.status === 'paused') control.pause('its parent')
        },
      })
    } catch (error) {
      return failed(error instanceof WaybillError ? error.code : 'SUBAGENT_ERROR', messageOf(error))
    } finally {
      this.#children.delete(call.id)
    }
  }

  /** Asks on_tool_call; a hook that fails allows nothing. */
  async #veto(call: CallEntry): Promise<Fact | null> {
    const { fact, veto } = await callHook(this.#program.plan, 'on_tool_call', this.#state, this.#ports, call)
    if (fact === null) return null
    const recorded = new Promise<void>((resolve) => this.#recorded.set(fact, resolve))
    this.#tell(fact)
    if (veto === null) {
      // Who reads the record after a crash must see that the call was allowed before it left.
      await recorded
      return null
    }
    const message = `${call.tool} was not called: ${veto}`
    return {
      type: 'call.failed',
      call_id: call.id,
      code: 'TOOL_VETOED',
      message,
      outcome: 'unsent',
      latency_ms: 0,
    }
  }

  #armDeadline(): void {
    clearTimeout(this.#timer)
    const deadline = this.#state.deadline_at
    if (deadline === null || this.#state.end !== null) return
    const wait = Math.max(0, deadline - this.#ports.clock.now())
    // Timers overflow beyond 2^31-1 ms; a longer wait is armed again when it fires.
    this.#timer = setTimeout(
      () => {
        if (this.#ports.clock.now() < deadline) this.#armDeadline()
        else this.#tell({ type: 'deadline.passed' })
      },
      Math.min(wait, 2 ** 31 - 1),
    )
  }

  /**
   * An approval that nobody gives in time is denied, also while nobody is asked here.
   * @returns whether its time is up already
   */
  #armLapse(call: CallEntry): boolean {
    const lapses = lapsesAt(this.#program, call)
    if (lapses === null) return false
    const wait = lapses - this.#ports.clock.now()
    const lapsed = () => this.#tell({ type: 'approval.lapsed', call_id: call.id })
    if (wait > 0) setTimeout(lapsed, Math.min(wait, 2 ** 31 - 1)).unref()
    else lapsed()
    return wait <= 0
  }

  #armDrain(): void {
    const timer = setTimeout(() => {
      this.#drained = true
      this.#poke()
    }, this.#options.drainMs ?? 10_000)
    timer.unref()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
