import type { Json, JsonObject } from '../document/issue.ts'
import { routeName } from '../plan/order-routes.ts'
import type { Plan, PlannedModel, PlannedTool, Program } from '../plan/plan.ts'
import { callSubagent, fallbackFor, subagentNamed, tightest } from './agent-call.ts'
import { isIdle, withChild } from './apply.ts'
import { withBackground } from './background.ts'
import { standsInFor } from './choose-route.ts'
import { BACKGROUND } from './clean-fact.ts'
import type { Decision, Fact, JudgedBreach } from './event.ts'
import { answerJudged, blocked, gateAnswer } from './gate-answer.ts'
import { lapsesAt, letGoOrAsk } from './gate-approval.ts'
import { breachOfToolCall, mustBeJudged } from './gate-call.ts'
import { piiRefusal, piiWarning, rejectedAnswer, rejectsPii, withheldResult } from './gate-pii.ts'
import { type Moment, nextQuestion, retryOrNextRoute, withRoute } from './next-question.ts'
import { beginOrchestration, continueOrchestration, handoffDue, startQueued } from './orchestrate.ts'
import { isCutResult } from './ports.ts'
import { readOutput } from './read-output.ts'
import { firstItems, firstQuestion, memoryFailed, memoryRead, remembered } from './recall.ts'
import { failed } from './run-end.ts'
import type {
  CallEffect,
  CallEntry,
  CallStatus,
  ModelAttempt,
  RunState,
  RunWarning,
  ToolCall,
} from './state.ts'
import { finished, withCall } from './with-call.ts'

type FactOf<T extends Fact['type']> = Extract<Fact, { type: T }>

/**
 * The only place with policy: what a run does about a fact. Pure: no clock, no network, no randomness.
 * @param moment when it happened, and what was known of the routes then
 * @returns null when the fact no longer matters (an answer to an older question, a result after the end)
 */
export function decide(program: Program, state: RunState, fact: Fact, moment: Moment): Decision | null {
  const decision = decideFact(program, state, fact, moment)
  if (decision === null) return null
  const warning = piiWarning(program, state, fact)
  const said =
    warning === null ? decision : { ...decision, warnings: [...(decision.warnings ?? []), warning] }
  return withRoute(program, state, fact, said, moment)
}

function decideFact(program: Program, state: RunState, fact: Fact, moment: Moment): Decision | null {
  const { at } = moment
  if (state.end !== null && fact.type !== 'user.said' && fact.type !== 'hook.ran') return null
  switch (fact.type) {
    case 'run.started':
      if (state.seq !== 0) return null
      return startRun(program, state, fact, at)
    case 'user.said':
      return state.end === null ? null : nextTurn(program, state, fact, at)
    case 'memory.read':
      return memoryRead(program, state, fact, at)
    case 'model.answered':
      return modelAnswered(program, state, fact, at)
    case 'model.failed':
      return state.attempt?.n === fact.attempt && state.status !== 'paused'
        ? retryOrNextRoute(program, state, fact, moment)
        : null
    case 'call.answered':
      return callAnswered(program, afterChild(state, fact), fact, at)
    case 'call.failed':
      return callFailed(program, afterChild(state, fact), fact, at)
    case 'call.held':
      return state.calls.some((call) => call.id === fact.call_id && call.status === 'sent')
        ? { set: { [fact.call_id]: 'held' } }
        : null
    case 'judge.answered':
      return judgeAnswered(program, state, fact, at)
    case 'judge.failed':
      return judgeFailed(program, state, fact, at)
    case 'approval.lapsed':
      return approvalLapsed(program, state, fact, at)
    case 'person.decided':
      return personDecided(program, state, fact, at)
    case 'hook.ran':
      return hookRan(fact)
    case 'deadline.passed':
      return deadlinePassed(program, state, at)
    case 'run.paused':
      return state.status === 'paused' ? null : { abort: 'model' }
    case 'run.resumed':
      return resumed(program, state, fact, at)
    case 'run.cancelled':
      return {
        abort: 'all',
        end: {
          status: 'cancelled',
          stop_reason: 'interrupt',
          error: { code: 'CANCELLED', message: `the run was cancelled by ${fact.by}` },
        },
      }
  }
}

