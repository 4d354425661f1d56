import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { createMessagePoster } from '../adapters/net/post-message.ts'
import type { Json } from '../document/json.ts'
import { hostManifest } from '../plan/host-manifest.ts'
import { agentCatalogue } from '../platform/agents/agent-catalogue.ts'
import type { UploadRules } from '../platform/agents/read-upload.ts'
import { createPlatform } from '../platform/create-platform.ts'
import {
  type Database,
  type DatabaseUrls,
  openDatabase,
  prepareDatabase,
} from '../platform/database/open-database.ts'
import { PLATFORM } from '../platform/engine/leg.ts'
import { LoneLegs } from '../platform/engine/lone-legs.ts'
import { Worker, type WorkerOptions } from '../platform/engine/worker.ts'
import { createAdminToken } from '../platform/people/first-admin.ts'
import type { Platform } from '../platform/platform.ts'
import { openPostgresRecords, type PostgresRecords } from '../platform/records/open-postgres-records.ts'
import { TenantRuns } from '../platform/runs/runs.ts'
import { OrganisationSecrets } from '../platform/secrets/organisation-secrets.ts'
import { type RotatedSecrets, rotateSecrets } from '../platform/secrets/rotate-secrets.ts'
import { TenantSessions } from '../platform/sessions/tenant-sessions.ts'
import { RunFollower } from '../platform/streams/run-follower.ts'
import { newHookSecret } from '../platform/triggers/hook-signature.ts'
import { TriggerEngine } from '../platform/triggers/trigger-engine.ts'
import type { Measurement } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import type { Principal } from '../session/principal.ts'
import { readConfig } from '../settings/read-config.ts'
import { readSchemaFiles } from '../settings/read-schema-files.ts'
import { webhookGrants } from '../settings/webhook-grants.ts'
import { entryMaker } from '../trust/audit-chain.ts'
import { extensionFactsOf, loadExtensions, registriesOf } from './extensions.ts'
import { loadTools } from './functions.ts'
import { homeKeys } from './home-keys.ts'
import { mayUseEnvironment } from './may-use-environment.ts'
import { openSecrets } from './open-secrets.ts'
import type { Env } from './parts.ts'
import { type PlatformOperator, platformAgents } from './platform-agents.ts'
import { drivingOf, platformPrincipal } from './platform-driving.ts'
import { secretKeyFile } from './secret-key-file.ts'

export interface PlatformOptions {
  /** The folder of configuration and keys. Processes on several machines need the same keys. */
  readonly home: string
  /** The folder of the embedded database; used without `databaseUrl`. */
  readonly data: string
  /** The URL of the owner of a PostgreSQL database. */
  readonly databaseUrl?: string
  /** The configuration; default: `config.yaml` in `home`. */
  readonly config?: string
  /** The module with the functions of tools and hooks. */
  readonly tools?: string
  /** Variables of the process, with the keys of providers. */
  readonly env: Env
  /** Absent: this process drives no runs. */
  readonly worker?: Pick<WorkerOptions, 'queues' | 'concurrency' | 'leaseMs' | 'pollMs'>
  /** Receives the measurements of the runs that this process drives (AAIF §4.7). */
  readonly measure?: (measurement: Measurement) => void
  /** Shows or keeps the admin token when it is created; absent: it could not be shown, so none is created. */
  readonly keepToken?: (token: string) => void
  /** Of the product. */
  readonly version: string
  readonly log: (level: 'warn' | 'error', message: string) => void
}

export interface OpenedPlatform {
  /** Returns the manifest of this installation, from its configuration (AAIF §7). */
  readonly manifest: () => Json
  readonly platform: Platform
  readonly database: Database
  /** Gives the installation a new key for the secrets of all organisations. */
  readonly rotateSecrets: (by: string) => Promise<RotatedSecrets>
  /** Whether there is an admin token; see `keepToken`. */
  readonly hasToken: boolean
  /** Whether the database is run by this process. */
  readonly embedded: boolean
  /** Pauses the runs that this process drives, so that other workers continue them, and closes everything. */
  close(): Promise<void>
}

/**
 * Opens the platform: its database, which is created and migrated first, and a worker if one is wanted.
 * @throws DATABASE_UNREACHABLE, DATABASE_NOT_EMBEDDED, DATABASE_NEWER, DATABASE_ROLE_UNSAFE; CONFIG_INVALID
 */
