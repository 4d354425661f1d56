import type { Finding } from '../../../document/finding.ts'
import { conditionsOf } from '../conditions-of.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import { reserved } from '../registries/apply-registries.ts'
import type { ExtensionPoint } from '../registries/extension-points.ts'
import type { Registered } from '../registries/registered.ts'

interface PlacedValue {
  readonly point: ExtensionPoint
  readonly pointer: string
  readonly id: string
}

/** Warns about values that the operator's own registries mark as deprecated or reserved (§10). */
export function* checkValueStatus(
  definition: AgentDefinition,
  { own, statusOf }: Registered,
): Iterable<Finding> {
  // Without loaded registries all values of the schema are standard.
  if (!own) return
  for (const { point, pointer, id } of registeredValuesOf(definition)) {
    const status = statusOf(point, id)
    if (status === 'reserved') yield reserved(pointer, id, 'warning')
    if (status !== 'deprecated') continue
    yield {
      severity: 'warning',
      code: 'VALUE_DEPRECATED',
      pointer,
      message: `"${id}" is deprecated in the registry`,
      hint: 'use another value in new documents; the registry entry may name a replacement',
      rule: 'SPEC-X-03',
    }
  }
}

/** Returns every registered value of a definition with its pointer. */
function* registeredValuesOf(definition: AgentDefinition): Iterable<PlacedValue> {
  const { model, required_capabilities = [], tools = [], memory = [] } = definition.agent
  if (model?.provider !== undefined) {
    yield { point: 'model.provider', pointer: '/agent/model/provider', id: model.provider }
  }
  for (const [index, { provider }] of (model?.fallbacks ?? []).entries()) {
    yield { point: 'model.provider', pointer: `/agent/model/fallbacks/${index}/provider`, id: provider }
  }
  for (const [index, id] of required_capabilities.entries()) {
    yield { point: 'required_capabilities', pointer: `/agent/required_capabilities/${index}`, id }
  }
  for (const { pointer, condition } of conditionsOf(definition)) {
    if (typeof condition === 'string') continue
    yield { point: 'condition.lang', pointer: `${pointer}/lang`, id: condition.lang }
  }
  for (const [index, { protocol, auth }] of tools.entries()) {
    const pointer = `/agent/tools/${index}`
    if (protocol !== undefined) yield { point: 'tool.protocol', pointer: `${pointer}/protocol`, id: protocol }
    const vault = auth?.vault_ref?.provider
    if (vault !== undefined) {
      yield { point: 'vault_ref.provider', pointer: `${pointer}/auth/vault_ref/provider`, id: vault }
    }
  }
  for (const [index, { backend }] of memory.entries()) {
    if (backend !== undefined) {
      yield { point: 'memory.backend', pointer: `/agent/memory/${index}/backend`, id: backend }
    }
  }
}
