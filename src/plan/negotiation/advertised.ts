import { asJson, isObject, type Json } from '../../document/json.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import { itemsAt, memberOf, objectAt } from '../../spec/loose-members.ts'

/** What a manifest says about one need. `how` says where it stands, or what is missing. */
export interface Finding {
  readonly met: boolean
  readonly how: string
}

/** Our own root extension: capabilities for which the manifest has no key of its own, such as those of `io`. */
export const OWN_CAPABILITIES = 'x-waybill-capabilities'

/**
 * Where a manifest advertises a capability, when it is not under its own name (AAIF §7): the two vocabularies grew
 * apart. Absent here, and the name itself is taken for a path below `platform.capabilities`.
 */
const ADVERTISED_AS: Readonly<Record<string, string>> = {
  'telemetry.otel': 'telemetry.otel_traces',
  'compliance.hitl': 'compliance.human_in_the_loop',
  'auth.vault': 'auth.vault.supported',
  // The manifest's own text on checkpoint is about writing and restoring.
  'state.restore': 'state.checkpoint',
}

const VECTOR_STORES = ['qdrant', 'pinecone', 'chroma'] as const

/**
 * Whether a platform advertises a capability. Only a manifest key that is true counts, and names that nobody knows are
 * unmet like any other (AAIF §7).
 * @param others capabilities that the platform advertises elsewhere, such as in its conformance report
 * @param region where the agent's data must stay, when it says so
 */
export function advertised(
  capability: string,
  manifest: PlatformManifest,
  others: ReadonlySet<string>,
  region?: string,
): Finding {
  const all = manifest.platform.capabilities ?? {}
  switch (capability) {
    case 'condition.structured': {
      const languages = all.orchestration?.condition_languages ?? []
      return languages.length > 0
        ? { met: true, how: `orchestration.condition_languages holds ${languages.join(', ')}` }
        : { met: false, how: 'orchestration.condition_languages is empty or absent' }
    }
    case 'compliance.data_residency':
      return residency(manifest, region)
    case 'memory.vector': {
      if (all.memory?.vector === true) return { met: true, how: 'memory.vector is true' }
      const store = VECTOR_STORES.find((name) => all.memory?.[name] === true)
      if (store !== undefined) return { met: true, how: `memory.${store} is true, and finds by similarity` }
      return { met: false, how: 'memory.vector is not true' }
    }
    default: {
      const path = Object.hasOwn(ADVERTISED_AS, capability) ? (ADVERTISED_AS[capability] ?? '') : capability
      if (flagAt(all as Json, path)) return { met: true, how: `${path} is true` }
      if (others.has(capability)) return { met: true, how: 'advertised beside the manifest keys' }
      return { met: false, how: `${path} is not true` }
    }
  }
}

/** Regions are compared as they are written: some are no codes of any list, and `custom` is nobody's region. */
export function residency({ platform }: PlatformManifest, region: string | undefined): Finding {
  const regions = platform.capabilities?.compliance?.data_residency_regions ?? []
  const listed = regions.length === 0 ? 'none is listed' : `listed are ${regions.join(', ')}`
  if (region === undefined || region === 'global') {
    return { met: regions.length > 0, how: `compliance.data_residency_regions: ${listed}` }
  }
  const met = region !== 'custom' && regions.includes(region)
  return {
    met,
    how: met ? `compliance.data_residency_regions holds ${region}` : `no region ${region}: ${listed}`,
  }
}

/** What the manifest advertises in our own extension. */
export function ownCapabilities(manifest: PlatformManifest): readonly string[] {
  return itemsAt(asJson(manifest), OWN_CAPABILITIES).filter((item) => typeof item === 'string')
}

/**
 * Whether the platform reads secrets from this kind of vault. Definitions and manifests spell three vaults in two ways
 * (`aws_secretsmanager`, `aws_secrets_manager`): without underscores they are the same.
 */
export function vaultAdvertised(provider: string, { platform }: PlatformManifest): Finding {
  const { supported, providers = [] } = platform.capabilities?.auth?.vault ?? {}
  if (supported === false) return { met: false, how: 'auth.vault.supported is false' }
  const plain = (name: string) => name.replaceAll('_', '')
  const listed = providers.find((name) => plain(name) === plain(provider))
  if (listed !== undefined) return { met: true, how: `auth.vault.providers holds ${listed}` }
  return { met: false, how: `auth.vault.providers holds ${providers.join(', ') || 'none'}` }
}

/** A vector store that is not there may be replaced by another one (SPEC-R-02). */
export function backendAdvertised(
  backend: string,
  vector: boolean,
  manifest: PlatformManifest,
  others: ReadonlySet<string>,
): Finding {
  const memory = objectAt(manifest.platform.capabilities as unknown as Json, 'memory')
  if (memoryKey(memory, backend)) return { met: true, how: `memory.${backend} is true` }
  if (others.has(`memory.${backend}`)) return { met: true, how: 'advertised beside the manifest keys' }
  if (!vector) return { met: false, how: `memory.${backend} is not true` }
  const other = advertised('memory.vector', manifest, new Set())
  return other.met
    ? { met: true, how: `another vector store takes its place: ${other.how}` }
    : { met: false, how: `memory.${backend} is not true, and ${other.how}` }
}

function memoryKey(memory: Json, backend: string): boolean {
  return memberOf(memory, backend) === true
}

function flagAt(capabilities: Json, path: string): boolean {
  let value: Json | undefined = capabilities
  for (const step of path.split('.')) value = isObject(value) ? memberOf(value, step) : undefined
  return value === true
}
