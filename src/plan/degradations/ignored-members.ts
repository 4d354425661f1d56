import { leftOutParams, type ParamName } from '../../policy/left-out-params.ts'
import type { AgentDefinition, Tool } from '../../spec/aaif/generated/agent.ts'
import { routeName } from '../order-routes.ts'
import type { Degradation, PlannedConstraint, PlannedModel, PlannedTool } from '../plan.ts'
import { holdsWholeAnswers } from '../plan-constraints.ts'
import type { PlannedTopology } from '../plan-orchestration.ts'
import { planTriggers } from '../plan-triggers.ts'
import type { PlannedOrchestration, PlannedSubagent } from '../planned-orchestration.ts'
import { usesOf } from '../subagent-uses.ts'

type Agent = AgentDefinition['agent']

/**
 * Returns the members of a definition that are not applied (AAIF §4.2–§4.7), because this host does not support them or
 * because another member makes them meaningless. They do not make the agent unsafe, so it is not refused; each is
 * reported, because its author expects an effect.
 */
export function ignoredMembers(
  { agent }: AgentDefinition,
  tools: readonly PlannedTool[],
  models: readonly PlannedModel[],
  { subagents, orchestration }: Pick<PlannedTopology, 'subagents' | 'orchestration'>,
  constraints: readonly PlannedConstraint[],
  queues: true | undefined,
): readonly Degradation[] {
  return [
    ...modelNotDone(agent, models),
    ...orchestrationNotDone(agent, orchestration),
    ...(orchestration === undefined ? [] : neverCalled(orchestration, subagents)),
    ...(agent.tools ?? []).flatMap((tool, index) => toolNotDone(tool, `/agent/tools/${index}`, tools)),
    ...streamingNotDone(agent, constraints),
    ...startsNotDone(agent, queues),
  ]
}

function note(path: string, reason: string, rule: string): Degradation {
  return { path, reason, rule }
}

function modelNotDone({ model, io }: Agent, models: readonly PlannedModel[]): readonly Degradation[] {
  const given: ParamName[] = [
    ...(model?.temperature === undefined ? [] : ['temperature' as const]),
    ...(Object.keys(model?.params ?? {}).filter((name) => name !== 'extended') as ParamName[]),
  ]
  const at = (name: ParamName) =>
    name === 'temperature' ? '/agent/model/temperature' : `/agent/model/params/${name}`
  const leftOut = models
    .filter(({ eligible }) => eligible)
    .flatMap((route) =>
      leftOutParams(route, given).map((name) =>
        note(at(name), `${routeName(route)} does not support this parameter, so it is not sent`, 'SPEC-F-01'),
      ),
    )
  if (model?.response_format !== 'json_schema' || io?.output_schema !== undefined) return leftOut
  const reason = 'there is no io.output_schema, so the answer may be any JSON value'
  return [...leftOut, note('/agent/model/response_format', reason, 'SPEC-F-02')]
}

function orchestrationNotDone(
  agent: Agent,
  planned: PlannedOrchestration | undefined,
): readonly Degradation[] {
  const declared = agent.orchestration
  if (declared === undefined) return []
  const path = '/agent/orchestration'
  const notes: Degradation[] = []
  const add = (at: string, reason: string, rule: string) => notes.push(note(path + at, reason, rule))
  const mode = planned?.mode
  if (declared.parallel_execution === true && mode !== 'swarm') {
    const why =
      mode === 'pipeline' ? 'the steps of a pipeline run one after another' : 'there is no sub-agent to run'
    add('/parallel_execution', why, 'AAIF-4.3-04')
  }
  if (mode === 'pipeline') notes.push(...outsidePipeline(agent, planned as PlannedOrchestration))
  const [, ...moreFallbacks] = (declared.subagents ?? []).flatMap(({ role }, index) =>
    role === 'fallback' ? [index] : [],
  )
  for (const index of moreFallbacks) {
    add(
      `/subagents/${index}/role`,
      'only the first fallback is used, and another fallback precedes this one',
      'AAIF-4.3-01',
    )
  }
  const { strategy, min_votes, referee_agent } = declared.consensus ?? {}
  if (declared.consensus !== undefined && (strategy === undefined || mode !== 'swarm')) {
    const why =
      strategy === undefined
        ? 'it has no strategy, so it has no effect'
        : 'a consensus needs sub-agents that run in parallel: set parallel_execution'
    add('/consensus', why, 'AAIF-4.3-05')
    return notes
  }
  if (min_votes !== undefined && strategy !== 'majority_vote') {
    add('/consensus/min_votes', `the strategy ${strategy} does not use votes`, 'AAIF-4.3-05')
  }
  if (referee_agent !== undefined && strategy !== 'referee') {
    add('/consensus/referee_agent', `the strategy ${strategy} does not use a referee`, 'AAIF-4.3-05')
  }
  return notes
}

/** Returns the sub-agents that the pattern has no use for, such as a second evaluator. */
function neverCalled(
  orchestration: PlannedOrchestration,
  subagents: readonly PlannedSubagent[],
): readonly Degradation[] {
  const { mode, consensus } = orchestration
  // See `outsidePipeline`.
  if (mode === 'pipeline') return []
  return usesOf({ orchestration, subagents }).subagents.flatMap(({ subagent, called }) => {
    const { alias, role, own_role, index, when } = subagent
    // A further fallback has its own note, and a condition is the decision of its author.
    if (called !== 'never' || index === undefined || role === 'fallback' || when !== undefined) return []
    const evaluates = role === 'evaluator' || own_role === 'evaluator'
    const why = !evaluates
      ? 'no part of the orchestration needs it'
      : mode === 'swarm' && consensus?.strategy === 'best_of_n'
        ? `${consensus.judge === undefined || consensus.judge === alias ? 'there are too few answers to select from' : `the evaluator is ${consensus.judge}`}`
        : 'only a swarm with the strategy best_of_n has an evaluator'
    return [note(`/agent/orchestration/subagents/${index}`, `${alias} is not called: ${why}`, 'AAIF-4.3-01')]
  })
}

