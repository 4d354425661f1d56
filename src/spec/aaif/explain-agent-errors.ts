import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { lastStep, parentOf } from '../../document/json-pointer.ts'
import { suggest } from '../../document/suggest.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import type { Schema } from '../schema-builder.ts'
import { agentSchema } from './agent.schema.ts'
import { placesOfMember } from './places-of-member.ts'
import { ruleOfMissing, ruleOfUnknown, ruleOfValue } from './rule-of-place.ts'
import { PROVIDERS } from './vocabulary.ts'

/** Explains the schema errors of an agent definition. Loaded only when there are errors. */
export function explainAgentErrors(errors: readonly ErrorObject[], definition: Json): Finding[] {
  return explainSchemaErrors(errors, definition, {
    schema: agentSchema,
    ruleOfMissing,
    ruleOfValue,
    ruleOfUnknown,
    hintFor,
  })
}

const AGENT_MEMBERS = agentSchema.$defs.Agent.properties as object
const ROOT_MEMBERS = (agentSchema as Schema).properties as object

/** Members of other formats that have another name in AAIF. */
const FOREIGN: Readonly<Record<string, string>> = {
  system_prompt: 'instructions',
  systemPrompt: 'instructions',
  system: 'instructions',
  prompt: 'instructions',
  parameters: 'parameters_schema',
  inputSchema: 'parameters_schema',
  input_schema: 'parameters_schema',
  url: 'endpoint',
  model_name: 'preferred',
  model: 'preferred',
  id: 'agent_id',
  agents: 'subagents',
  language: 'lang',
  expression: 'expr',
}

function hintFor(finding: Finding, value: Json | undefined): string | undefined {
  const { code, pointer } = finding
  if (code === 'UNKNOWN_MEMBER') return hintForUnknown(pointer)
  if (
    code === 'NOT_IN_ENUM' &&
    pointer === '/agent/model/provider' &&
    (typeof value !== 'string' || suggest(value, PROVIDERS) === undefined)
  ) {
    return 'for a provider that is not listed write "custom", and its name as "provider_id" (AAIF-10-04)'
  }
  if (code === 'PATTERN_MISMATCH' && /version$/.test(pointer)) {
    return 'write three numbers, MAJOR.MINOR.PATCH, such as "1.0.0", without a suffix'
  }
  if (code === 'PATTERN_MISMATCH' && /\/tools\/\d+\/name$/.test(pointer)) {
    return 'use letters, digits, "_" and "-", at most 64, beginning with a letter or "_"'
  }
  if (code === 'WRONG_TYPE' && pointer === '/agent/model' && typeof value === 'string') {
    return 'write "model": {"provider": …, "preferred": …}'
  }
  return undefined
}

function hintForUnknown(pointer: string): string | undefined {
  const name = lastStep(pointer)
  const parent = parentOf(pointer)
  if (name.startsWith('x-')) {
    return 'x- members are allowed only at the root; below it use tags, skills or model.params.extended'
  }
  if (parent === '' && Object.hasOwn(AGENT_MEMBERS, name)) return `move it into "agent"`
  if (parent === '/agent' && Object.hasOwn(ROOT_MEMBERS, name)) return 'move it out of "agent", to the root'
  const ours = Object.hasOwn(FOREIGN, name) ? FOREIGN[name] : undefined
  if (ours !== undefined && hasMember(parent, ours)) return `AAIF calls it "${ours}"`
  return hintOfPlace(parent, name)
}

/**
 * Names the place of a member that is valid elsewhere, if it is clear. Not in items, whose members are often named like
 * those of other objects.
 */
function hintOfPlace(parent: string, name: string): string | undefined {
  if (/\/\d+(?:\/|$)/.test(parent)) return undefined
  const places = placesOfMember(agentSchema, name)
  return places.length === 1 ? `its place is ${places[0]}` : undefined
}

/** Returns true if the object at this pointer may have such a member. */
function hasMember(parent: string, member: string): boolean {
  const place = parent.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  const owners: Readonly<Record<string, string>> = {
    instructions: '/agent',
    parameters_schema: '/agent/tools/*',
    endpoint: '/agent/tools/*',
    preferred: '/agent/model',
    subagents: '/agent/orchestration',
  }
  return (
    owners[member] === place ||
    (/^(lang|expr)$/.test(member) && /(when|condition|filter|trigger)$/.test(place))
  )
}
