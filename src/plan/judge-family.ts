import { routeName } from './order-routes.ts'
import type { Degradation, Plan, Refusal } from './plan.ts'
import { circlesIn } from './subagent-circles.ts'
import { type Called, type Uses, usesOf } from './subagent-uses.ts'

/**
 * Returns the plans of a family, the root's with the refusals and degradations of all agents that it may call, direct
 * or not: an agent is judged before anything happens, not in the middle of its caller's run (AAIF §7).
 *
 * A sub-agent that must be refused refuses its caller, with these exceptions: the caller has a fallback that can work,
 * or the sub-agent is that fallback (the caller is degraded, and refused at strict and regulated, as for a sub-agent
 * that was not found); or the orchestration never calls it.
 * @param plans each agent once, the root first
 */
export function judgeFamily(plans: readonly Plan[]): readonly Plan[] {
  const [root, ...others] = plans
  if (root === undefined) return plans
  const uses = new Map(plans.map((plan) => [plan, usesOf(plan)]))
  const found = findingsOf(uses, root)
  const calls = callsIn(uses, found)
  const degradations: Degradation[] = [...(found.get(root)?.degradations ?? [])]
  const refusals: Refusal[] = [...(found.get(root)?.refusals ?? [])]
  // A run of a root without a model fails at its first question, before it calls a sub-agent.
  const fails = failsAtOnce(root, uses.get(root) as Uses)
  for (const { plan, path, index, refuses } of reachedFrom(root, calls)) {
    const { refusals: own, degradations: noted } = found.get(plan) as Findings
    const pointer = placeOf(root, index)
    const name = `the sub-agent ${path.join(' > ')}`
    for (const { code, message, pointer: at, rule, hint } of [...plan.refusals, ...own]) {
      const reason = `${name} is refused: ${message} (${at})`
      if (refuses && !(fails && code === 'NO_ROUTE'))
        refusals.push({ code, message: reason, pointer, rule, hint, subagent: path, ...auditOf(plan) })
      else degradations.push({ path: pointer, reason, rule, subagent: path })
    }
    for (const { path: at, reason, rule } of [...plan.degradations, ...noted].filter(isOwn(plan)))
      degradations.push({ path: pointer, reason: `${name}: ${reason} (${at})`, rule, subagent: path })
  }
  if (degradations.length === 0 && refusals.length === 0) return plans
  const judged = Object.freeze({
    ...root,
    degradations: Object.freeze([...root.degradations, ...degradations]),
    refusals: Object.freeze([...root.refusals, ...refusals]),
  })
  return [judged, ...others]
}

function failsAtOnce({ models, orchestration }: Plan, { ownModel }: Uses): boolean {
  const begins = orchestration === undefined || orchestration.mode === 'model'
  return begins && ownModel === 'always' && !models.some(({ eligible }) => eligible)
}

/** What is found about an agent only with the plans of the agents that it may call. */
interface Findings {
  readonly refusals: readonly Refusal[]
  readonly degradations: readonly Degradation[]
}

function findingsOf(uses: ReadonlyMap<Plan, Uses>, root: Plan): ReadonlyMap<Plan, Findings> {
  const circles = circlesIn(uses)
  return new Map(
    [...uses].map(([plan, own]) => [
      plan,
      {
        refusals: [
          ...circles.refusals.flatMap((one) => (one.plan === plan ? [one.refusal] : [])),
          ...votesMissing(plan, own),
          ...modelMissing(plan, own, plan === root),
        ],
        degradations: circles.degradations.flatMap((one) => (one.plan === plan ? [one.degradation] : [])),
      },
    ]),
  )
}

/** Returns a refusal if a vote needs more workers than there are: all would work, and the run would fail. */
function votesMissing(plan: Plan, { mostWorkers: most }: Uses): readonly Refusal[] {
  const { mode, consensus } = plan.orchestration ?? {}
  const needed = consensus?.min_votes ?? 1
  if (mode !== 'swarm' || consensus?.strategy !== 'majority_vote' || needed <= most) return []
  // Without a worker the agent's own model answers, and no vote takes place.
  if (most === 0) return []
  return [
    {
      code: 'VOTES_UNREACHABLE',
      message: `min_votes is ${needed}, but at most ${most} ${most === 1 ? 'worker votes' : 'workers vote'}`,
      pointer: '/agent/orchestration/consensus/min_votes',
      rule: 'SPEC-D-11',
      hint: 'lower min_votes, or add workers',
    },
  ]
}

/**
 * Returns a refusal if the agent's own model must answer, and no model can be used. A run of the root itself ends with
 * this error before any other work, unless workers come first.
 */
