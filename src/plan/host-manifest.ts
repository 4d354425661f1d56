import { CONDITION_LANGUAGES } from '../condition/condition.ts'
import { callableProvider } from '../policy/model-providers.ts'
import type { PlatformManifest } from '../spec/aaif/generated/manifest.ts'
import { PROVIDERS, SC_STANDARD, SC_VERSION } from '../spec/aaif/vocabulary.ts'
import { OWN_CAPABILITIES } from './negotiation/advertised.ts'
import { OWN_BACKENDS } from './plan-memory.ts'
import { HOST_CAPABILITIES } from './unmet.ts'

/**
 * The highest level of the main line whose duties this host fulfils when it runs agents (AAIF §6): it refuses what is
 * invalid, shows models the schemas of tools, holds constraints and trusts no endpoint. Observable asks for more: that
 * metrics decide whether an agent is let through.
 */
const HOST_LEVEL = 'Portable'

/** The registered providers that this host can call; `custom` where the definition or the operator says where it is. */
export const HOST_PROVIDERS: readonly string[] = PROVIDERS.filter((provider) =>
  callableProvider({ provider, base_url: '' }),
)

/** The capability names that a manifest has keys for; those of `io` it has none for, so they go into our extension. */
const KEYED = /^(tool|memory|orchestration|state)\./

/**
 * What this host can do, for others to negotiate with (AAIF §7): derived from what its plans count on, so that it
 * advertises what it does and nothing else.
 * @param issuedAt RFC 3339
 * @param regions in which some provider keeps data, by the word of the operator
 */
export function hostManifest(
  version: string,
  issuedAt: string,
  regions: readonly string[] = [],
): PlatformManifest {
  const has = (capability: string) => HOST_CAPABILITIES.has(capability)
  const flags = (category: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, has(`${category}.${name}`)]))
  return {
    sc_standard: SC_STANDARD,
    sc_version: SC_VERSION,
    platform: {
      name: 'Waybill',
      version,
      aaif_conformance_level: HOST_LEVEL,
      aaif_versions_supported: [SC_VERSION],
      capabilities: {
        tool: { ...flags('tool', ['function', 'mcp', 'http', 'openapi']), parallel_calls: true },
        memory: {
          // A manifest has no key for sqlite.
          in_memory: OWN_BACKENDS.includes('in_memory'),
          ...flags('memory', ['redis', 'postgres', 'qdrant', 'pinecone', 'vector']),
        },
        model: {
          providers: HOST_PROVIDERS,
          fallback: true,
          streaming: has('io.streaming'),
          function_calling: true,
          structured_output: true,
        },
        orchestration: {
          ...flags('orchestration', ['pipeline', 'parallel', 'handoff', 'consensus']),
          dynamic_routing: true,
          ...(has('condition.structured') && { condition_languages: [...CONDITION_LANGUAGES] }),
        },
        auth: { bearer: true, api_key: true, vault: { supported: has('auth.vault') } },
        state: { checkpoint: has('state.checkpoint') },
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
    [OWN_CAPABILITIES]: [...HOST_CAPABILITIES].filter((capability) => !KEYED.test(capability)),
  }
}
