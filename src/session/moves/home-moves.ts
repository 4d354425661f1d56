import type { KeyObject } from 'node:crypto'
import type { JsonObject } from '../../document/json.ts'
import type { MoveRecords } from '../../run/record/move-records.ts'

/** What a home without a server needs to exchange runs with platforms. */
export interface HomeMoves {
  readonly records: MoveRecords
  /** Opens the newest key that signs for this home, and creates the first one. @throws AUDIT_KEY_WRONG */
  signingKey(): KeyObject
  /** Returns the public keys of this home as a JSON Web Key Set: what platforms pin. */
  jwks(): JsonObject
  /** Returns the places of this home: one for each key that signs or has signed for it, and is not revoked. */
  places(): readonly string[]
}
