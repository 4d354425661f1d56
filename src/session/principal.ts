export type Role = 'viewer' | 'author' | 'operator' | 'approver' | 'admin'

/** The acting user: all reads, records and decisions through a home are made in this name. */
export interface Principal {
  /** Separates the contents of homes. On one machine: `local`. */
  readonly organisation: string
  /** Recorded as `by`. */
  readonly user: string
  readonly roles: readonly Role[]
}

/** Returns the user of this machine, who may do everything in their own home. */
export function localPrincipal(user: string): Principal {
  return { organisation: 'local', user, roles: ['admin'] }
}
