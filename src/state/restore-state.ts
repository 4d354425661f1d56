import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { holdsWithheld } from '../policy/pii/placeholder.ts'
import { breachOfToolCall } from '../run/decide/gate-call.ts'
import type { FactOf } from '../run/event.ts'
import { initialState } from '../run/initial-state.ts'
import type { FirstFact } from '../run/record/records.ts'
import { restoredMembers } from '../run/restored.ts'
import type {
  CallEntry,
  Message,
  OriginCall,
  RestoredFrom,
  RestoredState,
  RunLimits,
  RunState,
} from '../run/state.ts'
import { asksPerson } from '../run/unsettled.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { ArrivedConversation } from './arriving-conversation.ts'
import { Fidelity, type FidelityReport } from './fidelity.ts'
import { largestWindow, messagesThatFit, reservedTokens } from './fit-window.ts'
import { MessageParts } from './message-parts.ts'
import { PERSONAL_DATA } from './moved-personal-data.ts'
import { readWaybillMember } from './read-waybill-member.ts'
import { foreignCalls, type OriginAnswer, type RestoredCallOptions, restoreCall } from './restore-calls.ts'
import { restoreMemory, type StoredMemory } from './restore-memory.ts'
import { carriedMessages, foreignMessages, type RestoredMessages } from './restore-messages.ts'
import { stageByName, stepCalls } from './restore-position.ts'
import type { SentOutline } from './sent-outline.ts'
import type { WaybillMember } from './waybill-member.ts'

export interface RestoreOptions {
  readonly program: Program
  /** The run that continues the captured one. */
  readonly runId: string
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Who restores it. */
  readonly by: string
  /** No migration token proves that the captured run has stopped. */
  readonly fork: boolean
  /** The state was captured from a record of this home, and not read from a file. */
  readonly trusted: boolean
  /** The user and the session of the run that continues. */
  readonly user?: string
  readonly session?: string
  /** What the record of the captured run says, if it is here. */
  readonly origin?: Origin
  /** What has become of the values of personal data that the state names; absent: it names none that are not here. */
  readonly values?: RestoredValues
  /** The conversation of the run, if it is not in the document; an outline: nothing is stored. */
  readonly conversation?: ArrivedConversation | SentOutline
}

export interface RestoredValues {
  /** Values that the run can use. */
  readonly carried: number
  /** Names that were replaced by texts such as `[email withheld]`. */
  readonly lost: number
  /** Why they were. */
  readonly why: string
  /** Replaces placeholders by the real values; null: a dry run, which has moved only the names of these values. */
  readonly reveal: (args: JsonObject) => JsonObject | null
}

