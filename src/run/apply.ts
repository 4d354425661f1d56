import type { Json } from '../document/issue.ts'
import type { HookName } from '../plan/plan.ts'
import type { Decision, Fact, RunEvent } from './event.ts'
import { withItems } from './kept-items.ts'
import type { AgentOutcome, CallEntry, Message, RunState, RunStatus, RunTotals } from './state.ts'
import { asksPerson, withoutSettled } from './unsettled.ts'
import { finished, withCall } from './with-call.ts'

/**
 * Folds one event into the state. Needs no plan: an event carries what was decided, so a record can be read
 * by a version whose policy has changed.
 */
export function apply(state: RunState, event: RunEvent): RunState {
  const { fact, decision } = event
  const after = callsAfter(callsAsked(state.calls, fact), decision)
  const calls = decision.ending === undefined ? after : withoutSettled(after)
  const roundEnds = decision.settle === true || decision.clear === true
  const turnStarts = fact.type === 'run.started' || fact.type === 'user.said'
  return {
    ...state,
    seq: event.seq,
    at: event.at,
    turn: turnStarts ? state.turn + 1 : state.turn,
    iteration: iterationAfter(state, fact),
    deadline_at: decision.deadline_at === undefined ? state.deadline_at : decision.deadline_at,
    attempts: decision.attempt?.n ?? state.attempts,
    attempt: attemptAfter(state, fact, decision),
    calls: roundEnds ? (decision.add ?? []) : calls,
    stage: decision.stage === undefined ? (turnStarts ? null : state.stage) : decision.stage,
    review: reviewAfter(state, turnStarts, decision),
    greeted: fact.type === 'hook.ran' && fact.hook === 'on_start' ? state.turn : state.greeted,
    told: fact.type === 'hook.ran' && isEndHook(fact.hook) ? state.turn : state.told,
    reviews: decision.review?.n ?? state.reviews,
    tally: tallyAfter(turnStarts ? ofNewTurn(state.tally) : state.tally, state, decision),
    recalling: recallingAfter(state, fact, decision),
    memory: withItems(state.memory, decision.remember),
    started_at: fact.type === 'run.started' ? event.at : state.started_at,
    background: backgroundAfter(state, event),
    input: turnStarts ? fact.input : state.input,
    limits: fact.type === 'run.started' ? (fact.limits ?? {}) : state.limits,
    trace_parent: fact.type === 'run.started' ? (fact.trace_parent ?? null) : state.trace_parent,
    trace_state: fact.type === 'run.started' ? (fact.trace_state ?? null) : state.trace_state,
    depth: fact.type === 'run.started' ? (fact.depth ?? 0) : state.depth,
    named: fact.type === 'run.started' ? (fact.named ?? []) : state.named,
    triggered: fact.type === 'run.started' ? fact.triggered === true : state.triggered,
    handed_off: handedOffAfter(state, turnStarts, decision),
    messages: state.messages.append(addedMessages(state, fact, decision)),
    counted: countedAfter(state, fact),
    repairs: turnStarts ? 0 : decision.repair === undefined ? state.repairs : state.repairs + 1,
    down:
      decision.down === undefined
        ? state.down
        : { ...state.down, [decision.down.route]: decision.down.until },
    answered_by: fact.type === 'model.answered' ? (state.attempt?.route ?? null) : state.answered_by,
    totals: totalsAfter(state, event),
    warnings: state.warnings.append(decision.warnings ?? []),
    agents: state.agents.append(agentsOver(state, fact, decision)),
    partial: fact.type === 'run.paused' ? (fact.partial ?? null) : null,
    end: decision.end ?? (turnStarts ? null : state.end),
    ending: endingAfter(state, event),
    status: statusAfter(state, fact, decision, calls),
  }
}

function isEndHook(hook: HookName): boolean {
  return hook === 'on_complete' || hook === 'on_error'
}

function backgroundAfter({ background }: RunState, { fact, at }: RunEvent): RunState['background'] {
  if (fact.type !== 'user.said' || fact.background === undefined) return background
  const read = fact.background.flatMap(({ item, sha256 }) =>
    sha256 === undefined ? [] : [[item, { sha256, at }] as const],
  )
  return { ...background, ...Object.fromEntries(read) }
}

function reviewAfter(state: RunState, turnStarts: boolean, decision: Decision): RunState['review'] {
  if (decision.review !== undefined) return decision.review
  return turnStarts || stops(decision) ? null : state.review
}

/** Whether the run ends, or does nothing but wait for its end. */
function stops({ end, ending }: Decision): boolean {
  return end !== undefined || ending !== undefined
}

function endingAfter({ ending }: RunState, { at, decision }: RunEvent): RunState['ending'] {
  if (decision.end !== undefined) return null
  if (decision.ending !== undefined) return { end: decision.ending, since: at }
  // A call that is sent again has its time as well.
  const again = Object.values(decision.set ?? {}).includes('sent')
  return ending !== null && again ? { ...ending, since: at } : ending
}

