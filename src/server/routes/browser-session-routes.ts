import { type Call, READERS, type Route } from '../../http/route.ts'
import { csrfOf } from '../../platform/people/browser-sessions.ts'
import type { Tenant } from '../../platform/platform.ts'
import { sessionCookie, setCookie } from '../browser-request.ts'
import { browserSession, endedSession } from '../schemas/people-schemas.ts'

function shown({ tenant: { principal } }: Call<Tenant>, csrf: string, expires_at: string | null) {
  const { organisation, user, roles } = principal
  return { csrf, organisation, user, roles, expires_at }
}

/** The session of a browser: a token is exchanged for a cookie that scripts cannot read. */
export const BROWSER_SESSION_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'POST',
    path: '/v1/browser-session',
    name: 'openBrowserSession',
    summary: 'Signs in: opens a session with the rights of the token, and sets its cookie.',
    tag: 'people',
    access: READERS,
    answers: { 201: { description: 'The session.', schema: browserSession } },
    async handle(call) {
      const opened = await call.tenant.browserSessions.open()
      const json = shown(call, opened.csrf, opened.expires_at)
      return {
        status: 201,
        json,
        kept: { ...json, csrf: '' },
        headers: { 'set-cookie': setCookie(opened.cookie, opened.expires_at) },
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/browser-session',
    name: 'readBrowserSession',
    summary: 'Shows the session of the cookie, with the value for the header x-csrf-token.',
    tag: 'people',
    access: READERS,
    answers: { 200: { description: 'The session.', schema: browserSession } },
    async handle(call) {
      const { session, until } = call.tenant.principal
      const cookie = sessionCookie(call.headers.cookie)
      const csrf = session === undefined || cookie === undefined ? '' : csrfOf(cookie)
      return { status: 200, json: shown(call, csrf, session === undefined ? null : (until ?? null)) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/browser-session',
    name: 'endBrowserSession',
    summary: 'Signs out: ends the session of the cookie, and removes the cookie.',
    tag: 'people',
    access: READERS,
    answers: { 200: { description: 'Whether a session was ended.', schema: endedSession } },
    async handle({ tenant }) {
      await tenant.browserSessions.end()
      return {
        status: 200,
        json: { ended: tenant.principal.session !== undefined },
        headers: { 'set-cookie': setCookie(null) },
      }
    },
  },
]
