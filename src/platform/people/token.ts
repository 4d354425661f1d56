import {
  answer,
  list,
  moment,
  namesOf,
  nullable,
  oneOf,
  request,
  ruled,
  SCOPE,
  type Typed,
  text,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import { ROLES } from '../../session/principal.ts'
import { roleIn } from './member.ts'
import { ORGANISATION, shownName, userId } from './names.ts'

const SETTINGS = {
  name: shownName('What it is for.'),
  user: userId('Whom it acts for; default: the user of this request. Others need the role admin.'),
  roles: list(oneOf(ROLES, 'A role.'), {
    minItems: 1,
    maxItems: ROLES.length,
    uniqueItems: true,
    description: 'Default: all that the user has and this request may give.',
  }),
  scopes: list(SCOPE, {
    minItems: 1,
    maxItems: 50,
    description: 'All that the token may be used for; default: what its roles permit.',
  }),
  expires_at: ruled(
    nullable(moment('When it expires; null: never. Default: in 90 days.')),
    'It is in the future.',
  ),
}

/** A token of the organisation whose {@link Tokens} create it. */
export const ownToken = request(SETTINGS)
export type NewToken = Typed<typeof ownToken>

export const newToken = request({ ...SETTINGS, ...ORGANISATION })

const TOKEN = {
  id: text('The id, to revoke it.'),
  name: text('What it is for.'),
  user: text('Whom it acts for.'),
  roles: list(roleIn('A role. In force are those that the user has at the time of a request.')),
  scopes: nullable(
    list(text('A scope.'), { description: 'All that it may be used for; null: what its roles permit.' }),
  ),
  created_at: moment('When it was created.'),
  created_by: text('Who created it.'),
  expires_at: nullable(text('When it expires; null: never.')),
  used_at: nullable(text('When it was used last, to the minute; null: never.')),
}

export const tokenView = answer('A token, without its value.', TOKEN)
export type TokenView = Typed<typeof tokenView>

/** Without the token, if the request is repeated. */
export const createdToken = answer(
  'A new token.',
  { ...TOKEN, token: text('The token. Shown once.'), organisation: text('The organisation.') },
  [...namesOf(TOKEN), 'organisation'],
)
export type CreatedToken = Required<Typed<typeof createdToken>>

/** The tokens of the organisation, for an admin; those of the principal, for others. */
export interface Tokens {
  /** @param id the same for a repeated request @throws ROLE_MISSING, ROLE_EXCEEDED, MEMBER_NOT_FOUND */
  create(request: NewToken, id?: string): Promise<CreatedToken>
  list(page: Page): Promise<PageOf<TokenView>>
  /**
   * In force at once, at every server.
   * @param options.evenLast also the last token of an admin
   * @throws TOKEN_NOT_FOUND, TOKEN_IS_LAST
   */
  revoke(id: string, options?: { readonly evenLast?: boolean }): Promise<void>
}

/** Opens the tokens of the own organisation, or of another one for admins of the first. @throws ORGANISATION_NOT_FOUND */
export type TokensIn = (organisation?: string) => Promise<Tokens>
