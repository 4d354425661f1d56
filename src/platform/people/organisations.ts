import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { Principal } from '../../session/principal.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { DEFAULT_ORGANISATION } from './first-admin.ts'
import { assertNotReserved } from './reserved-names.ts'
import { adminNeeded, insertToken, newToken } from './tokens.ts'

export interface OrganisationsParts {
  readonly app: pg.Pool
  /** A request sees one organisation only; this sees all. */
  readonly engine: pg.Pool
  readonly principal: Principal
  readonly nextEntry: EntryMaker
}

interface OrganisationRow {
  readonly org: string
  readonly name: string
  readonly created_at: Date
}

/** The admins of the first organisation also create the others, and only they know all of them. */
function isInstaller({ organisation, roles }: Principal): boolean {
  return organisation === DEFAULT_ORGANISATION && roles.includes('admin')
}

/** The organisations that a principal may know. */
export function organisationsOf({ app, engine, principal, nextEntry }: OrganisationsParts): Organisations {
  const own = principal.organisation
  return {
    async list({ limit = PAGE_LIMIT, cursor }) {
      const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
      const { rows } = await inOrganisation(isInstaller(principal) ? engine : app, own, (sql) =>
        sql.query<OrganisationRow>(
          `SELECT org, name, created_at FROM waybill.organisations WHERE org COLLATE "C" > $1
           ORDER BY org COLLATE "C" LIMIT $2`,
          [storedText(after), limit + 1],
        ),
      )
      return pageOfRows(rows, limit, viewOf, ({ org }) => [org])
    },

    async create({ organisation: org, name = org, admin }) {
      if (!isInstaller(principal))
        throw adminNeeded(`of the organisation ${DEFAULT_ORGANISATION} creates others`)
      assertNotReserved(admin.user)
      const id = uuidv7()
      const token = newToken()
      const by = `${principal.user}@${own}`
      return inOrganisation(engine, org, async (sql) => {
        const { rows } = await sql.query<OrganisationRow>(
          `INSERT INTO waybill.organisations (org, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING org, name, created_at`,
          [org, name],
        )
        const [row] = rows
        if (row === undefined) throw exists(org)
        await sql.query(
          `INSERT INTO waybill.members (org, user_id, kind, name, roles, created_by) VALUES ($1, $2, 'person', $3, '{admin}', $4)`,
          [org, storedText(admin.user), admin.name ?? admin.user, by],
        )
        // Not longer, and not for more, than the token of the request.
        const limit = Date.parse(principal.token?.expires_at ?? '') || Number.POSITIVE_INFINITY
        const expires_at = new Date(Math.min(Date.now() + FIRST_TOKEN_MS, limit)).toISOString()
        await insertToken(sql, {
          org,
          id,
          token,
          name: 'first',
          roles: ['admin'],
          user: admin.user,
          by,
          scopes: principal.scopes ?? null,
          expires_at,
        })
        const fact = {
          at: new Date().toISOString(),
          kind: 'organisation.created',
          organisation: org,
          admin: admin.user,
          by,
        }
        await appendAudit(sql, own, nextEntry, [fact])
        await appendAudit(sql, org, nextEntry, [fact])
        return { ...viewOf(row), admin_token: { id, token, expires_at } }
      })
    },
  }
}

/** How long the first token of a new organisation is valid: its admin creates another one with it. */
const FIRST_TOKEN_MS = 7 * 86_400_000

function viewOf({ org, name, created_at }: OrganisationRow): OrganisationView {
  return { organisation: org, name, created_at: created_at.toISOString() }
}

function exists(org: string): WaybillError {
  return new WaybillError('ORGANISATION_EXISTS', {
    fault: 'usage',
    at: '/organisation',
    message: `there is an organisation ${org}`,
    hint: 'choose another name',
  })
}

/**
 * Returns as whom a principal manages an organisation: its own, or another one for an installer.
 * @throws ORGANISATION_NOT_FOUND
 */
export async function principalIn(app: pg.Pool, principal: Principal, org: string): Promise<Principal> {
  if (org === principal.organisation) return principal
  if (!isInstaller(principal)) throw organisationNotFound(org)
  const stored = storedText(org)
  const { rowCount } = await inOrganisation(app, stored, (sql) =>
    sql.query('SELECT FROM waybill.organisations WHERE org = $1', [stored]),
  )
  if (rowCount === 0) throw organisationNotFound(org)
  return { ...principal, organisation: org, user: `${principal.user}@${principal.organisation}` }
}

function organisationNotFound(org: string): WaybillError {
  return new WaybillError('ORGANISATION_NOT_FOUND', {
    fault: 'usage',
    message: `there is no organisation ${JSON.stringify(org.slice(0, 100))}`,
    hint: 'list those that you may know with GET /v1/organisations',
  })
}

export interface OrganisationView {
  readonly organisation: string
  readonly name: string
  readonly created_at: string
}

export interface NewOrganisation {
  readonly organisation: string
  readonly name?: string
  /** Its first member. */
  readonly admin: { readonly user: string; readonly name?: string }
}

/** A token of its first admin, which is shown once. */
export interface CreatedOrganisation extends OrganisationView {
  readonly admin_token: { readonly id: string; readonly token: string; readonly expires_at: string }
}

export interface Organisations {
  list(page: Page): Promise<PageOf<OrganisationView>>
  /** @throws ROLE_MISSING for all but admins of the first organisation, ORGANISATION_EXISTS */
  create(request: NewOrganisation): Promise<CreatedOrganisation>
}
