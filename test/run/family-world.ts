import type { TestContext } from 'node:test'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { prepare } from '../../src/compose/prepare.ts'
import { defined } from '../../src/document/defined.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { partsFromOptions } from '../../src/library/options.ts'
import type { Program } from '../../src/plan/plan.ts'
import { apply } from '../../src/run/apply.ts'
import { drive } from '../../src/run/drive/drive.ts'
import { withAgents } from '../../src/run/drive/drive-agents.ts'
import type { DriveOptions, DrivePorts } from '../../src/run/drive/drive-ports.ts'
import type { Elicitation } from '../../src/run/elicitation.ts'
import type { Fact, RunEvent } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { HookAnswer, HookRequest, ModelAnswer, ModelRequest } from '../../src/run/ports.ts'
import { decodeEvent, encodeEvent } from '../../src/run/record/event-line.ts'
import type { RunState } from '../../src/run/state.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import { folderOf } from './family.ts'
import { type FakeClock, fakeClock, text } from './fixture.ts'

export interface Sent {
  readonly agent: string
  readonly tool: string
  readonly key: string
  readonly args: JsonObject
  /** What the server has asked, and the answers. */
  readonly elicitation?: Elicitation
}

export interface WorldOptions {
  /** Returns the answer of an agent's model, by the agent's name. */
  readonly says: Record<
    string,
    (request: ModelRequest, signal: AbortSignal) => string | ModelAnswer | Promise<string | ModelAnswer>
  >
  /** Names of tools that only read. */
  readonly reads?: readonly string[]
  readonly hooks?: Record<string, (request: HookRequest) => HookAnswer | Promise<HookAnswer>>
  /** The tools. Unless a tool only reads, a call of it must not be repeated. */
  readonly tools?: Record<string, (sent: Sent, signal: AbortSignal) => Json | Promise<Json>>
  readonly settings?: { readonly rehearse?: boolean; readonly budget?: { readonly calls?: number } }
}

export const ROOT = '01a1ffb2-5c00-7000-8000-000000000000'

/**
 * A family of agents with doubles for everything outside: sent calls are counted, time is fake, and the records are
 * lines in memory that outlive a drive, so that a process can die between any two events.
 */
export class FamilyWorld {
  readonly program: Program
  readonly clock: FakeClock = fakeClock()
  readonly sent: Sent[] = []
  readonly asked: string[] = []
  /** Lines of each run, by its id. */
  readonly lines = new Map<string, string[]>()
  /** Called before each append with the run and the number of the append; may throw. */
  beforeAppend: (runId: string, n: number) => void | Promise<void> = () => {}
  /** Answers in place of a person. */
  decide: (call: RunState['calls'][number], runId: string) => Fact | null = () => null
  /** Keeps personal data out of a fact. */
  clean: (fact: Fact) => Fact = (fact) => fact
  readonly #options: WorldOptions
  readonly #appends = new Map<string, number>()

  static async open(
    t: TestContext,
    definitions: readonly JsonObject[],
    options: WorldOptions,
  ): Promise<FamilyWorld> {
    const { hooks = {}, reads = [], tools = {} } = options
    const functions = Object.keys(tools).map(
      (name) => [name, Object.assign(async () => 0, { readOnly: reads.includes(name) })] as const,
    )
    const given = {
      folder: folderOf(t, definitions),
      env: { OPENAI_API_KEY: 'not-used' },
      tools: Object.fromEntries(functions),
      hooks: Object.fromEntries(Object.keys(hooks).map((name) => [name, () => undefined])),
      ...options.settings,
    }
    const { program } = await prepare(
      definitions[0] as unknown as AgentDefinition,
      await partsFromOptions('openai', undefined, undefined, given),
      { folder: given.folder },
    )
    return new FamilyWorld(program, options)
  }

  constructor(program: Program, options: WorldOptions) {
    this.program = program
    this.#options = options
  }