/** A hook that fails is no reason to stop; only a call that it was to allow does not leave. */
function hookRan({ hook, ok, message }: FactOf<'hook.ran'>): Decision {
  if (ok || hook === 'on_tool_call') return {}
  return {
    warnings: [
      { code: 'HOOK_FAILED', message: `the hook ${hook} failed: ${message ?? 'it gave no reason'}` },
    ],
  }
}

function startRun(program: Program, state: RunState, fact: FactOf<'run.started'>, at: number): Decision {
  const memory = firstItems(program, fact, at)
  const begun = { ...state, limits: fact.limits ?? {}, depth: fact.depth ?? 0, memory }
  const warnings = fact.memory?.warnings ?? []
  const turn = startTurn(program, begun, fact, at)
  return {
    ...(memory.length > 0 && { remember: memory }),
    ...turn,
    ...(warnings.length > 0 && { warnings: [...warnings, ...(turn.warnings ?? [])] }),
  }
}

function startTurn(
  program: Program,
  state: RunState,
  { input, fits, pii }: FactOf<'run.started' | 'user.said'>,
  at: number,
): Decision {
  const { plan } = program
  const refusal = plan.refusals[0]
  if (refusal !== undefined) {
    const { code, message, pointer, rule, hint } = refusal
    const more = plan.refusals.length > 1 ? ` (and ${plan.refusals.length - 1} more, see the plan)` : ''
    const error = { code, message: message + more, pointer, rule, hint }
    return { end: { status: 'refused', stop_reason: 'constraint', error } }
  }
  // What was fetched is told without it, and the person has not said it.
  const said = pii?.filter(({ at: place }) => !place.startsWith(BACKGROUND)) ?? []
  if (said.length > 0 && rejectsPii(program)) return { end: piiRefusal('the input', said) }
  const breach = fits === true ? null : (program.checkInput?.(input) ?? null)
  // What a double hands on says nothing about what the real agent would.
  const handedOn = plan.rehearsal && state.depth > 0
  if (breach !== null && !handedOn) {
    return {
      end: {
        status: 'refused',
        stop_reason: 'error',
        error: {
          code: 'INPUT_INVALID',
          message: `the input does not match io.input_schema: ${breach}`,
          pointer: '/agent/io/input_schema',
          hint: 'give the input as JSON that matches the schema, e.g. --input @input.json',
          rule: 'SPEC-D-30',
        },
      },
    }
  }
  if (state.depth > plan.limits.max_iterations) {
    const message = `sub-agents call one another ${state.depth} deep, more than max_iterations allows`
    return { end: failed('max_iterations', 'MAX_ITERATIONS_EXCEEDED', message, { rule: 'AAIF-4.3-09' }) }
  }
  const own = plan.limits.timeout_ms === undefined ? undefined : at + plan.limits.timeout_ms
  const deadline_at = tightest(own, state.limits.deadline_at) ?? null
  const turn: RunState = {
    ...state,
    input,
    deadline_at,
    iteration: 0,
    turn: state.turn + 1,
    stage: null,
    handed_off: [],
  }
  return { deadline_at, ...(beginOrchestration(program, turn, at) ?? firstQuestion(program, turn, at)) }
}

