import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import {
  type Env,
  type InlineHook,
  type InlineTool,
  openPorts,
  openTelemetry,
  type Parts,
  type Places,
  prepare,
  type Telemetry,
  toolModuleOf,
} from './compose.ts'
import type { Json } from './document/issue.ts'
import type {
  Budget,
  McpServers,
  OperatorSettings,
  PiiSettings,
  TelemetrySettings,
} from './plan/operator-settings.ts'
import type { Plan, Program } from './plan/plan.ts'
import { primaryProvider } from './plan/plan-models.ts'
import { drive, type EventSink } from './run/drive.ts'
import { type AgentRecords, recordsInMemory, withAgents } from './run/drive-agents.ts'
import type { Fact, RunEvent } from './run/event.ts'
import { inOrder } from './run/in-order.ts'
import type { PiiPlace } from './run/pii-values.ts'
import type { ModelPort, RouteBoard } from './run/ports.ts'
import { type RunResult, resultOf } from './run/result.ts'
import { MemoryRouteBoard } from './run/route-board.ts'
import { RunSlots } from './run/run-slots.ts'
import { type RunHeader, RunStore } from './run/run-store.ts'
import { type CallEntry, initialState, type RunState, type RunWarning } from './run/state.ts'
import { piiKeysFolder, slotsFolder } from './settings/home.ts'
import { operatorSettingsOf, parseModel } from './settings/operator-settings-of.ts'
import type { AgentDefinition } from './spec/aaif/generated/agent.ts'

export type { InlineHook, InlineTool } from './compose.ts'
export type { ErrorObject, Issue, Json, JsonObject } from './document/issue.ts'
export { WaybillError } from './document/issue.ts'
export type { McpServers } from './plan/operator-settings.ts'
export type { Plan } from './plan/plan.ts'
export type { RunEvent } from './run/event.ts'
export type { RouteBoard } from './run/ports.ts'
export type { RunResult } from './run/result.ts'
export { MemoryRouteBoard } from './run/route-board.ts'
export type { AgentDefinition } from './spec/aaif/generated/agent.ts'
export { parseAgentDefinition } from './spec/aaif/parse-agent-definition.ts'
export { validateAgentDefinition } from './spec/aaif/validate-agent-definition.ts'

/** What the caller grants a run; everything absent is not granted. */
export interface PlanOptions {
  /** Let doubles answer: no key, no network. */
  readonly rehearse?: boolean
  /** `PROVIDER/MODEL` instead of the definition's routes. */
  readonly model?: string
  /** Where the first route's provider is reached instead; binds its key to that address. */
  readonly baseUrl?: string
  /** `HOST[:PORT]` that tools and routes may reach, private ones included. */
  readonly allowHosts?: readonly string[]
  /** `NAME@HOST`: the secret of this name may be sent to this host. */
  readonly allowSecrets?: readonly string[]
  readonly allowDeprecated?: boolean
  readonly budget?: Budget
  /** How personal data is found, and the variable that holds the key to encrypt it with. */
  readonly pii?: PiiSettings
  readonly tools?: Readonly<Record<string, InlineTool>>
  /** Functions by the names that the definition's `events.on_*` give. */
  readonly hooks?: Readonly<Record<string, InlineHook>>
  /** MCP servers by the name that `mcp://NAME/…` calls them; no other command is ever started. */
  readonly mcpServers?: McpServers
  /** PEM files with certificate authorities to believe besides those that Node does. */
  readonly caFiles?: readonly string[]
  /** The folder that the definition's files may come from. Absent: none is read. */
  readonly folder?: string
  /** The lock file of what tool servers offer: differences from it are denied. Absent: nothing is pinned. */
  readonly lockFile?: string
  /** The folder that sub-agents are looked for in; `folder` when absent. */
  readonly agents?: string
  /** Whose run it is; memory of user scope is refused without. */
  readonly user?: string
  /** Which conversation it belongs to; memory of session scope is refused without. */
  readonly session?: string
  /** A SQLite file in which agents remember from run to run. Absent: memory ends with the run. */
  readonly memoryFile?: string
  /** Where secrets are looked up by name. Default: `process.env`. */
  readonly env?: Env
  readonly telemetry?: TelemetryOptions
  readonly signal?: AbortSignal
}

