import type { Database } from '../platform/database/open-database.ts'
import { measure } from '../platform/engine/measure.ts'
import { type Feature, type PartsOf, type TenantOf, tenantOpener } from '../platform/feature.ts'
import { FEATURES } from '../platform/features.ts'
import { movesOf } from '../platform/moves/moves.ts'
import type { PeerPort } from '../platform/moves/peer-client.ts'
import { peersOf } from '../platform/moves/peers.ts'
import type { MoveSender } from '../platform/moves/send-move.ts'
import type { MovesParts } from '../platform/moves/start-move.ts'
import { principalOfSession } from '../platform/people/browser-sessions.ts'
import type { OrganisationParts } from '../platform/people/organisation-parts.ts'
import { principalIn } from '../platform/people/organisations.ts'
import { identified } from '../platform/people/tokens.ts'
import type { Platform, Tenant } from '../platform/platform.ts'
import { appendAudit } from '../platform/records/audit-chain-rows.ts'
import type { PostgresRecords } from '../platform/records/open-postgres-records.ts'
import { requestsOf } from '../platform/records/requests.ts'
import type { InstallationKey } from '../platform/secrets/installation-key.ts'
import type { MessageKeys } from '../platform/webhooks/sign-message.ts'
import type { Home } from '../session/home.ts'
import type { Principal } from '../session/principal.ts'
import type { EntryMaker } from '../trust/audit-chain.ts'

export interface PlatformParts {
  readonly database: Database
  /** Opens the home of an organisation for requests of a principal: with records that cannot drive runs. */
  readonly homeOf: (principal: Principal) => Home & PostgresRecords
  /** Signs the audit entries of changes to an organisation. */
  readonly nextEntry: EntryMaker
  readonly keys: MessageKeys
  /** Returns the principal that a token of an identity provider names. Absent: there is none. */
  readonly identify?: (token: string) => Promise<Principal | null>
  /** Default: all of the product. */
  readonly features?: readonly Feature<PartsOf<typeof FEATURES>>[]
  /** What features need of the installation. */
  readonly featureParts: PartsOf<typeof FEATURES>
  /** Notifies the worker of this process, if there is one, that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
  /** Protects the secrets of organisations. */
  readonly secretKey: InstallationKey
  /** The URL under which others reach the platform. */
  readonly publicUrl?: string | undefined
  /** Sends runs to other platforms. */
  readonly moves: MoveSender
  readonly peers: PeerPort
  /** Opens what was sealed for a key of this installation. */
  readonly unseal: MovesParts['unseal']
  /** How long the state of a sub-agent waits for that of its caller. Default 60. */
  readonly keptMinutes?: number
  /** Whether an organisation has the machines of its members pinned when they log in. Default: all have. */
  readonly enrols?: (org: string) => boolean
  readonly close: () => Promise<void>
}

/** Longer than a migration token is valid, and than a person needs who brings several files. */
const KEPT_MINUTES = 60

/** Puts the platform together for its entry points. */
export function createPlatform(parts: PlatformParts): Platform {
  const { database, homeOf, nextEntry, keys, notify } = parts
  const { planner } = parts.featureParts
  const partsFor = (principal: Principal, org: string): OrganisationParts => {
    const audited: OrganisationParts['audited'] = (sql, kind, fact) =>
      appendAudit(sql, org, nextEntry, [{ ...fact, at: new Date().toISOString(), kind, by: principal.user }])
    return { app: database.app, org, principal, audited }
  }
  const partsOf = async (given: Principal, org: string) =>
    partsFor(await principalIn(database.app, given, org), org)
  const features: readonly Feature<PartsOf<typeof FEATURES>>[] = parts.features ?? FEATURES
  const openTenant = tenantOpener<TenantOf<typeof FEATURES>>(features, parts.featureParts)
  return {
    features,
    publicRoutes: features.flatMap(({ publicRoutes }) => publicRoutes?.(parts.featureParts) ?? []),
    authenticate: (token) => identified(database.engine, token, parts.identify),
    authenticateSession: (cookie) => principalOfSession(database.engine, cookie),
    tenant(principal): Tenant {
      const home = homeOf(principal)
      const own = partsFor(principal, principal.organisation)
      const { publicUrl } = parts
      const opened = { ...own, home, within: (org: string) => partsOf(principal, org) }
      const rest: Omit<Tenant, keyof TenantOf<typeof FEATURES>> = {
        principal,
        home,
        peers: peersOf({
          ...own,
          key: parts.secretKey,
          publicUrl,
          jwks: () => keys.jwks(),
          enrols: parts.enrols?.(principal.organisation) ?? true,
          peers: parts.peers,
        }),
        moves: movesOf({
          ...own,
          by: principal.user,
          records: home,
          planner,
          nextEntry,
          publicUrl,
          notify,
          sender: parts.moves,
          peers: parts.peers,
          unseal: parts.unseal,
          keptMinutes: parts.keptMinutes ?? KEPT_MINUTES,
          secretKey: parts.secretKey,
        }),
        requests: requestsOf(database.app, principal.organisation, principal.user),
      }
      return Object.assign(openTenant(opened), rest)
    },
    async assertReady() {
      await database.app.query('SELECT 1')
      await database.engine.query('SELECT 1 FROM waybill.workers LIMIT 1')
    },
    jwks: () => keys.jwks(),
    measure: () => measure(database.engine),
    close: parts.close,
  }
}