/** The record of a captured run after the capture. */
export interface Origin {
  answer(key: string): OriginAnswer | undefined
  /** The writes that were sent after the capture, by this run and by its sub-agents. */
  readonly sentLater: readonly OriginCall[]
  /** Of a sub-agent's run that was open at the capture. */
  child(runId: string): Origin | undefined
}

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
  document: AgentState,
  options: RestoreOptions,
  fidelity: Fidelity,
  below: string,
  parent?: RestoredRun['parent'],
): readonly RestoredRun[] {
  const { program, by, fork, runId } = options
  const { plan } = program
  assertAgent(document, plan)
  // A sub-agent that has ended is restored as well: its caller has not taken its answer yet.
  if (parent === undefined) assertResumable(document)
  const report = below === '' ? fidelity : fidelity.below(below)
  reportVersion(document, plan, report)
  const read = readWaybillMember(document)
  const { member } = read
  if (read.member === undefined && read.problem !== undefined)
    report.leftBehind('x-waybill', `${read.problem}: the run continues at the boundary of its turn`)
  const state =
    member === undefined
      ? foreignState(document, options, report)
      : carriedState(document, member, options, report)
  const { held, stored } = restoreMemory(document, member, options, report)
  const { kept, cut, stored: before } = conversationOf(document, member, options, report)
  const children = member === undefined ? [] : restoreChildren(state, member, options, fidelity, below)
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

/** The receipts of all runs of the family are kept by its root. */
function evidence(member: WaybillMember | undefined): Pick<FactOf<'run.restored'>, 'receipts'> {
  return defined({ receipts: member?.receipts })
}

function isWithheld({ values }: Pick<RestoreOptions, 'values'>): boolean {
  return (values?.lost ?? 0) > 0
}

function assertResumable({ status, error }: AgentState): void {
  if (status !== 'completed' && status !== 'failed') return
  const why = error?.message === undefined ? '' : `: ${error.code ?? 'error'} ${error.message}`
  throw new WaybillError('STATE_NOT_RESUMABLE', {
    at: '/status',
    message: `the run of this state has ${status}, so there is nothing to continue${why}`,
    hint: 'restore an earlier state of the run, or start a new run',
    rule: 'AAIF-8.2-06',
  })
}

function assertAgent({ agent_id }: AgentState, plan: Plan): void {
  if (agent_id === plan.agent_id) return
  throw new WaybillError('STATE_OTHER_AGENT', {
    at: '/agent_id',
    message: `the state is of agent ${agent_id}, and the definition is of agent ${plan.agent_id} (${plan.agent_name})`,
    hint: 'name the definition of the captured agent with --agent',
    rule: 'AAIF-8.2-04',
  })
}

/** Another version may have other tools, limits and texts: it is reported before anything continues. */
function reportVersion({ agent_version }: AgentState, plan: Plan, report: Fidelity): void {
  if (agent_version === plan.agent_version) return
  const [before, now] = [agent_version ?? 'none', plan.agent_version ?? 'none']
  report.approximated(
    'agent_version',
    `captured with version ${before}, continued with ${now}${meaning(before, now)}`,
  )
}

function meaning(before: string, now: string): string {
  const [a, b] = [before, now].map((version) => /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number))
  if (a === undefined || b === undefined) return ''
  if (a[0] !== b[0]) return ': another major version, which may behave differently'
  return a[1] === b[1] ? ': corrections only' : ': a compatible change of behaviour'
}

/** Returns the state of a run that Waybill captured. */
function carriedState(
  document: AgentState,
  member: WaybillMember,
  options: RestoreOptions,
  report: Fidelity,
): RestoredState {
  const { program, at, fork, runId, origin } = options
  const { plan } = program
  const { run } = member
  const withheld = run.withheld === true || isWithheld(options)
  const samePlan = member.plan_hash === program.hash
  const sameDefinition = member.definition_hash === plan.definition_hash
  const routes = routeMap(member, plan)
  const captured = Date.parse(document.checkpoint_at)
  const shift = Number.isNaN(captured) ? 0 : at - captured
  const callOptions: RestoredCallOptions = {
    program,
    runId,
    fork,
    trusted: options.trusted && samePlan,
    breach: breachWith(options, run.tally, withheld),
    at,
    ...(withheld && { withheld }),
    report,
    ...(origin !== undefined && { origin: (key: string) => origin.answer(key) }),
  }
  const calls = run.calls.map((call) => shifted(restoreCall(call, callOptions), shift))
  const attempt = restoreAttempt(run.attempt, routes)
  if (run.attempt !== null && attempt === null)
    report.approximated('attempt', 'its model is not available here: another model is asked')
  if (!sameDefinition) report.approximated('x-waybill.run', 'the definition has changed since the capture')
  const stage = sameDefinition ? run.stage : stageByName(document, run.stage, program, report)
  report.kept('iteration')
  report.kept('variables')
  report.carried('x-waybill.run', 'ledger, budgets, deadline, question to the model')
  const { choice, review, status, ...members } = run
  return {
    ...members,
    status: status === 'paused' ? status : statusAfter(calls, status),
    iteration: document.iteration ?? 0,
    variables: document.variables ?? {},
    memory: [],
    deadline_at: member.deadline_in_ms === null ? null : at + member.deadline_in_ms,
    calls,
    attempt,
    stage,
    limits: shiftedLimits(run.limits, shift),
    handed_off: sameDefinition ? run.handed_off : [],
    ...(choice !== undefined && { choice }),
    // Calls that were being judged are judged, or asked about, by the plan of this run.
    review: calls.some((call) => call.status === 'judging')
      ? review
      : review?.subject === 'answer'
        ? review
        : null,
    down: Object.fromEntries(
      Object.entries(run.down).flatMap(([route, until]) => {
        const here = routes(Number(route))
        return here === null ? [] : [[here, until]]
      }),
    ),
    answered_by: run.answered_by === null ? null : routes(run.answered_by),
    sent_by_origin: [...run.sent_by_origin, ...(origin?.sentLater ?? [])],
  }
}

