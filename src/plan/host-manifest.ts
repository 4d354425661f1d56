import { CONDITION_LANGUAGES } from '../condition/condition.ts'
import { callableProvider } from '../policy/model-providers.ts'
import type { PlatformManifest } from '../spec/aaif/generated/manifest.ts'
import { PROVIDERS, SC_STANDARD, SC_VERSION } from '../spec/aaif/vocabulary.ts'
import { type CapabilityFacts, hostCapabilities } from './host-capabilities.ts'
import { OWN_CAPABILITIES } from './negotiation/advertised.ts'
import { NO_EXTENSIONS } from './operator-settings.ts'

/**
 * The highest conformance level whose duties this host fulfils (AAIF §6): it refuses invalid definitions, sends the
 * schemas of tools to models, enforces constraints and verifies endpoints. Level Observable also requires that metrics
 * decide whether an agent may be deployed.
 */
const HOST_LEVEL = 'Portable'

/** The published versions of the format, all of which are read. Other platforms may look for exactly theirs. */
const READ_VERSIONS: readonly string[] = [
  '1.0.0',
  '2.0.0',
  '2.1.0',
  '3.0.0',
  '3.1.0',
  '3.2.0',
  '3.3.0',
  SC_VERSION,
]

/** The registered providers that this host can call; `custom` needs a base URL from the definition or the operator. */
export const HOST_PROVIDERS: readonly string[] = PROVIDERS.filter((provider) =>
  callableProvider({ provider, base_url: '' }),
)

const TOOL_KEYS = ['function', 'mcp', 'http', 'openapi']
const MEMORY_KEYS = ['redis', 'postgres', 'qdrant', 'pinecone', 'vector']
const ORCHESTRATION_KEYS = ['pipeline', 'parallel', 'handoff', 'consensus']

/** Capabilities that have a key in the manifest. Those of `io` and of extensions go into the extension of Waybill. */
const KEYED: ReadonlySet<string> = new Set([
  ...TOOL_KEYS.map((name) => `tool.${name}`),
  ...MEMORY_KEYS.map((name) => `memory.${name}`),
  ...ORCHESTRATION_KEYS.map((name) => `orchestration.${name}`),
  'memory.in_memory',
  'state.checkpoint',
  'state.restore',
])

/**
 * Returns the manifest of this host (AAIF §7). It is derived from the capabilities that plans rely on, so that the host
 * advertises exactly what it supports.
 * @param issuedAt RFC 3339
 */
export function hostManifest(
  version: string,
  issuedAt: string,
  facts: CapabilityFacts = {},
): PlatformManifest {
  const { regions = [], extensions = NO_EXTENSIONS } = facts
  const capabilities = hostCapabilities(facts)
  const has = (capability: string) => capabilities.has(capability)
  const flags = (category: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, has(`${category}.${name}`)]))
  return {
    sc_standard: SC_STANDARD,
    sc_version: SC_VERSION,
    platform: {
      name: 'Waybill',
      version,
      aaif_conformance_level: HOST_LEVEL,
      aaif_versions_supported: READ_VERSIONS,
      capabilities: {
        tool: { ...flags('tool', TOOL_KEYS), parallel_calls: true },
        memory: {
          // The manifest has no key for sqlite.
          in_memory: has('memory.in_memory'),
          ...flags('memory', MEMORY_KEYS),
        },
        model: {
          providers: [...HOST_PROVIDERS, ...Object.keys(extensions.providers)],
          fallback: true,
          streaming: has('io.streaming'),
          function_calling: true,
          structured_output: true,
        },
        orchestration: {
          ...flags('orchestration', ORCHESTRATION_KEYS),
          dynamic_routing: true,
          ...(has('condition.structured') && { condition_languages: [...CONDITION_LANGUAGES] }),
        },
        auth: { bearer: true, api_key: true, vault: { supported: has('auth.vault') } },
        state: {
          checkpoint: has('state.checkpoint') && has('state.restore'),
          live_migration: has('state.restore'),
          streaming_handoff: has('state.restore'),
        },
        compliance: {
          human_in_the_loop: has('compliance.hitl'),
          audit_log: has('compliance.audit_log'),
          pii_scrubbing: true,
          ...(regions.length > 0 && { data_residency_regions: regions }),
        },
        telemetry: { otel_traces: has('telemetry.otel'), otel_metrics: true, otlp_export: true },
      },
      manifest_issued_at: issuedAt,
    },
    [OWN_CAPABILITIES]: [...capabilities].filter((capability) => !KEYED.has(capability)),
  }
}