  /** Simulates the death of the process: it records nothing more, and a new one has the records and the doubles. */
  die(options: Partial<WorldOptions> = {}): FamilyWorld {
    this.beforeAppend = () => new Promise(() => {})
    const next = new FamilyWorld(this.program, { ...this.#options, ...options })
    for (const [run, lines] of this.lines) next.lines.set(run, lines)
    next.sent.push(...this.sent)
    next.clock.advance(this.clock.now() - next.clock.now())
    return next
  }

  /** Starts the root's run. */
  start(options: DriveOptions = {}, input: Json = 'go'): Promise<RunState> {
    return this.drive({ type: 'run.started', input }, options)
  }

  /** Resumes the root's run from the end of its record, like a new process. */
  resume(options: DriveOptions = {}): Promise<RunState> {
    return this.drive({ type: 'run.resumed', by: 'a test' }, options)
  }

  /** Resumes another run of the root's program, such as a fork. */
  driveRun(runId: string, options: DriveOptions = {}): Promise<RunState> {
    return this.drive({ type: 'run.resumed', by: 'a test' }, options, runId)
  }

  drive(first: Fact, options: DriveOptions = {}, runId = ROOT): Promise<RunState> {
    const ports = withAgents(
      this.program,
      this.#ports(),
      {
        open: async (agent, _call, _parent, program, first) => ({
          state: this.stateOf(agent.run_id, program),
          first: await first(),
          sink: this.#sink(agent.run_id),
          close: () => {},
        }),
      },
      options.drainMs === undefined ? {} : { drainMs: options.drainMs },
    )
    return drive(this.program, this.stateOf(runId), first, { ...ports, sink: this.#sink(runId) }, options)
  }

  stateOf(runId: string, program: Program = this.program): RunState {
    const start = initialState(runId, program.plan.agent_id, program.hash)
    return this.events(runId).reduce(apply, start)
  }

  events(runId: string = ROOT): readonly RunEvent[] {
    return (this.lines.get(runId) ?? []).map(decodeEvent)
  }

  /** Returns the run of a sub-agent, by its alias. */
  runOf(alias: string): string {
    for (const { decision } of this.events()) {
      for (const { agent } of [...(decision.add ?? []), ...(decision.calls ?? [])])
        if (agent?.alias === alias) return agent.run_id
    }
    throw new Error(`no run of ${alias}`)
  }

  #ports(): DrivePorts {
    const { says, tools = {}, hooks = {} } = this.#options
    return {
      clock: this.clock,
      sink: this.#sink(ROOT),
      model: {
        ask: async (request, { signal }) => {
          const { agent_name } = request.plan
          this.asked.push(agent_name)
          const answer = await says[agent_name]?.(request, signal)
          if (answer === undefined) throw new Error(`no model is given for ${agent_name}`)
          return typeof answer === 'string' ? text(answer) : answer
        },
      },
      tools: {
        call: async ({ tool, key, args, elicitation }, { signal }) => {
          const sent = { agent: String(args.who), tool: tool.name, key, args, ...defined({ elicitation }) }
          this.sent.push(sent)
          return (await tools[tool.name]?.(sent, signal)) ?? null
        },
      },
      hooks: { run: async (request) => (await hooks[request.name]?.(request)) ?? { ok: true } },
      pii: {
        clean: (fact) => this.clean(fact),
        reveal: (value) => value,
        lasting: (value) => value,
        stream: () => null,
      },
      ask: async (call, state) => this.decide(call, state.run_id),
    }
  }

  #sink(runId: string): DrivePorts['sink'] {
    // Like every store: in the order of the calls, and nothing after an append that failed.
    let last: Promise<void> | undefined
    const append = async (events: readonly RunEvent[], earlier: Promise<void> | undefined) => {
      const n = (this.#appends.get(runId) ?? 0) + 1
      this.#appends.set(runId, n)
      await earlier
      await this.beforeAppend(runId, n)
      this.lines.set(runId, [...(this.lines.get(runId) ?? []), ...events.map(encodeEvent)])
    }
    return {
      append: (events) => {
        last = append(events, last)
        return last
      },
    }
  }
}

/** Lets everything happen that needs no time. */
export async function settle(turns = 20): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await turnOfEventLoop()
}