function modelMissing(plan: Plan, own: Uses, isRoot: boolean): readonly Refusal[] {
  const { models, refusals } = plan
  if (models.some(({ eligible }) => eligible) || own.ownModel !== 'always') return []
  // The reason is known already.
  if (refusals.some(({ code }) => code === 'RESIDENCY_UNPROVEN')) return []
  if (isRoot && failsAtOnce(plan, own)) return []
  const reasons = models.map((route) => `${routeName(route)}: ${route.reason ?? 'not eligible'}`)
  return [
    {
      code: 'NO_ROUTE',
      message:
        models.length === 0 ? 'the definition names no model' : `no model can be used: ${reasons.join('; ')}`,
      pointer: '/agent/model',
      rule: 'AAIF-4.2-11',
      hint: 'see `waybill plan` of this agent for what each route needs; --rehearse needs none',
    },
  ]
}

interface Call {
  readonly plan: Plan
  readonly alias: string
  /** Its index in the plan of the caller. */
  readonly index: number
  /** Whether a refusal of the sub-agent refuses the caller. */
  readonly refuses: boolean
}

type CallsOf = (plan: Plan) => readonly Call[]

/**
 * Returns the calls of each agent. Whether a sub-agent is needed depends on whether the fallback of its caller can
 * work: it cannot if it is refused, or if it needs an agent that cannot work.
 */
function callsIn(uses: ReadonlyMap<Plan, Uses>, found: ReadonlyMap<Plan, Findings>): CallsOf {
  const family = new Map([...uses.keys()].map((plan) => [plan.definition_hash, plan]))
  const blocked = new Set(
    [...found].flatMap(([plan, { refusals }]) => (plan.refusals.length + refusals.length > 0 ? [plan] : [])),
  )
  const calls: CallsOf = (plan) => {
    const { subagents } = uses.get(plan) as Uses
    const { orchestration, safety_level } = plan
    const fallback = subagents.find(({ subagent }) => subagent.alias === orchestration?.fallback)
    const replacement = family.get(fallback?.subagent.agent ?? '')
    const replaced = replacement !== undefined && !blocked.has(replacement)
    const strict = safety_level === 'strict' || safety_level === 'regulated'
    return subagents.flatMap(({ subagent: { alias, agent }, called }, index): readonly Call[] => {
      const below = family.get(agent ?? '')
      return below === undefined
        ? []
        : [{ plan: below, alias, index, refuses: isNeeded(called, replaced, strict) }]
    })
  }
  for (let before = -1; before < blocked.size; ) {
    before = blocked.size
    for (const plan of uses.keys())
      if (calls(plan).some((call) => call.refuses && blocked.has(call.plan))) blocked.add(plan)
  }
  return calls
}

function isNeeded(called: Called, replaced: boolean, strict: boolean): boolean {
  if (called === 'never') return false
  return strict || (called !== 'fallback' && !replaced)
}

interface Reached {
  readonly plan: Plan
  readonly path: readonly string[]
  /** The sub-agent of the root that leads to it. */
  readonly index: number
  readonly refuses: boolean
}

/** Returns each agent below the root once, by a shortest path; paths on which a refusal refuses the root come first. */
function reachedFrom(root: Plan, calls: CallsOf): readonly Reached[] {
  const reached = new Map<Plan, Reached>([[root, { plan: root, path: [], index: 0, refuses: true }]])
  for (const onlyNeeded of [true, false]) {
    const queue = [...reached.values()]
    for (let from = queue.shift(); from !== undefined; from = queue.shift()) {
      for (const { plan, alias, index, refuses } of calls(from.plan)) {
        if (reached.has(plan) || (onlyNeeded && !refuses)) continue
        const first = from.plan === root ? index : from.index
        const next = { plan, path: [...from.path, alias], index: first, refuses: onlyNeeded }
        reached.set(plan, next)
        queue.push(next)
      }
    }
  }
  reached.delete(root)
  return [...reached.values()]
}

function placeOf({ subagents }: Plan, index: number): string {
  const declared = subagents[index]?.index
  return declared === undefined ? '/agent/orchestration' : `/agent/orchestration/subagents/${declared}`
}

function auditOf({ audit, safety_level, agent_id }: Plan): Pick<Refusal, 'audited'> {
  return audit || safety_level === 'regulated' ? { audited: agent_id } : {}
}

/** An inherited constraint is reported by the agent that declares it. */
function isOwn({ constraints }: Plan): (degradation: Degradation) => boolean {
  return ({ path }) => {
    const index = /^\/agent\/constraints\/(\d+)$/.exec(path)?.[1]
    return index === undefined || constraints[Number(index)]?.inherited !== true
  }
}
