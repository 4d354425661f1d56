import { openPorts } from '../compose/open-ports.ts'
import { openTelemetry } from '../compose/open-telemetry.ts'
import type { Parts } from '../compose/parts.ts'
import type { Json, JsonObject } from '../document/issue.ts'
import type { Redactor } from '../document/redact.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { type DriveOptions, drive } from '../run/drive/drive.ts'
import { withAgents } from '../run/drive/drive-agents.ts'
import type { PiiPlace } from '../run/drive/pii-values.ts'
import type { Fact } from '../run/event.ts'
import type { ModelPort, RouteBoard } from '../run/ports.ts'
import { audited, auditedRecords } from '../run/record/audit-facts.ts'
import { auditLeg } from '../run/record/audit-leg.ts'
import type { PersonDecided } from '../run/record/left-decision.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import type { RunSlots } from '../run/record/run-slots.ts'
import type { RunStore } from '../run/record/run-store.ts'
import type { AgentRecords, EventSink } from '../run/record-port.ts'
import { type RunResult, resultOf } from '../run/result.ts'
import type { CallEntry, RunState, RunWarning } from '../run/state.ts'
import { decidedBeforehand } from './decided-beforehand.ts'
import { redactStream } from './redact-stream.ts'

/** The record of a run that this process drives: on disk, or in memory alone. */
export interface DrivenRecord {
  readonly header: Pick<RunHeader, 'run_id' | 'user' | 'definition_file'>
  readonly sink: EventSink
  /** The records of its sub-agents' runs. */
  readonly agents: AgentRecords
  /** Where it lies, and with it what people decided meanwhile; absent: in memory alone. */
  readonly store?: RunStore
  /** Where what stands for personal data is kept; absent: in memory alone. */
  readonly pii?: PiiPlace
}

export interface OpenDriveOptions {
  readonly slots: RunSlots
  /** Who drives the run, for the record of what was allowed with it. */
  readonly by: string
  readonly routes?: RouteBoard
  /** Answers instead of the providers. */
  readonly model?: ModelPort
}

/** A call that a person is to decide about. */
export interface AskedCall {
  readonly call: CallEntry
  /** Its arguments with real values in place of what stands for personal data. */
  readonly args: JsonObject
  /** Of the agent whose call it is. */
  readonly plan: Plan
  readonly state: RunState
  /** Takes the question back: the run is being paused, or has ended. */
  readonly signal: AbortSignal
  /** What has been decided about it elsewhere in the meantime. */
  readonly settled: () => PersonDecided | undefined
}

export interface DriveTurn extends Pick<DriveOptions, 'onEvent' | 'onText' | 'control'> {
  /** Asks a person; null, or a promise of it, when nobody here can answer now. */
  readonly ask?: (asked: AskedCall) => Promise<Fact | null> | null
}

/** Everything that a run needs of the world, opened for it. */
export interface OpenDrive {
  readonly redactor: Redactor
  /** Drives the run until it ends, is paused, or waits for a person. */
  drive(
    start: RunState,
    first: Fact,
    turn: DriveTurn,
  ): Promise<{ readonly state: RunState; readonly result: RunResult }>
  /** Sends what is left to tell the collectors; a warning when something did not arrive. */
  report(withinMs: number): Promise<RunWarning | undefined>
  close(): Promise<void>
}

/**
 * Opens the world for a run. Whoever drives one, the same holds for it: what must be audited is, what people decided
 * elsewhere counts, and no secret is in what comes out.
 * @param plans of every agent that may take part
 */
export async function openDrive(
  program: Program,
  plans: readonly Plan[],
  record: DrivenRecord,
  parts: Parts,
  { slots, by, routes, model }: OpenDriveOptions,
): Promise<OpenDrive> {
  const { plan } = program
  const { store, header } = record
  const ports = await openPorts(plans, parts, record.pii)
  const { redactor } = ports
  const { audit } = parts
  const sink = audit === undefined ? record.sink : audited(record.sink, plan, header, audit)
  const agents = audit === undefined ? record.agents : auditedRecords(record.agents, audit)
  const history = store === undefined ? undefined : (id: string) => store.events(id)
  const telemetry = await openTelemetry(program, parts, history)
  const allowed = parts.settings.allowed_calls ?? []
  const planOf = new Map([...program.family.values()].map((each) => [each.hash, each.plan]))
  const beforehand = { store, plans, allowed, by, standing: parts.standing }
  return {
    redactor,
    async drive(start, first, { ask, onEvent, onText, control }) {
      audit?.append(auditLeg(first, plans, header, parts.settings))
      const stream =
        onText === undefined ? undefined : redactStream(redactor, secretsOf(plans, parts), onText)
      const follow: NonNullable<DriveOptions['onEvent']> = (event, state) => {
        telemetry?.follow(event, state)
        onEvent?.(event, state)
      }
      const state = await drive(
        program,
        start,
        first,
        withAgents(
          program,
          {
            ...ports,
            ...(routes !== undefined && { routes }),
            ...(model !== undefined && { model }),
            sink,
            ask: (call, at, signal) => {
              const args = ports.pii?.reveal(call.args) ?? call.args
              // A record is opened by the plan that it was made with, so the plan is there.
              const own = planOf.get(at.plan_hash) ?? plan
              const settled = () => decidedBeforehand(call, at, args, own, beforehand)
              const known = settled()
              if (known !== undefined) return Promise.resolve(known)
              return ask?.({ call, args, plan: own, state: at, signal, settled }) ?? null
            },
          },
          agents,
          { slots, onEvent: follow },
        ),
        {
          onEvent: (event, at) => {
            stream?.flush()
            follow(event, at)
          },
          ...(stream !== undefined && { onText: (delta: string) => stream.push(delta) }),
          ...(control !== undefined && { control }),
        },
      )
      const result = redactor.json(resultOf(plan, state) as unknown as Json) as unknown as RunResult
      return { state, result }
    },
    async report(withinMs) {
      const warning = await telemetry?.close(withinMs)
      return warning === undefined ? undefined : { ...warning, message: redactor.text(warning.message) }
    },
    close: () => ports.close(),
  }
}

function secretsOf(plans: readonly Plan[], { env }: Parts): readonly string[] {
  return plans
    .flatMap((plan) => plan.secrets)
    .map((name) => env[name] ?? '')
    .filter((value) => value !== '')
}
