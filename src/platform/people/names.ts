import { WaybillError } from '../../document/issue.ts'
import { ONE_LINE, type SchemaOf, text, wellFormed } from '../../http/schema.ts'

/** Names that entries of the audit log have for what no member has done, and for admins of the first organisation. */
const RESERVED = /^the platform$|^policy |^restore$|@default$/i

/** Returns whether a user of this name could be mistaken for another author in a record. */
export function isReserved(user: string): boolean {
  return RESERVED.test(user)
}

/** @throws REQUEST_INVALID */
export function assertNotReserved(user: string): void {
  if (!isReserved(user)) return
  throw new WaybillError('REQUEST_INVALID', {
    at: '/user',
    message: `${JSON.stringify(user)} is a name that the audit log uses itself`,
    hint: 'choose another id, such as the mail address of the person',
  })
}

/** An organisation or a team. */
export function slug(description: string): SchemaOf<string> {
  return text(description, { pattern: '^[a-z0-9][a-z0-9-]{0,62}$' })
}

/** A name that people read. */
export function shownName(description: string, pattern = ONE_LINE): SchemaOf<string> {
  return wellFormed(text(description, { minLength: 1, maxLength: 200, pattern }))
}

/** A user or a service account. */
export function userId(
  description = 'The id of a user or service account, such as a mail address.',
): SchemaOf<string> {
  return shownName(description, '^[^"\\x00-\\x1F\\x7F-\\x9F][^\\x00-\\x1F\\x7F-\\x9F]*$')
}

/** The parameter of routes that admins of the first organisation may use for others. */
export const ORGANISATION = {
  organisation: slug('Another organisation; only for admins of the organisation `default`.'),
}
