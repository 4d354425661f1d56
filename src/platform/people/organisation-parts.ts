import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { Principal, PrincipalKind, Role } from '../../session/principal.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/** What changes to an organisation need. */
export interface OrganisationParts {
  readonly app: pg.Pool
  readonly org: string
  /** Who makes them. */
  readonly principal: Principal
  /** Appends an entry to the audit log of the organisation, in the transaction of the change. */
  readonly audited: (sql: Sql, kind: string, fact: Readonly<Record<string, Json>>) => Promise<void>
}

/** A member as others see it: with the roles of its teams. */
export interface HeldMember {
  readonly kind: PrincipalKind
  readonly roles: readonly Role[]
}

/** @throws MEMBER_NOT_FOUND also for one that was removed */
export async function findMember(sql: Sql, org: string, user: string): Promise<HeldMember> {
  const { rows } = await sql.query<HeldMember>(
    `SELECT m.kind, waybill.held_roles(m) AS roles FROM waybill.members AS m
     WHERE m.org = $1 AND m.user_id = $2 AND m.removed_at IS NULL`,
    [org, storedText(user)],
  )
  const [member] = rows
  if (member === undefined) throw memberNotFound(user)
  return { ...member, roles: [...new Set(member.roles)] }
}

export function memberNotFound(user: string): WaybillError {
  return new WaybillError('MEMBER_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has no member ${JSON.stringify(user.slice(0, 200))}`,
    hint: 'list the members with GET /v1/organisations/ORG/members, or add one with POST',
  })
}

export function wrongRoles(user: string, roles: readonly Role[], held: readonly Role[]): WaybillError {
  const has = held.length === 0 ? 'none' : held.join(', ')
  return new WaybillError('ROLE_EXCEEDED', {
    fault: 'refused',
    at: '/roles',
    message: `a token of ${user} cannot have the roles ${roles.join(', ')}: the roles that it may have are ${has}`,
    hint: 'name fewer roles, or let an admin give the member more',
  })
}
