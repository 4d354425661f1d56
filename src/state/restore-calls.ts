import type { PlannedTool, Program } from '../plan/plan.ts'
import { holdsWithheld } from '../policy/pii/placeholder.ts'
import { callSubagent, subagentNamed } from '../run/decide/agent-call.ts'
import { agentRunId } from '../run/decide/agent-run-id.ts'
import { WITHHELD } from '../run/decide/lacks-values.ts'
import { effectOf } from '../run/decide/open-round.ts'
import { initialState } from '../run/initial-state.ts'
import type { CallEffect, CallEntry } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'
import { foreignPending, type OpenQuestion } from './open-question.ts'

/** What the record of the captured run says about a call after the capture. */
export interface OriginAnswer {
  /** The call was sent, before or after the capture. */
  readonly sent: boolean
  readonly result?: CallEntry['result']
  readonly error?: true
}

export interface RestoredCallOptions {
  readonly program: Program
  /** The new run. */
  readonly runId: string
  /** Nothing proves that the captured run does not continue: each of its writes may be sent there. */
  readonly fork: boolean
  /** The state comes from a record of this home, and has the plan of the captured run: its calls have passed the gates. */
  readonly trusted: boolean
  /** Returns why a call breaks the schema of its tool or a rule of the agent; null if it breaks none. */
  readonly breach: (call: CallEntry) => string | null
  readonly at: number
  /** Values of personal data were left behind. */
  readonly withheld?: boolean
  /** By the key of a call; absent: the record of the captured run is not here. */
  readonly origin?: (key: string) => OriginAnswer | undefined
  readonly report: Fidelity
}

const RANK: Readonly<Record<CallEffect, number>> = { none: 0, idempotent: 1, once: 2 }

/**
 * Returns a pending call as the restored run continues it (AAIF §8.1): sent again only if that is safe by the ledger and by
 * the plan of this run; else a person decides, or it is closed as failed.
 */
export function restoreCall(call: CallEntry, options: RestoredCallOptions): CallEntry {
  if (call.status === 'done') return call
  if (call.agent !== undefined) return restoreAgentCall(call, call.agent, options)
  const { program, fork, trusted, origin, report } = options
  const part = `pending_tool_calls ${call.id}`
  const tool = program.tool.get(call.tool)
  if (tool === undefined || tool.gate === 'deny') return notHere(call, part, report)
  const breach = trusted ? null : options.breach(call)
  if (breach !== null) {
    report.leftBehind(part, breach)
    return closed(call, `the call was not sent: ${breach}`)
  }
  const effect = stricter(call.effect, effectOf(tool))
  const known = { ...call, effect }
  const answer = effect === 'none' ? undefined : origin?.(call.key)
  if (answer?.result !== undefined) {
    report.kept(part, 'answered by the run of origin: its recorded answer is used')
    const { result, error } = answer
    return { ...known, status: 'done', result, by_origin: true, ...(error === true && { error }) }
  }
  if (effect === 'once') {
    // Without a fork, resuming the run asks about the calls that were in flight.
    const unsure = isPossiblySent(known) && (fork || !trusted)
    if (unsure || (fork && answer?.sent !== false)) {
      report.approximated(part, 'it may have been sent: a person decides')
      return { ...known, status: 'unknown', ...(fork && { why: FORKED }) }
    }
  }
  if (trusted) {
    report.kept(part)
    return fork && (known.status === 'asking' || known.status === 'input_required')
      ? { ...known, asked_at: options.at }
      : known
  }
  if (options.withheld === true && holdsWithheld(call.args) && known.status !== 'unknown') {
    report.approximated(part, 'a person is asked, because values in it were left behind')
    return { ...known, status: 'asking', asked_at: options.at, why: WITHHELD }
  }
  return gatedAgain(known, tool, part, options)
}

const FORKED = 'the run that this one was forked from may have sent this call'

/** A call passes the gates of this platform, and never fewer than it had passed. */
function gatedAgain(
  call: CallEntry,
  tool: PlannedTool,
  part: string,
  { at, report }: RestoredCallOptions,
): CallEntry {
  if (call.status === 'asking' || call.status === 'unknown') {
    report.kept(part)
    return call
  }
  if (call.status === 'input_required') return askedByServer(call, tool, part, at, report)
  if (tool.gate === 'ask' || (call.status !== 'sent' && call.effect !== 'none')) {
    report.approximated(part, 'this platform asks a person before it is sent')
    return { ...call, status: 'asking', asked_at: at, why: 'the run was moved before this call was sent' }
  }
  report.kept(part, 'it is sent again')
  return { ...call, status: 'sent' }
}

