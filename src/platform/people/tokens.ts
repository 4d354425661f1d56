import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import { type Principal, type PrincipalKind, type Role, rolesWithin } from '../../session/principal.ts'
import { sql, written } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { findMember, type OrganisationParts, wrongRoles } from './organisation-parts.ts'
import { type CreatedToken, type NewToken, ownToken, type Tokens, type TokenView } from './token.ts'

/** Makes tokens recognisable in logs and texts, also for tools that search for secrets. */
const PREFIX = 'wbt_'

/** Returns whether a text contains a token. */
export function isToken(text: string): boolean {
  return new RegExp(`${PREFIX}[\\w-]{40,}`).test(text)
}

/** How long a token is valid if its creator names no time, in days. */
const VALID_DAYS = 90

interface TokenRow extends Omit<TokenView, 'created_at' | 'expires_at' | 'used_at' | 'user'> {
  readonly user_id: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly used_at: Date | null
}

const VIEW = sql`id, name, user_id, roles, scopes, created_at, created_by, expires_at, used_at`

const assertNewToken = compileAssertion(ownToken)

/** The tokens of an organisation, of which only hashes are stored. */
export function tokensOf({ app, principal, audited, org }: OrganisationParts): Tokens {
  const isAdmin = principal.roles.includes('admin')
  /** Whose tokens the principal knows; null: those of all. */
  const only = isAdmin ? null : storedText(principal.user)
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    create: (request, id = uuidv7()) =>
      act(async (on) => {
        assertNewToken(request)
        const { user = principal.user, name = '' } = request
        if (user !== principal.user && !isAdmin) throw adminNeeded('creates tokens of other users')
        const held = await findMember(on, org, user)
        const permitted = isAdmin ? held.roles : rolesWithin(held.roles, principal.roles)
        const roles = request.roles ?? permitted
        if (rolesWithin(roles, permitted).length < roles.length) throw wrongRoles(user, roles, permitted)
        const scopes = scopesOf(request, principal)
        const expires_at = expiryOf(request, principal)
        const token = newToken()
        await insertToken(on, {
          org,
          id,
          token,
          name,
          roles,
          scopes,
          user,
          by: principal.user,
          expires_at,
          ...madeBy(principal, user),
        })
        await audited(on, 'token.created', {
          token: id,
          user,
          roles,
          expires_at,
          ...(scopes !== null && { scopes }),
        })
        return { ...(await readToken(on, org, id)), token, organisation: org } satisfies CreatedToken
      }),

    list: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await on.query<TokenRow>(
          sql`SELECT ${VIEW} FROM waybill.tokens WHERE org = ${org} AND id > ${storedText(after)} AND revoked_at IS NULL
                AND (${only}::text IS NULL OR user_id = ${only}) ORDER BY id LIMIT ${limit + 1}`,
        )
        return pageOfRows(rows, limit, viewOf, ({ id }) => [id])
      }),

    revoke: (id, { evenLast = false } = {}) =>
      act(async (on) => {
        // Of two admins who revoke the tokens of each other, one is the last.
        await on.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`tokens of ${org}`])
        const { rows } = await on.query<{ administers: boolean }>(
          sql`UPDATE waybill.tokens AS t SET revoked_at = clock_timestamp()
              WHERE org = ${org} AND id = ${storedText(id)} AND revoked_at IS NULL
                AND (${only}::text IS NULL OR user_id = ${only})
              RETURNING ${written(ADMINISTERS)} AS administers`,
        )
        const [row] = rows
        if (row === undefined) throw tokenNotFound(id)
        if (row.administers && !evenLast) await assertAdminToken(on, org)
        await audited(on, 'token.revoked', { token: id })
      }),
  }
}

/** Whether a token `t` gives all rights of an admin. */
const ADMINISTERS = `('admin' = ANY (t.roles) AND t.scopes IS NULL AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp()))`

