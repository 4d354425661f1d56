import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import { isObject, type Json } from '../../document/json.ts'
import { lastStep, parentOf } from '../../document/json-pointer.ts'
import { suggest } from '../../document/suggest.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import type { Schema } from '../schema-builder.ts'
import { agentSchema } from './agent.schema.ts'
import { placesOfMembers } from './places-of-member.ts'
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

const PLACES = placesOfMembers(agentSchema)

/** Members of other formats, by their place, and their names in AAIF. */
const FOREIGN: readonly (readonly [place: RegExp, names: Readonly<Record<string, string>>])[] = [
  [
    /^\/agent$/,
    {
      system_prompt: 'instructions',
      systemPrompt: 'instructions',
      system: 'instructions',
      prompt: 'instructions',
    },
  ],
  [
    /^\/agent\/model$/,
    {
      name: 'preferred',
      id: 'preferred',
      model: 'preferred',
      model_name: 'preferred',
      model_id: 'preferred',
    },
  ],
  [
    /^\/agent\/tools\/\*$/,
    {
      parameters: 'parameters_schema',
      inputSchema: 'parameters_schema',
      input_schema: 'parameters_schema',
      url: 'endpoint',
      type: 'protocol',
      timeout: 'timeout_seconds',
    },
  ],
  [/^\/agent\/orchestration$/, { agents: 'subagents' }],
  [/\/(?:when|condition|filter|trigger)$/, { language: 'lang', expression: 'expr' }],
]

const SERVER = 'configure the server in mcp_servers of config.yaml, and write endpoint: mcp://NAME here'
const REQUEST = 'the operator sets it in config.yaml: tools.NAME'
const KEY = 'never write a key into the file: set the variable of the provider, such as OPENAI_API_KEY'

/** Members of other formats that belong to the configuration, and what to do instead. */
const ELSEWHERE: readonly (readonly [place: RegExp, hints: Readonly<Record<string, string>>])[] = [
  [/^\/agent\/model$/, { api_key: KEY, apiKey: KEY, key: KEY, token: KEY }],
  [
    /^\/agent\/tools\/\*$/,
    {
      command: SERVER,
      args: SERVER,
      env: SERVER,
      transport: SERVER,
      method: `${REQUEST}.method`,
      headers: 'a definition has no headers; for a key, name its variable in "auth"',
      api_key: 'name the variable that contains the key in "auth"',
      read_only: `${REQUEST}.read_only`,
      readOnly: `${REQUEST}.read_only`,
      idempotent: `${REQUEST}.idempotent`,
    },
  ],
]

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
  if (code === 'WRONG_TYPE') return hintForType(pointer, value)
  return undefined
}

function hintForType(pointer: string, value: Json | undefined): string | undefined {
  if (pointer === '/agent/model' && typeof value === 'string') {
    return 'write "model": {"provider": …, "preferred": …}'
  }
  if (/version$/.test(pointer) && typeof value === 'number') {
    return 'put it in quotes; a version has three numbers, such as "1.0.0"'
  }
  if (/^\/agent\/tools\/\d+$/.test(pointer) && typeof value === 'string') {
    return `write { name: ${toolName(value)}, description: …, protocol: function }`
  }
  if (pointer === '/agent/tools' && isObject(value)) {
    return `write a list: [{ name: ${toolName(Object.keys(value)[0])}, description: …, protocol: function }]`
  }
  return undefined
}

/** Repeats only what may be the name of a tool: another text may be a secret. */
function toolName(text: string | undefined): string {
  return text !== undefined && /^[a-z_]{1,40}$/i.test(text) ? text : 'NAME'
}

function hintForUnknown(pointer: string): string | undefined {
  const name = lastStep(pointer)
  const parent = parentOf(pointer)
  if (name.startsWith('x-')) {
    return 'x- members are allowed only at the root; below it use tags, skills or model.params.extended'
  }
  if (parent === '' && Object.hasOwn(AGENT_MEMBERS, name)) return `move it into "agent"`
  if (parent === '/agent' && Object.hasOwn(ROOT_MEMBERS, name)) return 'move it out of "agent", to the root'
  const ours = inPlace(FOREIGN, parent, name)
  if (ours !== undefined) return `AAIF calls it "${ours}"`
  return inPlace(ELSEWHERE, parent, name) ?? hintOfPlace(parent, name)
}

function inPlace(table: typeof FOREIGN, parent: string, name: string): string | undefined {
  const place = parent.replaceAll(/\/\d+(?=\/|$)/g, '/*')
  const names = table.find(([pattern, known]) => pattern.test(place) && Object.hasOwn(known, name))?.[1]
  return names?.[name]
}

/**
 * Names the place of a member that is valid elsewhere, if it is clear. Not in items, whose members are often named like
 * those of other objects.
 */
function hintOfPlace(parent: string, name: string): string | undefined {
  if (/\/\d+(?:\/|$)/.test(parent)) return undefined
  const places = PLACES.get(name) ?? []
  return places.length === 1 ? `its place is ${places[0]}` : undefined
}
