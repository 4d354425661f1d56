import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { compileProgram } from '../../plan/compile-program.ts'
import type { Plan, Program } from '../../plan/plan.ts'
import { apply } from '../../run/apply.ts'
import { drive } from '../../run/drive/drive.ts'
import { withAgents } from '../../run/drive/drive-agents.ts'
import type { Control } from '../../run/drive/drive-ports.ts'
import { createPiiHandler } from '../../run/drive/pii-handler.ts'
import { PiiValues } from '../../run/drive/pii-values.ts'
import type { Fact, RunEvent } from '../../run/event.ts'
import { initialState } from '../../run/initial-state.ts'
import { replayRefused } from '../../run/record/record-errors.ts'
import type { FirstFact, ImportedRun, Records, StoredRun } from '../../run/record/records.ts'
import { type RunHeader, runHeader } from '../../run/record/run-header.ts'
import { foldRun } from '../../run/record/run-summary.ts'
import type { AgentRecords } from '../../run/record-port.ts'
import type { AgentCall, CallEntry, RunState } from '../../run/state.ts'
import type { RestoredRun } from '../../state/restore-state.ts'
import { restoreState } from '../../state/restore-state.ts'
import { captureRun } from '../capture-run.ts'
import { originOf } from '../origin-of.ts'
import { diverged } from './diverged.ts'
import { type QuestionDifference, type ReplayedRun, type ReplayShared, replayPorts } from './replay-ports.ts'
import { type Given, RunScript } from './run-script.ts'
import { isBefore, type Moment, VirtualClock } from './virtual-clock.ts'

export interface ReplayOptions {
  /** Who replays it. */
  readonly by: string
  readonly platform: { readonly name: string; readonly version: string }
  /** Another definition or model; absent: the recorded plans are used. */
  readonly planned?: { readonly program: Program; readonly plans: readonly Plan[] }
  /** Replay what followed this event, from the state after it. Default: the whole run. */
  readonly at?: number
  /** Receives the events of the replay and of its sub-agents. */
  readonly onEvent?: (event: RunEvent, state: RunState) => void
  /** Called with the new run before its first event, which waits for it. */
  readonly onBegin?: (run: Pick<StoredRun, 'header' | 'plan' | 'family' | 'state'>) => void | Promise<void>
}

export interface Replayed {
  /** The root first; they are not stored. */
  readonly runs: readonly ImportedRun[]
  readonly program: Program
  readonly state: RunState
  /** The questions that were not the recorded ones, although the recorded answers were used. */
  readonly differences: readonly QuestionDifference[]
  /** What the replay needed and the record does not have; absent if it had everything. */
  readonly diverged?: WaybillError
}

/** A run of a replay in the making. */
interface Making extends ReplayedRun {
  readonly header: RunHeader
  readonly first: FirstFact
  readonly events: RunEvent[]
  /** How moments of its sub-agents begin. */
  readonly placeOf: (event: RunEvent) => Moment
  state: RunState
}

/**
 * Repeats a recorded run: questions, calls, people, judges, hooks and memory are answered from its record, and time moves
 * from one recorded event to the next. No adapter takes part, nothing is sent, and nothing is stored.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED; EVENT_NOT_FOUND if the run has no event `at`; REPLAY_REFUSED for a sub-agent's run
 */
export async function replayRun(
  records: Pick<Records, 'runs' | 'memory'>,
  runId: string,
  options: ReplayOptions,
): Promise<Replayed> {
  const stored = await records.runs.read(runId)
  const { header, plan, family } = stored
  if (header.replay !== undefined) throw replayRefused(runId, header.replay.run_id)
  if (header.parent !== undefined)
    throw new WaybillError('REPLAY_REFUSED', {
      fault: 'usage',
      message: `run ${runId} is that of a sub-agent, which is replayed with its root`,
      hint: `waybill resume ${header.parent.root_run_id} --replay`,
    })
  const { program, plans } = options.planned ?? {
    program: compileProgram(plan, family),
    plans: [plan, ...family],
  }
  return new Replay(records, stored, program, plans, options).run()
}

class Replay {
  readonly #records: Pick<Records, 'runs' | 'memory'>
  readonly #stored: StoredRun
  readonly #program: Program
  readonly #plans: readonly Plan[]
  readonly #options: ReplayOptions
  readonly #runs = new Map<string, Making>()
  readonly #shared: ReplayShared
  #external: Given[] = []