/** @throws TOKEN_IS_LAST if no token would be left with which an admin can make others */
async function assertAdminToken(on: Sql, org: string): Promise<void> {
  const { rowCount } = await on.query(
    `SELECT FROM waybill.tokens AS t JOIN waybill.members AS m ON m.org = t.org AND m.user_id = t.user_id
     WHERE t.org = $1 AND t.revoked_at IS NULL AND ${ADMINISTERS}
       AND m.removed_at IS NULL AND 'admin' = ANY (waybill.held_roles(m)) LIMIT 1`,
    [org],
  )
  if (rowCount === 0)
    throw new WaybillError('TOKEN_IS_LAST', {
      fault: 'refused',
      message: 'this is the last token of an admin of the organisation',
      hint: 'create another one first, or confirm it with `?confirm=self`; then only `waybill token new` on the machine of the database makes one',
    })
}

/** @throws MEMBER_NOT_FOUND */
export async function insertToken(
  on: Sql,
  token: {
    readonly org: string
    readonly id: string
    readonly token: string
    readonly name: string
    readonly roles: readonly Role[]
    readonly user: string
    readonly by: string
    /** Null: all that the roles permit. */
    readonly scopes: readonly string[] | null
    /** RFC 3339; null: it does not expire. */
    readonly expires_at: string | null
    /** Members other than its own who have made it. */
    readonly makers?: readonly string[]
    /** RFC 3339; absent: now. */
    readonly made_at?: string | undefined
  },
): Promise<void> {
  const { org, id, name, roles, by, expires_at, scopes, made_at = null } = token
  const makers = token.makers?.map(storedText) ?? []
  const values = sql`${org}, ${id}, ${hashOf(token.token)}, ${name}, ${roles}, ${storedText(token.user)}, ${by}, ${expires_at}`
  await on.query(
    sql`INSERT INTO waybill.tokens (org, id, hash, name, roles, user_id, created_by, expires_at, scopes, makers, made_at)
        VALUES (${values}, ${scopes}, ${makers},
          CASE WHEN ${makers}::text[] <> '{}'::text[] THEN coalesce(${made_at}, clock_timestamp()) END)
        -- A request that is performed again after a crash: the first token was never shown.
        ON CONFLICT (org, id) DO UPDATE SET hash = excluded.hash`,
  )
}

