import { v7 as uuidv7 } from 'uuid'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import { compileProgram } from '../plan/compile-program.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { planHash } from '../plan/plan-hash.ts'
import { cleanFirst } from '../run/drive/clean-first.ts'
import type { Guard } from '../run/drive/guarded-ports.ts'
import type { OpenPii } from '../run/drive/open-pii.ts'
import { MemoryRouteBoard } from '../run/drive/route-board.ts'
import type { RunEvent } from '../run/event.ts'
import { auditFacts } from '../run/record/audit-facts.ts'
import { replayRefused } from '../run/record/record-errors.ts'
import type { FirstFact, MemoryRecords, NewRun, OpenRun } from '../run/record/records.ts'
import { type RunOrigin, rootRunId, runHeader } from '../run/record/run-header.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { ArrivedConversation } from '../state/arriving-conversation.ts'
import type { RestoredMessages } from '../state/restore-messages.ts'
import { type RestoredFamily, restoreState } from '../state/restore-state.ts'
import type { SentOutline } from '../state/sent-outline.ts'
import type { AuditFact } from '../trust/audit-chain.ts'
import { originOf } from './origin-of.ts'
import { messagesEvent, type RestoredRecords, restoredRecords, restoreMemory } from './restore-run.ts'
import { handlesValues, type MovedValues, restoreValues } from './restore-values.ts'
import type { RunHost, World } from './run-host.ts'
import { openSession, type Session, type SessionParts } from './session.ts'

/** An agent that was planned once and can be run many times. */
export interface PlannedAgent {
  readonly program: Program
  /** Of every agent that may take part, the root's first. */
  readonly plans: readonly Plan[]
  /** By definition hash, the identities of the agents in the home. */
  readonly definitions: Readonly<Record<string, string>>
}

export interface StartOptions extends Omit<RunOrigin, 'parent' | 'definitions'> {
  /** Default: a new UUIDv7. */
  readonly run_id?: string
  /** The record must survive a power cut before this resolves, because its id is returned to the caller. */
  readonly durable?: boolean
}

export interface RestoreRunOptions extends Omit<RunOrigin, 'parent' | 'definitions'> {
  /** Default: a new UUIDv7. */
  readonly run_id?: string
  /** No migration token proves that the captured run has stopped. */
  readonly fork: boolean
  /** The state was captured from a record of this home, and not read from a file. */
  readonly trusted: boolean
  /** Whether the run continues at once; absent: unless its status says that it was paused. */
  readonly resumes?: boolean
  /** Values of personal data that have moved with the state; absent: none. */
  readonly moved?: MovedValues
  /** The own states of sub-agents that came with the state; their checksums are verified. */
  readonly documents?: readonly AgentState[]
  /** Nothing is stored, also no key. */
  readonly dry?: boolean
}

/** What is to be stored for the runs that continue an Agent State. */
export interface RestoredParts {
  readonly family: RestoredFamily
  readonly run_id: string
  readonly records: RestoredRecords
  /** The number of values of personal data that the new run can use. */
  readonly values: number
  /** @param memory default: that of the home; a caller may pass one that writes in its own transaction */
  storeMemory(memory?: MemoryRecords): Promise<void>
}

/** A run that continues an Agent State whose conversation is arriving. */
export interface ReceivingRun {
  /** Of its first events, milliseconds since the epoch. */
  readonly at: number
  readonly program: Program
  /** Names of personal data in the state are read: the conversation is then a part of its document. */
  readonly handlesValues: boolean
  /** Returns the event of a part of the conversation as it is stored. Called once for each, in order. */
  event(part: RestoredMessages, seq: number): RunEvent
  /**
   * @param documents the own states of sub-agents; default: those of the options
   * @throws STATE_NOT_RESUMABLE, STATE_OTHER_AGENT, STATE_POSITION_UNKNOWN
   */
  restored(
    document: AgentState,
    conversation?: ArrivedConversation | SentOutline,
    documents?: readonly AgentState[],
  ): Promise<RestoredParts>
  /** Releases the agent. */
  close(): void
}

