import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { assertFunctions } from '../compose/functions.ts'
import type { Parts } from '../compose/parts.ts'
import { prepare } from '../compose/prepare.ts'
import { type Json, WaybillError } from '../document/issue.ts'
import { compileProgram } from '../plan/compile-program.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { firstProvider, primaryProvider } from '../plan/plan-models.ts'
import { endHookDue } from '../run/drive/call-hook.ts'
import type { Control } from '../run/drive/drive.ts'
import { recordsInMemory } from '../run/drive/drive-agents.ts'
import { inOrder } from '../run/drive/in-order.ts'
import type { PiiPlace } from '../run/drive/pii-values.ts'
import { MemoryRouteBoard } from '../run/drive/route-board.ts'
import type { Fact, RunEvent } from '../run/event.ts'
import { runHeader } from '../run/record/run-header.ts'
import { RunSlots } from '../run/record/run-slots.ts'
import { type OpenRun, RunStore } from '../run/record/run-store.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import { type CallEntry, initialState, type RunState } from '../run/state.ts'
import { callerTrace } from '../run/trace/trace-context.ts'
import { makeHome, piiKeysFolder, slotsFolder } from '../settings/home.ts'
import { parseModel } from '../settings/operator-settings-of.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { assertBegun, keptRuns, runsFolderOf } from './kept-runs.ts'
import { type AskedCall, type DrivenRecord, openDrive } from './open-drive.ts'
import {
  type DriveRunOptions,
  homeEnv,
  type PlanOptions,
  partsOf,
  placesOf,
  type RunOptions,
} from './options.ts'
import { Stream } from './stream.ts'

/** A run that is under way. */
export interface StartedRun {
  readonly run_id: string
  /** Every event as it is recorded, those of sub-agents' runs not among them; it ends with the run. To be read once. */
  readonly events: AsyncIterable<RunEvent>
  /** Text as it is generated, without the secrets that the run knows; empty unless `text` was asked for. To be read once. */
  readonly text: AsyncIterable<string>
  readonly result: Promise<RunResult>
  /** Finishes what is under way, saves, and ends with status `paused`; `resume` goes on with it. */
  pause(): void
  cancel(): void
}

/** How a route fares is a property of the world that this process sees, not of one run. */
const seenHere = new MemoryRouteBoard()

const REPORT_MS = 5000

/** Plans a run without running it: what it may do, what it will not do, and why. */
export async function planRun(definition: AgentDefinition, options: PlanOptions = {}): Promise<Plan> {
  const parts = await partsOf(primaryOf(definition, options), options)
  const { program } = await prepare(definition, parts, placesOf(options), options.signal)
  return program.plan
}

/**
 * Runs an agent and gives its result. A run that does not reach its goal is a result as well (`status`, `error`);
 * only what keeps it from starting is thrown.
 * @throws WaybillError when the options or the definition's schemas cannot be used
 */
export async function run(definition: AgentDefinition, options: RunOptions = {}): Promise<RunResult> {
  return (await begin(definition, options)).result
}

/**
 * Starts a run, and gives what can be watched while it is under way.
 * @throws what keeps it from starting; what ends it later rejects `result`
 */
export async function startRun(
  definition: AgentDefinition,
  options: RunOptions & StreamOptions = {},
): Promise<StartedRun> {
  return streaming((watched) => begin(definition, watched), options)
}

export interface StreamOptions {
  /** Ask the model for its text piece by piece. */
  readonly text?: boolean
}

/** Where the record of the run to go on with lies: `home` or `runsFolder` must be given. */
export interface ResumeOptions extends DriveRunOptions {
  /** Who goes on with it, for the record. */
  readonly by?: string
  /** What is said next in the conversation: a run that has ended goes on with another turn. */
  readonly input?: Json
}

/**
 * Goes on with a run where its record ends; one that has ended already gives its result again, or takes `input`. The plan is the recorded
 * one: what the options grant must do for it.
 * @throws HOME_MISSING, RUN_NOT_FOUND, RUN_LOCKED while another process drives it, RUN_NOT_STARTED, TURN_UNFINISHED,
 * FUNCTION_MISSING
 */
export async function resume(runId: string, options: ResumeOptions): Promise<RunResult> {
  return (await goOn(runId, options)).result
}

