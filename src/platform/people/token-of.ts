import type { Principal } from '../../session/principal.ts'
import { originalText } from '../database/stored-text.ts'

/** Returns what a principal knows of its token. */
export function tokenOf({
  id,
  expires_at,
  makers,
  made_at,
}: {
  readonly id: string
  readonly expires_at: Date | null
  readonly makers: readonly string[]
  readonly made_at: Date | null
}): NonNullable<Principal['token']> {
  return {
    id,
    expires_at: expires_at?.toISOString() ?? null,
    ...(made_at !== null && { makers: makers.map(originalText), made_at: made_at.toISOString() }),
  }
}