function nextTurn(program: Program, state: RunState, fact: FactOf<'user.said'>, at: number): Decision | null {
  // Personal data in what was said is no reason to end the whole conversation.
  if (state.end?.status === 'refused' && state.end.error?.code !== 'PII_REJECTED') return null
  // A turn that was cut short leaves calls without results; providers refuse such a conversation.
  const open = state.calls.length > 0
  const calls = state.calls.map(
    (call): CallEntry =>
      call.status === 'done'
        ? call
        : { ...call, status: 'done', error: true, result: 'not finished: the turn had ended' },
  )
  const turn = startTurn(program, state, fact, at)
  return { ...(open && { calls, settle: true }), ...turn, ...withBackground(fact.background, turn) }
}

function modelAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'model.answered'>,
  at: number,
): Decision | null {
  const { attempt } = state
  // Paused: the question is asked again on resume, when its answer can lead somewhere.
  if (attempt?.n !== fact.attempt || state.status === 'paused') return null
  const route = program.plan.models[attempt.route]
  const cost_usd = costOf(route, fact.usage)
  const warnings = [
    ...(fact.warnings ?? [])
      .filter((message) => !state.warnings.items.some((known) => known.message === message))
      .map((message): RunWarning => ({ code: 'MODEL_WARNING', message })),
    ...substitution(program.plan, state, attempt),
  ]
  const base: Decision = { cost_usd, ...(warnings.length > 0 && { warnings }) }
  const after: RunState = {
    ...state,
    iteration: state.iteration + 1,
    totals: {
      ...state.totals,
      input_tokens: state.totals.input_tokens + fact.usage.input_tokens,
      output_tokens: state.totals.output_tokens + fact.usage.output_tokens,
      llm_calls: state.totals.llm_calls + 1,
      cost_usd: state.totals.cost_usd === null || cost_usd === null ? null : state.totals.cost_usd + cost_usd,
    },
  }
  if (fact.message.calls.length > 0) return { ...base, ...openRound(program, after, fact.message.calls, at) }
  if (fact.pii !== undefined && rejectsPii(program))
    return { ...base, ...rejectedAnswer(program, after, fact.pii, at) }
  const handoff = handoffDue(program, after, fact.message.text)
  return { ...base, ...(handoff ?? finish(program, after, fact, at, warnings)) }
}

/** A model that answers in place of another is named, once for each pair (AAIF §3). */
function substitution(plan: Plan, state: RunState, attempt: ModelAttempt): readonly RunWarning[] {
  const model = plan.models[attempt.route]
  const missed = standsInFor(plan, attempt.route, attempt.failed, attempt.skipped ?? [])
  if (model === undefined || missed === null) return []
  const what = `${routeName(model)} answers in place of ${missed.model}`
  const known = state.warnings.items.some(({ message }) => message.startsWith(`${what}: `))
  return known ? [] : [{ code: 'MODEL_SUBSTITUTED', message: `${what}: ${missed.reason}` }]
}

/** US dollars of one answer, or null when the route's price is unknown. */
function costOf(route: PlannedModel | undefined, usage: FactOf<'model.answered'>['usage']): number | null {
  if (route?.price === undefined) return null
  return (usage.input_tokens * route.price.input + usage.output_tokens * route.price.output) / 1_000_000
}

function finish(
  program: Program,
  state: RunState,
  fact: FactOf<'model.answered'>,
  at: number,
  warnings: readonly RunWarning[],
): Decision {
  const { text } = fact.message
  if (fact.finish === 'content_filter' && text === '') {
    const message = "the provider's content filter withheld the answer"
    return { end: failed('error', 'CONTENT_FILTERED', message) }
  }
  const read = readOutput(program, text)
  if (read.ok) {
    const cut: RunWarning = {
      code: 'OUTPUT_TRUNCATED',
      message: 'the answer was cut off at the token limit (params.max_tokens)',
    }
    const gated = gateAnswer(program, state, text, read.output, at)
    if (fact.finish !== 'length') return gated
    return { ...gated, warnings: [...warnings, cut, ...(gated.warnings ?? [])] }
  }
  if (state.repairs > 0) {
    return {
      end: failed('error', 'OUTPUT_INVALID', `the answer is not what the agent promises: ${read.breach}`, {
        pointer: '/agent/io/output_schema',
        rule: 'SPEC-D-30',
        hint: 'the model was asked to repair it once and failed again; see the events of the run',
      }),
    }
  }
  const next = nextQuestion(program, state, at)
  if (next.end !== undefined) return next
  return { repair: `${read.breach}\nAnswer again, with the corrected answer only.`, ...next }
}