/** A limit on calls is one of the whole conversation; what has to succeed before a call, in the turn of the call. */
function ofNewTurn(tally: RunState['tally']): RunState['tally'] {
  const entries = Object.entries(tally).map(([tool, { called }]) => [tool, { called, succeeded: 0 }] as const)
  return Object.fromEntries(entries)
}

function tallyAfter(
  tally: RunState['tally'],
  { calls: before, stage }: RunState,
  { calls, done }: Decision,
): RunState['tally'] {
  let next = tally
  const count = (tool: string, called: number, succeeded: number) => {
    const sofar = next[tool] ?? { called: 0, succeeded: 0 }
    next = { ...next, [tool]: { called: sofar.called + called, succeeded: sofar.succeeded + succeeded } }
  }
  // A call counts when it is let go or held for a person, and once, however often it is sent.
  for (const call of calls ?? []) if (call.status !== 'done') count(call.tool, 1, 0)
  // What the topology gave to other agents is no call of the model's.
  if (stage !== null || done === undefined || done.error === true) return next
  const succeeded = before.find((call) => call.id === done.call_id)
  if (succeeded !== undefined) count(succeeded.tool, 0, 1)
  return next
}

/** What a fact and its decision add to the conversation. */
export function addedMessages(state: RunState, fact: Fact, decision: Decision): readonly Message[] {
  const settled = decision.settle === true ? callsAfter(state.calls, decision).map(toMessage) : []
  // An answer whose calls were all refused at once settles with itself: its results come after it.
  return fact.type === 'model.answered'
    ? [...messagesOf(fact, decision), ...settled]
    : [...historyOf(fact), ...settled, ...messagesOf(fact, decision)]
}

/** A provider that reports no tokens leaves us with what we had estimated. */
export function countedAfter(state: RunState, fact: Fact): RunState['counted'] {
  if (fact.type !== 'model.answered') return state.counted
  const tokens = fact.usage.input_tokens > 0 ? fact.usage.input_tokens : state.attempt?.prompt_tokens
  return tokens === undefined ? state.counted : { tokens, messages: state.messages.length }
}

function recallingAfter(state: RunState, fact: Fact, decision: Decision): boolean {
  if (decision.recall === true) return true
  return state.recalling && fact.type !== 'memory.read' && !stops(decision)
}

function handedOffAfter(state: RunState, turnStarts: boolean, decision: Decision): readonly number[] {
  const before = turnStarts ? [] : state.handed_off
  return decision.handed_off === undefined ? before : [...before, decision.handed_off]
}

function agentsOver(state: RunState, fact: Fact, decision: Decision): readonly AgentOutcome[] {
  const over: AgentOutcome[] = []
  const add = (id: string, status: AgentOutcome['status']) => {
    const agent = state.calls.find((call) => call.id === id)?.agent
    if (agent !== undefined) over.push({ alias: agent.alias, run_id: agent.run_id, status })
  }
  if (fact.type === 'call.answered') add(fact.call_id, 'completed')
  if (fact.type === 'call.failed') add(fact.call_id, fact.code === 'CANCELLED' ? 'cancelled' : 'failed')
  // Those that the end waits for are over when their own runs are.
  if (decision.ending === undefined) for (const id of decision.cancel ?? []) add(id, 'cancelled')
  return over
}

function historyOf(fact: Fact): readonly Message[] {
  return fact.type === 'run.started' ? (fact.history ?? []) : []
}

function callsAsked(calls: readonly CallEntry[], fact: Fact): readonly CallEntry[] {
  if (fact.type !== 'hook.ran' || fact.call_id === undefined) return calls
  return withCall(calls, fact.call_id, ({ unasked: _asked, ...call }) => call)
}

export function callsAfter(before: readonly CallEntry[], decision: Decision): readonly CallEntry[] {
  let calls = decision.calls ?? before
  const { set, done } = decision
  for (const [id, status] of Object.entries(set ?? {}))
    calls = withCall(calls, id, (call) => ({ ...call, status }))
  if (done !== undefined)
    calls = withCall(calls, done.call_id, (call) => finished(call, done.result, done.error))
  const { replace, add, judged } = decision
  for (const call of judged ?? []) calls = withCall(calls, call.id, () => call)
  if (replace !== undefined) calls = withCall(calls, replace.id, () => replace)
  if (add !== undefined && decision.clear !== true && decision.settle !== true) calls = [...calls, ...add]
  return calls
}

function toMessage(call: CallEntry): Message {
  return {
    role: 'tool',
    call_id: call.id,
    tool: call.tool,
    result: call.result ?? null,
    ...(call.error && { error: true as const }),
  }
}

/** Messages that a fact adds, after the results of a round that it settles. */
function messagesOf(fact: Fact, decision: Decision): readonly Message[] {
  const repair: readonly Message[] = [
    ...(decision.repair === undefined
      ? []
      : [{ role: 'user' as const, text: decision.repair, repair: true as const }]),
    ...(decision.recalled === undefined
      ? []
      : [{ role: 'user' as const, text: decision.recalled.text, recalled: decision.recalled.items }]),
    ...(decision.say === undefined
      ? []
      : [{ role: 'user' as const, text: decision.say, others: true as const }]),
  ]
  switch (fact.type) {
    case 'run.started':
    case 'user.said':
      return [{ role: 'user', text: textOf(fact.input) }, ...repair]
    case 'model.answered':
      return [fact.message, ...repair]
    default:
      return repair
  }
}

