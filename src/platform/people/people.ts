import { WaybillError } from '../../document/issue.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { PrincipalKind, Role } from '../../session/principal.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { memberNotFound, type OrganisationParts } from './organisation-parts.ts'
import { assertNotReserved } from './reserved-names.ts'

interface MemberRow {
  readonly user_id: string
  readonly kind: PrincipalKind
  readonly name: string
  readonly roles: readonly Role[]
  readonly teams: readonly string[]
  readonly held: readonly Role[]
  readonly mail: string | null
  readonly created_at: Date
}

const MEMBER = `m.user_id, m.kind, m.name, m.roles, waybill.held_roles(m) AS held, m.mail, m.created_at, ARRAY(
    SELECT team FROM waybill.team_members AS t WHERE t.org = m.org AND t.user_id = m.user_id ORDER BY team) AS teams`

const TEAM = `t.team, t.name, t.roles, ARRAY(
    SELECT m.user_id FROM waybill.team_members AS m WHERE m.org = t.org AND m.team = t.team ORDER BY m.user_id) AS members`

/** The members and teams of an organisation. */
export function peopleOf({ app, org, principal, audited }: OrganisationParts): People {
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  /** Changes are made one after another, so that two admins cannot remove each other. */
  const change = <T>(work: (sql: Sql) => Promise<T>) =>
    act(async (sql) => {
      await sql.query('SELECT FROM waybill.organisations WHERE org = $1 FOR UPDATE', [org])
      const result = await work(sql)
      await assertAdmin(sql, org)
      return result
    })

  return {
    members: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (sql) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await sql.query<MemberRow>(
          `SELECT ${MEMBER} FROM waybill.members AS m
           WHERE m.org = $1 AND m.user_id COLLATE "C" > $2 AND m.removed_at IS NULL ORDER BY m.user_id COLLATE "C" LIMIT $3`,
          [org, storedText(after), limit + 1],
        )
        return pageOfRows(rows, limit, memberOf, (row) => [row.user_id])
      }),

    setMember: ({ user, kind = 'person', name = user, roles, teams, mail }) =>
      change(async (sql) => {
        assertNotReserved(user)
        await sql.query(
          `INSERT INTO waybill.members AS m (org, user_id, kind, name, roles, created_by, mail) VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (org, user_id) DO UPDATE SET kind = $3, name = $4, roles = $5, removed_at = NULL,
             mail = CASE WHEN $8 THEN $7 ELSE m.mail END`,
          [org, storedText(user), kind, name, roles, principal.user, mail ?? null, mail !== undefined],
        )
        if (teams !== undefined) await setTeams(sql, org, user, teams)
        await audited(sql, 'member.set', {
          user,
          account: kind,
          roles,
          ...(teams !== undefined && { teams }),
        })
        return readMember(sql, org, user)
      }),

    removeMember: (user) =>
      change(async (sql) => {
        const { rowCount } = await sql.query(
          'UPDATE waybill.members SET removed_at = now(), roles = $3, mail = NULL WHERE org = $1 AND user_id = $2 AND removed_at IS NULL',
          [org, storedText(user), []],
        )
        if (rowCount === 0) throw memberNotFound(user)
        await setTeams(sql, org, user, [])
        await sql.query(
          `UPDATE waybill.tokens SET revoked_at = clock_timestamp()
           WHERE org = $1 AND user_id = $2 AND revoked_at IS NULL`,
          [org, storedText(user)],
        )
        await audited(sql, 'member.removed', { user })
      }),

    teams: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (sql) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await sql.query<TeamView>(
          `SELECT ${TEAM} FROM waybill.teams AS t WHERE t.org = $1 AND t.team COLLATE "C" > $2
           ORDER BY t.team COLLATE "C" LIMIT $3`,
          [org, storedText(after), limit + 1],
        )
        return pageOfRows(
          rows,
          limit,
          (row) => row,
          ({ team }) => [team],
        )
      }),

    setTeam: ({ team, name = team, roles = [], members }) =>
      change(async (sql) => {
        await sql.query(
          `INSERT INTO waybill.teams (org, team, name, roles) VALUES ($1, $2, $3, $4)
           ON CONFLICT (org, team) DO UPDATE SET name = $3, roles = $4`,
          [org, team, name, roles],
        )
        if (members !== undefined) await setTeamMembers(sql, org, team, members)
        await audited(sql, 'team.set', { team, roles, ...(members !== undefined && { members }) })
        const { rows } = await sql.query<TeamView>(
          `SELECT ${TEAM} FROM waybill.teams AS t WHERE t.org = $1 AND t.team = $2`,
          [org, team],
        )
        const [row] = rows
        if (row === undefined) throw teamNotFound(team)
        return row
      }),

    removeTeam: (team) =>
      change(async (sql) => {
        const { rowCount } = await sql.query('DELETE FROM waybill.teams WHERE org = $1 AND team = $2', [
          org,
          storedText(team),
        ])
        if (rowCount === 0) throw teamNotFound(team)
        await audited(sql, 'team.removed', { team })
      }),
  }
}