/** Judges each call of a model's answer before anything leaves. */
function openRound(program: Program, state: RunState, calls: readonly ToolCall[], at: number): Decision {
  const sharers = calls.filter((call) => program.tool.get(call.tool)?.agent !== undefined).length
  const judged: CallEntry[] = []
  const breaches: JudgedBreach[] = []
  for (const call of calls) {
    const entry = judgeCall(program, state, call, Math.max(1, sharers))
    const leaving = judged.filter((other) => other.status !== 'done')
    const breach = entry.status === 'done' ? null : breachOfToolCall(program, state, call, leaving, at)
    if (breach === null) judged.push(passed(program, state, entry, at))
    else {
      breaches.push(breach)
      judged.push(refusedCall(entry, breach))
    }
  }
  const review = judged.some((entry) => entry.status === 'judging')
    ? { review: { n: state.reviews + 1, subject: 'calls' as const } }
    : {}
  const budget = tightest(program.plan.limits.budget_calls, state.limits.calls)
  const leaving = judged.filter((entry) => entry.status !== 'done').length
  const used = state.totals.llm_calls + state.totals.tool_calls
  if (budget !== undefined && used + leaving > budget) {
    const message = `the budget of ${budget} calls does not cover ${leaving} more tool calls (${used} used)`
    return { end: failed('budget', 'BUDGET_EXCEEDED', message, { hint: 'raise --budget calls=N' }) }
  }
  const warnings = assumedApprovals(program, judged)
  return {
    calls: judged,
    ...review,
    ...(breaches.length > 0 && { breaches }),
    ...(warnings.length > 0 && { warnings }),
    ...settleIfDone(program, state, judged, at),
  }
}

function judgeCall(program: Program, state: RunState, call: ToolCall, sharers: number): CallEntry {
  const tool = program.tool.get(call.tool)
  const entry = {
    id: call.id,
    tool: call.tool,
    args: call.args,
    key: `${state.run_id}:${state.turn}.${state.iteration}:${call.id}`,
    effect: tool === undefined ? ('none' as const) : effectOf(tool),
    ...(program.plan.hooks?.some(({ hook }) => hook === 'on_tool_call') === true && {
      unasked: true as const,
    }),
  }
  const refuse = (result: string): CallEntry => ({ ...entry, status: 'done', result, error: true })
  if (tool === undefined) {
    const known = [...program.tool.keys()].join(', ') || 'none'
    return refuse(`there is no tool named ${call.tool}; the tools are: ${known}`)
  }
  if (tool.gate === 'deny')
    return refuse(`the tool ${tool.name} may not be used: ${tool.reason ?? 'not granted'}`)
  if (call.malformed !== undefined)
    return refuse('the arguments are not a JSON object; send them again as one')
  if (call.personal === true && rejectsPii(program))
    return refuse('PII_REJECTED: the arguments hold personal data, so nothing was called')
  const breach = call.fits === true ? null : (program.checkArguments.get(call.tool)?.(call.args) ?? null)
  if (breach !== null) {
    return refuse(`the arguments do not match the tool's schema, nothing was called: ${breach}`)
  }
  if (tool.agent !== undefined) return delegate(program, state, call, tool.agent, sharers)
  return { ...entry, status: 'sent' }
}

/** A call that no rule stops: to the judge, to a person, or on its way. */
function passed(program: Program, state: RunState, entry: CallEntry, at: number): CallEntry {
  if (entry.status === 'done' || entry.agent !== undefined) return entry
  return mustBeJudged(program, entry.tool)
    ? { ...entry, status: 'judging' }
    : letGoOrAsk(program, state, entry, at)
}

