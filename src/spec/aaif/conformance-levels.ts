import type { Issue } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../loose-members.ts'
import { isResolvable, schemesOf } from './endpoint-scheme.ts'
import { CONFORMANCE_LEVELS } from './vocabulary.ts'

export type ConformanceLevel = (typeof CONFORMANCE_LEVELS)[number]

/** A predicate of a level that a definition does not meet. */
export interface MissingPredicate {
  /** The level that defines the predicate; a higher level also lists the predicates of the levels below it. */
  readonly level: ConformanceLevel
  readonly pointer: string
  /** The condition that is not met. */
  readonly message: string
  readonly hint: string
  readonly rule: string
}

export interface LevelStatus {
  readonly met: boolean
  /** The unmet predicates, from the lowest level up; empty if the level is met. */
  readonly missing: readonly MissingPredicate[]
}

export interface LevelReport {
  readonly levels: Readonly<Record<ConformanceLevel, LevelStatus>>
  /**
   * The highest level of the main line: Core, Tooled, Portable, Observable, Enterprise, Stateful; null if Core is not
   * met.
   */
  readonly highest: ConformanceLevel | null
}

type Predicate = (agent: JsonObject, definition: Json) => readonly Omit<MissingPredicate, 'level' | 'rule'>[]

interface Level {
  /** The level that it extends: the levels fork after Portable (AAIF §6). */
  readonly on: ConformanceLevel | null
  readonly rule: string
  readonly lacks: Predicate
}

/** The graph of AAIF §6. Multi-agent is a separate branch; no level extends it. */
const LEVELS: Readonly<Record<ConformanceLevel, Level>> = {
  Core: { on: null, rule: 'AAIF-6-02', lacks: () => [] },
  Tooled: { on: 'Core', rule: 'AAIF-6-03', lacks: lacksTool },
  Portable: { on: 'Tooled', rule: 'AAIF-6-04', lacks: lacksPortable },
  'Multi-agent': { on: 'Portable', rule: 'AAIF-6-05', lacks: lacksOthers },
  Observable: { on: 'Portable', rule: 'AAIF-6-06', lacks: lacksObservation },
  Enterprise: { on: 'Observable', rule: 'AAIF-6-07', lacks: lacksControls },
  Stateful: { on: 'Enterprise', rule: 'AAIF-6-08', lacks: lacksState },
}

const MAIN_LINE = CONFORMANCE_LEVELS.filter((level) => level !== 'Multi-agent')

/**
 * Returns the conformance levels that a definition meets, and the unmet predicates of the others (AAIF §6). Only
 * declarations in the document are checked, not the requirements on platforms.
 * @param issues the issues found by validation; with an error among them, Core is not met.
 */
export function conformanceLevels(definition: Json, issues: readonly Issue[]): LevelReport {
  const agent = objectAt(definition, 'agent')
  const missing = {} as Record<ConformanceLevel, readonly MissingPredicate[]>
  for (const level of CONFORMANCE_LEVELS) {
    const { on, rule, lacks } = LEVELS[level]
    const below = on === null ? invalid(issues) : missing[on]
    missing[level] = [...below, ...lacks(agent, definition).map((one) => ({ level, ...one, rule }))]
  }
  const levels = {} as Record<ConformanceLevel, LevelStatus>
  for (const level of CONFORMANCE_LEVELS) {
    levels[level] = { met: missing[level].length === 0, missing: missing[level] }
  }
  return { levels, highest: MAIN_LINE.findLast((level) => levels[level].met) ?? null }
}

function invalid(issues: readonly Issue[]): readonly MissingPredicate[] {
  return issues
    .filter(({ severity }) => severity === 'error')
    .map(({ pointer, message, hint }) => ({
      level: 'Core',
      pointer,
      message: `the definition is valid: ${message}`,
      hint: hint ?? 'run `waybill validate` for the other errors',
      rule: LEVELS.Core.rule,
    }))
}

function lacksTool(agent: JsonObject): ReturnType<Predicate> {
  const tools = itemsAt(agent, 'tools')
  if (tools.some((tool) => isObject(memberOf(tool, 'parameters_schema')))) return []
  return [
    {
      pointer: '/agent/tools',
      message: 'at least one tool has a parameters_schema',
      hint:
        tools.length === 0
          ? 'declare a tool'
          : 'declare the arguments of a tool in "parameters_schema"; {"type": "object"} if it takes none',
    },
  ]
}

