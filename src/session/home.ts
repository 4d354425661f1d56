import type { JsonObject } from '../document/json.ts'
import type { PiiKeys } from '../run/drive/pii-values.ts'
import type { Secrets } from '../run/ports.ts'
import type { Records } from '../run/record/records.ts'
import type { Signature } from '../trust/signed-statement.ts'
import type { TrustedKey } from '../trust/trust-store.ts'
import type { Principal } from './principal.ts'

/**
 * Everything that outlives a run, opened for one principal: runs, slots, grants, memory, audit log and statistics
 * of routes (see {@link Records}), keys of personal data, trusted keys and secrets. A folder on this machine is a
 * home (`localHome`); a platform opens one for each request.
 */
export interface Home extends Records {
  readonly principal: Principal
  /** The keys that seal personal data, one for each run. */
  readonly piiKeys: PiiKeys
  readonly trust: Trust
  readonly secrets: Secrets
  /**
   * Signs a statement of this home about its own records, such as the end of an export.
   * @param keyId thumbprint of the key that signs the audit log now, if the log has one
   */
  sign(statement: JsonObject & { readonly type: string }, keyId?: string): Signature
  /** Returns a private folder for an extension, created on request. */
  readonly extensionFolder?: (name: string) => string
}

/** The keys whose signatures are accepted. */
export interface Trust {
  keys(): readonly TrustedKey[]
}