function refusedCall(entry: CallEntry, { constraint, why }: JudgedBreach): CallEntry {
  return {
    ...entry,
    status: 'done',
    error: true,
    result: `nothing was called, because it breaks the rule ${JSON.stringify(constraint)}: ${why}`,
  }
}

/** The judge has spoken; what it found broken does not leave, the rest goes its way. */
function judgeAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'judge.answered'>,
  at: number,
): Decision | null {
  const { review } = state
  if (review?.n !== fact.review || state.status === 'paused') return null
  const cost_usd = fact.usage === undefined ? null : costOf(program.plan.judge, fact.usage)
  if (review.subject === 'answer') {
    return { cost_usd, ...answerJudged(program, state, review.text, fact.breaches, at) }
  }
  return { cost_usd, ...letJudgedGo(program, state, fact.breaches, at) }
}

function letJudgedGo(
  program: Program,
  state: RunState,
  breaches: readonly JudgedBreach[],
  at: number,
): Decision {
  const calls = state.calls.map((entry): CallEntry => {
    if (entry.status !== 'judging') return entry
    const breach = breaches.find(({ call_id }) => call_id === undefined || call_id === entry.id)
    if (breach !== undefined) return refusedCall(entry, breach)
    return letGoOrAsk(program, state, entry, at)
  })
  return {
    review: null,
    ...(breaches.length > 0 && { breaches }),
    judged: calls.filter((entry, index) => entry !== state.calls[index]),
    ...settleIfDone(program, state, calls, at),
  }
}

/** Without a verdict strict and regulated hold everything back; below that the prompt alone has to do, and it is said. */
function judgeFailed(
  program: Program,
  state: RunState,
  fact: FactOf<'judge.failed'>,
  at: number,
): Decision | null {
  const { review } = state
  if (review?.n !== fact.review || state.status === 'paused') return null
  const { plan } = program
  const breaches = plan.constraints
    .filter(({ enforcement }) => enforcement === 'judge')
    .map(({ text }): JudgedBreach => ({ constraint: text, why: `it could not be judged: ${fact.message}` }))
  const strict = plan.safety_level === 'strict' || plan.safety_level === 'regulated'
  const warnings = [{ code: 'CONSTRAINT_UNJUDGED', message: `the judge gave no verdict: ${fact.message}` }]
  if (review.subject === 'calls') {
    return { warnings, ...letJudgedGo(program, state, strict ? breaches : [], at) }
  }
  if (strict) return { review: null, warnings, breaches, end: blocked(breaches) }
  return { ...answerJudged(program, state, review.text, [], at), warnings }
}

/** The model calls a sub-agent as it calls a tool. */
function delegate(
  program: Program,
  state: RunState,
  call: ToolCall,
  alias: string,
  sharers: number,
): CallEntry {
  const subagent = subagentNamed(program, alias)
  if (subagent === undefined) throw new Error(`the plan offers ${alias}, which it does not list`)
  const entry = callSubagent(program, state, call.id, subagent, call.args.task ?? null, { sharers })
  return { ...entry, tool: call.tool, args: call.args }
}

function effectOf(tool: PlannedTool): CallEffect {
  if (tool.effect === 'read') return 'none'
  return tool.idempotent ? 'idempotent' : 'once'
}

/** In a rehearsal approvals count as granted, and are listed. */
function assumedApprovals(program: Program, calls: readonly CallEntry[]): readonly RunWarning[] {
  if (!program.plan.rehearsal) return []
  return calls
    .filter((call) => call.status === 'sent' && program.tool.get(call.tool)?.gate === 'ask')
    .map((call) => ({
      code: 'APPROVAL_ASSUMED',
      message: `${call.tool} needs a person's approval; the rehearsal took it as granted`,
    }))
}

