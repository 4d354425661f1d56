import { defined } from '../../document/defined.ts'
import type { Finding } from '../../document/finding.ts'
import type { JsonObject } from '../../document/json.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import type { Negotiation } from './negotiate.ts'

/** The manifest that a negotiation is based on. */
export interface ManifestSource {
  readonly document: PlatformManifest
  /** Its file or URL. */
  readonly source: string
  readonly fetched: boolean
  readonly expires_at?: string
  readonly expired: boolean
}

/**
 * Returns the result of a negotiation as `waybill negotiate --json` prints it.
 * @param agent the name of the agent
 * @param more findings about the manifest itself
 */
export function negotiationReport(
  agent: string,
  { document, source, fetched, expires_at, expired }: ManifestSource,
  result: Negotiation,
  more: readonly Finding[] = [],
): JsonObject {
  const { name, version, aaif_conformance_level } = document.platform
  const { issues, ...rest } = result
  return {
    ok: result.verdict !== 'reject',
    agent,
    platform: { name, version, aaif_conformance_level },
    manifest: { source, fetched, expired, ...defined({ expires_at }) },
    ...rest,
    issues: [...more, ...issues],
  } as unknown as JsonObject
}