function textOf(input: Json): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}

function iterationAfter(state: RunState, fact: Fact): number {
  switch (fact.type) {
    case 'run.started':
    case 'user.said':
      return 0
    case 'model.answered':
      return state.iteration + 1
    default:
      return state.iteration
  }
}

function attemptAfter(state: RunState, fact: Fact, decision: Decision): RunState['attempt'] {
  if (decision.attempt !== undefined) return decision.attempt
  if (stops(decision) || fact.type === 'model.answered' || fact.type === 'model.failed') return null
  return state.attempt
}

/** With what a sub-agent's run has used; its iterations and its time are its own. */
export function withChild(totals: RunTotals, child: RunTotals): RunTotals {
  return {
    ...totals,
    input_tokens: totals.input_tokens + child.input_tokens,
    output_tokens: totals.output_tokens + child.output_tokens,
    cost_usd: totals.cost_usd === null || child.cost_usd === null ? null : totals.cost_usd + child.cost_usd,
    llm_calls: totals.llm_calls + child.llm_calls,
    tool_calls: totals.tool_calls + child.tool_calls,
  }
}

function totalsAfter(state: RunState, event: RunEvent): RunTotals {
  const { totals } = state
  const { fact, decision } = event
  const idle = fact.type === 'run.started' || fact.type === 'user.said' || isIdle(state, fact)
  const elapsed = idle ? 0 : Math.max(0, event.at - state.at)
  const sent = sentBy(state, decision)
  const answered = fact.type === 'model.answered' ? fact.usage : null
  const child = fact.type === 'call.answered' || fact.type === 'call.failed' ? fact.usage : undefined
  if (child !== undefined) {
    const { tool_calls, duration_ms, ...rest } = withChild(totals, child)
    return { ...rest, tool_calls: tool_calls + sent, duration_ms: duration_ms + elapsed }
  }
  if (fact.type === 'judge.answered' && fact.usage !== undefined) {
    const cost = decision.cost_usd
    return {
      ...totals,
      input_tokens: totals.input_tokens + fact.usage.input_tokens,
      output_tokens: totals.output_tokens + fact.usage.output_tokens,
      cost_usd:
        totals.cost_usd === null || cost === null || cost === undefined ? null : totals.cost_usd + cost,
      llm_calls: totals.llm_calls + 1,
      tool_calls: totals.tool_calls + sent,
      duration_ms: totals.duration_ms + elapsed,
    }
  }
  if (elapsed === 0 && sent === 0 && answered === null) return totals
  return {
    input_tokens: totals.input_tokens + (answered?.input_tokens ?? 0),
    output_tokens: totals.output_tokens + (answered?.output_tokens ?? 0),
    cost_usd:
      answered === null
        ? totals.cost_usd
        : totals.cost_usd === null || decision.cost_usd === null || decision.cost_usd === undefined
          ? null
          : totals.cost_usd + decision.cost_usd,
    llm_calls: totals.llm_calls + (answered === null ? 0 : 1),
    tool_calls: totals.tool_calls + sent,
    iterations: totals.iterations + (answered === null ? 0 : 1),
    duration_ms: totals.duration_ms + elapsed,
  }
}

/** Calls that leave for the first time by this decision; a call sent again counts once. */
function sentBy(state: RunState, decision: Decision): number {
  let sent = 0
  // A sub-agent counts by what its own run calls.
  for (const call of decision.calls ?? []) if (call.status === 'sent' && call.agent === undefined) sent++
  for (const call of decision.judged ?? []) if (call.status === 'sent') sent++
  if (decision.set !== undefined) {
    for (const call of state.calls) if (call.status === 'asking' && decision.set[call.id] === 'sent') sent++
  }
  return sent
}

/** Whether the time before this fact was spent waiting for a person, paused, or dead. */
export function isIdle(state: RunState, fact: Fact): boolean {
  return (
    fact.type === 'run.resumed' ||
    ((fact.type === 'person.decided' || fact.type === 'approval.lapsed') && state.status === 'waiting')
  )
}

function statusAfter(
  state: RunState,
  fact: Fact,
  decision: Decision,
  calls: readonly CallEntry[],
): RunStatus {
  if (decision.end !== undefined) return decision.end.status
  if (state.end !== null && fact.type === 'hook.ran') return state.status
  if ((decision.ending !== undefined || state.ending !== null) && isWaiting(calls)) return 'waiting'
  if (fact.type === 'run.paused') return 'paused'
  if (state.status === 'paused' && fact.type !== 'run.resumed') return 'paused'
  if (decision.settle === true || decision.attempt !== undefined) return 'running'
  return isWaiting(calls) ? 'waiting' : 'running'
}

/** Nothing is under way and a person's word is needed. */
function isWaiting(calls: readonly CallEntry[]): boolean {
  return (
    calls.some((call) => asksPerson(call) || call.status === 'held') &&
    !calls.some((call) => call.status === 'sent' || call.status === 'judging')
  )
}