/** Returns a new token, with 256 random bits. */
export function newToken(): string {
  return `${PREFIX}${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the principal of a token that is known and neither expired nor revoked, of a user who still belongs to the
 * organisation. Read from the database for each request, so that a revocation is in force at once, everywhere.
 */
export async function principalOf(engine: pg.Pool, token: string): Promise<Principal | null> {
  if (!token.startsWith(PREFIX) || token.length > 200) return null
  const { rows } = await engine.query<{
    org: string
    id: string
    user_id: string
    kind: PrincipalKind
    roles: readonly Role[]
    held: readonly Role[]
    scopes: readonly string[] | null
    expires_at: Date | null
    makers: readonly string[]
    made_at: Date | null
    due: boolean
  }>({
    name: 'principal-of',
    text: `SELECT t.org, t.id, t.user_id, m.kind, t.roles, t.scopes, waybill.held_roles(m) AS held, t.expires_at, t.makers, t.made_at,
        t.used_at IS NULL OR t.used_at < clock_timestamp() - interval '1 minute' AS due
      FROM waybill.tokens AS t JOIN waybill.members AS m ON m.org = t.org AND m.user_id = t.user_id
      WHERE t.hash = $1 AND t.revoked_at IS NULL AND m.removed_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > clock_timestamp())`,
    values: [hashOf(token)],
  })
  const [row] = rows
  if (row === undefined) return null
  const { org, id, user_id: user, kind, roles, scopes, held, due } = row
  // The time of the last use may be lost with the process.
  if (due) noteUse(engine, org, id).catch(() => {})
  return {
    organisation: org,
    user,
    kind,
    roles: rolesWithin(roles, held),
    token: tokenOf({ ...row, id }),
    ...(scopes !== null && { scopes }),
  }
}

/** A token that a token has made has its makers too: a chain of tokens does not hide who began it. */
function madeBy(
  { user: by, token }: Principal,
  user: string,
): Pick<Parameters<typeof insertToken>[1], 'makers' | 'made_at'> {
  const makers = new Set(token?.makers)
  // The last is who has made this one.
  makers.delete(by)
  if (by !== user) makers.add(by)
  makers.delete(user)
  return { makers: [...makers], made_at: by === user ? token?.made_at : undefined }
}

/**
 * Returns the principal of a token of the platform, or of an identity provider. A member that was removed is refused,
 * whatever the provider says.
 */
export async function identified(
  engine: pg.Pool,
  token: string,
  identify: ((token: string) => Promise<Principal | null>) | undefined,
): Promise<Principal | null> {
  if (token.startsWith(PREFIX) || identify === undefined) return principalOf(engine, token)
  const claimed = await identify(token)
  if (claimed === null) return null
  const { rows } = await engine.query<{ known: boolean; removed: boolean }>({
    name: 'claimed-member',
    text: `SELECT EXISTS (SELECT FROM waybill.organisations WHERE org = $1) AS known,
        EXISTS (SELECT FROM waybill.members WHERE org = $1 AND user_id = $2 AND removed_at IS NOT NULL) AS removed`,
    values: [claimed.organisation, storedText(claimed.user)],
  })
  return rows[0]?.known === true && !rows[0].removed ? claimed : null
}

async function noteUse(engine: pg.Pool, org: string, id: string): Promise<void> {
  await engine.query(`UPDATE waybill.tokens SET used_at = clock_timestamp() WHERE org = $1 AND id = $2`, [
    org,
    id,
  ])
}

async function readToken(on: Sql, org: string, id: string): Promise<TokenView> {
  const { rows } = await on.query<TokenRow>(
    sql`SELECT ${VIEW} FROM waybill.tokens WHERE org = ${org} AND id = ${id}`,
  )
  const [row] = rows
  if (row === undefined) throw tokenNotFound(id)
  return viewOf(row)
}

function viewOf({ user_id: user, created_at, expires_at, used_at, ...row }: TokenRow): TokenView {
  return {
    ...row,
    user,
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    used_at: used_at?.toISOString() ?? null,
  }
}

/** A token with scopes creates none with others. */
function scopesOf({ scopes }: NewToken, { scopes: own }: Principal): readonly string[] | null {
  const foreign = own === undefined ? undefined : scopes?.find((scope) => !own.includes(scope))
  if (foreign !== undefined)
    throw new WaybillError('SCOPE_MISSING', {
      fault: 'refused',
      message: `the token of this request does not have the scope ${foreign}, so it cannot give it`,
      at: '/scopes',
      hint: `give some of ${own?.join(', ')}`,
    })
  return scopes ?? own ?? null
}

/** A token that a token has created does not outlive it, not even that of an admin: a stolen one could renew itself. */
function expiryOf({ expires_at }: NewToken, { token, until }: Principal): string | null {
  const wanted =
    expires_at === undefined ? new Date(Date.now() + VALID_DAYS * 86_400_000).toISOString() : expires_at
  if (wanted !== null && Date.parse(wanted) <= Date.now())
    throw new WaybillError('REQUEST_INVALID', {
      at: '/expires_at',
      message: 'the token would have expired already',
      hint: 'name a time in the future, or null for a token that does not expire',
    })
  // A session of a token lasts as long as the token; another proof ends by itself.
  const limit = token === undefined ? (until ?? null) : token.expires_at
  if (limit === null) return wanted
  return wanted === null || Date.parse(wanted) > Date.parse(limit) ? limit : wanted
}

/** A token has 256 random bits, so one round of a fast hash is enough. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function tokenNotFound(id: string): WaybillError {
  return new WaybillError('TOKEN_NOT_FOUND', {
    fault: 'usage',
    message: `there is no token with the id ${JSON.stringify(id.slice(0, 100))} that you may revoke`,
    hint: 'list the tokens with GET /v1/tokens; the id is not the token itself',
  })
}

export function adminNeeded(what: string): WaybillError {
  return new WaybillError('ROLE_MISSING', {
    message: `only an admin ${what}`,
    hint: 'use a token with the role admin',
  })
}

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
