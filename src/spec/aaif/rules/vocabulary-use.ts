import type { Finding } from '../../../document/finding.ts'
import { suggest } from '../../../document/suggest.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import type { Registered } from '../registries/registered.ts'
import { PROVIDERS, VECTOR_BACKENDS } from '../vocabulary.ts'

/** Checks values that the schema leaves free, and members that depend on each other. Gives only warnings. */
export function* checkVocabularyUse(definition: AgentDefinition, words: Registered): Iterable<Finding> {
  yield* checkFallbackProviders(definition, words)
  yield* checkVectorMemory(definition)
  yield* checkCapabilities(definition)
  yield* checkCustomMetrics(definition)
}

function* checkFallbackProviders({ agent }: AgentDefinition, words: Registered): Iterable<Finding> {
  const known: readonly string[] = PROVIDERS
  for (const [index, { provider }] of (agent.model?.fallbacks ?? []).entries()) {
    if (known.includes(provider)) continue
    const status = words.statusOf('model.provider', provider)
    if (status !== undefined && status !== 'provisional') continue
    const meant = suggest(provider, known)
    yield {
      severity: 'warning',
      code: 'PROVIDER_UNKNOWN',
      pointer: `/agent/model/fallbacks/${index}/provider`,
      message: `this provider is ${status ?? 'not'} in the registry; platforms that do not support it skip the route`,
      hint: meant === undefined ? `registered providers: ${known.join(', ')}` : `did you mean "${meant}"?`,
      rule: 'SPEC-D-06',
    }
  }
}

function* checkVectorMemory({ agent }: AgentDefinition): Iterable<Finding> {
  for (const [index, entry] of (agent.memory ?? []).entries()) {
    if (entry.backend === undefined || !VECTOR_BACKENDS.includes(entry.backend)) continue
    const missing = (['embedding_model', 'retrieval_strategy'] as const).filter(
      (name) => entry[name] === undefined,
    )
    if (missing.length === 0) continue
    yield {
      severity: 'warning',
      code: 'VECTOR_MEMORY_INCOMPLETE',
      pointer: `/agent/memory/${index}`,
      message: `${entry.backend} is a vector backend, but ${missing.join(' and ')} is not declared`,
      hint: `add ${missing.map((name) => `"${name}"`).join(' and ')}: without it each platform uses its own default`,
      rule: 'AAIF-4.5-08',
    }
  }
}

function* checkCapabilities({ agent }: AgentDefinition): Iterable<Finding> {
  for (const [index, capability] of (agent.required_capabilities ?? []).entries()) {
    if (/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$/.test(capability)) continue
    yield {
      severity: 'warning',
      code: 'CAPABILITY_FORM',
      pointer: `/agent/required_capabilities/${index}`,
      message:
        'a capability has the form category.capability, in lower case; platforms cannot offer this one',
      hint: 'write it like tool.function or memory.vector',
      rule: 'AAIF-7-02',
    }
  }
}

function* checkCustomMetrics({ agent }: AgentDefinition): Iterable<Finding> {
  for (const [index, { name, custom_name }] of (agent.evaluation?.metrics ?? []).entries()) {
    if (name !== 'custom' || (custom_name !== undefined && custom_name !== '')) continue
    yield {
      severity: 'warning',
      code: 'METRIC_UNNAMED',
      pointer: `/agent/evaluation/metrics/${index}/custom_name`,
      mark: 'parent',
      message: 'a custom metric has no name',
      hint: 'add "custom_name"',
      rule: 'SPEC-D-23',
    }
  }
}
