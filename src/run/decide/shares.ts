import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'
import type { AgentCall, CallEntry, RunLimits, RunState } from '../state.ts'
import { budgetOf, type RunBudget, reservedBy, spent } from './budget.ts'

type Deadline = Pick<RunState, 'deadline_at'> & { readonly deadline_of?: RunState['deadline_of'] | undefined }
type BudgetState = Pick<RunState, 'limits' | 'totals'> & Deadline

/**
 * Gives each sub-agent that starts, or waits for its turn, an equal share of what is left, and the deadline of its
 * caller. Left is the budget without what ended work has used and without the shares of sub-agents that still run. The
 * last units that cannot be divided go to the first sub-agents: a budget of two calls lets two of three work.
 * @param running calls of the same round whose shares stay as they are
 * @param starting calls that start or are queued; entries without a sub-agent, or that are done, get no share
 * @param others calls of the same round that the budget must also cover
 */
export function withShares(
  program: Pick<Program, 'plan'>,
  state: BudgetState,
  running: readonly CallEntry[],
  starting: readonly CallEntry[],
  others = 0,
): readonly CallEntry[] {
  const left = leftOf(program, state, running, others)
  const sharers = starting.filter(takesShare).length
  let place = 0
  return starting.map((entry) => {
    const { agent: call } = entry
    if (call === undefined || !takesShare(entry)) return entry
    return { ...entry, agent: { ...call, limits: shareOf(left, state, sharers, place++) } }
  })
}

function takesShare({ agent, status }: CallEntry): boolean {
  return agent !== undefined && status !== 'done'
}

function leftOf(
  program: Pick<Program, 'plan'>,
  state: BudgetState,
  running: readonly CallEntry[],
  others: number,
): RunBudget {
  const budget = budgetOf(program, state)
  const used = spent(state.totals)
  const reserved = reservedBy(running)
  const left = (kind: keyof RunBudget, also = 0) => {
    const limit = budget[kind]
    return limit === undefined ? undefined : Math.max(0, limit - used[kind] - reserved[kind] - also)
  }
  return defined({ tokens: left('tokens'), usd: left('usd'), calls: left('calls', others) })
}

function shareOf(
  { tokens, usd, calls }: RunBudget,
  deadline: Deadline,
  sharers: number,
  place: number,
): RunLimits {
  const whole = (left: number | undefined) =>
    left === undefined ? undefined : Math.floor(left / sharers) + (place < Math.floor(left) % sharers ? 1 : 0)
  const members = deadlineMembers(deadline)
  return {
    ...defined({
      tokens: whole(tokens),
      usd: usd === undefined ? undefined : usd / sharers,
      calls: whole(calls),
    }),
    ...members,
  }
}

/**
 * Returns the limits of a sub-agent's run that begins now. The deadline of its caller may have moved since the share
 * was given, because it moves while the caller waits.
 */
export function limitsAtStart({ limits }: AgentCall, caller: Deadline): RunLimits {
  const { tokens, usd, calls } = limits
  const members = deadlineMembers(caller)
  return { ...defined({ tokens, usd, calls }), ...members }
}

function deadlineMembers({ deadline_at, deadline_of }: Deadline): RunLimits {
  return deadline_at === null ? {} : { deadline_at, ...defined({ deadline_of }) }
}
