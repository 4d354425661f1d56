import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { TestContext } from 'node:test'
import { createPlatform, type PlatformParts } from '../../src/compose/create-platform.ts'
import type { CatalogueOptions } from '../../src/platform/agents/agent-catalogue.ts'
import type { Planner } from '../../src/platform/agents/planner.ts'
import type { MoveSender } from '../../src/platform/moves/send-move.ts'
import { createAdminToken } from '../../src/platform/people/first-admin.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import type { InstallationKey } from '../../src/platform/secrets/installation-key.ts'
import { RunFollower } from '../../src/platform/streams/run-follower.ts'
import type { TriggerEngine } from '../../src/platform/triggers/trigger-engine.ts'
import type { MessageKeys } from '../../src/platform/webhooks/sign-message.ts'
import type { Home } from '../../src/session/home.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { type TestDatabase, testDatabase } from './postgres.ts'

const { privateKey } = generateKeyPairSync('ed25519')
const ownKey = () => privateKey

function notUsed(): never {
  throw new Error('not used')
}

const NO_KEYS: MessageKeys = {
  current: notUsed,
  sign: notUsed,
  secret: notUsed,
  jwks: () => ({ keys: [] }),
}

export interface PeopleSite extends TestDatabase {
  /** The first token, of an admin. */
  readonly admin: string
  /** Opens the platform, without agents and runs, like a server. */
  platform(
    parts?: Partial<
      Pick<PlatformParts, 'keys' | 'publicUrl'> &
        Pick<PlatformParts['featureParts'], 'planner' | 'webhookGrants'>
    > & {
      /** Whether mails can be sent. Default: false. */
      readonly mails?: boolean
    },
  ): Promise<Platform>
  /** Returns the facts of the audit log of an organisation. */
  facts(org: string): Promise<readonly { readonly kind: string; readonly by: string }[]>
}

/** A database with its first admin. @param signAudit the key of its audit logs @param secretKey that of its secrets */
export async function peopleSite(
  t: TestContext,
  signAudit: (keyId?: string) => KeyObject = ownKey,
  secretKey: InstallationKey = {} as InstallationKey,
): Promise<PeopleSite> {
  const site = await testDatabase(t)
  let admin = ''
  await createAdminToken(site.database.engine, (token) => {
    admin = token
  })
  return {
    ...site,
    admin,
    async platform(parts = {}) {
      const database = await site.open()
      const follower = new RunFollower(database.engine)
      t.after(() => follower.close())
      return createPlatform({
        database,
        homeOf: ({ organisation }) => {
          const records = openPostgresRecords(database, organisation, { worker: null, signAudit })
          return records as unknown as Home & typeof records
        },
        nextEntry: entryMaker(signAudit),
        keys: NO_KEYS,
        ...parts,
        featureParts: {
          agents: {} as CatalogueOptions,
          runs: { follower, commanded: () => {} },
          planner: parts.planner ?? ({} as Planner),
          inbox: {
            nextEntry: entryMaker(signAudit),
            publicUrl: parts.publicUrl,
            ...(parts.mails && { mail: { send: notUsed } }),
          },
          webhooks: {
            keys: parts.keys ?? NO_KEYS,
            nextEntry: entryMaker(signAudit),
            post: async () => ({ error: 'NOT_SENT' }),
          },
          webhookGrants: parts.webhookGrants ?? { hosts: [] },
          secrets: { key: secretKey, changed: () => {} },
          engine: database.engine,
          nextEntry: entryMaker(signAudit),
          notify: () => {},
          removal: {
            nextEntry: entryMaker(signAudit),
            erase: [],
            removeKey: () => {},
            retentionOf: () => ({}),
          },
          triggers: { engine: database.engine, keys: parts.keys ?? NO_KEYS, firings: {} as TriggerEngine },
        },
        notify: () => {},
        secretKey,
        moves: {} as MoveSender,
        peers: {
          request: () => Promise.reject(new Error('not used')),
          socket: () => Promise.reject(new Error('not used')),
        },
        unseal: () => Promise.reject(new Error('not used')),
        close: async () => {},
      })
    },
    async facts(org) {
      const { audit } = openPostgresRecords(site.database, org, { worker: null, signAudit })
      return (await audit.lines()).map((line) => JSON.parse(line).fact)
    },
  }
}
