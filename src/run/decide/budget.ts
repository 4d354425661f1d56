import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'
import type { CallEntry, RouteFailure, RunEnd, RunLimits, RunState, RunTotals } from '../state.ts'
import { failed } from './run-end.ts'

/** The budget of one run: the tighter of the operator's budget and the share that its caller gave it. */
export type RunBudget = Pick<RunLimits, 'tokens' | 'usd' | 'calls'>

export function budgetOf(
  { plan: { limits } }: Pick<Program, 'plan'>,
  state: Pick<RunState, 'limits'>,
): RunBudget {
  return defined({
    tokens: tightest(limits.budget_tokens, state.limits.tokens),
    usd: tightest(limits.budget_usd, state.limits.usd),
    calls: tightest(limits.budget_calls, state.limits.calls),
  })
}

/** Returns true if tokens or money are limited, so that usage which no provider reports must be estimated. */
export function limitsUsage(program: Pick<Program, 'plan'>, state: Pick<RunState, 'limits'>): boolean {
  const { tokens, usd } = budgetOf(program, state)
  return tokens !== undefined || usd !== undefined
}

/** Returns what counts against a budget. */
export function spent(totals: RunTotals): Readonly<Record<keyof RunBudget, number>> {
  return {
    tokens: totals.input_tokens + totals.output_tokens,
    // Routes of unknown price are not eligible under a budget of money.
    usd: totals.cost_usd ?? 0,
    calls: totals.llm_calls + totals.tool_calls,
  }
}

/** Returns the sum of the shares of sub-agents that still run. A queued sub-agent gets its share when it starts. */
export function reservedBy(calls: readonly CallEntry[]): Readonly<Record<keyof RunBudget, number>> {
  const reserved = { tokens: 0, usd: 0, calls: 0 }
  for (const { agent, status } of calls) {
    if (agent === undefined || status === 'done' || status === 'queued') continue
    reserved.tokens += agent.limits.tokens ?? 0
    reserved.usd += agent.limits.usd ?? 0
    reserved.calls += agent.limits.calls ?? 0
  }
  return reserved
}

/**
 * Returns the end of a run whose budget does not allow another request to a model; null if it does. It must be asked
 * before each request, also before a retry, so that a budget of N calls lets at most N requests leave. The shares of sub-agents
 * that still run are not left.
 * @param failure of the last request, which the message then names
 */
export function budgetReached(
  program: Pick<Program, 'plan'>,
  { calls, limits, totals }: Pick<RunState, 'calls' | 'limits' | 'totals'>,
  failure?: RouteFailure,
): RunEnd | null {
  const budget = budgetOf(program, { limits })
  const used = spent(totals)
  const reserved = reservedBy(calls)
  for (const kind of ['tokens', 'usd', 'calls'] as const) {
    const limit = budget[kind]
    if (
      limit === undefined ||
      used[kind] + reserved[kind] < limit ||
      (kind === 'usd' && totals.cost_usd === null)
    )
      continue
    const text = (n: number) => (kind === 'usd' ? n.toFixed(6) : String(n))
    const given = reserved[kind] === 0 ? '' : `, given to sub-agents ${text(reserved[kind])}`
    const amount = text(used[kind]) + given
    const last = failure === undefined ? '' : `; the last request failed: ${failure.code}: ${failure.message}`
    return exceeded(kind, `the budget is used up: ${kind}=${limit} (used ${amount})${last}`)
  }
  return null
}

/** Returns the end of a run that would exceed its budget. */
export function exceeded(kind: keyof RunBudget, message: string): RunEnd {
  const hint = `raise --budget ${kind}=N, or budget.${kind} in the configuration`
  return failed('budget', 'BUDGET_EXCEEDED', message, { hint })
}

function tightest(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined) return b
  return b === undefined ? a : Math.min(a, b)
}
