export const ROLES = ['viewer', 'author', 'operator', 'approver', 'admin'] as const

export type Role = (typeof ROLES)[number]

/** The acting user: all reads, records and decisions through a home are made in this name. */
export interface Principal {
  /** Separates the contents of homes. On one machine: `local`. */
  readonly organisation: string
  /** Recorded as `by`. */
  readonly user: string
  readonly roles: readonly Role[]
  /** A service account is a program: it cannot decide what a person must decide. Default: a person. */
  readonly kind?: PrincipalKind
  /** The token by which the user was recognised. */
  readonly token?: {
    readonly id: string
    /** RFC 3339 */
    readonly expires_at: string | null
    /** Other members who have made it, or the token that made it, in this order. Absent: none. */
    readonly makers?: readonly string[]
    /** RFC 3339: when the last of them did. */
    readonly made_at?: string
  }
  /** The session of a browser by which the user was recognised. */
  readonly session?: { readonly id: string }
  /** RFC 3339: when the proof of the identity ends. */
  readonly until?: string
  /** `AREA:read` or `AREA:write`, such as `runs:write`: all that is permitted. Absent: what the roles permit. */
  readonly scopes?: readonly string[]
}

export type PrincipalKind = 'person' | 'service'

/** Returns those of some roles that are in force for holders of others. An admin may act in every role. */
export function rolesWithin(roles: readonly Role[], held: readonly Role[]): readonly Role[] {
  return held.includes('admin') ? roles : roles.filter((role) => held.includes(role))
}

/** Returns the user of this machine, who may do everything in their own home. */
export function localPrincipal(user: string): Principal {
  return { organisation: 'local', user, roles: ['admin'] }
}
