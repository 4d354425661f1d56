import { CONDITION_LANGUAGES } from '../condition/condition.ts'
import { type ExtensionFacts, NO_EXTENSIONS } from './operator-settings.ts'
import { OWN_BACKENDS } from './plan-memory.ts'

/** What the capabilities of this host depend on besides its code. */
export interface CapabilityFacts {
  /** The regions in which providers keep data, as the operator has configured them. */
  readonly regions?: readonly string[]
  readonly extensions?: ExtensionFacts
  /** The packages that find memory items by similarity are installed. */
  readonly embeddings?: boolean
}

/** Capabilities that every installation has. */
const OWN: readonly string[] = [
  'tool.function',
  'tool.http',
  'tool.mcp',
  'tool.openapi',
  'io.streaming',
  'io.async',
  'io.batch',
  'compliance.hitl',
  'compliance.audit_log',
  'telemetry.otel',
  'orchestration.parallel',
  'orchestration.handoff',
  'orchestration.pipeline',
  'orchestration.consensus',
  'state.checkpoint',
  'state.restore',
]

/**
 * Returns the capabilities (AAIF §7) of this host. The manifest and the conformance report advertise this list, uploads are
 * negotiated against it, and a plan relies on the same one.
 */
export function hostCapabilities({
  regions = [],
  extensions = NO_EXTENSIONS,
  embeddings = false,
}: CapabilityFacts = {}): ReadonlySet<string> {
  return new Set([
    ...OWN,
    ...(CONDITION_LANGUAGES.length > 0 ? ['condition.structured'] : []),
    ...(regions.length > 0 ? ['compliance.data_residency'] : []),
    ...OWN_BACKENDS.map((name) => `memory.${name}`),
    ...(embeddings ? ['memory.vector'] : []),
    ...Object.keys(extensions.protocols).map((word) => `tool.${word}`),
    ...Object.keys(extensions.backends).map((word) => `memory.${word}`),
  ])
}

/** Returns the regions in which some provider keeps data, in alphabetical order. */
export function configuredRegions(claims: Readonly<Record<string, readonly string[]>>): readonly string[] {
  return [...new Set(Object.values(claims).flat())].sort()
}

/** Returns whether data can be kept in a region. Regions are compared as text; `custom` matches none. */
export function keepsRegion(regions: readonly string[], region: string | undefined): boolean {
  if (region === undefined || region === 'global') return regions.length > 0
  return region !== 'custom' && regions.includes(region)
}
