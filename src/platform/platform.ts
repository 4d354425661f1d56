import type { JsonObject } from '../document/json.ts'
import type { Route } from '../http/route.ts'
import type { Home } from '../session/home.ts'
import type { Principal } from '../session/principal.ts'
import type { PlatformNumbers } from './engine/measure.ts'
import type { Feature, TenantOf } from './feature.ts'
import type { FEATURES } from './features.ts'
import type { Moves, Peers } from './moves/move.ts'
import type { Requests } from './records/requests.ts'

/** The platform as its entry points see it: HTTP routes, protocol endpoints and commands use it, and nothing below. */
export interface Platform {
  /** Returns the principal of a token, or null if it is unknown, expired or revoked. */
  authenticate(token: string): Promise<Principal | null>
  /** Returns the principal of the session of a browser, or null if it is unknown or has ended. */
  authenticateSession(cookie: string): Promise<Principal | null>
  /** Opens one organisation for one principal. Cheap: called for each request. */
  tenant(principal: Principal): Tenant
  /** @throws the first reason why requests cannot be served */
  assertReady(): Promise<void>
  /** The features that it has, in the order of the OpenAPI document. */
  readonly features: readonly Feature[]
  /** The routes of its features for senders that have no token. */
  readonly publicRoutes: readonly Route[]
  /** Returns the public keys that verify messages of the platform, as a JSON Web Key Set. */
  jwks(): JsonObject
  /** Returns numbers for `/metrics`. */
  measure(): Promise<PlatformNumbers>
  close(): Promise<void>
}

/** One organisation, opened for one principal. Nothing of other organisations can be reached through it. */
export interface Tenant extends TenantOf<typeof FEATURES> {
  readonly principal: Principal
  readonly moves: Moves
  readonly peers: Peers
  readonly requests: Requests
  /** Records, grants, memory and audit log of the organisation. */
  readonly home: Home
}
