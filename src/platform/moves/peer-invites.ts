import { WaybillError } from '../../document/issue.ts'
import type { Principal, Role } from '../../session/principal.ts'
import type { PeerUsers } from './move.ts'

/** The scope of a token that pins one platform, once. */
export const JOIN_SCOPE = 'peers:join'

/** The scope of a token that hands runs over with migration tokens, and does nothing else. */
export const RECEIVE_SCOPE = 'moves:receive'

/** The member of the scopes of an invitation that holds its terms. Requests for tokens cannot name it. */
const TERMS = 'terms:'

/** How long the other platform may hand runs over, in days. */
export const RECEIVES_DAYS = 365

/** The rights of the token of an invitation: an admin has made it, and it pins a platform. */
export const JOIN_ROLES: readonly Role[] = ['admin']

/** What an admin has decided about a platform that is not known yet. */
export interface InviteTerms {
  /** Its name here. */
  readonly name: string
  readonly users: PeerUsers
}

export function scopesOfInvite(terms: InviteTerms): readonly string[] {
  return [JOIN_SCOPE, `${TERMS}${JSON.stringify(terms)}`]
}

/** Returns the terms of the invitation that a request was sent with. @throws PEER_INVITE_REFUSED */
export function termsOf({ scopes = [] }: Pick<Principal, 'scopes'>): InviteTerms {
  const terms = scopes.find((scope) => scope.startsWith(TERMS))
  if (terms !== undefined && scopes.includes(JOIN_SCOPE))
    return JSON.parse(terms.slice(TERMS.length)) as InviteTerms
  throw inviteRefused('the token of this request is not an invitation')
}

export function inviteRefused(why: string): WaybillError {
  return new WaybillError('PEER_INVITE_REFUSED', {
    fault: 'refused',
    message: `the invitation is refused: ${why}`,
    hint: 'an admin of the other platform makes a new one: waybill peers invite NAME',
  })
}
