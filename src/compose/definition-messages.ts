import type { Code } from '../document/codes.ts'
import type { ErrorDetails } from '../document/issue.ts'
import type { UploadRules } from '../platform/agents/read-upload.ts'
import type { StoredVersion } from '../platform/agents/stored-version.ts'
import type { PlatformManifest } from '../spec/aaif/generated/manifest.ts'
import type { TrustedKey } from '../trust/trust-store.ts'

/** The rules of a platform that do not change while it runs. */
export type FixedRules = Pick<UploadRules, 'registries' | 'schemas' | 'signatures'>

/** A task for a thread that reads definitions. */
export type ToThread = { readonly id: number } & Task

export type Task =
  | { readonly kind: 'content'; readonly version: StoredVersion }
  | {
      readonly kind: 'examine'
      readonly body: Uint8Array
      readonly mediaType: string
      readonly manifest: PlatformManifest
      readonly keys: readonly TrustedKey[]
      readonly uploader: string
    }

export type FromThread = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly error: { readonly code: Code; readonly details: Omit<ErrorDetails, 'cause'> } }
  /** An unexpected error. */
  | { readonly failure: string }
)
