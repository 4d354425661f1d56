import type { JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { type Principal, ROLES, type Role } from '../../session/principal.ts'
import { isReserved } from './names.ts'

/** What the claims of an identity provider mean: nothing is derived from names. */
export interface ClaimMapping {
  /** Default `sub`. */
  readonly user_claim?: string
  readonly organisation: string | { readonly claim: string; readonly map: Readonly<Record<string, string>> }
  readonly roles: { readonly claim: string; readonly map: Readonly<Record<string, readonly Role[]>> }
}

const LONGEST_USER = 256

/**
 * Returns the principal that verified claims name; null if they name no user, no organisation or no role. An e-mail
 * address that the provider has not verified names no user.
 */
export function claimedPrincipal(
  { user_claim = 'sub', organisation, roles }: ClaimMapping,
  claims: JsonObject,
): Principal | null {
  const user = ownMember(claims, user_claim)
  if (typeof user !== 'string' || user === '' || user.length > LONGEST_USER || isReserved(user)) return null
  if (user_claim === 'email' && claims.email_verified === false) return null
  const org =
    typeof organisation === 'string'
      ? organisation
      : mapped(organisation.map, ownMember(claims, organisation.claim))[0]
  const given = new Set(mapped(roles.map, ownMember(claims, roles.claim)).flat())
  // Never admin: the configuration cannot name it, and this does not depend on that.
  given.delete('admin')
  if (org === undefined || given.size === 0) return null
  const { exp } = claims
  return {
    organisation: org,
    user,
    kind: 'person',
    roles: ROLES.filter((role) => given.has(role)),
    ...(typeof exp === 'number' && { until: new Date(exp * 1000).toISOString() }),
  }
}

/** Returns what the values of a claim (a text, or a list of texts) mean, in the order of the claim. */
function mapped<T>(map: Readonly<Record<string, T>>, claim: unknown): readonly T[] {
  const values = Array.isArray(claim) ? claim : [claim]
  return values.flatMap((value) =>
    typeof value === 'string' && Object.hasOwn(map, value) ? [map[value] as T] : [],
  )
}
