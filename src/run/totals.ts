import { ownMember } from '../document/own-member.ts'
import type { Decision, Fact, FactOf, RunEvent } from './event.ts'
import { NOTHING_USED } from './initial-state.ts'
import type { RunState, RunTotals } from './state.ts'
import { startsTurn, stops } from './turn.ts'

/** Returns the sum of two totals. The cost is unknown (null) if either cost is. */
export function added(totals: RunTotals, more: RunTotals): RunTotals {
  const sum: RunTotals = {
    input_tokens: totals.input_tokens + more.input_tokens,
    output_tokens: totals.output_tokens + more.output_tokens,
    cost_usd: totals.cost_usd === null || more.cost_usd === null ? null : totals.cost_usd + more.cost_usd,
    llm_calls: totals.llm_calls + more.llm_calls,
    tool_calls: totals.tool_calls + more.tool_calls,
    iterations: totals.iterations + more.iterations,
    duration_ms: totals.duration_ms + more.duration_ms,
  }
  return totals.estimated === true || more.estimated === true ? { ...sum, estimated: true } : sum
}

/** Adds what a sub-agent's run has used, without its iterations and its time. */
export function withChild(totals: RunTotals, child: RunTotals): RunTotals {
  return added(totals, { ...child, iterations: 0, duration_ms: 0 })
}

/** The facts that end a request to a model. */
type EndOfRequest = FactOf<'model.answered' | 'model.failed' | 'judge.answered' | 'judge.failed'>

/**
 * Adds the usage of a request to a model that has ended. The request itself was counted when it was decided, so one
 * that turned out never to have been sent is subtracted.
 * @param cost_usd of its usage; null or absent: its price is unknown
 */
export function withRequest(
  totals: RunTotals,
  fact: EndOfRequest,
  cost_usd: number | null | undefined,
): RunTotals {
  const { usage } = fact
  return added(totals, {
    ...NOTHING_USED,
    ...usage,
    cost_usd: usage === undefined ? 0 : (cost_usd ?? null),
    llm_calls: isUnsent(fact) ? -1 : 0,
  })
}

/** The doubles of a rehearsal judge without a request, and then report no usage. */
function isUnsent(fact: EndOfRequest): boolean {
  switch (fact.type) {
    case 'model.answered':
      return false
    case 'judge.answered':
      return fact.usage === undefined
    default:
      return fact.unsent === true
  }
}

export function totalsAfter(state: RunState, event: RunEvent): RunTotals {
  const { at, fact, decision } = event
  const elapsed = startsTurn(fact) || isIdle(state, fact) ? 0 : Math.max(0, at - state.at)
  const tool_calls = sentBy(state, decision)
  const llm_calls = askedBy(decision) - (isStoppedEarly(state, event) ? 1 : 0)
  const totals = withFact(state.totals, fact, decision)
  const answered = fact.type === 'model.answered'
  if (!answered && tool_calls === 0 && llm_calls === 0 && elapsed === 0) return totals
  // Passed as one literal: the optimizing compiler then need not allocate it.
  return added(totals, {
    input_tokens: 0,
    output_tokens: 0,
    cost_usd: 0,
    llm_calls,
    tool_calls,
    iterations: answered ? 1 : 0,
    duration_ms: elapsed,
  })
}

function withFact(totals: RunTotals, fact: Fact, { stopped, cost_usd }: Decision): RunTotals {
  switch (fact.type) {
    case 'call.answered':
    case 'call.failed':
      return fact.usage === undefined ? totals : withChild(totals, fact.usage)
    case 'model.answered':
    case 'model.failed':
    case 'judge.answered':
    case 'judge.failed':
      return withRequest(totals, fact, cost_usd)
    default:
      return stopped === undefined
        ? totals
        : added(totals, { ...NOTHING_USED, ...stopped, cost_usd: cost_usd ?? null })
  }
}

/** Returns how many requests to models a decision sends, to the agent's model and to the judge. */
function askedBy({ attempt, review }: Decision): number {
  return (attempt === undefined ? 0 : 1) + (review === undefined || review === null ? 0 : 1)
}

/**
 * Returns true if an event stops a request to a model that was still waiting for its time. A process that has crashed
 * may have sent it, so a resume after a crash does not subtract it.
 */
function isStoppedEarly(state: RunState, { at, fact, decision }: RunEvent): boolean {
  const due = state.attempt?.due_at
  if (due === undefined || fact.type === 'model.answered' || fact.type === 'model.failed') return false
  return stops(decision) ? at < due : fact.type === 'run.resumed' && pausedEarly(state)
}

/** Returns true if a run was paused while its request to a model was still waiting for its time. */
export function pausedEarly({ attempt, status, at }: RunState): boolean {
  return status === 'paused' && attempt?.due_at !== undefined && at < attempt.due_at
}

/** Returns how many tool calls a decision sends for the first time; a call that is sent again counts once. */
function sentBy(state: RunState, { calls, judged, set }: Decision): number {
  let sent = 0
  // The calls of a sub-agent are counted by its own run.
  if (calls !== undefined)
    for (const call of calls) if (call.status === 'sent' && call.agent === undefined) sent++
  if (judged !== undefined)
    for (const call of judged) if (call.status === 'sent' && call.elicitation === undefined) sent++
  if (set !== undefined)
    for (const call of state.calls) if (call.status === 'asking' && ownMember(set, call.id) === 'sent') sent++
  return sent
}

/** Returns true if the run was waiting for a person, paused, or without a process before this fact. */
export function isIdle(state: RunState, fact: Fact): boolean {
  const { status } = state
  switch (fact.type) {
    case 'run.resumed':
      return true
    case 'person.decided':
    case 'approval.lapsed':
      return status === 'waiting'
    case 'user.steered':
    case 'turn.interrupted':
      return status === 'waiting' || status === 'paused'
    default:
      return false
  }
}
