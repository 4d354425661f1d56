import { estimateTokenCount } from 'tokenx'
import type { Program } from '../../plan/plan.ts'
import type { Decision, Fact } from '../event.ts'
import type { RunState, RunWarning, Usage } from '../state.ts'
import { stops } from '../turn.ts'
import { limitsUsage } from './budget.ts'
import { continuationOf } from './continue-answer.ts'
import { isKnownWarning } from './is-known-warning.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { promptLength } from './prompt-tokens.ts'
import { costOf } from './request-cost.ts'

/**
 * Adds the usage that no provider reports because this decision stops a request to a model, and a warning if the usage
 * of this event is estimated.
 */
export function withUsageNoted(
  program: Program,
  state: RunState,
  fact: Fact,
  decision: Decision,
  at: number,
): Decision {
  const stopped = stoppedUsage(program, state, fact, decision, at)
  const route = state.attempt === null ? undefined : program.plan.models[state.attempt.route]
  const noted =
    stopped === null ? decision : mergeDecisions(decision, { stopped, cost_usd: costOf(route, stopped) })
  const usage = stopped ?? ('usage' in fact ? fact.usage : undefined)
  if (usage?.estimated !== true || isKnownWarning(state, ESTIMATED)) return noted
  return mergeDecisions(noted, { warnings: [ESTIMATED] })
}

const ESTIMATED: RunWarning = {
  code: 'USAGE_ESTIMATED',
  message:
    'a model did not report its token usage, or stopped before it could: the missing counts are estimates, and count against the budget',
}

/** Returns the estimated usage of a request that was sent and is stopped by this decision; null if there is none. */
function stoppedUsage(
  program: Program,
  state: RunState,
  fact: Fact,
  decision: Decision,
  at: number,
): Usage | null {
  const { attempt, status } = state
  if (
    attempt === null ||
    status === 'paused' ||
    fact.type === 'model.answered' ||
    fact.type === 'model.failed'
  )
    return null
  const sent = attempt.due_at === undefined || at >= attempt.due_at
  const isStopped = stops(decision) || fact.type === 'run.paused' || fact.type === 'run.resumed'
  if (!sent || !isStopped || program.plan.rehearsal || !limitsUsage(program, state)) return null
  return {
    input_tokens: promptLength(program, state, state.counted, continuationOf(state)).estimate(),
    output_tokens: fact.type === 'run.paused' ? writtenTokens(state, fact.partial ?? '') : 0,
    estimated: true,
  }
}

/** Returns the estimated tokens of an interrupted answer, without those of the interrupted answer that it continues. */
function writtenTokens({ attempt, partial }: RunState, written: string): number {
  const before = attempt?.continues === true ? estimateTokenCount(partial ?? '') : 0
  return Math.max(0, estimateTokenCount(written) - before)
}