/** How often observations of routes are saved while runs end, in milliseconds. */
const SAVE_EVERY_MS = 1000

/**
 * The runs of one agent. They share its program, its connections and the observations of its routes; record,
 * personal data and telemetry belong to each run.
 */
export class AgentSessions {
  readonly #host: RunHost
  /** The agent, with the key of its world. */
  readonly #agent: (PlannedAgent & { readonly key: string }) | undefined
  /**
   * Open worlds, by the plans of all their agents and the identities of these: this agent's own, and those of older
   * plans.
   */
  readonly #worlds = new Map<string, Promise<World>>()
  #routes: MemoryRouteBoard | undefined
  /** How many sessions are open, and runs are being made. */
  #uses = 0
  #retired = false
  #unsaved = false
  #savedAt = Number.NEGATIVE_INFINITY

  /** @param agent absent: only recorded runs can be opened, with their recorded plans */
  constructor(host: RunHost, agent?: PlannedAgent) {
    this.#host = host
    this.#agent = agent && { ...agent, key: worldKey(agent.program, agent.definitions) }
  }

  /**
   * Stores a new run and its input, and opens its session without driving it.
   * @throws FUNCTION_MISSING, EXTENSION_MISSING; an error that prevents the record from being written
   */
  async start(first: FirstFact, { durable = false, ...options }: StartOptions = {}): Promise<Session> {
    return this.#using(async (over) => {
      const { begun, program, plans, world, pii } = await this.#begin(first, options)
      const run = await this.#host.records.runs.create(begun, { durable })
      return this.#sessionOf(run, { program, plans, world, pii }, over)
    })
  }

  /**
   * Returns what is to be stored for a new run, for callers that store it together with other data. Secrets are removed
   * from its input, and personal data is handled as the plan says.
   * @throws FUNCTION_MISSING, EXTENSION_MISSING
   */
  async newRun(first: FirstFact, options: Omit<StartOptions, 'durable'> = {}): Promise<NewRun> {
    return this.#using(async (over) => {
      const { begun } = await this.#begin(first, options)
      over()
      return begun
    })
  }

  /**
   * Returns what is to be stored for the runs that continue an Agent State, for callers that store it together with other
   * data. `storeMemory` stores the memory of the state, which belongs to no run.
   * @throws STATE_NOT_RESUMABLE, STATE_OTHER_AGENT, STATE_POSITION_UNKNOWN; FUNCTION_MISSING, EXTENSION_MISSING
   */
  async restored(
    document: AgentState,
    options: RestoreRunOptions,
    conversation?: ArrivedConversation | SentOutline,
  ): Promise<RestoredParts> {
    const receiving = await this.receiving(options)
    try {
      return await receiving.restored(document, conversation)
    } finally {
      receiving.close()
    }
  }

  /**
   * Prepares to continue an Agent State whose conversation is read while it arrives: its parts are stored before the rest
   * is known. The caller closes it.
   */
  async receiving({
    run_id = uuidv7(),
    fork,
    trusted,
    resumes,
    moved,
    dry = false,
    documents: given = [],
    ...origin
  }: RestoreRunOptions): Promise<ReceivingRun> {
    return this.#using(async (over) => {
      const agent = this.#agent
      if (agent === undefined) throw new Error('these sessions have no agent to continue')
      const { program, plans, definitions, key } = agent
      const { records, by, kept } = this.#host
      const at = Date.now()
      const world = await this.#worldOf(key, plans, definitions)
      const pii = dry ? await world.openPii(undefined) : await this.#openPii(world, run_id, [])
      const header = runHeader(program, run_id, { ...origin, definitions })
      const audited: AuditFact[] = []
      return {
        at,
        program,
        handlesValues: moved !== undefined || handlesValues(plans),
        event(part, seq) {
          const event = messagesEvent(part, seq, { program, runId: run_id }, { at, world, pii })
          if (kept && program.plan.audit) audited.push(...auditFacts([event], program.plan, header))
          return event
        },
        restored: async (document, conversation, documents = given) => {
          const from = await originOf(records, document)
          // Placeholders have a meaning only beside the values of their run, which a file could name without right.
          const known =
            trusted && from !== undefined ? await this.#valuesOf(document.run_id, world) : undefined
          if (known !== undefined) pii.values.adopt(known.entries())
          const { values, ...readable } =
            known === undefined
              ? restoreValues(document, plans, pii, moved, documents)
              : { document, documents }
          const { user, session } = origin
          const options = { program, runId: run_id, at, by, fork, trusted }
          const family = restoreState(readable.document, {
            ...options,
            documents: readable.documents,
            ...defined({ user, session, origin: from, values, conversation, resumes }),
          })
          const parts = { world, pii, kept, family: plans.slice(1), audited }
          const restored = restoredRecords(family, { ...origin, definitions }, at, parts)
          const redact = (text: string) => world.redactor.text(text)
          const storeMemory = (memory: MemoryRecords = records.memory) =>
            restoreMemory(family, document.state_id, { memory, definitions }, redact, at)
          return { family, run_id, records: restored, values: values?.carried ?? 0, storeMemory }
        },
        close: over,
      }
    })
  }

  /** Returns the personal data of a recorded run. */
  async #valuesOf(runId: string | undefined, world: World): Promise<OpenPii['values'] | undefined> {
    if (runId === undefined) return undefined
    const { records } = this.#host
    const { header } = await records.runs.listed(runId)
    const root = header === null ? runId : rootRunId(header)
    const sealed = await records.runs.sealed(root)
    return (await this.#openPii(world, root, sealed)).values
  }

  async #begin(first: FirstFact, { run_id = uuidv7(), ...origin }: Omit<StartOptions, 'durable'>) {
    const agent = this.#agent
    if (agent === undefined) throw new Error('these sessions have no agent to start')
    const { program, plans, definitions, key } = agent
    const world = await this.#worldOf(key, plans, definitions)
    const pii = await this.#openPii(world, run_id, [])
    const clean = cleanFirst(first, program, run_id, { ...world.ports, pii: pii.port })
    const begun: NewRun = {
      header: runHeader(program, run_id, { ...origin, definitions }),
      plan: program.plan,
      family: plans.slice(1),
      first: clean,
      sealed: pii.values.takeSealed(),
    }
    return { begun, program, plans, world, pii }
  }

  /**
   * Opens a recorded run with its recorded plan.
   * @throws RUN_NOT_FOUND, RUN_LOCKED while another process drives it, RUN_IMPORTED, REPLAY_REFUSED, RECORD_DAMAGED, RECORD_NEWER,
   * FUNCTION_MISSING, EXTENSION_MISSING
   */
  async open(runId: string): Promise<Session> {
    return this.openHeld(await this.#leased(runId))
  }

  async #leased(runId: string): Promise<OpenRun> {
    const { runs } = this.#host.records
    try {
      return await runs.open(runId)
    } catch (error) {
      if (!(error instanceof WaybillError) || error.code !== 'RUN_IMPORTED') throw error
      // Replays are stored like imported runs, which no process can continue.
      const { header } = await runs.listed(runId)
      throw header?.replay === undefined ? error : replayRefused(runId, header.replay.run_id)
    }
  }

  /**
   * Opens the session of a run whose lease the caller has taken, and releases the lease if that fails.
   * @param guard called before each send: throws if the lease may have lapsed, and the drive stops
   */
  async openHeld(run: OpenRun, guard?: Guard): Promise<Session> {
    return this.#using((over) => this.#openHeld(run, guard, over))
  }

  async #openHeld(run: OpenRun, guard: Guard | undefined, over: () => void): Promise<Session> {
    try {
      const plans = [run.plan, ...run.family]
      const program = this.#programOf(run)
      const { definitions = {} } = run.header
      const world = await this.#worldOf(worldKey(program, definitions), plans, definitions)
      const root = rootRunId(run.header)
      const pii = await this.#openPii(world, root, await this.#host.records.runs.sealed(root))
      return await this.#sessionOf(run, { program, plans, world, pii, ...defined({ guard }) }, over)
    } catch (error) {
      await run.close()
      throw error
    }
  }

  /** Closes as soon as no session is open; until then, and afterwards too, sessions can be opened. */
  retire(): void {
    this.#retired = true
    this.#closeUnused()
  }

  /** @param work calls `over` when its session is closed, or when it has none */
  async #using<T>(work: (over: () => void) => Promise<T>): Promise<T> {
    this.#uses++
    let used = true
    const over = () => {
      if (!used) return
      used = false
      this.#uses--
      this.#closeUnused()
    }
    try {
      return await work(over)
    } catch (error) {
      over()
      throw error
    }
  }

  /** A failure to close concerns connections that are not used any more. */
  #closeUnused(): void {
    if (this.#retired && this.#uses === 0) this.close().catch(() => {})
  }

  /** Closes connections and saves the observations of routes. Sessions must be closed before. */
  async close(): Promise<void> {
    const worlds = await Promise.allSettled(this.#worlds.values())
    this.#worlds.clear()
    for (const opened of worlds) if (opened.status === 'fulfilled') await opened.value.close()
    await this.#saveRoutes()
  }

  /** @param sealed the recorded personal data of this run and its sub-agents */
  async #openPii(world: World, root: string, sealed: readonly string[]): Promise<OpenPii> {
    const { piiKeys: keys } = this.#host
    return world.openPii(keys === undefined ? undefined : { runId: root, keys, sealed })
  }

  async #sessionOf(
    run: OpenRun,
    parts: Pick<SessionParts, 'program' | 'plans' | 'world' | 'pii' | 'guard'>,
    over: () => void,
  ): Promise<Session> {
    try {
      // Test doubles are not observations of routes.
      const routes = parts.program.plan.rehearsal ? undefined : await this.#routeBoard()
      return await openSession(run, {
        host: this.#host,
        ...parts,
        ...defined({ routes }),
        onClosed: async () => {
          // The latest statistics may be lost with the process; a write for each run would cost more.
          if (performance.now() - this.#savedAt >= SAVE_EVERY_MS) await this.#saveRoutes()
          over()
        },
      })
    } catch (error) {
      await run.close()
      throw error
    }
  }

  /**
   * Returns the agent's own program, but only if every recorded plan is one of its plans: grants may have changed
   * since.
   */
  #programOf({ header, plan, family }: OpenRun): Program {
    const own = this.#agent?.program
    const isOwn =
      own?.hash === header.plan_hash &&
      family.every((one) => own.family.get(one.definition_hash)?.hash === planHash(one))
    return isOwn ? own : compileProgram(plan, family)
  }

  async #worldOf(
    key: string,
    plans: readonly Plan[],
    definitions: Readonly<Record<string, string>>,
  ): Promise<World> {
    const known = this.#worlds.get(key)
    if (known !== undefined) return known
    this.#host.assertReady(plans)
    const opened = this.#host.openWorld(plans, definitions)
    this.#worlds.set(key, opened)
    // A failed world must not block the next try.
    opened.catch(() => this.#worlds.delete(key))
    return opened
  }

  async #routeBoard(): Promise<MemoryRouteBoard> {
    this.#routes ??= new MemoryRouteBoard(await this.#host.records.routes.read(), () => {
      this.#unsaved = true
    })
    return this.#routes
  }

  async #saveRoutes(): Promise<void> {
    if (!this.#unsaved || this.#routes === undefined) return
    this.#unsaved = false
    this.#savedAt = performance.now()
    await this.#host.records.routes.merge(this.#routes.histories)
  }
}

/** The same plans of another definition are another agent, with its own memory. */
function worldKey(program: Program, definitions: Readonly<Record<string, string>>): string {
  const hashes = [...program.family.values()].map(({ hash }) => hash).sort()
  return JSON.stringify([program.hash, hashes, definitions])
}
