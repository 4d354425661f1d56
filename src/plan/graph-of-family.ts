import { conditionNote } from '../condition/condition-note.ts'
import type { AgentGraph, GraphEdge, GraphNode } from './agent-graph.ts'
import type { Plan, PlannedModel, PlannedTool } from './plan.ts'
import type { PlannedConsensus } from './planned-orchestration.ts'
import { subagentParts } from './subagent-parts.ts'

/**
 * Returns the graph of a family of plans. Each agent is drawn once, however many agents call it, so circles are closed.
 * @param family the plans of all agents that may take part, that of the started agent first
 */
export function graphOfFamily(family: readonly Plan[]): AgentGraph {
  const known = new Map(family.map((plan) => [plan.definition_hash, plan]))
  const ids = new Map<string, string>()
  const nodes: GraphNode[] = []
  const edges: GraphEdge[] = []
  const pending: Plan[] = []
  const idOf = (plan: Plan): string => {
    const before = ids.get(plan.definition_hash)
    if (before !== undefined) return before
    const id = `a${ids.size}`
    ids.set(plan.definition_hash, id)
    pending.push(plan)
    return id
  }
  const [root] = family
  if (root === undefined) throw new Error('a family has a root')
  idOf(root)
  for (let plan = pending.shift(); plan !== undefined; plan = pending.shift()) {
    const id = idOf(plan)
    nodes.push(agentNode(plan, id, root))
    for (const part of [
      triggers(plan, id, plan === root),
      models(plan, id),
      tools(plan, id),
      memory(plan, id),
    ]) {
      nodes.push(...part.nodes)
      edges.push(...part.edges)
    }
    const part = subagentParts(plan, id, (hash) => {
      const found = known.get(hash)
      return found === undefined ? undefined : idOf(found)
    })
    nodes.push(...part.nodes)
    edges.push(...part.edges)
  }
  return { nodes, edges }
}

function agentNode(plan: Plan, id: string, root: Plan): GraphNode {
  const { agent_name, agent_version, hooks = [], constraints } = plan
  const own = constraints.filter(({ inherited }) => inherited !== true).length
  // Sub-agents inherit rules from their callers, which are not repeated.
  const ruled = rulesOf(plan).filter((rule) => plan === root || !rulesOf(root).includes(rule))
  const facts = [
    patternOf(plan),
    ...ruled,
    own === 0 ? '' : `${own} ${own === 1 ? 'constraint' : 'constraints'}`,
    hooks.length === 0 ? '' : `hooks: ${hooks.map(({ hook }) => hook).join(', ')}`,
  ]
  return {
    id,
    kind: 'agent',
    title: agent_version === undefined ? agent_name : `${agent_name} ${agent_version}`,
    facts: facts.filter((fact) => fact !== ''),
  }
}

function rulesOf({ safety_level, approval }: Plan): readonly string[] {
  const when = approval?.trigger === undefined ? '' : ` when ${conditionNote(approval.trigger)}`
  return [
    ...(safety_level === 'standard' ? [] : [`safety level ${safety_level}`]),
    ...(approval === undefined ? [] : [`a person approves writes${when}`]),
  ]
}

function patternOf({ orchestration }: Plan): string {
  if (orchestration === undefined) return ''
  const { mode, steps, workers, consensus, handoffs } = orchestration
  switch (mode) {
    case 'pipeline':
      return `pipeline of ${steps.length}`
    case 'swarm':
      return `swarm of ${workers.length}: ${consensusText(consensus)}`
    case 'router':
      return `router: selects among ${workers.length}`
    case 'model':
      return workers.length > 0 ? 'delegates as its model decides' : handoffs.length > 0 ? 'hands over' : ''
  }
}

function consensusText(consensus: PlannedConsensus | undefined): string {
  switch (consensus?.strategy) {
    case 'majority_vote':
      return `majority vote, at least ${consensus.min_votes ?? 1}`
    case 'best_of_n':
      return 'the best answer is selected'
    case 'referee':
      return 'a referee decides'
    case 'first_success':
      return 'the first success'
    case undefined:
      return 'answers are merged'
  }
}

