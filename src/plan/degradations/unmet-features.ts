import { checkCondition } from '../../condition/check-condition.ts'
import { CONDITION_LANGUAGES } from '../../condition/condition.ts'
import { conditionsOf } from '../../spec/aaif/conditions-of.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { schemasOf } from '../../spec/aaif/schemas-of.ts'
import { routeName } from '../order-routes.ts'
import type {
  Degradation,
  PlannedConstraint,
  PlannedModel,
  PlannedTool,
  Refusal,
  SafetyLevel,
} from '../plan.ts'
import { HOOKS } from '../plan-hooks.ts'
import type { PlannedSubagent } from '../planned-orchestration.ts'
import type { Snapshot } from '../snapshot.ts'
import { comparePins } from '../tool-pins.ts'
import { problemsAt } from '../whole-schema.ts'
import { functionArguments } from './function-arguments.ts'
import type { Unmet } from './unmet.ts'
import { unusedFunctions } from './unused-functions.ts'

export interface UnmetParts {
  readonly degradations: readonly Degradation[]
  readonly refusals: readonly Refusal[]
}

/** Returns the features that this host does not have, and the refusals that follow from them. */
export function unmetFeatures(
  snapshot: Snapshot,
  tools: readonly PlannedTool[],
  subagents: readonly PlannedSubagent[],
  constraints: readonly PlannedConstraint[],
  memory: { readonly unmet: readonly Unmet[] },
  met: ReadonlySet<string>,
  level: SafetyLevel,
  canAudit: boolean,
  judge: PlannedModel | null = null,
): UnmetParts {
  const unmet = [
    ...capabilities(snapshot.definition, met),
    ...features(snapshot.definition, canAudit),
    ...parts(snapshot),
    ...memory.unmet,
    ...toolsDenied(snapshot.definition, tools),
    ...functionArguments(snapshot),
    ...unusedFunctions(snapshot),
    ...toolsNotPinned(snapshot),
    ...toolsGone(snapshot),
    ...notDiscovered(snapshot),
    ...hooksMissing(snapshot),
    ...subagentsMissing(snapshot, subagents),
    ...constraintsUnjudged(constraints, judge),
    ...schemasNotChecked(snapshot),
    ...conditionsUndecided(snapshot.definition),
  ]
  const strict = level === 'strict' || level === 'regulated'
  const refused = unmet.filter((item) => item.weight === 'refuse' || (item.weight === 'degrade' && strict))
  return {
    degradations: unmet.map(({ path, reason, rule }) => ({ path, reason, rule })),
    refusals: refused.map(({ path, reason, rule, weight, code, hint }) => ({
      code: code ?? 'FEATURE_UNMET',
      message:
        weight === 'refuse' ? reason : `${reason}; at safety_level ${level} the agent is refused without it`,
      pointer: path,
      rule,
      hint: hint ?? 'use --rehearse for a dry run, or use a host that supports it',
    })),
  }
}

function capabilities(definition: AgentDefinition, met: ReadonlySet<string>): Unmet[] {
  return (definition.agent.required_capabilities ?? []).flatMap((name, index): Unmet[] =>
    met.has(name)
      ? []
      : [
          {
            path: `/agent/required_capabilities/${index}`,
            reason: `the capability ${name} is not available here`,
            rule: 'AAIF-7-01',
            code: 'CAPABILITY_UNMET',
            weight: 'degrade',
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
      'refuse',
      '/agent/compliance/audit_log',
      'the agent requires an audit log, but this host cannot store one',
      'AAIF-4.9-08',
    )
  }
  return unmet
}

function parts(snapshot: Snapshot): Unmet[] {
  return snapshot.context.flatMap((item, index): Unmet[] =>
    item.found
      ? []
      : [{ path: `/agent/context/${index}`, reason: item.reason, rule: item.rule, weight: 'degrade' }],
  )
}

function hooksMissing({ definition, hooks = [] }: Snapshot): Unmet[] {
  return HOOKS.flatMap((hook): Unmet[] => {
    const name = definition.agent.events?.[hook]
    if (name === undefined || hooks.includes(name)) return []
    return [
      {
        path: `/agent/events/${hook}`,
        reason: `no hook named ${name} is available; export it in "hooks" of the module given with --tools`,
        rule: 'SPEC-D-20',
        weight: 'degrade',
      },
    ]
  })
}

/** Returns one entry for all tools of a declaration that are denied for the same reason. */
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
        reason: `${what}: ${tool.reason}${tool.pin === undefined ? '' : `; ${REVIEW}`}`,
        rule: tool.rule ?? 'AAIF-12-02',
        // One operation that its document describes wrongly does not refuse an agent that can call the others.
        weight: tool.unavailable === true && hasOthers(tool, tools) ? 'note' : 'degrade',
        ...(tool.pin !== undefined && { code: 'TOOL_NOT_AS_PINNED', hint: REVIEW }),
      },
    ]
  })
}

/** Returns whether a declaration offers a tool that can be called. */
function hasOthers({ declared }: PlannedTool, tools: readonly PlannedTool[]): boolean {
  return tools.some((other) => other.declared === declared && other.gate !== 'deny')
}

const REVIEW =
  'review the changes with `waybill tools diff FILE`, and accept them with `waybill tools pin FILE`'

