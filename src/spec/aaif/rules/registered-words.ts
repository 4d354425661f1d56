import type { Finding } from '../../../document/finding.ts'
import { conditionsOf } from '../conditions-of.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import type { ExtensionPoint } from '../registries/extension-points.ts'
import { reserved } from '../registries/forgive-registered.ts'
import type { Registered } from '../registries/registered.ts'

interface Word {
  readonly point: ExtensionPoint
  readonly pointer: string
  readonly id: string
}

/** Words that are still taken but on their way out, or kept for later, by the operator's own registries (§10). */
export function* checkRegisteredWords(
  definition: AgentDefinition,
  { own, statusOf }: Registered,
): Iterable<Finding> {
  // Without registries of their own the words of the schema are all standard.
  if (!own) return
  for (const { point, pointer, id } of wordsOf(definition)) {
    const status = statusOf(point, id)
    if (status === 'reserved') yield reserved(pointer, id, 'warning')
    if (status !== 'deprecated') continue
    yield {
      severity: 'warning',
      code: 'VALUE_DEPRECATED',
      pointer,
      message: `the registry keeps "${id}" for old documents only`,
      hint: 'use another value in new documents; the entry in the registry may name one',
      rule: 'SPEC-X-03',
    }
  }
}

/** Every registered word of a definition and where it stands. */
function* wordsOf(definition: AgentDefinition): Iterable<Word> {
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
