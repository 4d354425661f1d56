import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../loose-members.ts'
import { conditionsOf } from './conditions-of.ts'
import { schemeOf } from './endpoint-scheme.ts'
import type { AgentDefinition } from './generated/agent.ts'
import { capabilitiesRegistry } from './registries/capabilities.registry.ts'

/** A part of a definition that may behave differently, or fail, on another platform. */
export interface PortabilityRisk {
  readonly pointer: string
  readonly risk: string
}

/** Returns the parts of a definition that depend on the platform. The definition may have errors in other places. */
export function* portabilityRisks(definition: Json): Iterable<PortabilityRisk> {
  const agent = objectAt(definition, 'agent')
  yield* modelRisks(objectAt(agent, 'model'))
  for (const [index, tool] of itemsAt(agent, 'tools').entries()) {
    if (isObject(tool)) yield* toolRisks(tool, `/agent/tools/${index}`)
  }
  for (const [index, entry] of itemsAt(agent, 'memory').entries()) {
    if (textAt(entry, 'backend') === 'custom') {
      yield {
        pointer: `/agent/memory/${index}/backend`,
        risk: 'the meaning of a custom memory backend depends on the platform',
      }
    }
  }
  yield* capabilityRisks(agent)
  yield* contextRisks(agent)
  yield* conditionRisks(definition)
  if (textAt(objectAt(agent, 'compliance'), 'data_residency') === 'custom') {
    yield {
      pointer: '/agent/compliance/data_residency',
      risk: '"custom" does not name a region: platforms refuse it until their operator configures one',
    }
  }
  if (!isObject(definition)) return
  for (const member of Object.keys(definition).filter((name) => name.startsWith('x-'))) {
    yield { pointer: `/${member}`, risk: 'an extension: other platforms ignore it' }
  }
}

function* modelRisks(model: JsonObject): Iterable<PortabilityRisk> {
  const pointer = '/agent/model'
  if (textAt(model, 'provider') === 'custom') {
    yield { pointer: `${pointer}/provider`, risk: 'a custom provider must be configured on every platform' }
  }
  if (textAt(model, 'base_url') !== undefined) {
    yield {
      pointer: `${pointer}/base_url`,
      risk: 'the gateway must be reachable from every platform',
    }
  }
  if (isObject(memberOf(objectAt(model, 'params'), 'extended'))) {
    yield { pointer: `${pointer}/params/extended`, risk: 'parameters that only one provider supports' }
  }
}

function* toolRisks(tool: JsonObject, pointer: string): Iterable<PortabilityRisk> {
  const [protocol, endpoint = ''] = [textAt(tool, 'protocol'), textAt(tool, 'endpoint')]
  const auth = objectAt(tool, 'auth')
  if (protocol === 'function' || (protocol === undefined && endpoint === '')) {
    yield { pointer, risk: `the platform must provide the function ${textAt(tool, 'name') ?? ''}` }
  }
  const scheme = schemeOf(endpoint)
  if (scheme === 'http' || scheme === 'ws') {
    yield { pointer: `${pointer}/endpoint`, risk: `${scheme}: is unencrypted, and platforms may refuse it` }
  }
  if (scheme === 'stdio') {
    yield { pointer: `${pointer}/endpoint`, risk: 'stdio: needs the same program on every machine' }
  }
  if (/\/\/(localhost|127\.|\[::1\])/.test(endpoint)) {
    yield {
      pointer: `${pointer}/endpoint`,
      risk: 'the address refers to the machine that runs the agent',
    }
  }
  if (textAt(auth, 'type') === 'mtls') {
    yield {
      pointer: `${pointer}/auth/type`,
      risk: 'mtls is not in the published schema: other readers may refuse the definition',
    }
  }
  if (textAt(objectAt(auth, 'vault_ref'), 'provider') === 'custom') {
    yield {
      pointer: `${pointer}/auth/vault_ref/provider`,
      risk: 'only platforms that know a custom vault can read it',
    }
  }
}

function* capabilityRisks(agent: JsonObject): Iterable<PortabilityRisk> {
  const standard = new Set(capabilitiesRegistry.entries.map(({ id }) => id))
  for (const [index, capability] of itemsAt(agent, 'required_capabilities').entries()) {
    if (typeof capability !== 'string' || standard.has(capability)) continue
    yield {
      pointer: `/agent/required_capabilities/${index}`,
      risk: `${capability} is not a registered capability, so most platforms treat it as unmet`,
    }
  }
}

function* contextRisks(agent: JsonObject): Iterable<PortabilityRisk> {
  for (const [index, item] of itemsAt(agent, 'context').entries()) {
    const type = textAt(item, 'type')
    if (type === 'file') {
      yield { pointer: `/agent/context/${index}`, risk: 'a file is not part of the definition' }
    } else if (type === 'dataset' || type === 'schema_ref') {
      yield {
        pointer: `/agent/context/${index}`,
        risk: `a ${type} is a name that each platform resolves itself`,
      }
    }
  }
}

function* conditionRisks(definition: Json): Iterable<PortabilityRisk> {
  for (const { pointer, condition } of conditionsIn(definition)) {
    if (typeof condition !== 'string') continue
    yield { pointer, risk: 'platforms evaluate a condition in natural language differently, or not at all' }
  }
}

/** Only a valid definition has Conditions in the expected places. */
function conditionsIn(definition: Json) {
  try {
    return [...conditionsOf(definition as unknown as AgentDefinition)]
  } catch {
    return []
  }
}
