import { WaybillError } from '../document/issue.ts'
import type { Route } from '../http/route.ts'
import { sessionCookie } from '../http/session-cookie.ts'
import type { Platform } from '../platform/platform.ts'
import type { Principal } from '../session/principal.ts'
import { assertOwnPage, type BrowserRequest } from './browser-request.ts'

/**
 * Returns the principal of a request.
 * The header `authorization` counts before the cookie of a browser session.
 * @throws TOKEN_REFUSED, the same error for a token that is missing, malformed, unknown, expired or revoked;
 * ATTEMPTS_EXCEEDED, CSRF_REFUSED
 */
export async function authenticate(
  platform: Pick<Platform, 'authenticate' | 'authenticateSession'>,
  { ip, ...request }: BrowserRequest & { readonly ip: string },
  attempts: FailedAttempts,
): Promise<Principal> {
  const { token, cookie } = proofOf(request)
  const principal = await identify(platform, request)
  if (principal !== null) {
    if (cookie !== undefined) assertOwnPage(request, cookie)
    return principal
  }
  // A request without a token is not an attempt to use one.
  if (token !== undefined || cookie !== undefined) attempts.failed(ip)
  throw tokenRefused()
}

/** Returns who sends a request now; null if its token or cookie is not valid. */
export async function identify(
  platform: Pick<Platform, 'authenticate' | 'authenticateSession'>,
  request: Pick<BrowserRequest, 'headers'>,
): Promise<Principal | null> {
  const { token, cookie } = proofOf(request)
  // The platform compares hashes, so the time of its answer does not depend on a part of the token that is right.
  if (token !== undefined) return platform.authenticate(token)
  return cookie === undefined ? null : platform.authenticateSession(cookie)
}

function proofOf({ headers }: Pick<BrowserRequest, 'headers'>) {
  const token = /^Bearer +([\w.~+/-]{1,16384}=*)$/i.exec(headers.authorization ?? '')?.[1]
  const cookie = headers.authorization === undefined ? sessionCookie(headers.cookie) : undefined
  return { token, cookie }
}

export function tokenRefused(): WaybillError {
  return new WaybillError('TOKEN_REFUSED', {
    message: 'a valid token is required',
    hint: 'send the header `authorization: Bearer TOKEN`',
  })
}

/** Failed attempts of one address that are answered at once, and how many seconds later one more is. */
const ATTEMPTS = 60
export const RETRY_SECONDS = 2

/** Addresses that are remembered. */
const ADDRESSES = 10_000

/**
 * Counts requests without a valid token by address. Requests with a valid one are not refused: behind a proxy, all
 * clients have the same address. A token cannot be guessed; this keeps programs with an old one from loading the server.
 */
export class FailedAttempts {
  readonly #now: () => number
  /** By address: when its failed attempts are all forgotten, in milliseconds of a monotonic clock. */
  readonly #until = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  /** @throws ATTEMPTS_EXCEEDED */
  failed(address: string): void {
    const now = this.#now()
    const until = Math.max(this.#until.get(address) ?? now, now) + RETRY_SECONDS * 1000
    if (until - now > ATTEMPTS * RETRY_SECONDS * 1000)
      throw new WaybillError('ATTEMPTS_EXCEEDED', {
        message: 'too many requests without a valid token came from this address',
        hint: 'wait for the seconds in the header retry-after, and send a valid token',
      })
    this.#until.delete(address)
    this.#until.set(address, until)
    if (this.#until.size > ADDRESSES) this.#until.delete(this.#until.keys().next().value ?? '')
  }
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

/**
 * @param scope what the route needs, such as `runs:write`
 * @throws SCOPE_MISSING
 */
export function requireScope(
  { scopes }: Principal,
  scope: string | undefined,
  narrower: string | undefined = undefined,
): void {
  if (scopes === undefined || (scope !== undefined && scopes.includes(scope))) return
  if (narrower !== undefined && scopes.includes(narrower)) return
  throw new WaybillError('SCOPE_MISSING', {
    message: 'the token is limited to other requests',
    hint: scope === undefined ? 'use a token without scopes' : `use a token with the scope ${scope}`,
  })
}