async function readMember(sql: Sql, org: string, user: string): Promise<MemberView> {
  const { rows } = await sql.query<MemberRow>(
    `SELECT ${MEMBER} FROM waybill.members AS m WHERE m.org = $1 AND m.user_id = $2`,
    [org, storedText(user)],
  )
  const [row] = rows
  if (row === undefined) throw memberNotFound(user)
  return memberOf(row)
}

/** @throws TEAM_NOT_FOUND */
async function setTeams(sql: Sql, org: string, user: string, teams: readonly string[]): Promise<void> {
  const { rows } = await sql.query<{ team: string }>(
    'SELECT team FROM waybill.teams WHERE org = $1 AND team = ANY ($2)',
    [org, teams],
  )
  const missing = teams.find((team) => !rows.some((row) => row.team === team))
  if (missing !== undefined) throw teamNotFound(missing)
  await sql.query('DELETE FROM waybill.team_members WHERE org = $1 AND user_id = $2', [org, storedText(user)])
  await sql.query(
    `INSERT INTO waybill.team_members (org, team, user_id) SELECT DISTINCT $1::text, team, $2::text FROM unnest($3::text[]) AS team`,
    [org, storedText(user), teams],
  )
}

/** @throws MEMBER_NOT_FOUND */
async function setTeamMembers(
  sql: Sql,
  org: string,
  team: string,
  members: readonly string[],
): Promise<void> {
  const stored = members.map(storedText)
  const { rows } = await sql.query<{ user_id: string }>(
    'SELECT user_id FROM waybill.members WHERE org = $1 AND user_id = ANY ($2) AND removed_at IS NULL',
    [org, stored],
  )
  const known = new Set(rows.map(({ user_id }) => user_id))
  const missing = stored.findIndex((user) => !known.has(user))
  if (missing >= 0) throw memberNotFound(members[missing] ?? '')
  await sql.query('DELETE FROM waybill.team_members WHERE org = $1 AND team = $2', [org, team])
  await sql.query(
    `INSERT INTO waybill.team_members (org, team, user_id) SELECT DISTINCT $1::text, $2::text, u FROM unnest($3::text[]) AS u`,
    [org, team, stored],
  )
}

/** @throws ORGANISATION_WITHOUT_ADMIN if no person would be left who can give rights */
async function assertAdmin(sql: Sql, org: string): Promise<void> {
  const { rowCount } = await sql.query(
    `SELECT FROM waybill.members AS m
     WHERE m.org = $1 AND m.removed_at IS NULL AND m.kind = 'person' AND 'admin' = ANY (waybill.held_roles(m)) LIMIT 1`,
    [org],
  )
  if (rowCount === 0)
    throw new WaybillError('ORGANISATION_WITHOUT_ADMIN', {
      fault: 'refused',
      message: 'this change would leave the organisation without a person who is its admin',
      hint: 'make another person an admin first',
    })
}

function memberOf({ user_id, held, mail, created_at, ...row }: MemberRow): MemberView {
  const own = new Set(row.roles)
  const inherited = [...new Set(held)].filter((role) => !own.has(role))
  return {
    user: user_id,
    ...row,
    ...(inherited.length > 0 && { roles_of_teams: inherited }),
    ...(mail !== null && { mail }),
    created_at: created_at.toISOString(),
  }
}

export function teamNotFound(team: string): WaybillError {
  return new WaybillError('TEAM_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has no team ${JSON.stringify(team.slice(0, 200))}`,
    hint: 'list the teams with GET /v1/organisations/ORG/teams, or add one with POST',
  })
}

export interface NewMember {
  readonly user: string
  /** Default: a person. */
  readonly kind?: PrincipalKind
  readonly name?: string
  readonly roles: readonly Role[]
  /** Replaces the teams that the member belongs to; absent: they stay. */
  readonly teams?: readonly string[]
  /** The address for messages about questions; null: none; absent: it stays. */
  readonly mail?: string | null
}

export interface MemberView {
  readonly user: string
  readonly kind: PrincipalKind
  readonly name: string
  readonly roles: readonly Role[]
  /** Further roles, which the teams of the member have. */
  readonly roles_of_teams?: readonly Role[]
  readonly teams: readonly string[]
  readonly mail?: string
  readonly created_at: string
}

export interface NewTeam {
  readonly team: string
  readonly name?: string
  /** Each member has these roles. */
  readonly roles?: readonly Role[]
  /** Replaces the members; absent: they stay. */
  readonly members?: readonly string[]
}

export interface TeamView {
  readonly team: string
  readonly name: string
  readonly roles: readonly Role[]
  readonly members: readonly string[]
}

/** All changes are audited. @throws ORGANISATION_WITHOUT_ADMIN for a change that would leave no person who is an admin */
export interface People {
  members(page: Page): Promise<PageOf<MemberView>>
  /** Adds a member, or replaces one. @throws TEAM_NOT_FOUND */
  setMember(member: NewMember): Promise<MemberView>
  /** Removes a member and revokes its tokens. Its name stays in records. @throws MEMBER_NOT_FOUND */
  removeMember(user: string): Promise<void>
  teams(page: Page): Promise<PageOf<TeamView>>
  /** Adds a team, or replaces one. @throws MEMBER_NOT_FOUND */
  setTeam(team: NewTeam): Promise<TeamView>
  /** @throws TEAM_NOT_FOUND */
  removeTeam(team: string): Promise<void>
}