/** The same, and gives what can be watched while the run is under way. */
export async function startResume(
  runId: string,
  options: ResumeOptions & StreamOptions,
): Promise<StartedRun> {
  return streaming((watched) => goOn(runId, watched), options)
}

export interface BatchOptions extends Omit<RunOptions, 'input'> {
  /** Each result as soon as those of all inputs before it are there. */
  readonly onResult?: (result: RunResult, index: number) => void
}

/**
 * Runs an agent once for each input, no more at a time than its `runtime.concurrency` (1 when it says nothing), and
 * gives the results in the order of the inputs.
 * @throws what keeps one of the runs from starting; those that are under way are finished first
 */
export async function runBatch(
  definition: AgentDefinition,
  inputs: readonly Json[],
  { onResult, ...options }: BatchOptions = {},
): Promise<readonly RunResult[]> {
  const results: RunResult[] = []
  await inOrder(inputs, {
    limit: definition.agent.runtime?.concurrency ?? 1,
    work: (input) => run(definition, { ...options, input }),
    deliver: (result, index) => {
      results.push(result)
      onResult?.(result, index)
    },
  })
  return results
}

/** Options as they are used inside: whose event it is belongs to it. */
type Watched<Options> = Omit<Options, 'onEvent'> & {
  readonly onEvent?: (event: RunEvent, state: RunState) => void
}

/** A run that has been begun, and how to steer it. */
interface BegunRun {
  readonly run_id: string
  readonly result: Promise<RunResult>
  steer(act: (control: Control) => void): void
}

async function begin(definition: AgentDefinition, options: Watched<RunOptions>): Promise<BegunRun> {
  const parts = await partsOf(primaryOf(definition, options), options)
  const { program, family } = await prepare(
    definition,
    parts,
    { ...placesOf(options), pin: true },
    options.signal,
  )
  const { input = '', traceParent, traceState, user, session } = options
  const release = await takeSlot(program.plan, options)
  try {
    const runId = uuidv7()
    const folder = runsFolderOf(options)
    if (options.home !== undefined) makeHome(homeEnv(options))
    const store = folder === undefined ? undefined : new RunStore(folder)
    const header = runHeader(program, runId, { user, session })
    const kept = store?.create(header, program.plan, family.slice(1))
    const first: Fact = {
      type: 'run.started',
      input,
      ...callerTrace(traceParent, traceState),
    }
    if (kept !== undefined && store !== undefined)
      return drive(program, family, recordOf(kept, store, options), kept.state, first, parts, options, () => {
        kept.close()
        release()
      })
    const record = { header, sink: { append: () => {} }, agents: recordsInMemory() }
    const state = initialState(runId, program.plan.agent_id, program.hash)
    return drive(program, family, record, state, first, parts, options, release)
  } catch (error) {
    release()
    throw error
  }
}

async function goOn(wanted: string, options: Watched<ResumeOptions>): Promise<BegunRun> {
  const store = keptRuns(options)
  const runId = store.rootOf(store.resolve(wanted))
  const stored = store.read(runId)
  const { plan, state } = stored
  const { input } = options
  if (state.end !== null && input === undefined && endHookDue(plan, state) === null) {
    return { run_id: runId, result: Promise.resolve(resultOf(plan, state)), steer: () => {} }
  }
  assertBegun(stored)
  if (state.end === null && input !== undefined) throw unfinished(runId)
  const release = await takeSlot(plan, options)
  let kept: OpenRun | undefined
  try {
    kept = store.open(runId)
    const opened = kept
    const parts = await partsOf(firstProvider(plan), options)
    const plans = [opened.plan, ...opened.family]
    for (const each of plans) assertFunctions(each, parts)
    const program = compileProgram(opened.plan, opened.family)
    const first: Fact =
      input === undefined
        ? { type: 'run.resumed', by: options.by ?? 'the caller' }
        : { type: 'user.said', input }
    const record = recordOf(opened, store, options)
    return drive(program, plans, record, opened.state, first, parts, options, () => {
      opened.close()
      release()
    })
  } catch (error) {
    kept?.close()
    release()
    throw error
  }
}

function unfinished(runId: string): WaybillError {
  return new WaybillError('TURN_UNFINISHED', {
    fault: 'usage',
    message: `run ${runId} has not ended its turn: nothing new can be said in it`,
    hint: 'resume it without `input` first',
  })
}

