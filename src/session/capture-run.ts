import { v4 as uuidv4 } from 'uuid'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import { ownMember } from '../document/own-member.ts'
import type { Plan } from '../plan/plan.ts'
import { removePii } from '../policy/pii/remove-pii.ts'
import { usableMemory } from '../run/kept-items.ts'
import { markCopied } from '../run/record/mark-copied.ts'
import { replayRefused } from '../run/record/record-errors.ts'
import type { Records, StoredRun } from '../run/record/records.ts'
import { foldRun } from '../run/record/run-summary.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { CapturedMessages } from '../state/capture-messages.ts'
import {
  type CapturedChild,
  type CaptureOptions,
  captureState,
  type StoredItem,
} from '../state/capture-state.ts'
import { Fidelity, type FidelityReport } from '../state/fidelity.ts'
import type { RecordedWrites } from '../state/recorded-writes.ts'
import { type ReceiptHost, type ReceiptsOptions, receiptsOfRun } from './receipts-of-run.ts'

export interface CaptureRunOptions extends Omit<CaptureOptions, 'stateId' | 'receipts'> {
  /** Capture the run as it was after this event; absent: after its last one. */
  readonly seq?: number
  /** The host that signs the receipts of the run, and where the run continues. Absent: the state carries none. */
  readonly host?: ReceiptHost & Pick<ReceiptsOptions, 'to'>
  /** The run as it is now, without the texts of its conversation, which is sent apart. */
  readonly outlined?: OutlinedRun
}

export interface OutlinedRun {
  readonly run: StoredRun
  readonly messages: CapturedMessages
  /** What its record says about its writes. */
  readonly recorded: RecordedWrites
}

export interface Capture {
  readonly document: AgentState
  /** What the capture could not take along. */
  readonly report: FidelityReport
}

/**
 * Captures a run and the runs of its sub-agents as Agent States (AAIF §8.1). Reads the record only: a run that a process
 * drives is captured at its last event.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED; EVENT_NOT_FOUND if the run has no such event; REPLAY_REFUSED
 */
export async function captureRun(
  records: Pick<Records, 'runs' | 'memory'>,
  runId: string,
  options: CaptureRunOptions,
): Promise<Capture> {
  const { header } = await records.runs.listed(runId)
  if (header?.replay !== undefined) throw replayRefused(runId, header.replay.run_id)
  const report = new Fidelity()
  const document = await captureOne(records, runId, options, report, Number.POSITIVE_INFINITY)
  return { document, report: report.report() }
}

/** @param until later events are left out: milliseconds since the epoch */
async function captureOne(
  records: Pick<Records, 'runs' | 'memory'>,
  runId: string,
  { seq, host, outlined, ...options }: CaptureRunOptions,
  report: Fidelity,
  until: number,
): Promise<AgentState> {
  const run = outlined?.run ?? (await records.runs.read(runId))
  const recorded = await stateAt(records, run, seq, until)
  const plans = [run.plan, ...run.family]
  const children = new Map<string, CapturedChild>()
  // Without an earlier event, sub-agents are captured as they are now.
  const isNow = seq === undefined && until === Number.POSITIVE_INFINITY
  // The mark of a copy that no drive has taken in yet is beside the record, and must travel with the state.
  const copied = isNow ? await records.runs.copied?.(runId) : undefined
  const state = copied === undefined ? recorded : markCopied(run.plan, recorded, copied)
  const then = isNow ? until : state.at
  for (const { agent, status } of state.calls) {
    if (agent === undefined || status === 'done' || status === 'queued') continue
    if (!(await records.runs.has(agent.run_id))) continue
    const document = await captureOne(records, agent.run_id, options, report.below(`${agent.alias}: `), then)
    children.set(agent.run_id, { document })
  }
  for (const { run_id, status } of state.agents.toArray()) {
    if (status !== 'completed' || children.has(run_id) || !(await records.runs.has(run_id))) continue
    const { state: ended } = await records.runs.read(run_id)
    children.set(run_id, defined({ output: ended.end?.output as Json | undefined }))
  }
  const { at, migrating } = options
  const receipts =
    host === undefined
      ? undefined
      : await receiptsOfRun(records, runId, host, {
          at,
          seq: state.seq,
          until: then,
          ...(migrating === true && { status: 'migrating' as const }),
          ...defined({ to: host.to, recorded: outlined?.recorded }),
        })
  return captureState(
    {
      state,
      plan: run.plan,
      ...defined({
        user: run.header.user,
        session: run.header.session,
        messages: outlined?.messages,
      }),
      family: new Map(plans.map((plan) => [plan.definition_hash, plan])),
      children,
      memory: await storedItems(records, run, options.at, report),
    },
    { ...options, stateId: uuidv4(), ...defined({ receipts }) },
  )
}

async function stateAt(
  { runs }: Pick<Records, 'runs'>,
  { header, state }: StoredRun,
  seq: number | undefined,
  until: number,
) {
  if (seq === undefined && until === Number.POSITIVE_INFINITY) return state
  if (seq !== undefined && seq > state.seq) throw eventNotFound(header.run_id, seq, state.seq)
  const events = await runs.events(header.run_id)
  return foldRun(
    header,
    events.filter((event) => (seq === undefined ? event.at <= until : event.seq <= seq)),
  )
}

function eventNotFound(runId: string, seq: number, last: number): WaybillError {
  return new WaybillError('EVENT_NOT_FOUND', {
    fault: 'usage',
    message: `run ${runId} has ${last} events, so there is no event ${seq}`,
    hint: `\`waybill runs events ${runId}\` shows them`,
  })
}

/** Returns the items in scope that the home keeps, without personal data as the plan says (AAIF §12). */
async function storedItems(
  { memory }: Pick<Records, 'memory'>,
  { header, plan }: StoredRun,
  at: number,
  report: Fidelity,
): Promise<readonly StoredItem[]> {
  const found = new Map<string, StoredItem>()
  const clean = removePii(plan.pii)
  // All entries of a scope that one backend keeps have the same items.
  const places = new Map(usableMemory(plan).map((entry) => [`${entry.scope} ${entry.kept_in}`, entry]))
  for (const { scope, kept_in, user = '', session = '' } of places.values()) {
    if (kept_in === 'in_memory') continue
    if (kept_in !== 'sqlite') {
      report.leftBehind('memory_snapshot', `the items in ${kept_in}: an extension keeps them`)
      continue
    }
    const owner = {
      definition: identityOf(plan, header.definitions),
      agent_id: plan.agent_id,
      scope,
      user,
      session,
    }
    for (const item of await memory.items(owner, at)) {
      if (item.expires_at !== null && item.expires_at <= at) continue
      found.set(`${item.scope}/${item.key}`, {
        ...item,
        key: clean(item.key),
        content: clean(item.content),
        backend: kept_in,
      })
    }
  }
  return [...found.values()]
}

/** Returns the identity of a definition, which its memory belongs to. */
export function identityOf(
  { definition_hash }: Pick<Plan, 'definition_hash'>,
  definitions: Readonly<Record<string, string>> = {},
): string {
  return ownMember(definitions, definition_hash) ?? `sha256:${definition_hash}`
}
