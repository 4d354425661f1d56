import { WaybillError } from '../document/issue.ts'
import type { Platform } from '../platform/platform.ts'
import type { Principal } from '../session/principal.ts'
import type { Route } from './route.ts'

/**
 * Returns the principal of a request.
 * @param header the header `authorization`
 * @throws TOKEN_REFUSED, the same error for a token that is missing, malformed, unknown, expired or revoked
 */
export async function authenticate(platform: Platform, header: string | undefined): Promise<Principal> {
  const token = /^Bearer +([\w.~+/-]{1,512}=*)$/i.exec(header ?? '')?.[1]
  // The platform compares hashes, so the time of its answer does not depend on a part of the token that is right.
  const principal = token === undefined ? null : await platform.authenticate(token)
  if (principal !== null) return principal
  throw new WaybillError('TOKEN_REFUSED', {
    message: 'a valid token is required',
    hint: 'send the header `authorization: Bearer TOKEN`',
  })
}

/** @throws ROLE_MISSING if the principal has none of the roles of a route */
export function requireRole({ roles }: Principal, { access }: Pick<Route, 'access'>): void {
  if (access === 'public' || roles.includes('admin') || roles.some((role) => access.includes(role))) return
  const named = [...new Set([...access, 'admin'])].join(', ')
  throw new WaybillError('ROLE_MISSING', {
    message: 'the token does not permit this request',
    hint: `use a token with one of the roles ${named}`,
  })
}
