import { conditionsOf } from '../../spec/aaif/conditions-of.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import { SC_VERSION, VECTOR_BACKENDS } from '../../spec/aaif/vocabulary.ts'
import { advertised, backendAdvertised, residency, vaultAdvertised } from './advertised.ts'

/** One need of a definition, and whether the manifest of the platform meets it. */
export interface Need {
  readonly pointer: string
  /** The name of a capability, or a short text such as `vault hashicorp_vault`. */
  readonly need: string
  readonly met: boolean
  readonly how: string
  readonly rule: string
  /**
   * `capability`: listed in required_capabilities, or implied by the definition; the safety level decides.
   * `binding`: an obligation to third parties; if unmet, the agent is rejected at every level.
   * `advice`: a manifest need not state it, so it does not affect the verdict.
   */
  readonly weight: 'capability' | 'binding' | 'advice'
}

/** Returns all needs of a definition: first the required capabilities, then those implied by its members. */
export function needsOf(
  definition: AgentDefinition,
  manifest: PlatformManifest,
  others: ReadonlySet<string>,
): readonly Need[] {
  return [...required(definition, manifest, others), ...unique([...implied(definition, manifest, others)])]
}

function required(
  { agent }: AgentDefinition,
  manifest: PlatformManifest,
  others: ReadonlySet<string>,
): readonly Need[] {
  return (agent.required_capabilities ?? []).map((need, index) => ({
    pointer: `/agent/required_capabilities/${index}`,
    need,
    ...advertised(need, manifest, others, agent.compliance?.data_residency),
    rule: 'AAIF-7-01',
    weight: 'capability',
  }))
}

function* implied(
  definition: AgentDefinition,
  manifest: PlatformManifest,
  others: ReadonlySet<string>,
): Iterable<Need> {
  const { agent } = definition
  const named = new Set(agent.required_capabilities)
  /** Yields a capability that the definition uses without listing it. */
  function* uses(capability: string, pointer: string, weight: Need['weight'] = 'capability'): Iterable<Need> {
    if (named.has(capability) && weight === 'capability') return
    yield {
      pointer,
      need: capability,
      ...advertised(capability, manifest, others),
      rule: 'AAIF-7-13',
      weight,
    }
  }
  for (const [index, { protocol, auth }] of (agent.tools ?? []).entries()) {
    const pointer = `/agent/tools/${index}`
    if (protocol !== undefined) yield* uses(`tool.${protocol}`, `${pointer}/protocol`)
    const vault = auth?.vault_ref?.provider
    if (vault !== undefined) {
      yield {
        pointer: `${pointer}/auth/vault_ref/provider`,
        need: `vault ${vault}`,
        ...vaultAdvertised(vault, manifest),
        rule: 'SPEC-U-02',
        weight: 'capability',
      }
    }
    if (auth?.type !== undefined && auth.type !== 'none') {
      yield stated(
        `${pointer}/auth/type`,
        `auth ${auth.type}`,
        manifest.platform.capabilities?.auth?.[auth.type as 'bearer'],
      )
    }
  }
  for (const [index, { backend }] of (agent.memory ?? []).entries()) {
    if (backend === undefined) continue
    yield {
      pointer: `/agent/memory/${index}/backend`,
      need: `memory backend ${backend}`,
      ...backendAdvertised(backend, VECTOR_BACKENDS.includes(backend), manifest, others),
      rule: 'SPEC-R-02',
      weight: 'capability',
    }
  }
  yield* conditions(definition, manifest)
  yield* orchestration(definition, manifest, uses)
  yield* compliance(definition, manifest, uses)
  yield* models(definition, manifest)
}

function* conditions(definition: AgentDefinition, { platform }: PlatformManifest): Iterable<Need> {
  const languages: readonly string[] = platform.capabilities?.orchestration?.condition_languages ?? []
  for (const { pointer, condition } of conditionsOf(definition)) {
    if (typeof condition === 'string') continue
    // These two languages need no evaluator, so every platform supports them.
    const met =
      languages.includes(condition.lang) || condition.lang === 'always' || condition.lang === 'never'
    yield {
      pointer: `${pointer}/lang`,
      need: `condition language ${condition.lang}`,
      met,
      how: `orchestration.condition_languages contains ${languages.join(', ') || 'no language'}`,
      rule: 'AAIF-5-15',
      weight: 'capability',
    }
  }
}

