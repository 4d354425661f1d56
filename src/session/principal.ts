export type Role = 'viewer' | 'author' | 'operator' | 'approver' | 'admin'

/** Who acts: everything that is read, recorded or decided through a home happens in this name. */
export interface Principal {
  /** Separates what one home holds from what another one does. On one machine: `local`. */
  readonly organisation: string
  /** Recorded as `by`. */
  readonly user: string
  readonly roles: readonly Role[]
}

/** The person at this machine, who may do everything in a home of their own. */
export function localPrincipal(user: string): Principal {
  return { organisation: 'local', user, roles: ['admin'] }
}
