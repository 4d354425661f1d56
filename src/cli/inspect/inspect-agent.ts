import { defined } from '../../document/defined.ts'
import type { Issue } from '../../document/issue.ts'
import { asJson, isObject, type Json, type JsonObject } from '../../document/json.ts'
import { conformanceLevels, type LevelReport } from '../../spec/aaif/conformance-levels.ts'
import { portabilityRisks } from '../../spec/aaif/portability-risks.ts'
import { CONFORMANCE_LEVELS } from '../../spec/aaif/vocabulary.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { count } from '../terminal/amounts.ts'
import { fact, type Inspection, type Line, section } from './inspection.ts'

/** Describes an agent definition: conformance levels, capabilities, names of secrets, endpoints and risks. */
export function inspectAgent(value: Json, issues: readonly Issue[]): Inspection {
  const agent = objectAt(value, 'agent')
  const provenance = objectAt(value, 'provenance')
  const compliance = objectAt(agent, 'compliance')
  const report = conformanceLevels(value, issues)
  const parts = {
    models: modelsOf(agent),
    tools: itemsAt(agent, 'tools').filter(isObject).map(toolFacts),
    subagents: subagentsOf(agent),
    secrets: secretsOf(agent),
    endpoints: endpointsOf(agent),
    risks: [...portabilityRisks(value)],
  }
  const capabilities = itemsAt(agent, 'required_capabilities')
  const name = textAt(agent, 'name')
  const version = textAt(agent, 'version')
  const safety = textAt(compliance, 'safety_level') ?? 'standard'
  return {
    facts: {
      ...defined({
        name,
        version,
        agent_id: textAt(value, 'agent_id'),
        status: textAt(value, 'status') ?? 'active',
        sc_version: textAt(value, 'sc_version'),
        authored_by: textAt(provenance, 'authored_by'),
        source_platform: textAt(provenance, 'source_platform'),
        license: textAt(provenance, 'license'),
        updated_at: textAt(provenance, 'updated_at') ?? textAt(provenance, 'created_at'),
        goal: textAt(agent, 'goal'),
        safety_level: safety,
      }),
      levels: asJson(report.levels),
      highest: report.highest,
      capabilities,
      ...(parts as unknown as JsonObject),
      sizes: sizesOf(agent),
    },
    headline: `${name ?? '(no name)'}${version === undefined ? '' : ` ${version}`}`,
    sections: [
      section('About', [
        fact('goal', textAt(agent, 'goal')),
        fact('agent id', textAt(value, 'agent_id')),
        fact('status', textAt(value, 'status')),
        fact('by', textAt(provenance, 'authored_by')),
        fact('license', textAt(provenance, 'license')),
        fact('safety level', safety),
      ]),
      section('Conformance', levelLines(report)),
      section(
        'Requires',
        capabilities.map((capability) => ({ text: String(capability) })),
      ),
      section(
        'Models',
        parts.models.map(({ provider, model }) => ({ text: `${provider}/${model}` })),
      ),
      section(
        'Tools',
        parts.tools.map(({ name: tool, protocol, endpoint, auth }) => ({
          text: tool,
          note: [protocol, endpoint, auth].filter((part) => part !== undefined).join(' · '),
        })),
      ),
      section(
        'Sub-agents',
        parts.subagents.map(({ alias, ref }) => ({
          text: alias ?? ref,
          ...(alias !== undefined && { note: ref }),
        })),
      ),
      section(
        'Secrets, by name',
        parts.secrets.map((text) => ({ text })),
      ),
      section(
        'Depends on the platform',
        parts.risks.map(({ pointer, risk }) => ({ mark: ['warn', '!'], text: risk, note: pointer }) as const),
      ),
      section('Size', sizeLines(sizesOf(agent))),
    ],
  }
}

/** Returns a line for each conformance level, followed by the requirements of this level that are not met. */
function levelLines({ levels, highest }: LevelReport): readonly Line[] {
  return CONFORMANCE_LEVELS.flatMap((level): Line[] => {
    const { met, missing } = levels[level]
    const own = missing.filter((one) => one.level === level)
    const below = missing.length - own.length
    if (met)
      return [{ mark: ['good', '✓'], text: level, ...(level === highest && { note: 'highest level met' }) }]
    const lines = own.map(
      ({ message, hint, pointer }): Line => ({
        mark: ['warn', '-'],
        text: message,
        note: `${pointer}; ${hint}`,
        below: true,
      }),
    )
    const note = below > 0 ? `and ${below} in the levels below` : undefined
    return [{ mark: ['faint', '·'], text: level, ...defined({ note }) }, ...lines]
  })
}