/** When no call of the round is open any more, its results go to the model. */
function settleIfDone(program: Program, state: RunState, calls: readonly CallEntry[], at: number): Decision {
  if (calls.length === 0 || !calls.every((call) => call.status === 'done')) return {}
  if (state.status === 'paused') return { settle: true }
  return {
    settle: true,
    ...(handoffDue(program, state, lastText(state)) ?? nextQuestion(program, state, at)),
  }
}

function lastText(state: RunState): string {
  for (let index = state.messages.length - 1; index >= 0; index--) {
    const message = state.messages.items[index]
    if (message?.role === 'assistant') return message.text
  }
  return ''
}

/** What a sub-agent has used counts before anything more is asked for. */
function afterChild(state: RunState, { usage }: FactOf<'call.answered' | 'call.failed'>): RunState {
  return usage === undefined ? state : { ...state, totals: withChild(state.totals, usage) }
}

function callAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'call.answered'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || call.status === 'done') return null
  if (fact.pii !== undefined && rejectsPii(program))
    return finishCall(program, state, call, withheldResult(fact.pii), true, at)
  const unchecked = call.agent !== undefined || isCutResult(fact.result) || fact.fits === true
  const breach = unchecked ? null : (program.checkResult.get(call.tool)?.(fact.result) ?? null)
  if (breach === null)
    return { ...remembered(program, call, at), ...finishCall(program, state, call, fact.result, false, at) }
  const result: JsonObject = {
    error: `the tool answered, but not as its output_schema says: ${breach}`,
    answer: fact.result,
  }
  return finishCall(program, state, call, result, true, at)
}

function callFailed(
  program: Program,
  state: RunState,
  fact: FactOf<'call.failed'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || call.status === 'done') return null
  // A model that reads "timed out" calls again: a write whose fate nobody knows goes to a person instead.
  if (fact.outcome === 'unknown' && call.effect === 'once') return { set: { [call.id]: 'unknown' } }
  // Its deadline was ours: it is our time that is up.
  if (call.agent !== undefined && state.deadline_at !== null && at >= state.deadline_at) {
    return deadlinePassed(program, state, at)
  }
  const stand =
    call.agent === undefined || fact.code === 'TOOL_VETOED'
      ? null
      : fallbackFor(program, state, call, call.agent.input)
  if (stand !== null && state.status !== 'paused') {
    const message = `${call.agent?.alias} failed (${fact.code}: ${fact.message}); ${stand.agent?.alias} steps in`
    return { replace: stand, warnings: [{ code: 'SUBAGENT_FALLBACK', message }] }
  }
  const warnings = memoryFailed(program, call, fact)
  return {
    ...(warnings.length > 0 && { warnings }),
    ...finishCall(program, state, call, `${fact.code}: ${fact.message}`, true, at),
  }
}

function finishCall(
  program: Program,
  state: RunState,
  call: CallEntry,
  result: Json,
  error: boolean,
  at: number,
): Decision {
  const done = { call_id: call.id, result, ...(error && { error: true as const }) }
  const calls = withCall(state.calls, call.id, (entry) => finished(entry, result, error))
  if (state.stage === null) return { done, ...settleIfDone(program, state, calls, at) }
  return state.status === 'paused' ? { done } : { done, ...continueOrchestration(program, state, calls, at) }
}

function personDecided(
  program: Program,
  state: RunState,
  fact: FactOf<'person.decided'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || (call.status !== 'asking' && call.status !== 'unknown')) return null
  const deadline = laterDeadline(state, fact, at)
  const why = fact.why === undefined ? '' : `: ${fact.why}`
  if (call.status === 'asking') {
    if (fact.verdict === 'approve') return { ...deadline, set: { [call.id]: 'sent' } }
    if (fact.verdict !== 'deny') return null
    return {
      ...deadline,
      ...finishCall(program, state, call, `${fact.by} did not approve this call${why}`, true, at),
    }
  }
  switch (fact.verdict) {
    case 'resend':
      return { ...deadline, set: { [call.id]: 'sent' } }
    case 'assume':
      return {
        ...deadline,
        ...finishCall(program, state, call, fact.result ?? 'done (confirmed by a person)', false, at),
      }
    case 'deny':
      return {
        ...deadline,
        ...finishCall(program, state, call, `the call did not take effect, says ${fact.by}${why}`, true, at),
      }
    case 'approve':
      return null
  }
}

