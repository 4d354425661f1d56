import { CONDITION_LANGUAGES } from '../condition/condition.ts'
import type { Code } from '../document/codes.ts'
import type { Json } from '../document/json.ts'
import { checkUserSchema } from '../schema/user-schema.ts'
import { conditionsOf } from '../spec/aaif/conditions-of.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type {
  Degradation,
  PlannedConstraint,
  PlannedSubagent,
  PlannedTool,
  Refusal,
  SafetyLevel,
} from './plan.ts'
import { HOOKS } from './plan-hooks.ts'
import type { Snapshot } from './snapshot.ts'
import { comparePins } from './tool-pins.ts'

/** Capabilities (AAIF §7) that this host has. */
const MET: ReadonlySet<string> = new Set([
  'tool.function',
  'tool.http',
  'tool.mcp',
  'tool.openapi',
  'io.streaming',
  'io.async',
  'io.batch',
  'compliance.hitl',
  'compliance.audit_log',
  'compliance.data_residency',
  'condition.structured',
  'telemetry.otel',
  'orchestration.parallel',
  'orchestration.handoff',
  'orchestration.pipeline',
  'orchestration.consensus',
])

/** The same for those who negotiate with this host: what is advertised is what a plan counts on. */
export { MET as HOST_CAPABILITIES }

/**
 * Something that the definition asks for and this host will not do.
 * `gives`: at strict and regulated the agent is refused, below that it runs without (AAIF §7).
 * `never`: running without it would break a promise that the definition makes to others, so it is refused everywhere.
 * `notes`: it changes nothing about what the agent does.
 */
export interface Unmet extends Degradation {
  /** Of the refusal; absent: `FEATURE_UNMET`. */
  readonly code?: Code
  readonly hint?: string
  readonly weight: 'gives' | 'never' | 'notes'
}

export interface UnmetParts {
  readonly degradations: readonly Degradation[]
  readonly refusals: readonly Refusal[]
}

/** What of a definition will not be done, and whether that means that the agent may not run. */
export function planUnmet(
  snapshot: Snapshot,
  tools: readonly PlannedTool[],
  subagents: readonly PlannedSubagent[],
  constraints: readonly PlannedConstraint[],
  memory: { readonly unmet: readonly Unmet[]; readonly met: readonly string[] },
  level: SafetyLevel,
  canAudit: boolean,
): UnmetParts {
  const unmet = [
    ...capabilities(snapshot.definition, memory.met),
    ...features(snapshot.definition, canAudit),
    ...parts(snapshot),
    ...memory.unmet,
    ...toolsDenied(snapshot.definition, tools),
    ...toolsNotPinned(snapshot),
    ...hooksMissing(snapshot),
    ...subagentsMissing(snapshot, subagents),
    ...constraintsUnjudged(constraints),
    ...patternsNotChecked(snapshot.definition),
    ...conditionsUndecided(snapshot.definition),
  ]
  const strict = level === 'strict' || level === 'regulated'
  const refused = unmet.filter((item) => item.weight === 'never' || (item.weight === 'gives' && strict))
  return {
    degradations: unmet.map(({ path, reason, rule }) => ({ path, reason, rule })),
    refusals: refused.map(({ path, reason, rule, weight, code, hint }) => ({
      code: code ?? 'FEATURE_UNMET',
      message:
        weight === 'never' ? reason : `${reason}; at safety_level ${level} the agent is refused without it`,
      pointer: path,
      rule,
      hint: hint ?? 'rehearse it with --rehearse, or run it on a host that supports this',
    })),
  }
}

function capabilities(definition: AgentDefinition, alsoMet: readonly string[]): Unmet[] {
  return (definition.agent.required_capabilities ?? []).flatMap((name, index): Unmet[] =>
    MET.has(name) || alsoMet.includes(name)
      ? []
      : [
          {
            path: `/agent/required_capabilities/${index}`,
            reason: `the capability ${name} is not available here`,
            rule: 'AAIF-7-01',
            code: 'CAPABILITY_UNMET',
            weight: 'gives',
          },
        ],
  )
}

function features({ agent }: AgentDefinition, canAudit: boolean): Unmet[] {
  const unmet: Unmet[] = []
  const add = (weight: Unmet['weight'], path: string, reason: string, rule: string) =>
    unmet.push({ path, reason, rule, weight })
  const { compliance } = agent
  if (compliance?.audit_log === true && !canAudit) {
    add(
      'never',
      '/agent/compliance/audit_log',
      'there is no place for an audit log here, and the agent asks for one',
      'AAIF-4.9-08',
    )
  }
  return unmet
}

function parts(snapshot: Snapshot): Unmet[] {
  return snapshot.context.flatMap((item, index): Unmet[] =>
    item.found
      ? []
      : [{ path: `/agent/context/${index}`, reason: item.reason, rule: item.rule, weight: 'gives' }],
  )
}

function hooksMissing({ definition, hooks = [] }: Snapshot): Unmet[] {
  return HOOKS.flatMap((hook): Unmet[] => {
    const name = definition.agent.events?.[hook]
    if (name === undefined || hooks.includes(name)) return []
    return [
      {
        path: `/agent/events/${hook}`,
        reason: `no hook named ${name} was given; export it as one of the hooks of the module of --tools`,
        rule: 'SPEC-D-20',
        weight: 'gives',
      },
    ]
  })
}

