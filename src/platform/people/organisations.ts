import type pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import type { Principal } from '../../session/principal.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { DEFAULT_ORGANISATION } from './first-admin.ts'
import { assertNotReserved } from './names.ts'
import { newOrganisation, type Organisations, type OrganisationView } from './organisation.ts'
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

const assertNewOrganisation = compileAssertion(newOrganisation)

/** The organisations that a principal may know. */
export function organisationsOf({ app, engine, principal, nextEntry }: OrganisationsParts): Organisations {
  const own = principal.organisation
  return {
    async list({ limit = PAGE_LIMIT, cursor }) {
      const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
      const { rows } = await inOrganisation(isInstaller(principal) ? engine : app, own, (on) =>
        on.query<OrganisationRow>(
          `SELECT org, name, created_at FROM waybill.organisations WHERE org COLLATE "C" > $1
           ORDER BY org COLLATE "C" LIMIT $2`,
          [storedText(after), limit + 1],
        ),
      )
      return pageOfRows(rows, limit, viewOf, ({ org }) => [org])
    },

    async create(request) {
      if (!isInstaller(principal))
        throw adminNeeded(`of the organisation ${DEFAULT_ORGANISATION} creates others`)
      assertNewOrganisation(request)
      const { organisation: org, name = org, admin } = request
      assertNotReserved(admin.user)
      const id = uuidv7()
      const token = newToken()
      const by = `${principal.user}@${own}`
      return inOrganisation(engine, org, async (on) => {
        const { rows } = await on.query<OrganisationRow>(
          `INSERT INTO waybill.organisations (org, name) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING org, name, created_at`,
          [org, name],
        )
        const [row] = rows
        if (row === undefined) throw exists(org)
        await on.query(
          sql`INSERT INTO waybill.members (org, user_id, kind, name, roles, created_by)
              VALUES (${org}, ${storedText(admin.user)}, 'person', ${admin.name ?? admin.user}, '{admin}', ${by})`,
        )
        // Not longer, and not for more, than the token of the request.
        const limit = Date.parse(principal.token?.expires_at ?? '') || Number.POSITIVE_INFINITY
        const expires_at = new Date(Math.min(Date.now() + FIRST_TOKEN_MS, limit)).toISOString()
        await insertToken(on, {
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
        await appendAudit(on, own, nextEntry, [fact])
        await appendAudit(on, org, nextEntry, [fact])
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
  const { rowCount } = await inOrganisation(app, stored, (on) =>
    on.query('SELECT FROM waybill.organisations WHERE org = $1', [stored]),
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
