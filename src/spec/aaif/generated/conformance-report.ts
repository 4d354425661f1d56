// Generated from src/spec/aaif/conformance-report.schema.ts by `npm run generate`. Do not edit.
import type { Json, JsonObject } from '../../../document/json.ts'

/** The conformance claims of a platform and the tests that prove them (AAIF 3.4.0 §6). */
export interface ConformanceReport {
  /** Extension of a vendor; never alters behaviour. */
  readonly [extension: `x-${string}`]: Json
  /** A note to people; ignored. */
  readonly _comment?: string
  /** Identifies the document as AAIF (§4.1). */
  readonly sc_standard: 'SC-006'
  readonly report: ReportInfo
  readonly platform: ReportPlatform
  /** One claim for each level and direction. */
  readonly claims: readonly Claim[]
  readonly supported?: SupportedValues
  readonly attestation?: Attestation
}

/** Metadata of the report. */
export interface ReportInfo {
  /** When it was made, in UTC. */
  readonly generated_at: string
  /** When to fetch it again. */
  readonly expires_at?: string
  /** Versions of the format that were tested. */
  readonly aaif_versions: readonly string[]
  /** Where it is published. */
  readonly report_url?: string
}

/** The platform whose conformance is claimed. */
export interface ReportPlatform {
  /** Name shown to people. */
  readonly name: string
  /** Version of its software. */
  readonly version?: string
  /** Its vendor. */
  readonly vendor?: string
  /** Where its Platform Manifest is. */
  readonly manifest_url?: string
  /** Its home page. */
  readonly homepage?: string
}

/** One level, met in one direction. */
export interface Claim {
  /** The level that is met (§6). */
  readonly level: 'Core' | 'Tooled' | 'Portable' | 'Multi-agent' | 'Observable' | 'Enterprise' | 'Stateful'
  /** As a producer of documents, a consumer that runs them, or both (§6). */
  readonly direction: 'producer' | 'consumer' | 'both'
  readonly test_suite: TestSuite
  /** Conversions that were proved. */
  readonly roundtrip?: readonly Roundtrip[]
}

/** The test run that proves the claim. */
export interface TestSuite {
  /** Which tests: name and version or commit. */
  readonly corpus: string
  /** Number of tests that passed. */
  readonly passed: number
  /** Number of tests. */
  readonly total: number
  /** When they ran. */
  readonly ran_at?: string
  /** Where the log is. */
  readonly log_url?: string
}

/** A framework it converts to and back. */
export interface Roundtrip {
  /** Which framework. */
  readonly framework: string
  /** Paths that are unchanged after a round trip. */
  readonly lossless_fields: readonly string[]
  /** Paths that change. */
  readonly lossy_fields?: readonly string[]
}

/** Registered values it implements (§10). */
export interface SupportedValues {
  /** Of the registry of providers. */
  readonly providers?: readonly string[]
  /** Of the registry of capabilities. */
  readonly capabilities?: readonly string[]
  /** Of the registry of condition languages. */
  readonly condition_languages?: readonly string[]
  /** Of the registry of vaults. */
  readonly vault_providers?: readonly string[]
  /** Of the registry of memory backends. */
  readonly memory_backends?: readonly string[]
  /** Of the registry of tool protocols. */
  readonly tool_protocols?: readonly string[]
}

/** The person or team responsible for the claims. */
export interface Attestation {
  /** Person or team. */
  readonly attested_by?: string
  /** Where to ask. */
  readonly contact?: string
  /** Base64 Ed25519 signature over the canonical JSON without this member. */
  readonly signature?: string
}