/** What the server has asked is asked again here; a server that has lost the call repeats its question. */
function askedByServer(
  { elicitation, ...call }: CallEntry,
  { gate }: PlannedTool,
  part: string,
  at: number,
  report: Fidelity,
): CallEntry {
  if (gate === 'ask' || elicitation === undefined) {
    report.approximated(part, 'this platform asks a person before it is made, and its server asks again')
    return { ...call, status: 'asking', asked_at: at, why: 'the run was moved before this call was made' }
  }
  report.kept(part, 'what its server has asked is put to a person here')
  return { ...call, elicitation, status: 'input_required', asked_at: at }
}

function restoreAgentCall(
  call: CallEntry,
  agent: NonNullable<CallEntry['agent']>,
  { program, runId, report }: RestoredCallOptions,
): CallEntry {
  const part = `subagent_states ${agent.alias}`
  const same = program.family.has(agent.definition)
  const definition = same ? agent.definition : program.subagent.get(agent.alias)?.agent
  if (definition === undefined || !program.family.has(definition)) {
    report.leftBehind(part, 'its definition was not found here')
    return closed(
      call,
      `the sub-agent ${agent.alias} is not available on the platform that continues this run`,
    )
  }
  if (!same) report.approximated(part, 'it has another definition here')
  const run_id = call.key.startsWith(`${runId}:`) ? agent.run_id : agentRunId(runId, call.key)
  return { ...call, agent: { ...agent, definition, run_id } }
}

/**
 * Returns the pending calls of a state that another platform captured. It does not say what a call may do, so the plan of
 * this platform does; and it does not say whether a write was sent, so a person does.
 */
export function foreignCalls(
  document: AgentState,
  { turn, iteration }: { readonly turn: number; readonly iteration: number },
  options: RestoredCallOptions,
): readonly CallEntry[] {
  return foreignPending(document).map(({ id, tool_name, arguments: args, status, question }) => {
    const tool = options.program.tool.get(tool_name)
    const call: CallEntry = {
      id,
      tool: tool_name,
      args,
      key: `${options.runId}:${turn}.${iteration}:${id}`,
      effect: tool === undefined ? 'once' : effectOf(tool),
      status: status === 'pending' ? 'queued' : 'sent',
    }
    const delegated = question === undefined && delegatedCall(call, options, { turn, iteration })
    if (delegated) return delegated
    return question === undefined
      ? restoreCall(call, { ...options, fork: true, trusted: false })
      : askedAgain(call, question, options)
  })
}

/** Returns the call of a sub-agent that the model calls like a tool; a run of its own protects its effects. */
function delegatedCall(
  call: CallEntry,
  { program, runId, report }: RestoredCallOptions,
  { turn, iteration }: { readonly turn: number; readonly iteration: number },
): CallEntry | undefined {
  const tool = program.tool.get(call.tool)
  const subagent = subagentNamed(program, tool?.agent)
  if (subagent === undefined || tool?.gate === 'deny') return undefined
  const state = { ...initialState(runId, program.plan.agent_id, program.hash), turn, iteration }
  const entry = callSubagent(program, state, call.id, subagent, call.args.task ?? null)
  report.kept(`pending_tool_calls ${call.id}`)
  return { ...entry, tool: call.tool, args: call.args }
}

/** A person had been promised the decision, so nothing of the call happens before it. */
function askedAgain(
  call: CallEntry,
  { why, lapsesAt }: OpenQuestion,
  { program, breach, at, report }: RestoredCallOptions,
): CallEntry {
  const part = 'approval_request'
  const tool = program.tool.get(call.tool)
  if (tool === undefined || tool.gate === 'deny') return notHere(call, part, report)
  if (lapsesAt !== null && lapsesAt <= at) {
    report.approximated(part, 'its time limit has passed, so it was denied')
    return closed(call, 'this call was not approved in time, so it was denied')
  }
  const unfit = breach(call)
  if (unfit === null) report.kept(part, 'a person is asked again')
  else report.approximated(part, `a person is asked, and the call is not sent as it is: ${unfit}`)
  return {
    ...call,
    status: 'asking',
    asked_at: at,
    why: unfit === null ? why : `${why} (not sent as it is: ${unfit})`,
    ...(lapsesAt !== null && { lapses_at: lapsesAt }),
    ...(unfit !== null && { unfit }),
  }
}

function isPossiblySent({ status }: CallEntry): boolean {
  return status === 'sent' || status === 'unknown'
}

function stricter(a: CallEffect, b: CallEffect): CallEffect {
  return RANK[a] >= RANK[b] ? a : b
}

function notHere(call: CallEntry, part: string, report: Fidelity): CallEntry {
  report.leftBehind(part, `${call.tool} is not available here`)
  return closed(call, `${call.tool} is not available on the platform that continues this run`)
}

function closed(call: CallEntry, result: string): CallEntry {
  return { ...call, status: 'done', result, error: true }
}
