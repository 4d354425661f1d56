import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { WaybillError } from '../document/issue.ts'
import { csrfOf } from '../http/session-cookie.ts'

const CSRF_HEADER = 'x-csrf-token'
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export interface BrowserRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  /** The host that the request names, which was checked. */
  readonly host: string
}

/**
 * Checks that a request with a session cookie was made by a page of this server. The cookie alone proves nothing: a
 * browser sends it with each request, and `SameSite` is not known to all of them.
 * @throws CSRF_REFUSED
 */
export function assertOwnPage({ method, headers, host }: BrowserRequest, cookie: string): void {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw refused('it comes from another site')
  const { origin } = headers
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host))
    throw refused('its origin is another site')
  if (SAFE.has(method)) return
  const given = headers[CSRF_HEADER]
  if (typeof given !== 'string' || !isSame(given, csrfOf(cookie)))
    throw refused(`the header ${CSRF_HEADER} is missing or belongs to another session`)
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function refused(why: string): WaybillError {
  return new WaybillError('CSRF_REFUSED', {
    fault: 'refused',
    message: `the request has the cookie of a browser session, but ${why}`,
    hint: `send the header ${CSRF_HEADER} with the value that GET /v1/browser-session returns`,
  })
}
