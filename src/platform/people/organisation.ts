import { answer, list, moment, nullable, request, ruled, type Typed, text } from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import { accountKind } from './member.ts'
import { shownName, slug, userId } from './names.ts'

const ORGANISATION = {
  organisation: text('Its name in paths and records.'),
  name: text('Its name for people.'),
  created_at: moment('When it was created.'),
}

export const organisationView = answer('An organisation.', ORGANISATION)
export type OrganisationView = Typed<typeof organisationView>

export const newOrganisation = request(
  {
    organisation: slug('Lower-case letters, digits and `-`.'),
    name: shownName('Its name for people.'),
    /** Its first member. */
    admin: request(
      {
        user: ruled(userId(), 'It is not a name that the audit log uses itself.'),
        name: shownName('The name of the admin.'),
      },
      ['user'],
    ),
  },
  ['organisation', 'admin'],
)

export const createdOrganisation = answer(
  'The organisation.',
  {
    ...ORGANISATION,
    admin_token: answer('A token of its first admin, valid for seven days. Shown once.', {
      id: text('The id, to revoke it.'),
      token: text('The token.'),
      expires_at: moment('When it expires.'),
    }),
  },
  ['organisation', 'name', 'created_at'],
)

/** The organisations that a principal may know. */
export interface Organisations {
  list(page: Page): Promise<PageOf<OrganisationView>>
  /** @throws ROLE_MISSING for all but admins of the first organisation, ORGANISATION_EXISTS */
  create(request: Typed<typeof newOrganisation>): Promise<Typed<typeof createdOrganisation>>
}

export const principalView = answer(
  'Who a request acts for.',
  {
    organisation: text('The organisation.'),
    user: text('The user or service account.'),
    kind: accountKind,
    roles: list(text('A role that is in force.')),
    token: answer('The token.', {
      id: text('The id.'),
      expires_at: nullable(text('When it expires; null: never.')),
    }),
  },
  ['organisation', 'user', 'roles'],
)
