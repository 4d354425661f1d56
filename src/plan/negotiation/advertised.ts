import { asJson, isObject, type Json } from '../../document/json.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import { itemsAt, memberOf, objectAt } from '../../spec/loose-members.ts'
import { keepsRegion } from '../host-capabilities.ts'

/** Whether a manifest meets one need. `how` names the member of the manifest, or what is missing. */
export interface Finding {
  readonly met: boolean
  readonly how: string
}

/** The root extension of Waybill: capabilities without a key in the manifest, such as those of `io`. */
export const OWN_CAPABILITIES = 'x-waybill-capabilities'

/**
 * The manifest key of a capability, where it differs from the name of the capability (AAIF §7). For a capability that is
 * not listed here, its name is the path below `platform.capabilities`.
 */
const ADVERTISED_AS: Readonly<Record<string, string>> = {
  'telemetry.otel': 'telemetry.otel_traces',
  'compliance.hitl': 'compliance.human_in_the_loop',
  'auth.vault': 'auth.vault.supported',
  // The manifest schema defines `checkpoint` as writing and restoring.
  'state.restore': 'state.checkpoint',
}

const VECTOR_STORES = ['qdrant', 'pinecone', 'chroma'] as const

/**
 * Returns whether a platform advertises a capability. A manifest key must be true. An unknown capability is unmet, like
 * any other that is missing (AAIF §7).
 * @param others capabilities that the platform advertises outside the manifest, such as in its conformance report
 * @param region the region in which the data of the agent must stay, if any
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
        ? { met: true, how: `orchestration.condition_languages contains ${languages.join(', ')}` }
        : { met: false, how: 'orchestration.condition_languages is empty or absent' }
    }
    case 'compliance.data_residency':
      return residency(manifest, region)
    case 'memory.vector': {
      if (all.memory?.vector === true) return { met: true, how: 'memory.vector is true' }
      const store = VECTOR_STORES.find((name) => all.memory?.[name] === true)
      if (store !== undefined)
        return { met: true, how: `memory.${store} is true, and supports similarity search` }
      return { met: false, how: 'memory.vector is not true' }
    }
    default: {
      const path = Object.hasOwn(ADVERTISED_AS, capability) ? (ADVERTISED_AS[capability] ?? '') : capability
      if (flagAt(all as Json, path)) return { met: true, how: `${path} is true` }
      if (others.has(capability)) return { met: true, how: 'advertised outside the manifest keys' }
      return { met: false, how: `${path} is not true` }
    }
  }
}

/** Compares regions as text, because some are not codes of a list. */
export function residency({ platform }: PlatformManifest, region: string | undefined): Finding {
  const regions = platform.capabilities?.compliance?.data_residency_regions ?? []
  const listed = regions.length === 0 ? 'no region is listed' : `listed are ${regions.join(', ')}`
  const met = keepsRegion(regions, region)
  if (region === undefined || region === 'global')
    return { met, how: `compliance.data_residency_regions: ${listed}` }
  return {
    met,
    how: met ? `compliance.data_residency_regions contains ${region}` : `no region ${region}: ${listed}`,
  }
}

/** Returns the capabilities in the extension of Waybill. */
export function ownCapabilities(manifest: PlatformManifest): readonly string[] {
  return itemsAt(asJson(manifest), OWN_CAPABILITIES).filter((item) => typeof item === 'string')
}

/**
 * Returns whether the platform reads secrets from this kind of vault. Ignores underscores, because definitions and
 * manifests spell three vaults differently (`aws_secretsmanager`, `aws_secrets_manager`).
 */
export function vaultAdvertised(provider: string, { platform }: PlatformManifest): Finding {
  const { supported, providers = [] } = platform.capabilities?.auth?.vault ?? {}
  if (supported === false) return { met: false, how: 'auth.vault.supported is false' }
  const plain = (name: string) => name.replaceAll('_', '')
  const listed = providers.find((name) => plain(name) === plain(provider))
  if (listed !== undefined) return { met: true, how: `auth.vault.providers contains ${listed}` }
  return { met: false, how: `auth.vault.providers contains ${providers.join(', ') || 'no provider'}` }
}

/** Returns whether a memory backend is offered. Another vector store may replace a missing one (SPEC-R-02). */
export function backendAdvertised(
  backend: string,
  vector: boolean,
  manifest: PlatformManifest,
  others: ReadonlySet<string>,
): Finding {
  const memory = objectAt(manifest.platform.capabilities as unknown as Json, 'memory')
  if (memoryKey(memory, backend)) return { met: true, how: `memory.${backend} is true` }
  if (others.has(`memory.${backend}`)) return { met: true, how: 'advertised outside the manifest keys' }
  if (!vector) return { met: false, how: `memory.${backend} is not true` }
  const other = advertised('memory.vector', manifest, new Set())
  return other.met
    ? { met: true, how: `another vector store replaces it: ${other.how}` }
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