/** AAIF §4.9: time that runs out is a denial, never an approval. */
function approvalLapsed(
  program: Program,
  state: RunState,
  fact: FactOf<'approval.lapsed'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  const lapses = call === undefined ? null : lapsesAt(program, call)
  if (call === undefined || lapses === null || at < lapses) return null
  const seconds = (program.plan.approval?.timeout_ms ?? 0) / 1000
  return {
    ...laterDeadline(state, fact, at),
    ...finishCall(
      program,
      state,
      call,
      `nobody approved this call within ${seconds} s, so it was denied`,
      true,
      at,
    ),
  }
}

function deadlinePassed(program: Program, state: RunState, at: number): Decision | null {
  if (state.deadline_at === null || at < state.deadline_at || state.status === 'waiting') return null
  const seconds = (program.plan.limits.timeout_ms ?? 0) / 1000
  return {
    abort: 'all',
    end: failed('timeout', 'TIMEOUT', `the run was stopped after ${seconds} s`, {
      pointer: '/agent/runtime/timeout_seconds',
      rule: 'AAIF-4.6-01',
      hint: 'raise runtime.timeout_seconds, or --budget seconds=N when that was the limit',
    }),
  }
}

function resumed(program: Program, state: RunState, fact: FactOf<'run.resumed'>, at: number): Decision {
  const again = state.review === null ? {} : { review: { ...state.review, n: state.reviews + 1 } }
  const deadline = { ...laterDeadline(state, fact, at), ...again }
  if (state.review?.subject === 'answer') return deadline
  // Made from entries: an id may be the name of what every object has.
  const set = Object.fromEntries(
    state.calls.flatMap((call): readonly (readonly [string, CallStatus])[] => {
      if (call.status === 'sent' && call.effect === 'once' && call.unasked !== true)
        return [[call.id, 'unknown']]
      return call.status === 'held' ? [[call.id, 'sent']] : []
    }),
  )
  const unknown = Object.keys(set).length > 0 ? { set } : {}
  if (state.calls.length > 0 && !state.calls.every((call) => call.status === 'done'))
    return { ...deadline, ...unknown, ...moreWorkers(program, state, set) }
  if (state.calls.length > 0 && state.stage !== null)
    return {
      ...deadline,
      ...continueOrchestration(program, { ...state, status: 'running' }, state.calls, at),
    }
  if (state.calls.length > 0) return { ...deadline, settle: true, ...nextQuestion(program, state, at) }
  if (state.recalling) return { ...deadline, recall: true }
  if (state.attempt === null) return { ...deadline, ...nextQuestion(program, state, at) }
  return { ...deadline, attempt: { ...state.attempt, n: state.attempts + 1, delay_ms: 0 } }
}

/** Workers whose turn came while the run was paused. */
function moreWorkers(program: Program, state: RunState, set: Readonly<Record<string, CallStatus>>): Decision {
  const { orchestration } = program.plan
  if (orchestration === undefined || state.stage === null) return {}
  const more = startQueued(orchestration, state.calls).set
  return more === undefined ? {} : { set: { ...set, ...more } }
}

/** Time in which the run was waiting, paused or dead does not count against its deadline. */
function laterDeadline(state: RunState, fact: Fact, at: number): Decision {
  if (state.deadline_at === null || !isIdle(state, fact)) return {}
  return { deadline_at: state.deadline_at + Math.max(0, at - state.at) }
}
