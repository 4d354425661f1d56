import { conditionNote } from '../condition/condition-note.ts'
import type { AgentGraph, GraphEdge, GraphNode } from './agent-graph.ts'
import type { Plan } from './plan.ts'
import type { PlannedHandoff, PlannedSubagent } from './planned-orchestration.ts'
import { usesOf } from './subagent-uses.ts'

/** A sub-agent, the node that it is drawn as, and what it does for the agent. */
interface Use {
  readonly to: string
  readonly alias: string
  readonly role: string
  readonly seldom: boolean
}

/**
 * Returns the edges of an agent to its sub-agents, and a node for each that was not found.
 * @param idOf returns the id of the node of a definition, by its hash; undefined: it is not known
 */
export function subagentParts(
  plan: Plan,
  from: string,
  idOf: (hash: string) => string | undefined,
): AgentGraph {
  const called = new Map(usesOf(plan).subagents.map((use) => [use.subagent.alias, use.called]))
  const nodes: GraphNode[] = []
  const uses: Use[] = []
  const transfers: GraphEdge[] = []
  for (const { subagent, index } of inOrder(plan)) {
    const { alias, agent, doubled } = subagent
    const found = doubled === true || agent === undefined ? undefined : idOf(agent)
    const to = found ?? `${from}x${index}`
    if (found === undefined) nodes.push(missingNode(subagent, to))
    const seldom = ['never', 'fallback'].includes(called.get(alias) ?? 'never')
    const given = plan.orchestration?.handoffs.filter(({ target }) => target === alias) ?? []
    const roles = rolesOf(plan, subagent)
    const shown = roles.length === 0 && given.length === 0 ? ['not called'] : roles
    uses.push(...shown.map((role) => ({ to, alias, role, seldom })))
    transfers.push(
      ...given.map((rule): GraphEdge => ({ from, to, kind: 'handoff', labels: [handoffText(rule)] })),
    )
  }
  return { nodes, edges: [...callEdges(from, uses), ...transfers] }
}

/** Returns the sub-agents of a pipeline in the order of its steps, and others as they are declared. */
function inOrder({ subagents, orchestration }: Plan) {
  const steps = orchestration?.mode === 'pipeline' ? orchestration.steps : []
  const stepOf = (alias: string) => (steps.includes(alias) ? steps.indexOf(alias) : steps.length)
  return subagents
    .map((subagent, index) => ({ subagent, index }))
    .sort((a, b) => stepOf(a.subagent.alias) - stepOf(b.subagent.alias))
}

function missingNode({ ref, reason = 'its definition is missing' }: PlannedSubagent, id: string): GraphNode {
  return { id, kind: 'missing', title: ref, facts: [`not found: ${reason}`] }
}

function rolesOf({ orchestration }: Plan, { alias, when }: PlannedSubagent): readonly string[] {
  if (orchestration === undefined) return []
  const { mode, steps, workers, consensus, synthesizer, fallback } = orchestration
  const works = workers.includes(alias)
  const condition = when === undefined ? undefined : `when ${conditionNote(when)}`
  return [
    ...(mode === 'pipeline'
      ? steps.flatMap((step, index) => (step === alias ? [String(index + 1)] : []))
      : []),
    ...(mode === 'swarm' && works ? [condition === undefined ? 'at once' : `at once, ${condition}`] : []),
    ...(mode === 'router' && works ? [condition ?? 'otherwise'] : []),
    ...(mode === 'model' && works ? ['may ask'] : []),
    ...(mode === 'swarm' && consensus?.judge === alias
      ? [consensus.strategy === 'referee' ? 'decides' : 'selects the best']
      : []),
    ...((mode === 'swarm' || mode === 'router') && synthesizer === alias ? ['merges the answers'] : []),
    ...(fallback === alias ? ['if another fails'] : []),
  ]
}

/** Several uses of the same agent are one edge. */
function callEdges(from: string, uses: readonly Use[]): readonly GraphEdge[] {
  return [...Map.groupBy(uses, ({ to, seldom }) => `${to} ${seldom}`).values()].map((same): GraphEdge => {
    const labels = [...Map.groupBy(same, ({ role }) => role)].map(
      ([role, those]) => `${role} · ${those.map(({ alias }) => alias).join(', ')}`,
    )
    const { to, seldom } = same[0] as Use
    return { from, to, kind: 'call', labels, ...(seldom && { seldom }) }
  })
}

function handoffText({ condition, pass_context, pass_memory }: PlannedHandoff): string {
  return [
    `hand-off when ${conditionNote(condition)}`,
    ...(pass_context ? [] : ['without the conversation']),
    ...(pass_memory ? ['with memory'] : []),
  ].join(', ')
}