/** Returns members that a pipeline ignores: its steps run unconditionally, and the agent's own model is not used. */
function outsidePipeline(
  agent: Agent,
  { steps, fallback, handoffs }: PlannedOrchestration,
): readonly Degradation[] {
  const used = new Set([...steps, fallback, ...handoffs.map(({ target }) => target)])
  const subagents = (agent.orchestration?.subagents ?? []).flatMap(({ ref, alias = ref, when }, index) => {
    const path = `/agent/orchestration/subagents/${index}`
    if (!used.has(alias)) {
      return [note(path, `no step of the pipeline names ${alias}, so it is not called`, 'AAIF-4.3-02')]
    }
    if (when === undefined || !steps.includes(alias)) return []
    return [
      note(`${path}/when`, 'a step of a pipeline always runs, so its condition is ignored', 'AAIF-4.3-02'),
    ]
  })
  const own = (['tools', 'memory'] as const).filter((member) => (agent[member] ?? []).length > 0)
  const reason = 'only the model of this agent would use it, and a pipeline does not use that model'
  return [...subagents, ...own.map((member) => note(`/agent/${member}`, reason, 'AAIF-4.3-02'))]
}

function toolNotDone(tool: Tool, path: string, planned: readonly PlannedTool[]): readonly Degradation[] {
  const notes: Degradation[] = []
  const add = (at: string, reason: string, rule: string) => notes.push(note(path + at, reason, rule))
  const behind = planned.filter(({ name, declared = name }) => declared === tool.name)
  if (behind.some(({ protocol }) => protocol === 'function')) {
    const reason = 'a function runs in this process and manages its own access'
    if (tool.endpoint !== undefined) add('/endpoint', reason, 'AAIF-4.4-02')
    if (tool.auth !== undefined) add('/auth', reason, 'AAIF-4.4-02')
  } else {
    const { type = 'none', env_var, vault_ref, header, scopes, token_url } = tool.auth ?? {}
    const says = (member: string, type: string) => `${member} is not used: it belongs to auth.type ${type}`
    if (type === 'none') {
      const secret = env_var ?? vault_ref?.path
      if (secret !== undefined) {
        add('/auth', `no credential is sent: ${secret} is given, but auth.type is "none"`, 'AAIF-4.4-09')
      }
    } else if (header !== undefined && type !== 'api_key') {
      add('/auth/header', says('header', 'api_key'), 'AAIF-4.4-09')
    }
    if (type !== 'oauth2') {
      if (scopes !== undefined) add('/auth/scopes', says('scopes', 'oauth2'), 'AAIF-4.4-09')
      if (token_url !== undefined) add('/auth/token_url', says('token_url', 'oauth2'), 'AAIF-4.4-09')
    }
  }
  if ((tool.cache_ttl_seconds ?? 0) > 0 && behind.every(({ effect }) => effect === 'write')) {
    const reason = `only results of read-only tools are cached; if this tool is read-only, set tools: { ${tool.name}: { read_only: true } } in the configuration`
    add('/cache_ttl_seconds', reason, 'AAIF-4.4-14')
  }
  return notes
}

/** Returns the streaming member if a constraint must check the complete answer before it is shown. */
function streamingNotDone(
  { io, runtime }: Agent,
  constraints: readonly PlannedConstraint[],
): readonly Degradation[] {
  const holding = constraints.find(holdsWholeAnswers)
  if (holding === undefined) return []
  const reason = `each answer is withheld until it is complete and checked against ${JSON.stringify(holding.text.slice(0, 60))}`
  return [
    ...(io?.streaming === true ? [note('/agent/io/streaming', reason, 'AAIF-3-02')] : []),
    ...(runtime?.streaming === true ? [note('/agent/runtime/streaming', reason, 'AAIF-3-02')] : []),
  ]
}

/** Returns members about the start of runs: the caller decides how and when a run starts. */
function startsNotDone(agent: Agent, queues: true | undefined): readonly Degradation[] {
  const notes: Degradation[] = []
  const { async_execution, queue } = agent.runtime ?? {}
  const mode = agent.io?.mode
  const background = 'a run returns when it has finished; use --detach to get its id at once'
  if (async_execution === true && queues === undefined)
    notes.push(note('/agent/runtime/async_execution', background, 'AAIF-4.6-06'))
  if (queue !== undefined && queues === undefined) {
    const reason = `named queues are not supported, so the queue ${queue} is ignored: a background run (--detach) starts as soon as runtime.concurrency allows`
    notes.push(note('/agent/runtime/queue', reason, 'AAIF-4.6-07'))
  }
  if (mode === 'async' && queues === undefined) notes.push(note('/agent/io/mode', background, 'SPEC-D-31'))
  if (mode === 'batch' && queues === undefined) {
    const reason = 'a run has one input; use --batch for a list of inputs'
    notes.push(note('/agent/io/mode', reason, 'SPEC-D-31'))
  }
  for (const { pointer, type, reason } of planTriggers({ agent } as AgentDefinition)) {
    if (type !== 'manual' && reason !== undefined)
      notes.push(note(pointer, `this trigger starts no run: ${reason}`, 'SPEC-D-29'))
  }
  return notes
}
