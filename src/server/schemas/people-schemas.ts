import {
  answer,
  list,
  moment,
  namesOf,
  ONE_LINE,
  oneOf,
  request,
  ruled,
  text,
  wellFormed,
} from '../../http/schema.ts'
import { slug } from '../../platform/people/organisation.ts'
import { ROLES } from '../../session/principal.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** A name that people read. */
function name(description: string): Schema {
  return wellFormed({ type: 'string', minLength: 1, maxLength: 200, pattern: ONE_LINE, description })
}

const anyUser: Schema = {
  ...name('The id of a user or service account, such as a mail address.'),
  pattern: '^[^"\\x00-\\x1F\\x7F-\\x9F][^\\x00-\\x1F\\x7F-\\x9F]*$',
}

const user = ruled(anyUser, 'It is not a name that the audit log uses itself.')

/** The form of an address that every mail server accepts; it contains nothing that ends a line or begins another address. */
export const MAIL_ADDRESS =
  "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$"

const roles = list(oneOf(ROLES, 'A role.'), { maxItems: ROLES.length, uniqueItems: true })
const kind = oneOf(['person', 'service'], 'A service account is a program: it may not decide for a person.')

export const organisationView = answer('An organisation.', {
  organisation: text('Its name in paths and records.'),
  name: text('Its name for people.'),
  created_at: moment('When it was created.'),
})

export const newOrganisation = request(
  {
    organisation: slug('Lower-case letters, digits and `-`.'),
    name: name('Its name for people.'),
    admin: request({ user, name: name('The name of the admin.') }, ['user']),
  },
  ['organisation', 'admin'],
)

export const createdOrganisation = answer(
  'The organisation.',
  {
    organisation: text('Its name in paths and records.'),
    name: text('Its name for people.'),
    created_at: moment('When it was created.'),
    admin_token: answer('A token of its first admin, valid for seven days. Shown once.', {
      id: text('The id, to revoke it.'),
      token: text('The token.'),
      expires_at: moment('When it expires.'),
    }),
  },
  ['organisation', 'name', 'created_at'],
)

export const newMember = request(
  {
    user,
    kind,
    name: name('The name for people; default: the id.'),
    roles,
    teams: list(slug('A team.'), {
      maxItems: 100,
      description: 'Replaces the teams of the member; absent: they stay.',
    }),
    mail: {
      type: ['string', 'null'],
      pattern: MAIL_ADDRESS,
      maxLength: 254,
      description: 'The address for messages about questions; null: none; absent: it stays.',
    },
  },
  ['user', 'roles'],
)

export const memberView = answer(
  'A member of an organisation.',
  {
    user: text('The id.'),
    kind,
    name: text('The name for people.'),
    roles: list(text('A role.')),
    roles_of_teams: list(text('A role that a team of the member has.')),
    teams: list(text('A team.')),
    mail: text('The address for messages about questions.'),
    created_at: moment('When it was added first.'),
  },
  ['user', 'kind', 'name', 'roles', 'teams', 'created_at'],
)

export const newTeam = request(
  {
    team: slug('Lower-case letters, digits and `-`.'),
    name: name('The name for people; default: that of the team.'),
    roles: { ...roles, description: 'Each member has these roles.' },
    members: list(user, { maxItems: 1000, description: 'Replaces the members; absent: they stay.' }),
  },
  ['team'],
)

export const teamView = answer('A team.', {
  team: text('Its name in paths and records.'),
  name: text('Its name for people.'),
  roles: list(text('A role.')),
  members: list(text('The id of a member.')),
})

/** @param scopes what tokens can be limited to: those of all routes */
export function newToken(scopes: readonly string[]): Schema {
  return request({
    name: name('What it is for.'),
    user: {
      ...anyUser,
      description: 'Whom it acts for; default: the user of this request. Others need the role admin.',
    },
    roles: {
      ...roles,
      minItems: 1,
      description: 'Default: all that the user has and this request may give.',
    },
    scopes: list(oneOf(scopes, 'The tag of a route, and `read` for GET, else `write`.'), {
      minItems: 1,
      maxItems: 50,
      description: 'All that the token may be used for; default: what its roles permit.',
    }),
    expires_at: ruled(
      {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'When it expires; null: never. Default: in 90 days.',
      },
      'It is in the future.',
    ),
    organisation: slug('Another organisation; only for admins of the organisation `default`.'),
  })
}

const TOKEN = {
  id: text('The id, to revoke it.'),
  name: text('What it is for.'),
  user: text('Whom it acts for.'),
  roles: list(text('A role. In force are those that the user has at the time of a request.')),
  scopes: {
    type: ['array', 'null'],
    items: text('A scope.'),
    description: 'All that it may be used for; null: what its roles permit.',
  },
  created_at: moment('When it was created.'),
  created_by: text('Who created it.'),
  expires_at: { type: ['string', 'null'], description: 'When it expires; null: never.' },
  used_at: { type: ['string', 'null'], description: 'When it was used last, to the minute; null: never.' },
}

export const tokenView = answer('A token, without its value.', TOKEN)

export const createdToken = answer(
  'A new token.',
  { ...TOKEN, token: text('The token. Shown once.'), organisation: text('The organisation.') },
  [...namesOf(TOKEN), 'organisation'],
)

export const principalView = answer(
  'Who a request acts for.',
  {
    organisation: text('The organisation.'),
    user: text('The user or service account.'),
    kind,
    roles: list(text('A role that is in force.')),
    token: answer('The token.', {
      id: text('The id.'),
      expires_at: { type: ['string', 'null'], description: 'When it expires; null: never.' },
    }),
  },
  ['organisation', 'user', 'roles'],
)

export const browserSession = answer(
  'The session of a browser.',
  {
    csrf: text('The value of the header x-csrf-token; empty if the request came with a token.'),
    organisation: text('The organisation.'),
    user: text('Who is signed in.'),
    roles: list(text('A role.')),
    expires_at: { type: ['string', 'null'], description: 'When the session ends at the latest.' },
  },
  ['csrf', 'organisation', 'user', 'roles', 'expires_at'],
)

export const endedSession = answer('The end of a session.', {
  ended: { type: 'boolean', description: 'Whether there was one.' },
})
