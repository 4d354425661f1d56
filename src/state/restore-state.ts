import { defined } from '../document/defined.ts'
import type { Program } from '../plan/plan.ts'
import type { FactOf } from '../run/event.ts'
import type { FirstFact } from '../run/record/records.ts'
import type { RestoredFrom, RestoredState } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { assertAgent, assertResumable, reportVersion } from './assert-restorable.ts'
import { closeReport } from './close-report.ts'
import { Fidelity, type FidelityReport } from './fidelity.ts'
import { PERSONAL_DATA } from './moved-personal-data.ts'
import { readWaybillMember } from './read-waybill-member.ts'
import { restoreMemory, type StoredMemory } from './restore-memory.ts'
import { isWithheld, type RestoreOptions } from './restore-options.ts'
import { conversationOf, messageFacts } from './restored-conversation.ts'
import { carriedState, foreignState } from './restored-run-state.ts'
import { reportSubagents, subagentDocument, withAgentCalls } from './subagent-documents.ts'
import type { WaybillMember } from './waybill-member.ts'

/** A run as it is stored: its first fact, and the facts of its first events. */
export interface RestoredRun {
  readonly runId: string
  readonly program: Program
  readonly first: FirstFact
  readonly facts: readonly (FactOf<'messages.restored'> | FactOf<'run.restored'>)[]
  /** How many events with messages come before these facts, and are stored already. */
  readonly stored: number
  /** Of a sub-agent's run: its caller. */
  readonly parent?: { readonly run_id: string; readonly call_id: string; readonly alias: string }
  /** Items for the memory of the home, each with the entry of the plan that it belongs to. */
  readonly memory: readonly StoredMemory[]
}

export interface RestoredFamily {
  /** The root first. */
  readonly runs: readonly RestoredRun[]
  readonly report: FidelityReport
}

/**
 * Returns the runs that continue an Agent State (AAIF §8.2): memory, conversation, position, pending calls. Pure: nothing
 * is stored. The caller has verified the checksum and validated the document.
 * @throws STATE_NOT_RESUMABLE for a run that has ended; STATE_OTHER_AGENT if the agent is another one
 */
export function restoreState(document: AgentState, options: RestoreOptions): RestoredFamily {
  const report = new Fidelity()
  const { carried = 0, lost = 0, why = '' } = options.values ?? {}
  if (carried > 0) report.carried(PERSONAL_DATA, valuesText(carried))
  if (lost > 0) report.leftBehind(PERSONAL_DATA, `${valuesText(lost)}: ${why}`)
  return { runs: restoreOne(document, options, report, ''), report: report.report() }
}

function valuesText(count: number): string {
  return count === 1 ? '1 value' : `${count} values`
}

function restoreOne(
  given: AgentState,
  options: RestoreOptions,
  fidelity: Fidelity,
  below: string,
  parent?: RestoredRun['parent'],
): readonly RestoredRun[] {
  const { program, by, fork, runId } = options
  const { plan } = program
  assertAgent(given, plan)
  // A sub-agent that has ended is restored as well: its caller has not taken its answer yet.
  if (parent === undefined) assertResumable(given)
  const report = below === '' ? fidelity : fidelity.below(below)
  reportVersion(given, plan, report)
  const read = readWaybillMember(given)
  const { member } = read
  const document = member === undefined ? withAgentCalls(given, options) : given
  if (read.member === undefined && read.problem !== undefined)
    report.leftBehind('x-waybill', `${read.problem}: the run continues at the boundary of its turn`)
  const state =
    member === undefined
      ? foreignState(document, options, report)
      : carriedState(document, member, options, report)
  const { held, stored } = restoreMemory(document, member, options, report)
  const { kept, cut, stored: before } = conversationOf(document, member, options, report)
  if (member === undefined) reportSubagents(document, state.calls, options, report)
  reportStatus(document, state, report)
  closeReport(given, member, report)
  const children = restoreChildren(document, state, member, options, fidelity, below)
  const from: RestoredFrom = {
    state_id: document.state_id,
    checkpoint_at: document.checkpoint_at,
    ...defined({
      run_id: document.run_id,
      seq: member?.seq,
      source_platform: document.provenance?.source_platform,
    }),
    ...(fork && { fork: true as const }),
  }
  const restored: RestoredState = {
    ...state,
    memory: held,
    ...(cut > 0 && afterCut(state, cut)),
    ...(isWithheld(options) && { withheld: true as const }),
  }
  const run: RestoredRun = {
    runId,
    program,
    first: {
      type: 'run.started',
      input: restored.input,
      ...(Object.keys(restored.limits).length > 0 && { limits: restored.limits }),
      ...(restored.depth > 0 && { depth: restored.depth }),
      ...(restored.named.length > 0 && { named: restored.named }),
      ...(restored.triggered && { triggered: true as const }),
      ...defined({ withheld: restored.withheld }),
    },
    facts: [
      ...messageFacts(kept),
      { type: 'run.restored', by, from, state: restored, ...(parent === undefined && evidence(member)) },
    ],
    stored: before,
    ...defined({ parent }),
    memory: stored,
  }
  return [run, ...children]
}

/** A paused run stays paused until a person or a program resumes it; others continue. */
function reportStatus({ status }: AgentState, state: RestoredState, report: Fidelity): void {
  if (status === 'awaiting_approval' && state.status !== 'waiting')
    report.approximated('status', 'nothing waits for a person any more')
  else report.kept('status')
}

/** The receipts of all runs of the family are kept by its root. */
function evidence(member: WaybillMember | undefined): Pick<FactOf<'run.restored'>, 'receipts'> {
  return defined({ receipts: member?.receipts })
}

/** Restores the runs of sub-agents that had not ended; one whose state is missing starts from the beginning. */
function restoreChildren(
  state: AgentState,
  { calls }: RestoredState,
  member: WaybillMember | undefined,
  options: RestoreOptions,
  fidelity: Fidelity,
  below: string,
): readonly RestoredRun[] {
  const { program, runId, origin } = options
  return calls.flatMap((call): readonly RestoredRun[] => {
    const { agent } = call
    if (agent === undefined || call.status === 'done') return []
    const before = member?.run.calls.find(({ key }) => key === call.key)?.agent
    const nested = before && member?.documents?.find(({ run_id }) => run_id === before.run_id)
    const document = nested ?? subagentDocument(state, agent.alias, options)
    const own = program.family.get(agent.definition)
    if (document === undefined && member !== undefined)
      reportMissing(state, agent.alias, fidelity.below(below))
    if (document === undefined || own === undefined) return []
    const child = before === undefined ? undefined : origin?.child(before.run_id)
    const { origin: _origin, conversation: _conversation, resumes: _resumes, ...rest } = options
    return restoreOne(
      document,
      { ...rest, program: own, runId: agent.run_id, ...defined({ origin: child }) },
      fidelity,
      `${below}${agent.alias}: `,
      { run_id: runId, call_id: call.id, alias: agent.alias },
    )
  })
}

/** A sub-agent had begun if it has a state of its own. */
function reportMissing({ subagent_states = [] }: AgentState, alias: string, report: Fidelity): void {
  const { state_id } = subagent_states.find((one) => one.alias === alias) ?? {}
  if (state_id !== undefined)
    report.leftBehind(
      `subagent_states ${alias}`,
      `its work is in the state ${state_id}, which did not come with this one`,
    )
}

/** Counts that name positions in the conversation. */
function afterCut({ turn_start }: RestoredState, cut: number): Partial<RestoredState> {
  return {
    turn_start: { ...turn_start, messages: Math.max(0, turn_start.messages - cut) },
    counted: null,
  }
}
