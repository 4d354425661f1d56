// Generated from src/spec/aaif/registry.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** The values that one extension point may take (AAIF 3.4.0 §10). */
export interface Registry {
  /** Name of the registry. */
  readonly registry: string
  /** Identifies the document as AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  /** What this registry lists. */
  readonly description: string
  /** Registration policy: one of the four policies, optionally followed by a note (§10). */
  readonly registration_policy: string
  /** Day of the last change. */
  readonly updated_at?: string
  /** The registered values. */
  readonly entries: readonly RegistryEntry[]
}

/** One registered value. */
export interface RegistryEntry {
  /** The value as it is written in documents. */
  readonly id: string
  /** Whether documents may use it (§10). */
  readonly status: 'standard' | 'provisional' | 'deprecated' | 'reserved'
  /** Version of the format that added it. */
  readonly since?: string | null
  /** Other members are allowed; readers ignore them. */
  readonly [member: string]: unknown
}
