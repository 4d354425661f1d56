import { WaybillError } from '../../document/issue.ts'

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
