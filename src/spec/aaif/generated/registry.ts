// Generated from src/spec/aaif/registry.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** The values that one extension point may take (AAIF 3.4.0 §10). */
export interface Registry {
  /** Name of the registry. */
  readonly registry: string
  /** Says that this is AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  /** What is registered here. */
  readonly description: string
  /** How values get in: one of the four policies, with or without a note (§10). */
  readonly registration_policy: string
  /** Day of the last change. */
  readonly updated_at?: string
  /** The registered values. */
  readonly entries: readonly RegistryEntry[]
}

/** One registered value. */
export interface RegistryEntry {
  /** The value as it stands in documents. */
  readonly id: string
  /** Whether documents may use it (§10). */
  readonly status: 'standard' | 'provisional' | 'deprecated' | 'reserved'
  /** Version of the format that brought it. */
  readonly since?: string | null
  /** Others may stand here; readers ignore them. */
  readonly [member: string]: unknown
}
