import type { Degradation, Plan, Refusal } from './plan.ts'
import type { Called, Uses } from './subagent-uses.ts'

export interface Circles {
  readonly refusals: readonly { readonly plan: Plan; readonly refusal: Refusal }[]
  readonly degradations: readonly { readonly plan: Plan; readonly degradation: Degradation }[]
}

/**
 * Finds agents that call themselves, directly or through others. A circle of calls that every run makes is refused: it
 * ends only at the depth that `max_iterations` allows. A circle that depends on a condition is reported. A circle that
 * a model decides about is neither: it is an ordinary way to work.
 * @param uses of each plan, the root's first
 */
export function circlesIn(uses: ReadonlyMap<Plan, Uses>): Circles {
  const certain = circlesOf(uses, ['always'])
  const known = new Set(certain.flat())
  const possible = circlesOf(uses, ['always', 'condition']).filter(
    (circle) => !circle.some((plan) => known.has(plan)),
  )
  return {
    refusals: certain.map((circle) => ({
      plan: circle[0] as Plan,
      refusal: {
        code: 'SUBAGENT_CIRCLE',
        message: `every run calls the same agent again, without an end: ${namesOf(circle)}`,
        pointer: '/agent/orchestration',
        rule: 'AAIF-4.3-09',
        hint: 'remove one of these calls, or make it depend on a condition (when)',
      },
    })),
    degradations: possible.map((circle) => ({
      plan: circle[0] as Plan,
      degradation: {
        path: '/agent/orchestration',
        reason: `the same agent may be called again: ${namesOf(circle)}; if no condition ends this, it fails at the depth that max_iterations allows`,
        rule: 'AAIF-4.3-09',
      },
    })),
  }
}

/** Returns a shortest circle through each agent that is in one, each circle once, in the order of the plans. */
function circlesOf(uses: ReadonlyMap<Plan, Uses>, kinds: readonly Called[]): readonly (readonly Plan[])[] {
  const family = new Map([...uses.keys()].map((plan) => [plan.definition_hash, plan]))
  const below = new Map(
    [...uses].map(([plan, { subagents }]) => [
      plan,
      subagents.flatMap(({ subagent, called }) => {
        const agent = family.get(subagent.agent ?? '')
        return agent === undefined || !kinds.includes(called) ? [] : [agent]
      }),
    ]),
  )
  const circles: (readonly Plan[])[] = []
  const covered = new Set<Plan>()
  for (const plan of uses.keys()) {
    const circle = covered.has(plan) ? undefined : circleThrough(plan, below)
    if (circle === undefined) continue
    for (const one of circle) covered.add(one)
    circles.push(circle)
  }
  return circles
}

function circleThrough(start: Plan, below: ReadonlyMap<Plan, readonly Plan[]>): readonly Plan[] | undefined {
  const queue: (readonly Plan[])[] = [[start]]
  const seen = new Set<Plan>()
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const next of below.get(path.at(-1) as Plan) ?? []) {
      if (next === start) return path
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return undefined
}

function namesOf(circle: readonly Plan[]): string {
  return [...circle, circle[0] as Plan].map(({ agent_name }) => agent_name).join(' → ')
}