  constructor(
    records: Pick<Records, 'runs' | 'memory'>,
    stored: StoredRun,
    program: Program,
    plans: readonly Plan[],
    options: ReplayOptions,
  ) {
    this.#records = records
    this.#stored = stored
    this.#program = program
    this.#plans = plans
    this.#options = options
    this.#shared = {
      clock: new VirtualClock(stored.state.started_at),
      plans: new Set([program.plan, ...[...program.family.values()].map((one) => one.plan)]),
      pii: createPiiHandler(new PiiValues({ type: 'file' }), undefined),
      differences: [],
      nextResume: () => this.#external.find(({ fact }) => fact.type === 'run.resumed')?.moment ?? null,
    }
  }

  async run(): Promise<Replayed> {
    const root = await this.#begin(uuidv7())
    const { header, first, script } = root
    this.#external = [...script.external]
    await this.#options.onBegin?.({
      header,
      plan: root.program.plan,
      family: this.#plans.slice(1),
      state: root.state,
    })
    const begin: Fact = root.state.seq === 0 ? first : { type: 'run.resumed', by: this.#options.by }
    let failure: WaybillError | undefined
    try {
      await this.#drive(root, root.state.seq === 0 ? begin : (this.#takeResume() ?? begin))
    } catch (error) {
      if (!(error instanceof WaybillError) || error.code !== 'REPLAY_DIVERGED') throw error
      failure = error
      this.#end(root, error)
    }
    const { differences } = this.#shared
    return {
      runs: [...this.#runs.values()].map(({ header: own, program, first: begins, events }) => ({
        header: own,
        plan: program.plan,
        family: own.parent === undefined ? this.#plans.slice(1) : [],
        first: begins,
        events,
      })),
      program: this.#program,
      state: root.state,
      differences,
      ...defined({ diverged: failure }),
    }
  }

  /** Ends the record of a replay that cannot be continued. */
  #end(root: Making, error: WaybillError): void {
    const event: RunEvent = {
      seq: root.state.seq + 1,
      at: this.#shared.clock.now(),
      fact: { type: 'run.cancelled', by: 'the replay' },
      decision: { abort: 'all', end: { status: 'failed', stop_reason: 'error', error: error.toJSON() } },
    }
    root.events.push(event)
    root.state = apply(root.state, event)
    this.#options.onEvent?.(event, root.state)
  }

  /** A restored run begins with the resume that is on record, if that is its next fact. */
  #takeResume(): Fact | undefined {
    if (this.#external[0]?.fact.type !== 'run.resumed') return undefined
    return this.#external.shift()?.fact
  }

  /** Drives the root, again after each fact from outside that reaches it while no process drives it. */
  async #drive(root: Making, begin: Fact): Promise<void> {
    const { clock } = this.#shared
    for (let first: Fact | undefined = begin; first !== undefined; ) {
      const stop = new AbortController()
      let control: Control | undefined
      const driven = this.#driven(root, first, stop.signal, (given) => {
        control = given
      })
      first = undefined
      while (!driven.isOver()) {
        await clock.settled()
        if (driven.isOver()) break
        const [next] = this.#external
        const item = clock.next(root.script.last)
        if (next !== undefined && (item === null || !isBefore(item, next.moment))) {
          this.#external.shift()
          clock.moveTo(next.moment[0])
          if (next.fact.type === 'run.resumed') {
            stop.abort()
            await clock.settled()
            first = next.fact
            break
          }
          control?.submit(next.fact)
        } else if (item === null) {
          // Everything that is open was stopped, or the record ends here.
          stop.abort()
          await clock.settled()
          break
        } else clock.fire(root.script.last)
      }
      await driven.failure()
      if (first !== undefined) continue
      const next = this.#external.shift()
      if (next === undefined) return
      clock.moveTo(next.moment[0])
      first = next.fact
    }
  }

  #driven(root: Making, first: Fact, signal: AbortSignal, control: (control: Control) => void) {
    const { onEvent } = this.#options
    const ports = withAgents(
      this.#program,
      { ...replayPorts(root, this.#shared), sink: this.#sinkOf(root) },
      this.#agentRecords(),
      {
        ...defined({ onEvent }),
        portsOf: (runId) => replayPorts(this.#runOf(runId), this.#shared),
      },
    )
    let over = false
    let failure: { readonly error: unknown } | undefined
    drive(this.#program, root.state, first, ports, { control, signal, ...defined({ onEvent }) }).then(
      () => {
        over = true
      },
      (error: unknown) => {
        over = true
        failure = { error }
      },
    )
    return {
      isOver: () => over,
      /** @throws the failure of the drive */
      failure: async () => {
        await this.#shared.clock.settled()
        if (failure !== undefined) throw failure.error
      },
    }
  }

  #runOf(runId: string): Making {
    const run = this.#runs.get(runId)
    if (run === undefined) throw new Error(`no run ${runId} in this replay`)
    return run
  }

  /** Makes the root; from an event on, also the runs of sub-agents that were open then. */
  async #begin(runId: string): Promise<Making> {
    const { at } = this.#options
    const { header, first, plan } = this.#stored
    const events = await this.#records.runs.events(header.run_id)
    const placeOf = ({ at: when, seq }: RunEvent): Moment => [when, seq]
    const script = new RunScript(header.run_id, events, at ?? 0, placeOf)
    const { definition_file, tools_file, user, definitions } = header
    const own = runHeader(this.#program, runId, {
      ...defined({ definition_file, tools_file, user, definitions }),
      replay: { run_id: header.run_id, ...defined({ at }) },
    })
    const part = { script, header: own, recorded: plan, placeOf, program: this.#program, isRoot: true }
    if (at === undefined) return this.#make(runId, { ...part, first: script.first ?? first }, script.restored)
    const [restored, ...children] = await this.#restored(runId, at, events)
    if (restored === undefined) throw new Error('a restored state has no run')
    const root = this.#make(runId, { ...part, first: restored.first }, restored.facts)
    for (const child of children) await this.#makeRestored(child)
    return root
  }

  /** Returns the runs that continue the state after an event: writes that were sent later are not asked about. */
  async #restored(runId: string, seq: number, events: readonly RunEvent[]): Promise<readonly RestoredRun[]> {
    const { header } = this.#stored
    const when = events.find((event) => event.seq === seq)?.at ?? 0
    this.#shared.clock.moveTo(when)
    const { by, platform } = this.#options
    const { document } = await captureRun(this.#records, header.run_id, { at: when, by, platform, seq })
    const origin = await originOf(this.#records, document)
    return restoreState(document, {
      program: this.#program,
      runId,
      at: when,
      by,
      fork: true,
      trusted: true,
      ...defined({ user: header.user, session: header.session, origin }),
    }).runs
  }

  async #makeRestored({ runId, parent, first, facts, program }: RestoredRun): Promise<void> {
    const above = parent === undefined ? undefined : this.#runs.get(parent.run_id)
    const call = above?.state.calls.find(({ id }) => id === parent?.call_id)
    if (above === undefined || call?.agent === undefined) return
    await this.#child(call.agent, call, above, program, first, facts)
    this.#runOf(runId)
  }

  #make(runId: string, run: Omit<Making, 'runId' | 'events' | 'state'>, facts: readonly Fact[]): Making {
    const events: RunEvent[] = []
    let state = initialState(runId, run.program.plan.agent_id, run.program.hash)
    for (const fact of facts) {
      const event: RunEvent = { seq: state.seq + 1, at: this.#shared.clock.now(), fact, decision: {} }
      events.push(event)
      state = apply(state, event)
    }
    const made: Making = { ...run, runId, events, state }
    this.#runs.set(runId, made)
    return made
  }

  #sinkOf(run: Making) {
    return {
      append: (events: readonly RunEvent[], _durable: boolean, state: RunState) => {
        run.events.push(...events)
        run.state = state
      },
    }
  }

  #agentRecords(): AgentRecords {
    return {
      has: (runId) => this.#runs.has(runId),
      open: async (agent, call, parent, program, first) => {
        const known = this.#runs.get(agent.run_id)
        const run =
          known ?? (await this.#child(agent, call, this.#runOf(parent.run_id), program, await first()))
        return { state: run.state, first: run.first, sink: this.#sinkOf(run), close: () => {} }
      },
    }
  }

  /** @param facts the first facts of a run that is restored here */
  async #child(
    agent: AgentCall,
    call: CallEntry,
    above: Making,
    program: Program,
    first: FirstFact,
    facts?: readonly Fact[],
  ): Promise<Making> {
    const { runs } = this.#records
    const recorded = above.script.agent(agent.alias, call.key)
    if (recorded === undefined)
      throw diverged(above.program.plan.agent_name, `call the sub-agent ${agent.alias}`, above.script.runId)
    const isThere = await runs.has(recorded)
    const events = isThere ? await runs.events(recorded) : []
    const after = facts === undefined ? 0 : await this.#capturedSeq(recorded, events)
    const prefix = above.script.outcomeOf(call.key, above.placeOf)
    const placeOf = ({ at, seq }: RunEvent): Moment => [at, ...prefix, seq]
    const script = new RunScript(recorded, events, after, placeOf)
    const { user, definitions } = above.header
    const header = runHeader(program, agent.run_id, {
      ...defined({ user, definitions }),
      parent: {
        run_id: above.runId,
        root_run_id: above.header.parent?.root_run_id ?? above.runId,
        call_id: call.id,
        alias: agent.alias,
      },
      replay: { run_id: recorded },
    })
    const plan = isThere ? (await runs.read(recorded)).plan : undefined
    const memory = script.first?.memory
    const begins = { ...first, ...defined({ memory }) }
    return this.#make(
      agent.run_id,
      { script, header, recorded: plan, placeOf, program, isRoot: false, first: begins },
      facts ?? script.restored,
    )
  }

  /** Returns the last event of a sub-agent's run at the time from which the replay begins. */
  async #capturedSeq(runId: string, events: readonly RunEvent[]): Promise<number> {
    const then = this.#shared.clock.now()
    const { header } = await this.#records.runs.read(runId)
    return foldRun(
      header,
      events.filter(({ at }) => at <= then),
    ).seq
  }
}