/** Only the triggers of the started agent start runs. */
function triggers({ triggers: declared = [] }: Plan, agent: string, isRoot: boolean): AgentGraph {
  const nodes = (isRoot ? declared : []).map(({ type, schedule, path }, index): GraphNode => {
    const facts = [schedule, path].filter((fact) => fact !== undefined)
    return { id: `${agent}g${index}`, kind: 'trigger', title: type, facts }
  })
  const edges = nodes.map(({ id }, index): GraphEdge => {
    const filter = declared[index]?.filter
    const labels = filter === undefined ? [] : [`when ${conditionNote(filter)}`]
    return { from: id, to: agent, kind: 'start', labels }
  })
  return { nodes, edges }
}

/** The provider of the double of a rehearsal, for a definition that names no model. */
const DOUBLE = 'rehearsal'

function models({ models: routes, routing }: Plan, agent: string): AgentGraph {
  const nodes = routes
    .filter(({ provider }) => provider !== DOUBLE)
    .map((route, index): GraphNode => {
      const facts = route.base_url === undefined ? [] : [hostOf(route.base_url)]
      return { id: `${agent}m${index}`, kind: 'model', title: nameOf(route), facts }
    })
  const edges = nodes.map(({ id }, index): GraphEdge => {
    const from = nodes[index - 1]?.id
    const strategy = routing?.strategy ?? 'preferred_first'
    if (from !== undefined) return { from, to: id, kind: 'fallback', labels: ['fallback'], seldom: true }
    const labels = nodes.length < 2 || strategy === 'preferred_first' ? [] : [`by ${strategy}`]
    return { from: agent, to: id, kind: 'model', labels }
  })
  return { nodes, edges }
}

function nameOf({ provider, provider_id, model }: PlannedModel): string {
  return `${provider_id ?? provider}/${model}`
}

function tools({ tools: planned }: Plan, agent: string): AgentGraph {
  const own = planned.filter(({ protocol }) => protocol !== 'agent' && protocol !== 'memory')
  const nodes = [...Map.groupBy(own, ({ name, declared }) => declared ?? name)].map(
    ([title, offered], index): GraphNode => toolNode(title, offered, `${agent}t${index}`),
  )
  return { nodes, edges: nodes.map(({ id }) => ({ from: agent, to: id, kind: 'tool', labels: [] })) }
}

/** @param offered all tools of one declaration: a tool server offers several */
function toolNode(title: string, offered: readonly PlannedTool[], id: string): GraphNode {
  const writes = offered.filter(({ effect }) => effect === 'write').length
  const asks = offered.some(({ gate }) => gate === 'ask')
  const [first] = offered
  const effect = writes > 0 ? 'write' : 'read'
  const facts = [
    first?.protocol ?? '',
    first?.endpoint === undefined ? '' : hostOf(first.endpoint),
    offered.length === 1 ? effect : `${offered.length} tools, ${writes} write`,
    asks ? 'needs approval' : '',
    first?.auth === undefined ? '' : `secret ${first.auth.secret}`,
  ]
  return {
    id,
    kind: 'tool',
    title,
    facts: facts.filter((fact) => fact !== ''),
    effect,
    ...(asks && { asks }),
  }
}

function memory({ memory: entries }: Plan, agent: string): AgentGraph {
  const nodes = entries.map(
    ({ scope, key, backend }, index): GraphNode => ({
      id: `${agent}s${index}`,
      kind: 'memory',
      title: key,
      facts: [scope, backend].filter((fact) => fact !== undefined),
    }),
  )
  return { nodes, edges: nodes.map(({ id }) => ({ from: agent, to: id, kind: 'memory', labels: [] })) }
}

function hostOf(address: string): string {
  return URL.parse(address)?.host || address
}