function drive(
  program: Program,
  plans: readonly Plan[],
  record: DrivenRecord,
  start: RunState,
  first: Fact,
  parts: Parts,
  options: Watched<DriveRunOptions>,
  close: () => void,
): BegunRun {
  const { decide, onText, onEvent, onWarning, modelPort, signal, routes = seenHere } = options
  let control: Control | undefined
  let wanted: ((control: Control) => void) | undefined
  const steer = (act: (control: Control) => void) => {
    if (control === undefined) wanted = act
    else act(control)
  }
  const cancel = () => steer((given) => given.cancel('the caller'))
  const drives = async (): Promise<RunResult> => {
    let world: Awaited<ReturnType<typeof openDrive>> | undefined
    try {
      world = await openDrive(program, plans, record, parts, {
        slots: slotsOf(options),
        by: 'the caller',
        ...(!program.plan.rehearsal && { routes }),
        ...(modelPort !== undefined && { model: modelPort }),
      })
      const { result } = await world.drive(start, first, {
        ...(decide !== undefined && { ask: ({ call }: AskedCall) => ask(call, decide) }),
        ...(onEvent !== undefined && { onEvent }),
        ...(onText !== undefined && { onText }),
        control: (given) => {
          control = given
          wanted?.(given)
          if (signal?.aborted === true) cancel()
          else signal?.addEventListener('abort', cancel, { once: true })
        },
      })
      return result
    } finally {
      signal?.removeEventListener('abort', cancel)
      // In the background: a result does not wait for a collector.
      void world?.report(REPORT_MS).then((warning) => warning && onWarning?.(warning))
      close()
      await world?.close()
    }
  }
  return { run_id: record.header.run_id, result: drives(), steer }
}

async function streaming(
  start: (options: Watched<RunOptions & ResumeOptions>) => Promise<BegunRun>,
  { text = false, ...options }: RunOptions & ResumeOptions & StreamOptions,
): Promise<StartedRun> {
  const events = new Stream<RunEvent>()
  const texts = new Stream<string>()
  let runId: string | undefined
  const begun = await start({
    ...options,
    onEvent: (event, state) => {
      options.onEvent?.(event)
      runId ??= state.run_id
      if (state.run_id === runId) events.push(event)
    },
    ...((text || options.onText !== undefined) && {
      onText: (delta: string) => {
        options.onText?.(delta)
        if (text) texts.push(delta)
      },
    }),
  })
  const result = begun.result.finally(() => {
    events.end()
    texts.end()
  })
  // Whoever only reads the events is not to be ended by an error that nobody waited for.
  result.catch(() => {})
  return {
    run_id: begun.run_id,
    events,
    text: texts,
    result,
    pause: () => begun.steer((control) => control.pause('the caller')),
    cancel: () => begun.steer((control) => control.cancel('the caller')),
  }
}

async function ask(call: CallEntry, decide: NonNullable<DriveRunOptions['decide']>): Promise<Fact | null> {
  const word = await decide(call)
  return word === null ? null : { type: 'person.decided', call_id: call.id, ...word }
}

function primaryOf(definition: AgentDefinition, { model }: PlanOptions): string | undefined {
  return primaryProvider(definition, model === undefined ? undefined : parseModel(model))
}

function slotsOf(options: Pick<PlanOptions, 'home' | 'env'>): RunSlots {
  return new RunSlots(slotsFolder(homeEnv(options)))
}

function takeSlot(plan: Plan, options: Watched<DriveRunOptions>): Promise<() => void> {
  const { signal, wait } = options
  return slotsOf(options).take(plan, {
    ...(signal !== undefined && { signal }),
    ...(wait !== undefined && { wait }),
  })
}

/** What stands for personal data lies beside the record; its key lies in Waybill's home, away from it. */
function recordOf(run: OpenRun, store: RunStore, options: Watched<DriveRunOptions>): DrivenRecord {
  const runId = run.header.run_id
  const pii: PiiPlace = {
    folder: join(runsFolderOf(options) ?? '', runId),
    runId,
    keys: piiKeysFolder(homeEnv(options)),
  }
  return { header: run.header, sink: run.sink, agents: store.agentRecords(run.header), store, pii }
}