/** Tools that stand behind one declaration and miss the same thing are told of once. */
function toolsDenied({ agent }: AgentDefinition, tools: readonly PlannedTool[]): Unmet[] {
  const denied = Map.groupBy(
    tools.filter((tool) => tool.gate === 'deny' && tool.agent === undefined),
    (tool) => `${tool.declared ?? tool.name} ${tool.reason}`,
  )
  const places = new Map((agent.tools ?? []).map(({ name }, index) => [name, index]))
  return [...denied.values()].flatMap((alike): Unmet[] => {
    const [tool] = alike
    if (tool === undefined) return []
    const what =
      alike.length === 1
        ? `the tool ${tool.name} is not available`
        : `${alike.length} tools of ${tool.declared} are not available (${tool.name}, …)`
    return [
      {
        path: `/agent/tools/${places.get(tool.declared ?? tool.name)}`,
        reason: `${what}: ${tool.reason}`,
        rule: tool.rule ?? 'AAIF-12-02',
        weight: 'gives',
        ...(tool.pin !== undefined && { code: 'TOOL_NOT_AS_PINNED', hint: REVIEW }),
      },
    ]
  })
}

const REVIEW =
  'look at what changed with `waybill tools diff FILE`, and accept it with `waybill tools pin FILE`'

/** A tool that cannot be pinned is used as it is each time, which its user must know. */
function toolsNotPinned({ definition, discovered, pins }: Snapshot): Unmet[] {
  if (pins?.trouble === undefined) return []
  const { lock, trouble } = pins
  const names = comparePins(definition, discovered, lock).filter(({ state }) => state === 'unpinned')
  return [...new Set(names.map(({ declared }) => declared))].map((declared) => ({
    path: `/agent/tools/${indexOf(definition, declared)}`,
    reason: `what stands behind ${declared} is not pinned: ${trouble}`,
    rule: 'AAIF-12-01',
    weight: 'notes',
  }))
}

function indexOf(definition: AgentDefinition, tool: string): number {
  return (definition.agent.tools ?? []).findIndex(({ name }) => name === tool)
}

/** A pattern that cannot be matched in linear time is not enforced, which the reader of a schema must know. */
function patternsNotChecked({ agent }: AgentDefinition): Unmet[] {
  const schemas: (readonly [path: string, schema: unknown])[] = [
    ['/agent/io/input_schema', agent.io?.input_schema],
    ['/agent/io/output_schema', agent.io?.output_schema],
    ...(agent.tools ?? []).flatMap((tool, index) => [
      [`/agent/tools/${index}/parameters_schema`, tool.parameters_schema] as const,
      [`/agent/tools/${index}/output_schema`, tool.output_schema] as const,
    ]),
  ]
  return schemas.flatMap(([path, schema]) =>
    schema === undefined
      ? []
      : checkUserSchema(schema as Json)
          .filter((problem) => problem.severity === 'warning')
          .map((problem) => ({
            path: path + problem.pointer,
            reason: problem.message,
            rule: 'SPEC-D-30',
            weight: 'notes' as const,
          })),
  )
}

/** A step of a pipeline that is missing stops the agent; another sub-agent is missed only when it is called. */
function subagentsMissing(snapshot: Snapshot, subagents: readonly PlannedSubagent[]): Unmet[] {
  const steps = new Set(snapshot.definition.agent.orchestration?.pipeline ?? [])
  return subagents.flatMap((subagent, index): Unmet[] =>
    subagent.agent !== undefined && subagent.doubled !== true
      ? []
      : [
          {
            path: `/agent/orchestration/subagents/${snapshot.subagents[index]?.index ?? index}`,
            reason: `the sub-agent ${subagent.alias} was not found: ${subagent.reason ?? 'nothing has this ref'}${subagent.doubled === true ? '; a double works in its place' : ''}`,
            rule: 'AAIF-3-04',
            weight: steps.has(subagent.alias) || steps.has(subagent.ref) ? 'never' : 'gives',
          },
        ],
  )
}

/** A sentence that no rule holds needs a judge; at strict and regulated a prompt alone is not enough (AAIF §12). */
function constraintsUnjudged(constraints: readonly PlannedConstraint[]): Unmet[] {
  return constraints.flatMap(({ text, enforcement }, index): Unmet[] =>
    enforcement === 'prompt'
      ? [
          {
            path: `/agent/constraints/${index}`,
            reason: `no judge is set up, so ${JSON.stringify(shortened(text))} is only told to the model; name one with --judge PROVIDER/MODEL`,
            rule: 'AAIF-3-02',
            weight: 'gives',
          },
        ]
      : [],
  )
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/**
 * A condition in a language that this host does not have is an unmet capability (AAIF §5); one in plain words is
 * decided by nobody here, and counts as not satisfied.
 */
function conditionsUndecided(definition: AgentDefinition): Unmet[] {
  return [...conditionsOf(definition)].flatMap(({ pointer, condition }): Unmet[] => {
    if (typeof condition === 'string') {
      const reason = 'it is a condition in plain words: nobody decides it here, so it counts as not satisfied'
      return [{ path: pointer, reason, rule: 'AAIF-5-12', weight: 'notes' }]
    }
    const known: readonly string[] = CONDITION_LANGUAGES
    if (known.includes(condition.lang)) return []
    const reason = `conditions in ${condition.lang} cannot be decided here, so this one counts as not satisfied`
    return [{ path: `${pointer}/lang`, reason, rule: 'AAIF-5-15', weight: 'gives' }]
  })
}
