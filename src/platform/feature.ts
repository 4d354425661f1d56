import type { Route } from '../http/route.ts'
import type { Home } from '../session/home.ts'
import type { Tables } from './database/tables.ts'
import type { OpenWork } from './engine/work.ts'
import type { OrganisationParts } from './people/organisation-parts.ts'
import type { PostgresRecords } from './records/open-postgres-records.ts'

/** One organisation, opened for one principal: what every feature gets. */
export interface Opened extends OrganisationParts {
  /** The records of the organisation. */
  readonly home: Home & PostgresRecords
  /** Returns the parts of an organisation that the principal administers: its own one, or for admins of the first one any. */
  within(organisation: string): Promise<OrganisationParts>
}

/**
 * A feature of the platform, as the server, the workers, the migration, backups, erasures and the OpenAPI document see
 * it: they go through the list in `features.ts`, and nothing else names a feature.
 *
 * `Parts` are what the feature needs of the installation, such as keys; `src/compose` provides them by name. `Uses` are the
 * members of a tenant that the feature uses: its own, and those of other features.
 */
export interface Feature<Parts = never, Uses = never> {
  readonly name: string
  readonly tables?: Tables
  /** What a principal may do in an organisation, by the names of the tenant's members; opened when it is used first. */
  readonly members?: Readonly<Record<string, (opened: Opened, parts: Parts, tenant: Uses) => unknown>>
  /** What the routes of each tag are for. The tag is the first part of the scopes of its routes. */
  readonly tags?: Readonly<Record<string, string>>
  readonly routes?: readonly Route<Uses>[]
  /** Routes without a token. They belong to no organisation, so they use parts of the installation. */
  readonly publicRoutes?: (parts: Parts) => readonly Route[]
  /** What the workers do for the feature. */
  readonly work?: (parts: Parts) => OpenWork
}

type Union<T> = (T extends unknown ? (value: T) => void : never) extends (value: infer I) => void ? I : never

type MembersOf<F> = F extends { readonly members: infer M }
  ? { readonly [K in keyof M]: M[K] extends (...given: never[]) => infer Api ? Api : never }
  : never

/** The members of a tenant that features provide. */
export type TenantOf<F extends readonly Feature[]> = Union<MembersOf<F[number]>>

/** What features need of the installation. */
export type PartsOf<F extends readonly Feature[]> = F[number] extends infer One
  ? Union<One extends { readonly members: Readonly<Record<string, infer Open>> } ? SecondOf<Open> : never> &
      Union<One extends { readonly work: (parts: infer P) => OpenWork } ? Needed<P> : never> &
      Union<One extends { readonly publicRoutes: (parts: infer P) => readonly Route[] } ? Needed<P> : never>
  : never

type SecondOf<Open> = Open extends (opened: never, parts: infer P, ...rest: never[]) => unknown
  ? Needed<P>
  : never

/** A feature that needs nothing must not make the union of the needs of all features `unknown`. */
type Needed<P> = unknown extends P ? never : P

/**
 * Returns the function that opens an organisation for a principal. It is cheap, because it is called for each request:
 * a member is opened when it is used first.
 */
export function tenantOpener<Tenant extends object>(
  features: readonly Feature[],
  parts: unknown,
): (opened: Opened) => Tenant {
  const openings = features.flatMap(({ members = {} }) => Object.entries(members))
  class Members {
    readonly opened: Opened

    constructor(opened: Opened) {
      this.opened = opened
    }
  }
  for (const [name, open] of openings)
    Object.defineProperty(Members.prototype, name, {
      enumerable: true,
      get(this: Members) {
        const value = open(this.opened as never, parts as never, this as never)
        Object.defineProperty(this, name, { value, enumerable: true })
        return value
      },
    })
  return (opened) => new Members(opened) as unknown as Tenant
}