/** Returns a note for tools that cannot be pinned: they are used as the server offers them at each run. */
function toolsNotPinned({ definition, discovered, pins }: Snapshot): Unmet[] {
  if (pins?.trouble === undefined) return []
  const { lock, trouble } = pins
  const names = comparePins(definition, discovered, lock).filter(({ state }) => state === 'unpinned')
  return [...new Set(names.map(({ declared }) => declared))].map((declared) => ({
    path: `/agent/tools/${indexOf(definition, declared)}`,
    reason: `the tools of ${declared} are not pinned: ${trouble}`,
    rule: 'AAIF-12-01',
    weight: 'note',
  }))
}

/** Returns a note for pinned tools that their server no longer offers. */
function toolsGone({ definition, discovered, pins }: Snapshot): Unmet[] {
  if (pins === undefined) return []
  const gone = comparePins(definition, discovered, pins.lock).filter(({ state }) => state === 'gone')
  return [...Map.groupBy(gone, ({ declared }) => declared)].map(([declared, tools]) => ({
    path: `/agent/tools/${indexOf(definition, declared)}`,
    reason: `the server of ${declared} no longer offers ${tools.map(({ name }) => name).join(', ')}; ${REVIEW}`,
    rule: 'AAIF-12-01',
    weight: 'note',
  }))
}

/** Returns a note for each part of a server's list, or of a document, that cannot be used. */
function notDiscovered({ definition, discovered }: Snapshot): Unmet[] {
  return Object.entries(discovered).flatMap(([declared, discovery]): Unmet[] => {
    if (!discovery.found || discovery.notes === undefined) return []
    const { texts, rule } = discovery.notes
    const path = `/agent/tools/${indexOf(definition, declared)}`
    return texts.map((reason) => ({ path, reason: `${declared}: ${reason}`, rule, weight: 'note' }))
  })
}

function indexOf(definition: AgentDefinition, tool: string): number {
  return (definition.agent.tools ?? []).findIndex(({ name }) => name === tool)
}

/**
 * Returns a note for each part of a schema that is not enforced: a pattern that cannot be matched in linear time, or a
 * part of a document that is not available.
 */
function schemasNotChecked(snapshot: Snapshot): Unmet[] {
  return [...schemasOf(snapshot.definition)].flatMap((placed) =>
    problemsAt(snapshot, placed)
      .filter((problem) => problem.severity === 'warning')
      .map(({ pointer, message, hint, unavailable }) => ({
        path: placed.pointer + pointer,
        reason: unavailable === undefined ? message : `${message}; ${hint}`,
        rule: 'SPEC-D-30',
        weight: 'note' as const,
      })),
  )
}

/** Returns missing sub-agents. A missing step of a pipeline refuses the agent; others matter only when they are called. */
function subagentsMissing(snapshot: Snapshot, subagents: readonly PlannedSubagent[]): Unmet[] {
  const steps = new Set(snapshot.definition.agent.orchestration?.pipeline ?? [])
  return subagents.flatMap((subagent, index): Unmet[] =>
    subagent.agent !== undefined && subagent.doubled !== true
      ? []
      : [
          {
            path: `/agent/orchestration/subagents/${snapshot.subagents[index]?.index ?? index}`,
            reason: `the sub-agent ${subagent.alias} was not found: ${subagent.reason ?? 'no agent matches this ref'}${subagent.doubled === true ? '; a test double replaces it' : ''}`,
            rule: 'AAIF-3-04',
            weight: steps.has(subagent.alias) || steps.has(subagent.ref) ? 'refuse' : 'degrade',
          },
        ],
  )
}

/** Returns constraints without enforcement: without a rule they need a judge; strict and regulated require one (AAIF §12). */
function constraintsUnjudged(constraints: readonly PlannedConstraint[], judge: PlannedModel | null): Unmet[] {
  const [why, hint] =
    judge?.eligible === false
      ? [`the judge ${routeName(judge)} cannot be used (${judge.reason})`, judge.hint]
      : ['no judge model is configured', 'add --judge PROVIDER/MODEL']
  return constraints.flatMap(({ text, enforcement }, index): Unmet[] =>
    enforcement === 'prompt'
      ? [
          {
            path: `/agent/constraints/${index}`,
            reason: `${why}, so ${JSON.stringify(shortened(text))} is only in the prompt${hint === undefined ? '' : `; ${hint}`}`,
            rule: 'AAIF-3-02',
            weight: 'degrade',
          },
        ]
      : [],
  )
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/**
 * Returns conditions that cannot be evaluated. A language without an evaluator is an unmet capability (AAIF §5); a
 * condition in plain text, or whose expression cannot be compiled, has the effect of an undecided one.
 */
function conditionsUndecided(definition: AgentDefinition): Unmet[] {
  return [...conditionsOf(definition)].flatMap(({ pointer, condition, undecided }): Unmet[] => {
    if (typeof condition === 'string') {
      const reason = `it is a condition in plain text, which cannot be evaluated, so ${undecided}`
      return [{ path: pointer, reason, rule: 'AAIF-5-12', weight: 'note' }]
    }
    const known: readonly string[] = CONDITION_LANGUAGES
    if (known.includes(condition.lang)) {
      const wrong = checkCondition(condition).find(({ severity }) => severity === 'error')
      if (wrong === undefined) return []
      const reason = `${wrong.message}; it cannot be evaluated, so ${undecided}`
      return [{ path: pointer + wrong.pointer, reason, rule: 'AAIF-5-16', weight: 'note' }]
    }
    const reason = `conditions in ${condition.lang} cannot be evaluated, so ${undecided}`
    return [{ path: `${pointer}/lang`, reason, rule: 'AAIF-5-15', weight: 'degrade' }]
  })
}