/** Returns a check of a call that this platform has not judged: its schema, and the rules of the agent. */
function breachWith(
  { program, at, values }: RestoreOptions,
  tally: RunState['tally'],
  withheld: boolean,
): (call: CallEntry) => string | null {
  // The call itself was counted when it was made.
  const stateFor = (tool: string): RunState => {
    const { called = 1, succeeded = 0 } = tally[tool] ?? {}
    const initial = initialState('', program.plan.agent_id, program.hash)
    return { ...initial, tally: { ...tally, [tool]: { called: called - 1, succeeded } } }
  }
  return (call) => {
    // A person gives values that were left behind.
    const isUnknown = withheld && holdsWithheld(call.args)
    const real = isUnknown ? null : values === undefined ? call.args : values.reveal(call.args)
    const mismatch = real === null ? null : (program.checkArguments.get(call.tool)?.(real) ?? null)
    if (mismatch !== null) return `the arguments do not match the schema of ${call.tool}: ${mismatch}`
    return breachOfToolCall(program, stateFor(call.tool), call, [], at)?.why ?? null
  }
}

/** Returns the status of a run that no process drives yet. */
function statusAfter(calls: readonly CallEntry[], before: RunState['status']): RunState['status'] {
  const active = calls.some(({ status }) => status === 'sent' || status === 'judging')
  return !active && calls.some((call) => asksPerson(call) || call.status === 'held') ? 'waiting' : before
}

/** Returns the state of a run that another platform captured: it continues at the boundary of its turn. */
function foreignState(document: AgentState, options: RestoreOptions, report: Fidelity): RestoredState {
  const { program, at, runId } = options
  const { plan } = program
  const { iteration = 0, conversation = [], variables = {} } = document
  const initial = initialState(runId, plan.agent_id, program.hash)
  const inputs = conversation.filter(({ role }) => role === 'user')
  const input = inputs.at(-1)?.content ?? ''
  const base: RunState = {
    ...initial,
    status: 'paused',
    turn: Math.max(1, inputs.length),
    iteration,
    started_at: at,
    input,
    deadline_at: plan.limits.timeout_ms === undefined ? null : at + plan.limits.timeout_ms,
    start_hook_turn: Math.max(1, inputs.length),
    variables,
  }
  report.kept('iteration')
  if (Object.keys(variables).length > 0) report.kept('variables')
  report.approximated('x-waybill', 'the state has none: the run continues at the boundary of its turn')
  const stage = stageByName(document, null, program, report)
  const withheld = isWithheld(options)
  const callOptions = {
    program,
    runId,
    fork: true,
    trusted: false,
    breach: breachWith(options, {}, withheld),
    at,
    ...(withheld && { withheld }),
    report,
  }
  const pending = foreignCalls(document, base, callOptions)
  const calls = pending.length > 0 ? pending : stepCalls(document, { ...base, stage }, program)
  return { ...restoredMembers(base), stage, calls, status: statusAfter(calls, 'paused') }
}

/** Returns a function from a route of the captured plan to the same model here; null if it is not available. */
function routeMap({ routes }: WaybillMember, plan: Plan): (route: number) => number | null {
  const here = (route: number): number => {
    const model = routes[route]
    return plan.models.findIndex(
      (one) =>
        one.eligible && one.model === model?.model && (one.provider_id ?? one.provider) === model.provider,
    )
  }
  return (route) => {
    const found = here(route)
    return found < 0 ? null : found
  }
}

function restoreAttempt(
  attempt: RunState['attempt'],
  routes: (route: number) => number | null,
): RunState['attempt'] {
  const route = attempt === null ? null : routes(attempt.route)
  if (attempt === null || route === null) return null
  const { failed, skipped, ...members } = attempt
  const mapped = <T extends { readonly route: number }>(list: readonly T[]): readonly T[] =>
    list.flatMap((one) => {
      const found = routes(one.route)
      return found === null ? [] : [{ ...one, route: found }]
    })
  return {
    ...members,
    route,
    failed: mapped(failed),
    ...(skipped !== undefined && { skipped: mapped(skipped) }),
  }
}