type Uses = (capability: string, pointer: string, weight?: Need['weight']) => Iterable<Need>

function* orchestration({ agent }: AgentDefinition, manifest: PlatformManifest, uses: Uses): Iterable<Need> {
  const {
    subagents = [],
    pipeline = [],
    handoff = [],
    parallel_execution,
    consensus,
  } = agent.orchestration ?? {}
  const pointer = '/agent/orchestration'
  if (pipeline.length > 0) yield* uses('orchestration.pipeline', `${pointer}/pipeline`)
  if (parallel_execution === true) yield* uses('orchestration.parallel', `${pointer}/parallel_execution`)
  if (handoff.length > 0) yield* uses('orchestration.handoff', `${pointer}/handoff`)
  if (consensus?.strategy !== undefined) yield* uses('orchestration.consensus', `${pointer}/consensus`)
  const most = manifest.platform.capabilities?.orchestration?.max_subagents
  if (most !== undefined && subagents.length > 0) {
    yield {
      pointer: `${pointer}/subagents`,
      need: `${subagents.length} subagents`,
      met: subagents.length <= most,
      how: `orchestration.max_subagents is ${most}`,
      rule: 'AAIF-7-13',
      weight: 'capability',
    }
  }
}

function* compliance({ agent }: AgentDefinition, manifest: PlatformManifest, uses: Uses): Iterable<Need> {
  const { data_residency, audit_log, human_in_the_loop, pii_handling = 'none' } = agent.compliance ?? {}
  const pointer = '/agent/compliance'
  if (data_residency !== undefined && data_residency !== 'global') {
    yield {
      pointer: `${pointer}/data_residency`,
      need: `data residency ${data_residency}`,
      ...residency(manifest, data_residency),
      rule: 'AAIF-4.9-05',
      weight: 'binding',
    }
  }
  if (human_in_the_loop?.enabled === true) {
    yield* uses('compliance.hitl', `${pointer}/human_in_the_loop`, 'binding')
  }
  if (audit_log === true) yield* uses('compliance.audit_log', `${pointer}/audit_log`, 'binding')
  if (pii_handling !== 'none' && pii_handling !== 'detect') {
    const scrubs = manifest.platform.capabilities?.compliance?.pii_scrubbing
    yield stated(`${pointer}/pii_handling`, `personal data: ${pii_handling}`, scrubs)
  }
}

function* models(
  { agent, sc_version = SC_VERSION }: AgentDefinition,
  { platform }: PlatformManifest,
): Iterable<Need> {
  const versions = platform.aaif_versions_supported
  if (versions !== undefined) {
    const major = (version: string) => version.split('.')[0]
    yield {
      pointer: '/sc_version',
      need: `AAIF ${sc_version}`,
      met: versions.some((version) => major(version) === major(sc_version)),
      how: `aaif_versions_supported contains ${versions.join(', ')}`,
      rule: 'AAIF-7-12',
      weight: 'advice',
    }
  }
  const { provider, fallbacks = [], response_format } = agent.model ?? {}
  const wanted = [...(provider === undefined ? [] : [provider]), ...fallbacks.map((route) => route.provider)]
  const offered = platform.capabilities?.model?.providers
  if (wanted.length > 0 && offered !== undefined) {
    const met = wanted.some((name) => offered.includes(name))
    yield {
      pointer: '/agent/model',
      need: `a model of ${[...new Set(wanted)].join(' or ')}`,
      met,
      how: `model.providers contains ${offered.join(', ') || 'no provider'}`,
      rule: 'AAIF-7-13',
      weight: 'capability',
    }
  }
  if (response_format === 'json_schema') {
    yield stated(
      '/agent/model/response_format',
      'structured output',
      platform.capabilities?.model?.structured_output,
    )
  }
}

/** Returns advice for a manifest key without a capability; it does not affect the verdict. */
function stated(pointer: string, need: string, value: boolean | undefined): Need {
  const how = value === undefined ? 'the manifest does not say' : `the manifest says ${value}`
  return { pointer, need, met: value === true, how, rule: 'AAIF-7-13', weight: 'advice' }
}

/** Removes duplicates: ten tools over MCP are one need. */
function unique(needs: readonly Need[]): readonly Need[] {
  return [
    ...new Map(needs.map((need) => [`${need.weight} ${need.need}`, need] as const).reverse()).values(),
  ].reverse()
}