/** Where runs are reported to; the variables `OTEL_EXPORTER_OTLP_*` of `env` say it as well, and win. */
export interface TelemetryOptions {
  readonly otlpEndpoint?: string
  readonly protocol?: 'http/protobuf' | 'grpc'
  /** Headers of the requests, each with the name of the variable that holds its value. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface RunOptions extends PlanOptions {
  readonly input?: Json
  /** A folder for the run's record, so that it survives this process. Absent: it is kept in memory. */
  readonly runsFolder?: string
  /** False: throw CONCURRENCY_EXCEEDED instead of waiting while `runtime.concurrency` runs of the agent are under way. */
  readonly wait?: boolean
  /** The W3C `traceparent` of the request that this run is part of. */
  readonly traceParent?: string
  /** Decides about a call that needs approval, or whose fate is unknown. Absent: the run waits. */
  readonly decide?: (call: CallEntry) => Promise<PersonsWord | null>
  readonly onEvent?: (event: RunEvent) => void
  /** Comes after the result: what the run reports did not all reach its collector. */
  readonly onWarning?: (warning: RunWarning) => void
  /** Text as it is generated. */
  readonly onText?: (delta: string) => void
  /** Answers instead of the providers, e.g. a scripted model in a test. */
  readonly modelPort?: ModelPort
  /** Remembers how routes fare. Default: what this process has seen of them, in all its runs. */
  readonly routes?: RouteBoard
}

/** How a route fares is a property of the world that this process sees, not of one run. */
const seenHere = new MemoryRouteBoard()

export interface PersonsWord {
  readonly verdict: 'approve' | 'deny' | 'resend' | 'assume'
  readonly by: string
  readonly why?: string
  readonly result?: Json
}

const REPORT_MS = 5000

/** Plans a run without running it: what it may do, what it will not do, and why. */
export async function planRun(definition: AgentDefinition, options: PlanOptions = {}): Promise<Plan> {
  const { program } = await prepare(
    definition,
    partsOf(definition, options),
    placesOf(options),
    options.signal,
  )
  return program.plan
}

/**
 * Runs an agent and gives its result. A run that does not reach its goal is a result as well (`status`, `error`);
 * only what keeps it from starting is thrown.
 * @throws WaybillError when the options or the definition's schemas cannot be used
 */
