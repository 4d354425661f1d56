import { generateKeyPairSync } from 'node:crypto'
import type { TestContext } from 'node:test'
import { hostManifest } from '../../src/plan/host-manifest.ts'
import { agentCatalogue, type CatalogueOptions } from '../../src/platform/agents/agent-catalogue.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { declareTriggers } from '../../src/platform/triggers/definition-triggers.ts'
import type { Home } from '../../src/session/home.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import type { TrustedKey } from '../../src/trust/trust-store.ts'
import { type TestDatabase, testDatabase } from './postgres.ts'

export const AGENT = '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a11'

/** A definition of an agent; `agent` members given replace its own. */
export function definitionOf(agent: object = {}, root: object = {}): object {
  return {
    sc_standard: 'SC-006',
    agent_id: AGENT,
    ...root,
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      model: { provider: 'openai', preferred: 'gpt-4o' },
      ...agent,
    },
  }
}

export const json = (value: unknown) => Buffer.from(JSON.stringify(value))

export interface Organisation {
  readonly name: string
  readonly home: Home
  /** Opens a home for a worker, which holds leases. */
  workerHome(worker: string): Home
  agentsFor(user?: string, options?: Partial<CatalogueOptions>): ReturnType<typeof agentCatalogue>
}

/** Opens organisations of a new database, as requests do. */
export async function organisations(
  t: TestContext,
  names: readonly string[],
  secrets: Readonly<Record<string, string>> = {},
  trusted: readonly TrustedKey[] = [],
): Promise<{
  readonly test: TestDatabase
  readonly all: readonly Organisation[]
  closeFirst(close: () => Promise<void>): void
}> {
  const closing: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const close of closing) await close()
  })
  const test = await testDatabase(t)
  const { database } = test
  const key = generateKeyPairSync('ed25519').privateKey
  const signAudit = () => key
  const all: Organisation[] = []
  for (const name of names) {
    await database.engine.query('INSERT INTO waybill.organisations (org, name) VALUES ($1, $1)', [name])
    const homeWith = (worker: string | null): Home => ({
      ...openPostgresRecords(database, name, { worker, signAudit }),
      principal: { organisation: name, user: 'ada', roles: ['admin'] },
      piiKeys: {
        read: () => undefined,
        create: () => Buffer.alloc(32),
        remove: () => {},
        describe: (id) => id,
      },
      trust: { keys: () => trusted },
      secrets: { has: (secret) => Object.hasOwn(secrets, secret), get: async (secret) => secrets[secret] },
      sign: () => {
        throw new Error('not used')
      },
    })
    const home = homeWith(null)
    all.push({
      name,
      home,
      workerHome: homeWith,
      agentsFor: (user = 'ada', options = {}) =>
        agentCatalogue(database, { organisation: name, user, roles: ['author'] }, home, {
          manifest: () => hostManifest('1.0.0', '2026-01-01T00:00:00Z'),
          nextEntry: entryMaker(signAudit),
          activated: (sql, activation) =>
            declareTriggers(sql, activation, () => ({ salt: 'salt', key: 'key' })),
          ...options,
        }),
    })
  }
  return { test, all, closeFirst: (close) => closing.push(close) }
}

export async function organisation(
  t: TestContext,
  ...more: [secrets?: Record<string, string>, trusted?: readonly TrustedKey[]]
) {
  const { test, all } = await organisations(t, ['a'], ...more)
  const [only] = all
  if (only === undefined) throw new Error('one organisation')
  return { ...only, test }
}