export async function openPlatform(options: PlatformOptions): Promise<OpenedPlatform> {
  const { home, env, log } = options
  const operator = await operatorOf(options)
  const grants = webhookGrants(operator.config)
  const { urls, stop } = await databaseOf(options)
  const database = await openDatabase(urls).catch(async (error) => {
    await stop()
    throw error
  })
  const keys = homeKeys(home)
  const secretKey = secretKeyFile(home)
  const secrets = new OrganisationSecrets({
    pool: database.app,
    key: secretKey,
    environment: openSecrets(env),
    mayUse: (org, name) => mayUseEnvironment(operator.config, org, name),
  })
  const homeFrom = (records: PostgresRecords, principal: Principal): Home & PostgresRecords => ({
    ...records,
    principal,
    secrets: secrets.of(principal.organisation),
    piiKeys: keys.piiKeys,
    sign: keys.sign,
    trust: keys.trust,
  })
  const requests = new Map<string, PostgresRecords>()
  const requestRecords = (org: string): PostgresRecords => {
    const known =
      requests.get(org) ?? openPostgresRecords(database, org, { worker: null, signAudit: keys.signAudit })
    requests.set(org, known)
    return known
  }
  const follower = new RunFollower(database.engine)
  const planner = platformAgents({
    operator,
    pool: database.app,
    homeOf: (org) => homeFrom(requestRecords(org), platformPrincipal(org)),
    by: PLATFORM,
  })
  const notify = (org: string, runId: string) => {
    worker?.notify(org, runId)
    follower.notify(org, runId)
  }
  const nextEntry = entryMaker(keys.signAudit)
  const firings = new TriggerEngine({
    engine: database.engine,
    nextEntry,
    log,
    runsOf: (principal) =>
      new TenantRuns({
        database,
        principal,
        records: requestRecords(principal.organisation),
        planner,
        follower,
        sessions: (begin) => new TenantSessions({ database, principal, begin, notify }),
        webhookGrants: grants,
        notify,
        // No commands are given here.
        commanded: () => {},
      }),
  })
  const driving = drivingOf({ database, operator, keys, follower, homeFrom, measure: options.measure })
  const drives = { ...driving, database, log }
  const webhooks = { keys: keys.messages, post: createMessagePoster(grants), nextEntry }
  const worker = options.worker && new Worker({ ...options.worker, ...drives, webhooks, triggers: firings })
  await worker?.start()
  const lone = worker === undefined ? new LoneLegs(drives) : undefined
  const rules = await uploadRules(operator, options.version)
  const close = async () => {
    follower.close()
    await firings.stop()
    await worker?.stop()
    await lone?.close()
    await driving.close()
    await planner.close()
    for (const records of requests.values()) await records.close()
    await database.close()
    await stop()
  }
  const newSecret = () => newHookSecret(keys.messages)
  const platform = createPlatform({
    database,
    homeOf: (principal) => homeFrom(requestRecords(principal.organisation), principal),
    agentsOf: (principal, own) =>
      agentCatalogue(database, principal, own, { ...rules, nextEntry, newSecret }),
    planner,
    nextEntry,
    keys: keys.messages,
    webhookGrants: grants,
    follower,
    firings,
    secretKey,
    secretChanged: () => secrets.forget(),
    notify,
    commanded: (org, runId) => lone?.performIfAlone(org, runId),
    close,
  })
  return {
    platform,
    manifest: () => rules.manifest() as unknown as Json,
    database,
    rotateSecrets: (by) => rotateSecrets(database.engine, secretKey, nextEntry, by),
    hasToken: await createAdminToken(database.engine, options.keepToken),
    embedded: options.databaseUrl === undefined,
    close,
  }
}

async function operatorOf({ home, config, tools, env }: PlatformOptions): Promise<PlatformOperator> {
  const read = readConfig(home, config)
  return {
    config: read,
    env,
    extensions: await loadExtensions(read.extensions ?? []),
    ...(tools !== undefined && { tools: await loadTools(tools) }),
  }
}

/** What an upload is checked against. */
async function uploadRules(
  { config, extensions = [] }: PlatformOperator,
  version: string,
): Promise<UploadRules> {
  const facts = await extensionFactsOf(extensions)
  const regions = [...new Set(Object.values(config.residency ?? {}).flat())].sort()
  return {
    manifest: () => hostManifest(version, new Date().toISOString(), regions, facts),
    registries: await registriesOf(extensions),
    schemas: readSchemaFiles(config.schemas ?? {}),
    ...(config.signatures !== undefined && { signatures: config.signatures }),
  }
}

/** PostgreSQL of root runs as `nobody`, who must be able to pass through these folders, and to read nothing in them. */
function letServerEnter(home: string, data: string): void {
  const own = data.startsWith(`${home}${sep}`) ? [home, data] : [data]
  for (const folder of own) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    chmodSync(folder, (statSync(folder).mode & 0o777) | 0o001)
  }
}

interface PlatformDatabase {
  readonly urls: DatabaseUrls
  /** Stops the embedded server. */
  readonly stop: () => Promise<void>
}

async function databaseOf({ home, data, databaseUrl, env, log }: PlatformOptions): Promise<PlatformDatabase> {
  const given = {
    ...(env.WAYBILL_APP_DATABASE_URL !== undefined && { app: env.WAYBILL_APP_DATABASE_URL }),
    ...(env.WAYBILL_ENGINE_DATABASE_URL !== undefined && { engine: env.WAYBILL_ENGINE_DATABASE_URL }),
  }
  if (databaseUrl !== undefined)
    return { urls: await prepareDatabase(databaseUrl, given), stop: async () => {} }
  if (process.getuid?.() === 0) letServerEnter(home, data)
  const { startEmbedded } = await import('../platform/database/embedded/start-embedded.ts')
  const server = await startEmbedded(join(data, 'postgres'), {
    onEvent: (event) => {
      if (event.kind === 'failed') log('error', `the database cannot be restarted: ${event.error.message}`)
      else
        log(
          'warn',
          `the database ${event.kind === 'died' ? 'has died and is being restarted' : 'runs again'}`,
        )
    },
  })
  try {
    return { urls: await prepareDatabase(server.url), stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}