export async function run(definition: AgentDefinition, options: RunOptions = {}): Promise<RunResult> {
  const parts = partsOf(definition, options)
  const { program, family } = await prepare(
    definition,
    parts,
    { ...placesOf(options), pin: true },
    options.signal,
  )
  const { plan } = program
  const slots = new RunSlots(slotsFolder({ ...process.env, ...options.env }))
  const { signal, wait } = options
  const release = await slots.take(plan, {
    ...(signal !== undefined && { signal }),
    ...(wait !== undefined && { wait }),
  })
  const record = openRecord(program, family, options)
  let close: (() => Promise<void>) | undefined
  let telemetry: Telemetry | undefined
  try {
    const ports = await openPorts(family, parts, piiPlaceOf(record.state.run_id, options))
    close = ports.close
    const { decide, onText, modelPort, traceParent } = options
    telemetry = await openTelemetry(program, parts)
    const onEvent = (event: RunEvent, state: RunState) => {
      telemetry?.follow(event, state)
      options.onEvent?.(event)
    }
    const state = await drive(
      program,
      record.state,
      {
        type: 'run.started',
        input: options.input ?? '',
        ...(traceParent !== undefined && { trace_parent: traceParent }),
      },
      withAgents(
        program,
        {
          ...ports,
          ...(!plan.rehearsal && { routes: options.routes ?? seenHere }),
          ...(modelPort !== undefined && { model: modelPort }),
          sink: record.sink,
          ...(decide !== undefined && { ask: (call: CallEntry) => ask(call, decide) }),
        },
        record.agents,
        { slots, onEvent },
      ),
      {
        onEvent,
        ...(onText !== undefined && { onText }),
        control: (control) => {
          if (signal?.aborted === true) control.cancel('the caller')
          else signal?.addEventListener('abort', () => control.cancel('the caller'), { once: true })
        },
      },
    )
    return ports.redactor.json(resultOf(plan, state) as unknown as Json) as unknown as RunResult
  } finally {
    // In the background: a result does not wait for a collector.
    void telemetry?.close(REPORT_MS).then((warning) => warning && options.onWarning?.(warning))
    record.close()
    release()
    await close?.()
  }
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

async function ask(call: CallEntry, decide: NonNullable<RunOptions['decide']>): Promise<Fact | null> {
  const word = await decide(call)
  return word === null ? null : { type: 'person.decided', call_id: call.id, ...word }
}

interface RunRecord {
  readonly state: RunState
  readonly sink: EventSink
  readonly agents: AgentRecords
  close(): void
}

function openRecord({ plan, hash }: Program, family: readonly Plan[], options: RunOptions): RunRecord {
  const run_id = uuidv7()
  if (options.runsFolder === undefined) {
    return {
      state: initialState(run_id, plan.agent_id, hash),
      sink: { append: () => {} },
      agents: recordsInMemory(),
      close: () => {},
    }
  }
  const store = new RunStore(options.runsFolder)
  const header: RunHeader = {
    v: 1,
    run_id,
    agent_id: plan.agent_id,
    agent_name: plan.agent_name,
    created_at: new Date().toISOString(),
    plan_hash: hash,
    rehearsal: plan.rehearsal,
    ...(options.user !== undefined && { user: options.user }),
    ...(options.session !== undefined && { session: options.session }),
  }
  const { state, sink, close } = store.create(header, plan, family.slice(1))
  return { state, sink, close, agents: store.agentRecords(header) }
}

/** Beside the record; its key is in Waybill's home, away from it. */
function piiPlaceOf(runId: string, { runsFolder, env = process.env }: RunOptions): PiiPlace | undefined {
  if (runsFolder === undefined) return undefined
  return { folder: join(runsFolder, runId), runId, keys: piiKeysFolder(env) }
}

function placesOf({ folder, agents, lockFile }: PlanOptions): Places {
  return { folder, agents, lock: lockFile }
}

function partsOf(definition: AgentDefinition, options: PlanOptions): Parts {
  const { rehearse, model, baseUrl, allowHosts, allowSecrets, allowDeprecated, budget, user, session } =
    options
  const wanted = model === undefined ? undefined : parseModel(model)
  const settings: OperatorSettings = operatorSettingsOf(
    {
      ...(rehearse !== undefined && { rehearse }),
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(allowHosts !== undefined && { allowHost: allowHosts }),
      ...(allowSecrets !== undefined && { allowSecret: allowSecrets }),
      ...(allowDeprecated !== undefined && { allowDeprecated }),
      ...(user !== undefined && { user }),
      ...(session !== undefined && { session }),
    },
    options.caFiles === undefined ? {} : { ca_files: options.caFiles },
    {},
    { primary: primaryProvider(definition, wanted) },
  )
  return {
    settings: {
      ...settings,
      budget: { ...budget },
      ...(options.pii !== undefined && { pii: options.pii }),
      ...(options.mcpServers !== undefined && { mcp_servers: options.mcpServers }),
      ...(options.telemetry !== undefined && { telemetry: telemetrySettings(options.telemetry) }),
    },
    env: options.env ?? process.env,
    ...(options.memoryFile !== undefined && { memoryFile: options.memoryFile }),
    ...((options.tools ?? options.hooks) !== undefined && {
      tools: toolModuleOf(options.tools ?? {}, options.hooks),
    }),
  }
}

function telemetrySettings({ otlpEndpoint, ...rest }: TelemetryOptions): TelemetrySettings {
  return { ...rest, ...(otlpEndpoint !== undefined && { otlp_endpoint: otlpEndpoint }) }
}
