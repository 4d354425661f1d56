import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../loose-members.ts'
import { conditionsOf } from './conditions-of.ts'
import { schemeOf } from './endpoint-scheme.ts'
import type { AgentDefinition } from './generated/agent.ts'
import { capabilitiesRegistry } from './registries/capabilities.registry.ts'

/** Something in a definition that may work otherwise, or not at all, on another platform. */
export interface PortabilityRisk {
  readonly pointer: string
  readonly risk: string
}

/** What of a definition depends on where it runs. The definition may be broken elsewhere. */
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
        risk: 'a custom memory backend means what each platform makes of it',
      }
    }
  }
  yield* capabilityRisks(agent)
  yield* contextRisks(agent)
  yield* conditionRisks(definition)
  if (textAt(objectAt(agent, 'compliance'), 'data_residency') === 'custom') {
    yield {
      pointer: '/agent/compliance/data_residency',
      risk: 'custom names no region: platforms refuse it until their operator says which one is meant',
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
    yield { pointer: `${pointer}/provider`, risk: 'a custom provider has to be set up wherever it runs' }
  }
  if (textAt(model, 'base_url') !== undefined) {
    yield {
      pointer: `${pointer}/base_url`,
      risk: 'a gateway of its own has to be reachable wherever it runs',
    }
  }
  if (isObject(memberOf(objectAt(model, 'params'), 'extended'))) {
    yield { pointer: `${pointer}/params/extended`, risk: 'parameters that one provider alone understands' }
  }
}

function* toolRisks(tool: JsonObject, pointer: string): Iterable<PortabilityRisk> {
  const [protocol, endpoint = ''] = [textAt(tool, 'protocol'), textAt(tool, 'endpoint')]
  const auth = objectAt(tool, 'auth')
  if (protocol === 'function' || (protocol === undefined && endpoint === '')) {
    yield { pointer, risk: `the platform must bring a function ${textAt(tool, 'name') ?? ''} of its own` }
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
      risk: 'it is on the machine that runs the agent, whichever that is',
    }
  }
  if (textAt(auth, 'type') === 'mtls') {
    yield {
      pointer: `${pointer}/auth/type`,
      risk: 'mtls is not in the published schema: others may refuse the definition',
    }
  }
  if (textAt(objectAt(auth, 'vault_ref'), 'provider') === 'custom') {
    yield {
      pointer: `${pointer}/auth/vault_ref/provider`,
      risk: 'a custom vault is read by platforms that know it only',
    }
  }
}

function* capabilityRisks(agent: JsonObject): Iterable<PortabilityRisk> {
  const standard = new Set(capabilitiesRegistry.entries.map(({ id }) => id))
  for (const [index, capability] of itemsAt(agent, 'required_capabilities').entries()) {
    if (typeof capability !== 'string' || standard.has(capability)) continue
    yield {
      pointer: `/agent/required_capabilities/${index}`,
      risk: `${capability} is no registered capability, so most platforms count it as unmet`,
    }
  }
}

function* contextRisks(agent: JsonObject): Iterable<PortabilityRisk> {
  for (const [index, item] of itemsAt(agent, 'context').entries()) {
    const type = textAt(item, 'type')
    if (type === 'file') {
      yield { pointer: `/agent/context/${index}`, risk: 'a file does not travel with the definition' }
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
    yield { pointer, risk: 'a condition in plain words is decided otherwise by each platform, or by none' }
  }
}

/** Only a sound definition has conditions where they belong. */
function conditionsIn(definition: Json) {
  try {
    return [...conditionsOf(definition as unknown as AgentDefinition)]
  } catch {
    return []
  }
}
