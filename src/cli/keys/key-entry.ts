import { defined } from '../../document/defined.ts'
import type { TokenProfile } from '../../trust/token-profile.ts'
import type { TrustedKey } from '../../trust/trust-store.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** A trusted key as `--json` prints it. */
export interface KeyEntry {
  readonly name: string
  readonly key_id: string
  readonly authored_by?: readonly string[]
  readonly source_platform?: readonly string[]
  readonly token_profile?: TokenProfile
  readonly revoked_at?: string
  readonly revoked_reason?: string
}

export function keyEntryOf({
  name,
  keyId,
  signsFor,
  profile,
  revokedAt,
  revokedReason,
}: TrustedKey): KeyEntry {
  return {
    name,
    key_id: keyId,
    ...defined({
      authored_by: signsFor.authoredBy,
      source_platform: signsFor.sourcePlatform,
      token_profile: profile,
      revoked_at: revokedAt,
      revoked_reason: revokedReason,
    }),
  }
}

/** Returns what a key is trusted for: `for authors *@bob.example`; of a revoked key, since when and why. */
export function scopeText({
  authored_by,
  source_platform,
  token_profile,
  revoked_at,
  revoked_reason,
}: KeyEntry): string {
  if (revoked_at !== undefined)
    return plainLine(`since ${revoked_at}: ${revoked_reason ?? 'no reason given'}`, 1000)
  const limits = [
    ...(authored_by === undefined ? [] : [`authors ${authored_by.join(', ')}`]),
    ...(source_platform === undefined ? [] : [`platforms ${source_platform.join(', ')}`]),
    ...(token_profile === 'draft' ? ['tokens of the draft'] : []),
  ]
  return limits.length === 0 ? 'for any document' : plainLine(`for ${limits.join('; ')}`, 1000)
}
