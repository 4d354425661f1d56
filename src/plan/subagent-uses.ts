import type { Condition } from '../condition/condition.ts'
import { readCondition } from '../condition/read-condition.ts'
import type { Plan } from './plan.ts'
import type { PlannedOrchestration, PlannedSubagent } from './planned-orchestration.ts'

/**
 * When an agent calls a sub-agent: in every run that gets so far (`always`), if a condition is true (`condition`), if
 * its own model asks for it (`model`), only when another sub-agent fails (`fallback`), or `never`.
 */
export type Called = 'always' | 'condition' | 'model' | 'fallback' | 'never'

/** What an orchestration does with the sub-agents and the model of an agent, as far as the plan decides it. */
export interface Uses {
  /** In the order of the plan. */
  readonly subagents: readonly { readonly subagent: PlannedSubagent; readonly called: Called }[]
  /** Whether the agent's own model is asked. */
  readonly ownModel: 'always' | 'condition' | 'never'
  /** The largest number of workers that a swarm or router calls. */
  readonly mostWorkers: number
}

/** Returns when the orchestration of a plan calls each sub-agent, and its own model (AAIF §4.3). */
export function usesOf(plan: Pick<Plan, 'orchestration' | 'subagents'>): Uses {
  const { orchestration: own, subagents } = plan
  if (own === undefined) return { subagents: subagents.map(uncalled), ownModel: 'always', mostWorkers: 0 }
  const workers = workersCalled(own, plan)
  const ownModel = ownModelOf(own, workers)
  const uses = new Map<string, Called>()
  const add = (alias: string | undefined, called: Called) => {
    const before = uses.get(alias ?? '')
    if (alias !== undefined && (before === undefined || STRENGTH.indexOf(called) < STRENGTH.indexOf(before)))
      uses.set(alias, called)
  }
  if (own.mode === 'pipeline') for (const step of own.steps) add(step, 'always')
  for (const [alias, called] of workers.called) add(alias, called)
  const combiner = combinerOf(own)
  if (combiner !== undefined) add(combiner.alias, ofCount(workers, combiner.from))
  for (const { target, called } of handoffsOf(own, ownModel)) add(target, called)
  add(own.fallback, 'fallback')
  return {
    subagents: subagents.map((subagent) => ({ subagent, called: uses.get(subagent.alias) ?? 'never' })),
    ownModel,
    mostWorkers: workers.most,
  }
}

const STRENGTH: readonly Called[] = ['always', 'condition', 'model', 'fallback', 'never']

function uncalled(subagent: PlannedSubagent) {
  return { subagent, called: 'never' as const }
}

type Outcome = 'always' | 'condition' | 'never'

interface Workers {
  readonly called: ReadonlyMap<string, Called>
  /** How many of them are called at least, and at most. */
  readonly least: number
  readonly most: number
}

function workersCalled(own: PlannedOrchestration, { subagents }: Pick<Plan, 'subagents'>): Workers {
  const { mode, workers, fallback } = own
  if (mode === 'pipeline') return { called: new Map(), least: 0, most: 0 }
  if (mode === 'model')
    return { called: new Map(workers.map((alias) => [alias, 'model'])), least: 0, most: workers.length }
  const conditions = new Map(
    subagents.flatMap(({ alias, when }) => (when === undefined ? [] : [[alias, outcomeOf(when)] as const])),
  )
  const conditional = new Set(workers.flatMap((alias) => conditions.get(alias) ?? []))
  // A router calls the workers without a condition only if no condition is true.
  const others: Outcome =
    mode === 'swarm' || !(conditional.has('always') || conditional.has('condition'))
      ? 'always'
      : conditional.has('always')
        ? 'never'
        : 'condition'
  const called = new Map(workers.map((alias) => [alias, conditions.get(alias) ?? others]))
  const found = new Set(subagents.flatMap(({ alias, agent }) => (agent === undefined ? [] : [alias])))
  // A fallback replaces a worker that was not found.
  const replaced = fallback !== undefined && found.has(fallback)
  const able = [...called].filter(([alias]) => replaced || found.has(alias)).map(([, outcome]) => outcome)
  return {
    called,
    least: able.filter((outcome) => outcome === 'always').length,
    most: able.filter((outcome) => outcome !== 'never').length,
  }
}

function ownModelOf(own: PlannedOrchestration, workers: Workers): Outcome {
  if (own.mode === 'model') return 'always'
  if (own.mode === 'pipeline') return 'never'
  // If no worker is called, the own model does the work.
  if (workers.most === 0) return 'always'
  const combines = combinerOf(own) === undefined ? ofCount(workers, combinesFrom(own)) : 'never'
  return combines === 'never' && workers.least === 0 ? 'condition' : combines
}

/** Returns the sub-agent that combines the answers, and from how many answers on. */
function combinerOf(
  own: PlannedOrchestration,
): { readonly alias: string; readonly from: number } | undefined {
  const { mode, consensus, synthesizer } = own
  const alias = mode === 'swarm' && consensus?.strategy !== undefined ? consensus.judge : synthesizer
  const from = combinesFrom(own)
  return alias === undefined || from === undefined ? undefined : { alias, from }
}

/** Returns the number of answers from which on they are combined by an agent; undefined: never. */
function combinesFrom({ mode, consensus }: PlannedOrchestration): number | undefined {
  if (mode === 'pipeline' || mode === 'model') return undefined
  switch (mode === 'swarm' ? consensus?.strategy : undefined) {
    case 'majority_vote':
    case 'first_success':
      return undefined
    case 'referee':
      return 1
    case 'best_of_n':
    case undefined:
      return 2
  }
}

function ofCount({ least, most }: Workers, from: number | undefined): Outcome {
  if (from === undefined || most < from) return 'never'
  return least >= from ? 'always' : 'condition'
}

/** After an answer of the own model the first rule whose condition is true fires, and no later one. */
function handoffsOf(
  own: PlannedOrchestration,
  ownModel: Outcome,
): readonly { target: string; called: Called }[] {
  const calls: { target: string; called: Called }[] = []
  let reached = ownModel
  for (const { condition, target } of own.handoffs) {
    const outcome = outcomeOf(condition)
    if (outcome === 'never' || reached === 'never') continue
    calls.push({ target, called: outcome === 'always' ? reached : 'condition' })
    reached = outcome === 'always' ? 'never' : 'condition'
  }
  return calls
}

/** Returns the outcome of a condition that does not depend on its payload; others may be true. */
function outcomeOf(condition: Condition): Outcome {
  // A condition that cannot be evaluated counts as not satisfied.
  if (typeof condition === 'string' || readCondition(condition).predicate === undefined) return 'never'
  const { lang, expr } = condition
  const constant = lang === 'cel' && typeof expr === 'string' ? expr.trim() : lang
  if (constant === 'always' || constant === 'true') return 'always'
  return constant === 'never' || constant === 'false' ? 'never' : 'condition'
}