function lacksPortable(agent: JsonObject): ReturnType<Predicate> {
  const missing = itemsAt(agent, 'tools').flatMap((tool, index) =>
    lacksEndpoint(tool, `/agent/tools/${index}`),
  )
  if (itemsAt(agent, 'constraints').length > 0) return missing
  return [
    {
      pointer: '/agent/constraints',
      message: 'constraints holds at least one rule',
      hint: 'write the rules that every host must enforce',
    },
    ...missing,
  ]
}

function lacksEndpoint(tool: Json, pointer: string): ReturnType<Predicate> {
  const [name, protocol, endpoint] = ['name', 'protocol', 'endpoint'].map((member) => textAt(tool, member))
  if (protocol === undefined) {
    if (endpoint === undefined) return []
    return [
      {
        pointer: `${pointer}/protocol`,
        message: `the tool ${name ?? ''} declares how to call it`,
        hint: 'an endpoint without a protocol cannot be resolved: add "protocol"',
      },
    ]
  }
  if (schemesOf(protocol) === undefined) return []
  if (endpoint !== undefined && isResolvable(protocol, endpoint)) return []
  return [
    {
      pointer: `${pointer}/endpoint`,
      message: `the ${protocol} tool ${name ?? ''} has an endpoint that can be resolved`,
      hint:
        endpoint === undefined
          ? 'add "endpoint"'
          : `write a full address, with one of the schemes ${schemesOf(protocol)?.filter(Boolean).join(', ')}`,
    },
  ]
}

function lacksOthers(agent: JsonObject): ReturnType<Predicate> {
  const pointer = '/agent/orchestration'
  const orchestration = objectAt(agent, 'orchestration')
  return [
    ...needs(textAt(orchestration, 'role') !== undefined, `${pointer}/role`, {
      message: 'orchestration.role is declared',
      hint: 'declare the role of the agent, such as "orchestrator"',
    }),
    ...needs(
      itemsAt(orchestration, 'subagents').length + itemsAt(orchestration, 'handoff').length > 0,
      pointer,
      {
        message: 'there is at least one subagent or handoff rule',
        hint: 'declare "subagents" or "handoff"',
      },
    ),
  ]
}

function lacksObservation(agent: JsonObject): ReturnType<Predicate> {
  return [
    ...needs(memberOf(objectAt(agent, 'telemetry'), 'tracing') === true, '/agent/telemetry/tracing', {
      message: 'telemetry.tracing is declared as true',
      hint: 'a default does not count as a declaration: write "tracing": true',
    }),
    ...needs(
      itemsAt(objectAt(agent, 'evaluation'), 'metrics').some(
        (metric) => typeof memberOf(metric, 'threshold') === 'number',
      ),
      '/agent/evaluation/metrics',
      {
        message: 'at least one evaluation metric has a threshold',
        hint: 'add "threshold" to a metric: without a threshold no evaluation can fail',
      },
    ),
  ]
}

function lacksControls(agent: JsonObject, definition: Json): ReturnType<Predicate> {
  const compliance = objectAt(agent, 'compliance')
  return [
    ...needs(textAt(compliance, 'safety_level') !== undefined, '/agent/compliance/safety_level', {
      message: 'compliance.safety_level is declared',
      hint: 'declare it, even if it is "standard"',
    }),
    ...needs(memberOf(compliance, 'audit_log') === true, '/agent/compliance/audit_log', {
      message: 'compliance.audit_log is true',
      hint: 'write "audit_log": true',
    }),
    ...needs(
      (textAt(objectAt(definition, 'provenance'), 'signature') ?? '') !== '',
      '/provenance/signature',
      {
        message: 'provenance.signature is present',
        hint: '`waybill sign FILE --key NAME --in-place` writes it',
      },
    ),
  ]
}

function lacksState(agent: JsonObject): ReturnType<Predicate> {
  return needs(
    itemsAt(agent, 'required_capabilities').includes('state.checkpoint'),
    '/agent/required_capabilities',
    {
      message: 'required_capabilities holds state.checkpoint',
      hint: 'add "state.checkpoint", and "state.restore" if runs continue on another platform',
    },
  )
}

function needs(
  met: boolean,
  pointer: string,
  unmet: { message: string; hint: string },
): ReturnType<Predicate> {
  return met ? [] : [{ pointer, ...unmet }]
}
