import { WaybillError } from '../../document/issue.ts'
import {
  answer,
  list,
  moment,
  nullable,
  request,
  ruled,
  type Typed,
  text,
  typed,
  wellFormed,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'

/** Largest value of a secret, in characters. */
const MOST_CHARACTERS = 16_384

/** The name of a secret, as definitions refer to it: in the form of an environment variable. */
export const SECRET_NAME = '^[A-Za-z_][0-9A-Za-z_]{0,127}$'

export const newSecret = request(
  {
    value: wellFormed(
      text('The value. It is never shown again.', {
        minLength: 1,
        maxLength: MOST_CHARACTERS,
        pattern: '^[^\\x00]*$',
      }),
    ),
    hosts: list(
      // Not a pattern: the refusal says what is wrong with the name.
      ruled(
        typed<string>({ type: 'string', minLength: 1, maxLength: 260 }),
        'It is a host of a URL, without wildcards.',
      ),
      {
        minItems: 1,
        maxItems: 50,
        description: 'The hosts that it may be sent to, as HOST or HOST:PORT, without wildcards.',
      },
    ),
  },
  ['value', 'hosts'],
)
export type NewSecret = Typed<typeof newSecret>

export const secretView = answer('A secret, without its value.', {
  name: text('Its name, as definitions refer to it.'),
  hosts: list(text('A host that it may be sent to.')),
  set_at: moment('When it was set.'),
  set_by: text('Who set it.'),
  used_at: nullable(text('When a run used it last, to the minute; null: not since it was set.')),
})
export type SecretView = Typed<typeof secretView>

/** The secrets of an organisation, for its providers and tools. Throws SECRET_NOT_FOUND where that applies. */
export interface TenantSecrets {
  list(page: Page): Promise<PageOf<SecretView>>
  read(name: string): Promise<SecretView>
  /** Stores a secret, or replaces its value and hosts. @throws ROLE_MISSING; REQUEST_INVALID for the name or a host */
  set(name: string, secret: NewSecret): Promise<SecretView>
  /** @throws ROLE_MISSING */
  remove(name: string): Promise<void>
}

/** Opens the secrets of an organisation: the own one, or another one for admins of the first. @throws ORGANISATION_NOT_FOUND */
export type SecretsOf = (organisation?: string) => Promise<TenantSecrets>

/** @throws REQUEST_INVALID without the name, which may be the value by mistake */
export function assertSecretName(name: string): void {
  if (new RegExp(SECRET_NAME).test(name)) return
  throw new WaybillError('REQUEST_INVALID', {
    message: 'the name of a secret has letters, digits and `_`, at most 128, and does not begin with a digit',
    hint: 'use the name that definitions refer to, such as CRM_KEY',
  })
}
