import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import { bundleUserSchema } from '../schema/user-schema-bundle.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { PlannedTool } from './plan.ts'
import type {
  PlannedConsensus,
  PlannedHandoff,
  PlannedOrchestration,
  PlannedSubagent,
} from './planned-orchestration.ts'
import type { ResolvedSubagent, Snapshot } from './snapshot.ts'

export interface PlannedTopology {
  readonly subagents: readonly PlannedSubagent[]
  readonly orchestration?: PlannedOrchestration
  /** Returns the sub-agents that the agent's own model may call. */
  readonly tools: readonly PlannedTool[]
}

type Orchestration = NonNullable<AgentDefinition['agent']['orchestration']>

/** The number of sub-agents of one agent that run in parallel. */
const MAX_PARALLEL = 100

/** Returns the orchestration of a definition (AAIF §4.3): its pattern and the roles of the sub-agents. */
export function planTopology(snapshot: Snapshot): PlannedTopology {
  const declared = snapshot.definition.agent.orchestration
  const subagents = snapshot.subagents.map((resolved) => planSubagent(resolved, declared))
  if (declared === undefined || subagents.length === 0) return { subagents, tools: [] }
  const aliasOf = (name: string | undefined): string | undefined =>
    name === undefined
      ? undefined
      : (subagents.find(({ alias }) => alias === name) ?? subagents.find(({ ref }) => ref === name))?.alias
  const listed = subagents.filter((_, at) => snapshot.subagents[at]?.index !== undefined)
  const fallback = listed.find(({ role }) => role === 'fallback')?.alias
  const synthesizer = listed.find(
    (agent) => agent.own_role === 'synthesizer' || /synth/i.test(agent.alias),
  )?.alias
  const consensus = planConsensus(declared, listed, aliasOf)
  const workers = listed.filter(
    ({ alias, role }) =>
      role !== 'fallback' && role !== 'evaluator' && alias !== synthesizer && alias !== consensus?.judge,
  )
  const mode = modeOf(declared, workers)
  const orchestration: PlannedOrchestration = {
    mode,
    steps: (declared.pipeline ?? []).map((step) => aliasOf(step) ?? step),
    workers: workers.map(({ alias }) => alias),
    ...defined({ consensus, synthesizer, fallback }),
    max_parallel: MAX_PARALLEL,
    handoffs: (declared.handoff ?? []).map(
      (rule): PlannedHandoff => ({
        condition: rule.condition,
        target: aliasOf(rule.target_agent) ?? rule.target_agent,
        pass_context: rule.pass_context ?? true,
        pass_memory: rule.pass_memory ?? false,
      }),
    ),
  }
  return { subagents, orchestration, tools: mode === 'model' ? delegates(snapshot, workers) : [] }
}

function planSubagent(resolved: ResolvedSubagent, declared: Orchestration | undefined): PlannedSubagent {
  const entry = resolved.index === undefined ? undefined : declared?.subagents?.[resolved.index]
  const { found } = resolved
  return {
    ref: resolved.ref,
    alias: entry?.alias ?? resolved.ref,
    ...defined({ index: resolved.index, role: entry?.role, own_role: found?.role }),
    ...(found !== undefined && { agent: found.definition_hash }),
    ...defined({ when: entry?.when, pass_memory_keys: entry?.pass_memory_keys }),
    ...(found?.doubled === true && { doubled: found.doubled }),
    ...defined({ reason: resolved.reason, refused: resolved.refused }),
  }
}

function modeOf(declared: Orchestration, workers: readonly PlannedSubagent[]): PlannedOrchestration['mode'] {
  if ((declared.pipeline ?? []).length > 0) return 'pipeline'
  if (declared.parallel_execution === true) return 'swarm'
  if (declared.role === 'router' || workers.some(({ when }) => when !== undefined)) return 'router'
  return 'model'
}

function planConsensus(
  declared: Orchestration,
  listed: readonly PlannedSubagent[],
  aliasOf: (name: string | undefined) => string | undefined,
): PlannedConsensus | undefined {
  const { strategy, min_votes, referee_agent } = declared.consensus ?? {}
  if (strategy === undefined) return undefined
  const evaluator = listed.find(
    ({ role, own_role }) => role === 'evaluator' || own_role === 'evaluator',
  )?.alias
  const judge =
    strategy === 'referee' ? aliasOf(referee_agent) : strategy === 'best_of_n' ? evaluator : undefined
  return {
    strategy,
    ...defined({ min_votes, judge }),
    decided_by:
      strategy === 'majority_vote' || strategy === 'first_success'
        ? 'workers'
        : judge === undefined
          ? 'own_model'
          : 'subagent',
  }
}

/** Returns the tools through which the model of an orchestrator calls its sub-agents. */
function delegates(snapshot: Snapshot, workers: readonly PlannedSubagent[]): readonly PlannedTool[] {
  const taken = new Set((snapshot.definition.agent.tools ?? []).map(({ name }) => name))
  return workers.map((worker): PlannedTool => {
    const found = snapshot.subagents.find(({ ref }) => ref === worker.ref)?.found
    const base = `ask_${worker.alias.replaceAll(/[^a-zA-Z0-9_-]/g, '_')}`.slice(0, 60)
    let name = base
    for (let n = 2; taken.has(name); n++) name = `${base}_${n}`
    taken.add(name)
    const task: JsonObject = found?.input_schema ?? {
      type: 'string',
      description: 'The task of the agent, with all information that it needs.',
    }
    return {
      name,
      description: `Calls the agent ${found?.name ?? worker.alias}. ${found?.purpose ?? ''}`.trim(),
      protocol: 'agent',
      agent: worker.alias,
      effect: 'write',
      idempotent: true,
      gate: worker.agent === undefined ? 'deny' : 'allow',
      ...(worker.reason !== undefined && { reason: worker.reason, rule: 'AAIF-3-04' }),
      parameters_schema: argumentsOf(task),
    }
  })
}

/** Returns the schema of the arguments. References in the schema of the task are relative to that schema. */
function argumentsOf(task: JsonObject): JsonObject {
  const refers = JSON.stringify(task).includes('$ref"')
  const schema: JsonObject = {
    type: 'object',
    properties: { task: refers ? { $ref: TASK } : task },
    required: ['task'],
    additionalProperties: false,
  }
  return refers ? bundleUserSchema(schema, () => ({ document: task })).schema : schema
}

/** The address of the schema of the task, which is only used while schemas are combined. */
const TASK = 'urn:waybill:task'
