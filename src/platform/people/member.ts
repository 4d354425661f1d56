import {
  answer,
  list,
  MAIL_ADDRESS,
  moment,
  nullable,
  oneOf,
  request,
  ruled,
  type Typed,
  text,
  typed,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import { ROLES, type Role } from '../../session/principal.ts'
import { shownName, slug, userId } from './names.ts'

export const accountKind = oneOf(
  ['person', 'service'],
  'A service account is a program: it may not decide for a person.',
)

/** In a request. */
const roles = list(oneOf(ROLES, 'A role.'), { maxItems: ROLES.length, uniqueItems: true })

/** In an answer: clients must accept other roles than those of today. */
export const roleIn = (description: string) => typed<Role>(text(description))

const user = ruled(userId(), 'It is not a name that the audit log uses itself.')

export const newMember = request(
  {
    user,
    /** Default: a person. */
    kind: accountKind,
    name: shownName('The name for people; default: the id.'),
    roles,
    teams: list(slug('A team.'), {
      maxItems: 100,
      description: 'Replaces the teams of the member; absent: they stay.',
    }),
    mail: nullable(
      text('The address for messages about questions; null: none; absent: it stays.', {
        pattern: MAIL_ADDRESS,
        maxLength: 254,
      }),
    ),
  },
  ['user', 'roles'],
)

export const memberView = answer(
  'A member of an organisation.',
  {
    user: text('The id.'),
    kind: accountKind,
    name: text('The name for people.'),
    roles: list(roleIn('A role.')),
    roles_of_teams: list(roleIn('A role that a team of the member has.')),
    teams: list(text('A team.')),
    mail: text('The address for messages about questions.'),
    created_at: moment('When it was added first.'),
  },
  ['user', 'kind', 'name', 'roles', 'teams', 'created_at'],
)
export type MemberView = Typed<typeof memberView>

export const newTeam = request(
  {
    team: slug('Lower-case letters, digits and `-`.'),
    name: shownName('The name for people; default: that of the team.'),
    roles: typed<readonly Role[]>({ ...roles, description: 'Each member has these roles.' }),
    members: list(user, { maxItems: 1000, description: 'Replaces the members; absent: they stay.' }),
  },
  ['team'],
)

export const teamView = answer('A team.', {
  team: text('Its name in paths and records.'),
  name: text('Its name for people.'),
  roles: list(roleIn('A role.')),
  members: list(text('The id of a member.')),
})
export type TeamView = Typed<typeof teamView>

/**
 * The members and teams of an organisation. Changes are audited.
 * @throws ORGANISATION_WITHOUT_ADMIN for a change that would leave no person who is an admin
 */
export interface People {
  members(page: Page): Promise<PageOf<MemberView>>
  /** Adds a member, or replaces one. @throws TEAM_NOT_FOUND */
  setMember(member: Typed<typeof newMember>): Promise<MemberView>
  /** Removes a member and revokes its tokens. Its name stays in records. @throws MEMBER_NOT_FOUND */
  removeMember(user: string): Promise<void>
  teams(page: Page): Promise<PageOf<TeamView>>
  /** Adds a team, or replaces one. @throws MEMBER_NOT_FOUND */
  setTeam(team: Typed<typeof newTeam>): Promise<TeamView>
  /** @throws TEAM_NOT_FOUND */
  removeTeam(team: string): Promise<void>
}

/** Opens the people of the own organisation, or of another one for admins of the first. @throws ORGANISATION_NOT_FOUND */
export type PeopleIn = (organisation?: string) => Promise<People>
