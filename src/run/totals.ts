import type { Decision, Fact, RunEvent } from './event.ts'
import type { RunState, RunTotals } from './state.ts'
import { startsTurn } from './turn.ts'

/** Returns the sum of two totals. The cost is unknown (null) if either cost is. */
export function added(totals: RunTotals, more: RunTotals): RunTotals {
  return {
    input_tokens: totals.input_tokens + more.input_tokens,
    output_tokens: totals.output_tokens + more.output_tokens,
    cost_usd: totals.cost_usd === null || more.cost_usd === null ? null : totals.cost_usd + more.cost_usd,
    llm_calls: totals.llm_calls + more.llm_calls,
    tool_calls: totals.tool_calls + more.tool_calls,
    iterations: totals.iterations + more.iterations,
    duration_ms: totals.duration_ms + more.duration_ms,
  }
}

/** Adds what a sub-agent's run has used, without its iterations and its time. */
export function withChild(totals: RunTotals, child: RunTotals): RunTotals {
  return added(totals, { ...child, iterations: 0, duration_ms: 0 })
}

export function totalsAfter(state: RunState, { at, fact, decision }: RunEvent): RunTotals {
  const elapsed = startsTurn(fact) || isIdle(state, fact) ? 0 : Math.max(0, at - state.at)
  const sent = sentBy(state, decision)
  const child = fact.type === 'call.answered' || fact.type === 'call.failed' ? fact.usage : undefined
  const model = fact.type === 'model.answered' || fact.type === 'judge.answered' ? fact.usage : undefined
  const used = child ?? model
  if (used === undefined && sent === 0 && elapsed === 0) return state.totals
  // Passed as one literal: the optimizing compiler then need not allocate it.
  return added(state.totals, {
    input_tokens: used?.input_tokens ?? 0,
    output_tokens: used?.output_tokens ?? 0,
    cost_usd: child !== undefined ? child.cost_usd : model === undefined ? 0 : (decision.cost_usd ?? null),
    llm_calls: child?.llm_calls ?? (model === undefined ? 0 : 1),
    tool_calls: (child?.tool_calls ?? 0) + sent,
    iterations: fact.type === 'model.answered' ? 1 : 0,
    duration_ms: elapsed,
  })
}

/** Returns how many tool calls a decision sends for the first time; a call that is sent again counts once. */
function sentBy(state: RunState, { calls, judged, set }: Decision): number {
  let sent = 0
  // The calls of a sub-agent are counted by its own run.
  if (calls !== undefined)
    for (const call of calls) if (call.status === 'sent' && call.agent === undefined) sent++
  if (judged !== undefined) for (const call of judged) if (call.status === 'sent') sent++
  if (set !== undefined)
    for (const call of state.calls) if (call.status === 'asking' && set[call.id] === 'sent') sent++
  return sent
}

/** Returns true if the run was waiting for a person, paused, or without a process before this fact. */
export function isIdle(state: RunState, fact: Fact): boolean {
  return (
    fact.type === 'run.resumed' ||
    ((fact.type === 'person.decided' || fact.type === 'approval.lapsed') && state.status === 'waiting')
  )
}
