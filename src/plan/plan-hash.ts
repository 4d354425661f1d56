import { sha256OfCanonical } from '../document/canonical.ts'
import type { Json } from '../document/json.ts'
import type { Plan } from './plan.ts'

/** Returns the hash that names a plan: SHA-256 (hex) of its canonical form. */
export function planHash(plan: Plan): string {
  return sha256OfCanonical(plan as unknown as Json)
}
