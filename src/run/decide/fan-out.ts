import type { Program } from '../../plan/plan.ts'
import type { PlannedOrchestration } from '../../plan/planned-orchestration.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunLimits, RunState, RunWarning } from '../state.ts'
import { callSubagent, subagentNamed } from './agent-call.ts'
import { budgetOf } from './budget.ts'
import { conditionPayload } from './condition-payload.ts'
import { reachConsensus } from './consensus.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { firstQuestion } from './recall.ts'
import { withShares } from './shares.ts'
import { allDone, candidatesOf, failuresOf, finishWith, subagentsFailed, textOf } from './subagent-results.ts'

/** Starts the workers that are chosen for this input, at most `max_parallel` of them at once. */
export function startWorkers(
  program: Program,
  state: RunState,
  orchestration: PlannedOrchestration,
  at: number,
): Decision {
  const payload = conditionPayload(program.plan, state, state.input, null)
  const warnings: RunWarning[] = []
  const holds = (alias: string): boolean => {
    const { outcome, reason } = program.when.get(alias)?.evaluate(payload) ?? { outcome: 'true' as const }
    if (outcome === 'unevaluable') {
      warnings.push({
        code: 'CONDITION_UNEVALUABLE',
        message: `the condition of ${alias} counts as not satisfied: ${reason}`,
      })
    }
    return outcome === 'true'
  }
  const chosen = chooseWorkers(program, orchestration, holds)
  const noted = warnings.length > 0 ? { warnings } : {}
  // If no worker is chosen, the agent's own model answers.
  if (chosen.length === 0) return mergeDecisions(noted, { stage: null }, firstQuestion(program, state, at))
  const entries = chosen.map((alias, index) => {
    const subagent = subagentNamed(program, alias)
    if (subagent === undefined) throw new Error(`the plan lets ${alias} work, which it does not list`)
    return callSubagent(program, state, `worker${index}`, subagent, state.input, {
      status: index < orchestration.max_parallel ? 'sent' : 'queued',
    })
  })
  const calls = withShares(program, state, [], entries)
  const stage =
    orchestration.mode === 'router'
      ? ({ type: 'route' } as const)
      : ({ type: 'swarm', phase: 'work' } as const)
  // A call that has the status `done` before it is sent could not be made.
  const end = allDone(calls) ? { end: subagentsFailed(calls) } : {}
  return mergeDecisions(noted, { stage, clear: true, add: calls }, end)
}

/**
 * Returns the aliases of the workers to call. A swarm calls every worker that has no condition or whose
 * condition is true. A router calls the workers whose condition is true, and if there are none, those without
 * a condition.
 */
function chooseWorkers(
  program: Program,
  { mode, workers }: PlannedOrchestration,
  holds: (alias: string) => boolean,
): readonly string[] {
  if (mode === 'swarm') return workers.filter(holds)
  const conditional = workers.filter((alias) => program.when.has(alias))
  const chosen = conditional.filter(holds)
  return chosen.length > 0 ? chosen : workers.filter((alias) => !program.when.has(alias))
}

/**
 * Decides what follows when a worker has finished: queued workers start, the first success ends the round
 * (`first_success`), or, when all have finished, their results are combined.
 */
export function afterWork(
  program: Program,
  state: RunState,
  orchestration: PlannedOrchestration,
  calls: readonly CallEntry[],
  at: number,
): Decision {
  const strategy = orchestration.mode === 'swarm' ? orchestration.consensus?.strategy : undefined
  const winner =
    strategy === 'first_success'
      ? calls.find((call) => call.status === 'done' && call.error !== true)
      : undefined
  if (winner !== undefined) {
    const running = calls.filter((call) => call.status !== 'done').map((call) => call.id)
    const cancel = running.length > 0 ? { cancel: running } : {}
    return mergeDecisions(cancel, finishWith(program, winner.result ?? null))
  }
  if (!allDone(calls)) return startQueued(program, state, orchestration, calls)
  const candidates = candidatesOf(calls)
  if (candidates.length === 0) return { clear: true, end: subagentsFailed(calls) }
  const warnings: readonly RunWarning[] = failuresOf(calls).map((call) => ({
    code: 'SUBAGENT_FAILED',
    message: `${call.agent?.alias ?? call.tool} failed and the others continue without it: ${textOf(call.result)}`,
  }))
  const noted = warnings.length > 0 ? { warnings } : {}
  return mergeDecisions(noted, reachConsensus(program, state, orchestration, candidates, at))
}

/**
 * Sends queued workers, up to the limit of workers in parallel. Each gets its share of what is left now: workers that
 * have ended may have used less than theirs.
 */
export function startQueued(
  program: Pick<Program, 'plan'>,
  state: Pick<RunState, 'limits' | 'totals' | 'deadline_at' | 'deadline_of'>,
  { max_parallel }: PlannedOrchestration,
  calls: readonly CallEntry[],
): Decision {
  let free = max_parallel
  for (const call of calls) if (call.status === 'sent') free--
  if (free <= 0) return {}
  const queued = calls.filter(({ status }) => status === 'queued')
  if (queued.length === 0) return {}
  const set: Record<string, 'sent'> = {}
  const shares: Record<string, RunLimits> = {}
  const limited = Object.keys(budgetOf(program, state)).length > 0
  for (const { id, agent } of withShares(program, state, calls, queued).slice(0, free)) {
    set[id] = 'sent'
    if (limited && agent !== undefined) shares[id] = agent.limits
  }
  return { set, ...(limited && { shares }) }
}
