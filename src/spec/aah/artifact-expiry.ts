import { readTimestamp } from '../timestamp.ts'
import type { ArtifactEnvelope, Lifecycle } from './generated/artifact-envelope.ts'

/** When the retention of an artifact ends. */
export type Expiry =
  | { readonly kind: 'never' }
  /** At the end of the session that made it. */
  | { readonly kind: 'with-session' }
  /** Milliseconds since 1970. */
  | { readonly kind: 'at'; readonly ms: number }

const DAY_MS = 86_400_000
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const

/** Returns expires_at, else created_at plus retention; without a retention the artifact is permanent (§2.7). */
export function expiryOf({ artifact, lifecycle = {} }: ArtifactEnvelope): Expiry {
  const explicit = msOf(lifecycle.expires_at)
  if (explicit !== undefined) return { kind: 'at', ms: explicit }
  const retention: NonNullable<Lifecycle['retention']> = lifecycle.retention ?? 'permanent'
  if (retention === 'permanent') return { kind: 'never' }
  if (retention === 'ephemeral') return { kind: 'with-session' }
  const created = msOf(artifact.created_at)
  return created === undefined ? { kind: 'never' } : { kind: 'at', ms: created + DAYS[retention] * DAY_MS }
}

function msOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : readTimestamp(text)?.ms
}
