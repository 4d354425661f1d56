import { defined } from '../document/defined.ts'
import { ownMember } from '../document/own-member.ts'
import type { Plan } from '../plan/plan.ts'
import { holdsWithheld } from '../policy/pii/placeholder.ts'
import { breachOfToolCall } from '../run/decide/gate-call.ts'
import { initialState } from '../run/initial-state.ts'
import { restoredMembers } from '../run/restored.ts'
import type { CallEntry, RestoredState, RunLimits, RunState } from '../run/state.ts'
import { asksPerson } from '../run/unsettled.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'
import { foreignCalls, type RestoredCallOptions, restoreCall } from './restore-calls.ts'
import { isWithheld, type RestoreOptions } from './restore-options.ts'
import { stageByName } from './restore-position.ts'
import { topologyCalls } from './subagent-documents.ts'
import type { WaybillMember } from './waybill-member.ts'

/** Returns the state of a run that Waybill captured. */
export function carriedState(
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
    status: continuedStatus(calls, status, options),
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
    const { called = 1, succeeded = 0 } = ownMember(tally, tool) ?? {}
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

/** Returns the status of a run that no process drives yet: as it was captured, unless it is decided otherwise. */
function continuedStatus(
  calls: readonly CallEntry[],
  before: RunState['status'],
  { resumes }: Pick<RestoreOptions, 'resumes'>,
): RunState['status'] {
  if (!(resumes ?? before !== 'paused')) return 'paused'
  return statusAfter(calls, before === 'paused' ? 'running' : before)
}

function statusAfter(calls: readonly CallEntry[], before: RunState['status']): RunState['status'] {
  const active = calls.some(({ status }) => status === 'sent' || status === 'judging')
  if (!active && calls.some((call) => asksPerson(call) || call.status === 'held')) return 'waiting'
  // What it waited for was closed, because it is not available here: the run continues with the error.
  return before === 'waiting' ? 'running' : before
}

/** Returns the status of a run of another platform. A question that a person must answer is asked, also while it is paused. */
function foreignStatus(
  { status }: AgentState,
  calls: readonly CallEntry[],
  { resumes }: Pick<RestoreOptions, 'resumes'>,
): RunState['status'] {
  if (resumes !== undefined || status !== 'paused')
    return continuedStatus(calls, 'running', defined({ resumes }))
  return statusAfter(calls, 'paused')
}

/** Returns the state of a run that another platform captured: it continues at the boundary of its turn. */
export function foreignState(document: AgentState, options: RestoreOptions, report: Fidelity): RestoredState {
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
  const topology = topologyCalls(document, { ...base, stage }, options)
  const calls = pending.length > 0 ? pending : topology.calls
  return {
    ...restoredMembers(base),
    stage: topology.stage,
    calls,
    status: foreignStatus(document, calls, options),
  }
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