function modelsOf(agent: JsonObject): readonly { provider: string; model: string }[] {
  const model = objectAt(agent, 'model')
  const primary = textAt(model, 'provider_id') ?? textAt(model, 'provider')
  return [
    ...(primary === undefined
      ? []
      : [{ provider: primary, model: textAt(model, 'preferred') ?? '(default model)' }]),
    ...itemsAt(model, 'fallbacks').map((route) => ({
      provider: textAt(route, 'provider') ?? '?',
      model: textAt(route, 'model') ?? '?',
    })),
  ]
}

interface ToolFacts {
  readonly name: string
  readonly protocol?: string
  readonly endpoint?: string
  readonly auth?: string
}

function toolFacts(tool: JsonObject): ToolFacts {
  const auth = textAt(objectAt(tool, 'auth'), 'type')
  const [protocol, endpoint] = [textAt(tool, 'protocol'), textAt(tool, 'endpoint')]
  return {
    name: textAt(tool, 'name') ?? '(no name)',
    ...defined({ protocol }),
    ...(endpoint !== undefined && { endpoint: withoutUserInfo(endpoint) }),
    ...(auth !== undefined && auth !== 'none' && { auth }),
  }
}

function subagentsOf(agent: JsonObject): readonly { ref: string; alias?: string }[] {
  return itemsAt(objectAt(agent, 'orchestration'), 'subagents').map((subagent) => {
    const alias = textAt(subagent, 'alias')
    return { ref: textAt(subagent, 'ref') ?? '?', ...defined({ alias }) }
  })
}

/** Returns the names of secrets: variables and vault paths. Omits a name that looks like a secret value. */
function secretsOf(agent: JsonObject): readonly string[] {
  const names = itemsAt(agent, 'tools').flatMap((tool) => {
    const auth = isObject(tool) ? objectAt(tool, 'auth') : {}
    const vault = objectAt(auth, 'vault_ref')
    const variable = textAt(auth, 'env_var')
    const [provider, path] = [textAt(vault, 'provider'), textAt(vault, 'path')]
    const key = textAt(vault, 'key')
    return [
      ...(provider === undefined || path === undefined
        ? []
        : [`${provider}:${path}${key === undefined ? '' : `#${key}`}`]),
      ...(variable === undefined
        ? []
        : [/^[A-Za-z_]\w{0,99}$/.test(variable) ? variable : '(not a variable name)']),
    ]
  })
  return [...new Set(names)]
}

/** Returns every address that a run may connect to, with its place in the definition. */
function endpointsOf(agent: JsonObject): readonly { pointer: string; url: string }[] {
  const found: { pointer: string; url: string }[] = []
  const add = (pointer: string, url: string | undefined) => {
    if (url !== undefined) found.push({ pointer, url: withoutUserInfo(url) })
  }
  add('/agent/model/base_url', textAt(objectAt(agent, 'model'), 'base_url'))
  for (const [index, tool] of itemsAt(agent, 'tools').entries()) {
    add(`/agent/tools/${index}/endpoint`, textAt(tool, 'endpoint'))
    add(`/agent/tools/${index}/auth/token_url`, textAt(memberOf(tool, 'auth'), 'token_url'))
  }
  for (const [index, item] of itemsAt(agent, 'context').entries()) {
    if (textAt(item, 'type') === 'url') add(`/agent/context/${index}/value`, textAt(item, 'value'))
  }
  add('/agent/telemetry/otlp_endpoint', textAt(objectAt(agent, 'telemetry'), 'otlp_endpoint'))
  return found
}

function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#@]*@/i, '$1')
}

function sizesOf(agent: JsonObject): JsonObject {
  return {
    instructions_chars: textAt(agent, 'instructions')?.length ?? 0,
    tools: itemsAt(agent, 'tools').length,
    tool_schema_chars: itemsAt(agent, 'tools').reduce<number>(
      (sum, tool) => sum + JSON.stringify(memberOf(tool, 'parameters_schema') ?? '').length,
      0,
    ),
    constraints: itemsAt(agent, 'constraints').length,
    context_items: itemsAt(agent, 'context').length,
    memory_items: itemsAt(agent, 'memory').length,
    subagents: itemsAt(objectAt(agent, 'orchestration'), 'subagents').length,
    test_cases: itemsAt(objectAt(agent, 'evaluation'), 'test_cases').length,
  }
}

function sizeLines(sizes: JsonObject): readonly Line[] {
  const of = (name: string) => Number(sizes[name])
  const parts = [
    `${count(of('instructions_chars'), 'character')} of instructions`,
    `${count(of('tool_schema_chars'), 'character')} of tool schemas`,
    ...(['constraints', 'context_items', 'memory_items', 'test_cases'] as const)
      .filter((name) => of(name) > 0)
      .map((name) => `${of(name)} ${name.replace('_', ' ')}`),
  ]
  return [{ text: parts.join(', ') }]
}
