import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import type { PrincipalKind, Role } from '../../session/principal.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { type MemberView, newMember, newTeam, type People, type TeamView } from './member.ts'
import { assertNotReserved } from './names.ts'
import { memberNotFound, type OrganisationParts } from './organisation-parts.ts'

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

const assertNewMember = compileAssertion(newMember)
const assertNewTeam = compileAssertion(newTeam)

/** The members and teams of an organisation. */
export function peopleOf({ app, org, principal, audited }: OrganisationParts): People {
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  /** Changes are made one after another, so that two admins cannot remove each other. */
  const change = <T>(work: (on: Sql) => Promise<T>) =>
    act(async (on) => {
      await on.query('SELECT FROM waybill.organisations WHERE org = $1 FOR UPDATE', [org])
      const result = await work(on)
      await assertAdmin(on, org)
      return result
    })

  return {
    members: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await on.query<MemberRow>(
          `SELECT ${MEMBER} FROM waybill.members AS m
           WHERE m.org = $1 AND m.user_id COLLATE "C" > $2 AND m.removed_at IS NULL ORDER BY m.user_id COLLATE "C" LIMIT $3`,
          [org, storedText(after), limit + 1],
        )
        return pageOfRows(rows, limit, memberOf, (row) => [row.user_id])
      }),

    setMember: (member) =>
      change(async (on) => {
        assertNewMember(member)
        const { user, kind = 'person', name = user, roles, teams, mail } = member
        assertNotReserved(user)
        await on.query(
          sql`INSERT INTO waybill.members AS m (org, user_id, kind, name, roles, created_by, mail)
              VALUES (${org}, ${storedText(user)}, ${kind}, ${name}, ${roles}, ${principal.user}, ${mail ?? null})
              ON CONFLICT (org, user_id) DO UPDATE
                SET kind = excluded.kind, name = excluded.name, roles = excluded.roles, removed_at = NULL,
                  mail = CASE WHEN ${mail !== undefined} THEN excluded.mail ELSE m.mail END`,
        )
        if (teams !== undefined) await setTeams(on, org, user, teams)
        await audited(on, 'member.set', {
          user,
          account: kind,
          roles,
          ...(teams !== undefined && { teams }),
        })
        return readMember(on, org, user)
      }),

    removeMember: (user) =>
      change(async (on) => {
        const { rowCount } = await on.query(
          'UPDATE waybill.members SET removed_at = now(), roles = $3, mail = NULL WHERE org = $1 AND user_id = $2 AND removed_at IS NULL',
          [org, storedText(user), []],
        )
        if (rowCount === 0) throw memberNotFound(user)
        await setTeams(on, org, user, [])
        await on.query(
          `UPDATE waybill.tokens SET revoked_at = clock_timestamp()
           WHERE org = $1 AND user_id = $2 AND revoked_at IS NULL`,
          [org, storedText(user)],
        )
        await audited(on, 'member.removed', { user })
      }),

    teams: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        const [after = ''] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await on.query<TeamView>(
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

    setTeam: (request) =>
      change(async (on) => {
        assertNewTeam(request)
        const { team, name = team, roles = [], members } = request
        await on.query(
          sql`INSERT INTO waybill.teams (org, team, name, roles) VALUES (${org}, ${team}, ${name}, ${roles})
              ON CONFLICT (org, team) DO UPDATE SET name = excluded.name, roles = excluded.roles`,
        )
        if (members !== undefined) await setTeamMembers(on, org, team, members)
        await audited(on, 'team.set', { team, roles, ...(members !== undefined && { members }) })
        const { rows } = await on.query<TeamView>(
          `SELECT ${TEAM} FROM waybill.teams AS t WHERE t.org = $1 AND t.team = $2`,
          [org, team],
        )
        const [row] = rows
        if (row === undefined) throw teamNotFound(team)
        return row
      }),

    removeTeam: (team) =>
      change(async (on) => {
        const { rowCount } = await on.query('DELETE FROM waybill.teams WHERE org = $1 AND team = $2', [
          org,
          storedText(team),
        ])
        if (rowCount === 0) throw teamNotFound(team)
        await audited(on, 'team.removed', { team })
      }),
  }
}

async function readMember(on: Sql, org: string, user: string): Promise<MemberView> {
  const { rows } = await on.query<MemberRow>(
    `SELECT ${MEMBER} FROM waybill.members AS m WHERE m.org = $1 AND m.user_id = $2`,
    [org, storedText(user)],
  )
  const [row] = rows
  if (row === undefined) throw memberNotFound(user)
  return memberOf(row)
}

/** @throws TEAM_NOT_FOUND */
async function setTeams(on: Sql, org: string, user: string, teams: readonly string[]): Promise<void> {
  const { rows } = await on.query<{ team: string }>(
    'SELECT team FROM waybill.teams WHERE org = $1 AND team = ANY ($2)',
    [org, teams],
  )
  const missing = teams.find((team) => !rows.some((row) => row.team === team))
  if (missing !== undefined) throw teamNotFound(missing)
  await on.query('DELETE FROM waybill.team_members WHERE org = $1 AND user_id = $2', [org, storedText(user)])
  await on.query(
    `INSERT INTO waybill.team_members (org, team, user_id) SELECT DISTINCT $1::text, team, $2::text FROM unnest($3::text[]) AS team`,
    [org, storedText(user), teams],
  )
}

/** @throws MEMBER_NOT_FOUND */
async function setTeamMembers(on: Sql, org: string, team: string, members: readonly string[]): Promise<void> {
  const stored = members.map(storedText)
  const { rows } = await on.query<{ user_id: string }>(
    'SELECT user_id FROM waybill.members WHERE org = $1 AND user_id = ANY ($2) AND removed_at IS NULL',
    [org, stored],
  )
  const known = new Set(rows.map(({ user_id }) => user_id))
  const missing = stored.findIndex((user) => !known.has(user))
  if (missing >= 0) throw memberNotFound(members[missing] ?? '')
  await on.query('DELETE FROM waybill.team_members WHERE org = $1 AND team = $2', [org, team])
  await on.query(
    `INSERT INTO waybill.team_members (org, team, user_id) SELECT DISTINCT $1::text, $2::text, u FROM unnest($3::text[]) AS u`,
    [org, team, stored],
  )
}

/** @throws ORGANISATION_WITHOUT_ADMIN if no person would be left who can give rights */
async function assertAdmin(on: Sql, org: string): Promise<void> {
  const { rowCount } = await on.query(
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
