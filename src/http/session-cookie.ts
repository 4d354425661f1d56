import { createHash } from 'node:crypto'

/** Browsers accept this prefix only with Secure, without Domain and with Path=/: no other host can set the cookie. */
const COOKIE = '__Host-waybill'

/** Returns the value of the session cookie. */
export function sessionCookie(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [name, ...value] = pair.trim().split('=')
    if (name === COOKIE) return value.join('=')
  }
  return undefined
}

/** Returns the header that sets the cookie, or removes it. @param expiresAt RFC 3339 */
export function setCookie(value: string | null, expiresAt?: string): string {
  const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict'
  if (value === null) return `${COOKIE}=; ${attributes}; Max-Age=0`
  const expires = expiresAt === undefined ? '' : `; Expires=${new Date(expiresAt).toUTCString()}`
  return `${COOKIE}=${value}; ${attributes}${expires}`
}

/** Returns what a browser must send with each request that changes something. Another site cannot read or compute it. */
export function csrfOf(cookie: string): string {
  return createHash('sha256').update(`waybill csrf ${cookie}`).digest('base64url')
}
