import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { csrfOf } from '../../http/session-cookie.ts'
import { type Principal, type PrincipalKind, type Role, rolesWithin } from '../../session/principal.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { BrowserSessions } from './browser-session.ts'
import type { OrganisationParts } from './organisation-parts.ts'
import { tokenOf } from './tokens.ts'

/** How long a session lasts at most, and without a request, in hours. */
const MOST_HOURS = 7 * 24
const IDLE_HOURS = 12

export function browserSessionsOf({ app, org, principal, audited }: OrganisationParts): BrowserSessions {
  return {
    open: () =>
      inOrganisation(app, org, async (on) => {
        if (principal.kind === 'service') throw personRequired()
        const cookie = randomBytes(32).toString('base64url')
        const id = uuidv7()
        const { token, until, scopes = null } = principal
        const user = storedText(principal.user)
        const limits = [token?.expires_at, until].filter((time) => time !== undefined && time !== null)
        const { rows } = await on.query<{ ends_at: Date }>(
          sql`INSERT INTO waybill.browser_sessions (org, id, hash, user_id, roles, scopes, token, ends_at)
              VALUES (${org}, ${id}, ${hashOf(cookie)}, ${user}, ${principal.roles}, ${scopes}, ${token?.id ?? null},
                least(clock_timestamp() + ${MOST_HOURS} * interval '1 hour',
                  (SELECT min(t) FROM unnest(${limits}::timestamptz[]) AS t)))
              RETURNING ends_at`,
        )
        await audited(on, 'session.opened', {
          session: id,
          user: principal.user,
          with: token === undefined ? 'an identity provider' : `token ${token.id}`,
        })
        return { cookie, csrf: csrfOf(cookie), expires_at: (rows[0]?.ends_at ?? new Date()).toISOString() }
      }),

    end: () =>
      inOrganisation(app, org, async (on) => {
        const { session } = principal
        if (session === undefined) return
        const { rowCount } = await on.query(
          `UPDATE waybill.browser_sessions SET ended_at = clock_timestamp()
           WHERE org = $1 AND id = $2 AND ended_at IS NULL`,
          [org, session.id],
        )
        if (rowCount === 1) await audited(on, 'session.ended', { session: session.id })
      }),
  }
}

/**
 * Returns the principal of a session. Read for each request, so that its end, the revocation of its token and the removal
 * of its member are in force at once, at every server.
 */
export async function principalOfSession(engine: pg.Pool, cookie: string): Promise<Principal | null> {
  if (!/^[\w-]{43}$/.test(cookie)) return null
  const { rows } = await engine.query<SessionRow>({
    name: 'principal-of-session',
    text: `SELECT s.org, s.id, s.user_id, s.roles, s.scopes, s.token, s.ends_at, t.expires_at, t.makers, t.made_at, m.kind,
        waybill.held_roles(m) AS held, s.used_at < clock_timestamp() - interval '1 minute' AS due
      FROM waybill.browser_sessions AS s
      LEFT JOIN waybill.tokens AS t ON t.org = s.org AND t.id = s.token
      LEFT JOIN waybill.members AS m ON m.org = s.org AND m.user_id = s.user_id
      WHERE s.hash = $1 AND s.ended_at IS NULL AND s.ends_at > clock_timestamp()
        AND s.used_at > clock_timestamp() - interval '${IDLE_HOURS} hours' AND m.removed_at IS NULL
        AND (s.token IS NULL OR t.revoked_at IS NULL AND m.user_id IS NOT NULL
          AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp()))`,
    values: [hashOf(cookie)],
  })
  const [row] = rows
  if (row === undefined) return null
  if (row.due) noteUse(engine, row).catch(() => {})
  const { org, id, user_id, roles, scopes, token, ends_at, kind, held } = row
  return {
    organisation: org,
    user: originalText(user_id),
    kind: kind ?? 'person',
    roles: token === null ? roles : rolesWithin(roles, held),
    session: { id },
    until: ends_at.toISOString(),
    ...(scopes !== null && { scopes }),
    ...(token !== null && { token: tokenOf({ ...row, id: token, makers: row.makers ?? [] }) }),
  }
}

interface SessionRow {
  readonly org: string
  readonly id: string
  readonly user_id: string
  readonly roles: readonly Role[]
  readonly scopes: readonly string[] | null
  readonly token: string | null
  readonly ends_at: Date
  readonly expires_at: Date | null
  readonly makers: readonly string[] | null
  readonly made_at: Date | null
  readonly kind: PrincipalKind | null
  readonly held: readonly Role[]
  readonly due: boolean
}

async function noteUse(engine: pg.Pool, { org, id }: Pick<SessionRow, 'org' | 'id'>): Promise<void> {
  await engine.query(
    'UPDATE waybill.browser_sessions SET used_at = clock_timestamp() WHERE org = $1 AND id = $2',
    [org, id],
  )
}

function hashOf(cookie: string): Buffer {
  return createHash('sha256').update(cookie).digest()
}

function personRequired(): WaybillError {
  return new WaybillError('PERSON_REQUIRED', {
    fault: 'refused',
    message: 'a service account has no browser session',
    hint: 'send its token with each request',
  })
}