function shiftedLimits(limits: RunLimits, shift: number): RunLimits {
  return limits.deadline_at === undefined ? limits : { ...limits, deadline_at: limits.deadline_at + shift }
}

function shifted(call: CallEntry, shift: number): CallEntry {
  const { agent } = call
  return agent === undefined
    ? call
    : { ...call, agent: { ...agent, limits: shiftedLimits(agent.limits, shift) } }
}

function conversationOf(
  document: AgentState,
  member: WaybillMember | undefined,
  { program, at, conversation }: RestoreOptions,
  report: Fidelity,
): ArrivedConversation {
  const arrived =
    conversation !== undefined && 'roles' in conversation
      ? outlined(conversation, program)
      : (conversation ??
        (member === undefined
          ? fitted(foreignMessages(document, at, report), program)
          : fitted(carriedMessages(document, member.messages, at), program)))
  const { cut, length } = arrived
  if (cut > 0)
    report.approximated(
      'conversation',
      `the oldest ${cut} of ${length} messages do not fit the context window of ${largestWindow(program)} tokens`,
    )
  else if (length > 0) report.kept('conversation', `${length} messages`)
  return arrived
}

/** Returns what would be kept of a conversation of which only the outline is known. */
function outlined({ roles, tokens }: SentOutline, program: Program): ArrivedConversation {
  const messages = [...roles].map((letter) => OUTLINED[letter as keyof typeof OUTLINED])
  return fitted({ messages, times: [] }, program, tokens)
}

const OUTLINED = {
  u: { role: 'user', text: '' },
  a: { role: 'assistant', text: '', calls: [] },
  t: { role: 'tool', call_id: '', tool: '', result: null },
} as const satisfies Readonly<Record<string, Message>>

function fitted(all: RestoredMessages, program: Program, tokens?: readonly number[]): ArrivedConversation {
  const { messages, times } = all
  const window = largestWindow(program)
  const length = messages.length
  const kept =
    window === undefined ? undefined : messagesThatFit(messages, window, reservedTokens(program), tokens)
  if (kept === undefined) return { length, cut: 0, stored: 0, kept: all }
  return {
    length,
    cut: length - kept.length,
    stored: 0,
    kept: {
      messages: kept.flatMap((index) => messages[index] ?? []),
      times: kept.flatMap((index) => times[index] ?? []),
    },
  }
}

/** Counts that name positions in the conversation. */
function afterCut({ turn_start }: RestoredState, cut: number): Partial<RestoredState> {
  return {
    turn_start: { ...turn_start, messages: Math.max(0, turn_start.messages - cut) },
    counted: null,
  }
}

function messageFacts({ messages, times }: RestoredMessages): readonly FactOf<'messages.restored'>[] {
  const facts: FactOf<'messages.restored'>[] = []
  const parts = new MessageParts()
  const add = (part: RestoredMessages | undefined) => {
    if (part !== undefined && part.messages.length > 0) facts.push({ type: 'messages.restored', ...part })
  }
  for (const [index, message] of messages.entries()) add(parts.add(message, times[index] ?? 0))
  add(parts.take())
  return facts
}

/** Restores the runs of sub-agents that had not ended; one whose state is missing starts from the beginning. */
function restoreChildren(
  { calls }: RestoredState,
  member: WaybillMember,
  options: RestoreOptions,
  fidelity: Fidelity,
  below: string,
): readonly RestoredRun[] {
  const { program, runId, origin } = options
  return calls.flatMap((call): readonly RestoredRun[] => {
    const { agent } = call
    if (agent === undefined || call.status === 'done') return []
    const before = member.run.calls.find(({ key }) => key === call.key)?.agent
    const document = member.documents?.find(({ run_id }) => run_id === before?.run_id)
    const own = program.family.get(agent.definition)
    if (document === undefined || own === undefined) return []
    const child = before === undefined ? undefined : origin?.child(before.run_id)
    const { origin: _origin, conversation: _conversation, ...rest } = options
    return restoreOne(
      document,
      { ...rest, program: own, runId: agent.run_id, ...defined({ origin: child }) },
      fidelity,
      `${below}${agent.alias}: `,
      { run_id: runId, call_id: call.id, alias: agent.alias },
    )
  })
}
