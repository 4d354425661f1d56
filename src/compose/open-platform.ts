import { join } from 'node:path'
import { createSmtpMailer } from '../adapters/mail/smtp-mailer.ts'
import { createPeerRequests } from '../adapters/net/peer-requests.ts'
import { createPeerSockets } from '../adapters/net/peer-sockets.ts'
import { createMessagePoster } from '../adapters/net/post-message.ts'
import { type CloseStack, openTogether } from '../document/close-stack.ts'
import { defined } from '../document/defined.ts'
import type { Json } from '../document/json.ts'
import { hostManifest } from '../plan/host-manifest.ts'
import type { CatalogueOptions } from '../platform/agents/agent-catalogue.ts'
import type { UploadRules } from '../platform/agents/read-upload.ts'
import { type Database, openDatabase } from '../platform/database/open-database.ts'
import { probeSeparation } from '../platform/database/probe-separation.ts'
import { PLATFORM } from '../platform/engine/leg.ts'
import { LoneLegs } from '../platform/engine/lone-legs.ts'
import { Worker, type WorkerOptions } from '../platform/engine/worker.ts'
import type { Feature, PartsOf } from '../platform/feature.ts'
import { FEATURES, tablesOf } from '../platform/features.ts'
import { MoveSender, moveWork } from '../platform/moves/send-move.ts'
import { createAdminToken } from '../platform/people/first-admin.ts'
import type { Platform } from '../platform/platform.ts'
import type { NoticedGeneration } from '../platform/records/notice-copy.ts'
import { openPostgresRecords, type PostgresRecords } from '../platform/records/open-postgres-records.ts'
import { openRuns } from '../platform/runs/feature.ts'
import { OrganisationSecrets } from '../platform/secrets/organisation-secrets.ts'
import { type RotatedSecrets, rotateSecrets } from '../platform/secrets/rotate-secrets.ts'
import { openSessions } from '../platform/sessions/feature.ts'
import { RunFollower } from '../platform/streams/run-follower.ts'
import { declareTriggers } from '../platform/triggers/definition-triggers.ts'
import { newHookSecret } from '../platform/triggers/hook-signature.ts'
import { TriggerEngine } from '../platform/triggers/trigger-engine.ts'
import type { Extension } from '../run/extension.ts'
import type { Measurement } from '../run/ports.ts'
import type { Home } from '../session/home.ts'
import { openRecordedPii } from '../session/open-recorded-pii.ts'
import type { Principal } from '../session/principal.ts'
import type { Config, ConfigStates } from '../settings/config-schema.ts'
import { enrolsMachines } from '../settings/enrols-machines.ts'
import { mailSettings } from '../settings/mail-settings.ts'
import { readConfig } from '../settings/read-config.ts'
import { readSchemaFiles } from '../settings/read-schema-files.ts'
import { retentionOf } from '../settings/retention.ts'
import { webhookGrants } from '../settings/webhook-grants.ts'
import { entryMaker } from '../trust/audit-chain.ts'
import { createPlatform } from './create-platform.ts'
import { databaseSigns } from './database-signs.ts'
import { DefinitionThreads } from './definition-threads.ts'
import { loadExtensions, registriesOf } from './extensions.ts'
import { homeKeys } from './home-keys.ts'
import { capabilityFacts } from './host-facts.ts'
import { identifier } from './identity-providers.ts'
import { mailServerOf } from './mail-server.ts'
import { mayUseEnvironment } from './may-use-environment.ts'
import { openSecrets } from './open-secrets.ts'
import { type OrganisationFunctions, openFunctions } from './organisation-functions.ts'
import { type PlatformOperator, platformAgents } from './platform-agents.ts'
import { type DatabasePlace, preparedDatabase } from './platform-database.ts'
import { drivingOf, platformPrincipal } from './platform-driving.ts'
import { secretKeyFile } from './secret-key-file.ts'

/** `env` contains the keys of providers. */
export interface PlatformOptions extends DatabasePlace {
  /** The configuration; default: `config.yaml` in `home`. */
  readonly config?: string
  /** The module with the functions of tools and hooks of the organisation `default`. */
  readonly tools?: string
  /** Default: all of the product. */
  readonly features?: readonly Feature<PartsOf<typeof FEATURES>>[]
  /** Tables are only read and changed: modules of functions are not loaded. */
  readonly withoutFunctions?: true
  /** Absent: this process drives no runs. */
  readonly worker?: Pick<WorkerOptions, 'queues' | 'concurrency' | 'leaseMs' | 'pollMs'>
  /** The URL under which people reach the platform, for links in messages. */
  readonly publicUrl?: string
  /** Receives the measurements of the runs that this process drives (AAIF §4.7). */
  readonly measure?: (measurement: Measurement) => void
  /** Shows or keeps the admin token when it is created; absent: it could not be shown, so none is created. */
  readonly keepToken?: (token: string) => void
  /** Of the product. */
  readonly version: string
  readonly log: (level: 'info' | 'warn' | 'error', message: string) => void
}

export interface OpenedPlatform {
  /** Returns the manifest of this installation, from its configuration (AAIF §7). */
  readonly manifest: () => Json
  readonly platform: Platform
  readonly database: Database
  /** Gives the installation a new key for the secrets of all organisations. */
  readonly rotateSecrets: (by: string) => Promise<RotatedSecrets>
  /** What the configuration says about states on plaintext connections. */
  readonly plaintextStates: NonNullable<ConfigStates['plaintext']>
  /** Whether there is an admin token; see `keepToken`. */
  readonly hasToken: boolean
  /** Whether the database is run by this process. */
  readonly embedded: boolean
  /** Pauses the runs that this process drives, so that other workers continue them, and closes everything. */
  close(): Promise<void>
}

/**
 * Opens the platform: its database, which is created and migrated first, and a worker if one is wanted. The configuration
 * is checked before anything is opened. If a part cannot be opened, those before it are closed.
 * @throws DATABASE_UNREACHABLE, DATABASE_NOT_EMBEDDED, DATABASE_NEWER, DATABASE_ROLE_UNSAFE; CONFIG_INVALID,
 * SCHEMA_FILE_INVALID; TOOLS_MODULE_UNREADABLE, TOOLS_MODULE_INVALID, FUNCTIONS_AMBIGUOUS
 */
export function openPlatform(options: PlatformOptions): Promise<OpenedPlatform> {
  return openTogether((opened) => openParts(options, opened))
}

async function openParts(options: PlatformOptions, opened: CloseStack): Promise<OpenedPlatform> {
  const { home, env, log } = options
  const features: readonly Feature<PartsOf<typeof FEATURES>>[] = options.features ?? FEATURES
  const tables = tablesOf(features)
  const config = readConfig(home, options.config)
  const grants = webhookGrants(config)
  const mail = mailSettings(config)
  const publicUrl = config.mail?.public_url ?? options.publicUrl
  const extensions = await loadExtensions(config.extensions ?? [])
  const rules = await uploadRules(config, extensions, options.version)
  const functions = opened.add(await functionsOf(options, config), (some) => some?.close())
  const operator: PlatformOperator = { config, env, extensions, ...defined({ functions }) }
  const { urls } = opened.add(await preparedDatabase({ ...options, steps: tables.steps }), ({ stop }) =>
    stop(),
  )
  const database = opened.add(await openDatabase(urls), (pools) => pools.close())
  await probeSeparation(database.app)
  const keys = homeKeys(home)
  const secretKey = secretKeyFile(home)
  const secrets = new OrganisationSecrets({
    pool: database.app,
    key: secretKey,
    environment: openSecrets(env),
    mayUse: (org, name) => mayUseEnvironment(config, org, name),
  })
  const homeFrom = (records: PostgresRecords, principal: Principal): Home & PostgresRecords => ({
    ...records,
    principal,
    secrets: secrets.of(principal.organisation),
    piiKeys: keys.piiKeys,
    sign: keys.sign,
    trust: keys.trust,
  })
  const requests = opened.add(new Map<string, PostgresRecords>(), closeAll)
  const requestRecords = (org: string): PostgresRecords => {
    const known =
      requests.get(org) ?? openPostgresRecords(database, org, { worker: null, signAudit: keys.signAudit })
    requests.set(org, known)
    return known
  }
  const follower = opened.add(new RunFollower(database.engine), (streams) => streams.close())
  const reader = opened.add(new DefinitionThreads(rules), (threads) => threads.close())
  const planner = opened.add(
    platformAgents({
      operator,
      reader,
      pool: database.app,
      homeOf: (org) => homeFrom(requestRecords(org), platformPrincipal(org)),
      by: PLATFORM,
    }),
    (agents) => agents.close(),
  )
  const notify = (org: string, runId: string) => {
    worker?.notify(org, runId)
    follower.notify(org, runId)
  }
  const nextEntry = entryMaker(keys.signAudit)
  const openedFor = (principal: Principal) => ({
    app: database.app,
    principal,
    home: homeFrom(requestRecords(principal.organisation), principal),
  })
  const firings: TriggerEngine = opened.add(
    new TriggerEngine({
      engine: database.engine,
      nextEntry,
      log,
      runsOf: (principal) => openRuns(openedFor(principal), featureParts),
      sessionsOf: (principal) => openSessions(openedFor(principal), featureParts),
    }),
    (engine) => engine.stop(),
  )
  const signs = databaseSigns(database.engine, options, config.database?.failover === 'lossless')
  const noticeCopy = async () => {
    const noticed = await signs.notice(nextEntry)
    if (noticed !== null) log('warn', copiedText(noticed))
  }
  await noticeCopy()
  const driving = opened.add(
    drivingOf({
      database,
      operator,
      reader,
      keys,
      follower,
      homeFrom,
      measure: options.measure,
      stampSent: signs.stampSent,
    }),
    (agents) => agents.close(),
  )
  const drives = { ...driving, database, log }
  const webhooks = { keys: keys.messages, post: createMessagePoster(grants), nextEntry }
  const agents: CatalogueOptions = {
    ...rules,
    reader,
    nextEntry,
    activated: (sql, activation) => declareTriggers(sql, activation, () => newHookSecret(keys.messages)),
    functions,
  }
  const triggers = { engine: database.engine, keys: keys.messages, firings }
  const removal = {
    nextEntry,
    erase: tables.erase,
    removeKey: keys.piiKeys.remove,
    retentionOf: (org: string) => retentionOf(config, org),
  }
  const inbox = { nextEntry, publicUrl, mail: mail && { send: createSmtpMailer(mailServerOf(mail, env)) } }
  const featureParts = {
    inbox,
    agents,
    planner,
    runs: {
      follower,
      lookAfter: (org: string, runId: string) => moves.lookAfter(org, runId),
      commanded: (org: string, runId: string) => lone?.performIfAlone(org, runId),
    },
    webhooks,
    webhookGrants: grants,
    triggers,
    secrets: { key: secretKey, changed: () => secrets.forget() },
    engine: database.engine,
    nextEntry,
    notify,
    removal,
  }
  // Others pin the keys of a platform that can be reached before it has signed anything.
  if (publicUrl !== undefined) keys.messages.current()
  const peers = { request: createPeerRequests(grants), socket: createPeerSockets(grants) }
  const moves = opened.add(
    new MoveSender({
      app: database.app,
      engine: database.engine,
      recordsOf: requestRecords,
      peers,
      secretKey,
      personalDataOf: (org, run) =>
        openRecordedPii(homeFrom(requestRecords(org), platformPrincipal(org)), run),
      signingKey: () => keys.signAudit(keys.messages.current()),
      jwks: () => keys.messages.jwks(),
      nextEntry,
      publicUrl,
      version: options.version,
      notify,
      log,
    }),
    (sender) => sender.stop(),
  )
  const worker =
    options.worker &&
    opened.add(
      new Worker({
        ...options.worker,
        ...drives,
        sweeps: tables.sweeps,
        works: [
          ...features.flatMap(({ work }) => (work === undefined ? [] : [work(featureParts)])),
          () => moveWork(moves),
        ],
        onCopied: noticeCopy,
      }),
      (started) => started.stop(),
    )
  // What has moved away in the newer database must not be driven here.
  if (worker !== undefined) await moves.askOwners()
  await worker?.start()
  const lone = worker === undefined ? opened.add(new LoneLegs(drives), (legs) => legs.close()) : undefined
  const close = () => opened.close()
  const platform = createPlatform({
    database,
    homeOf: (principal) => openedFor(principal).home,
    nextEntry,
    keys: keys.messages,
    ...(config.oidc !== undefined && {
      identify: identifier(config.oidc, config.ca_files, log),
    }),
    features,
    featureParts,
    publicUrl,
    moves,
    peers,
    unseal: keys.unseal,
    ...defined({ keptMinutes: config.states?.kept_minutes }),
    enrols: (org) => enrolsMachines(config, org),
    secretKey,
    notify,
    close,
  })
  return {
    platform,
    manifest: () => rules.manifest() as unknown as Json,
    database,
    rotateSecrets: (by) => rotateSecrets(database.engine, secretKey, nextEntry, by),
    plaintextStates: config.states?.plaintext ?? 'loopback',
    hasToken: await createAdminToken(database.engine, options.keepToken),
    embedded: options.databaseUrl === undefined,
    close,
  }
}

async function functionsOf(
  { home, data, tools, env, log, withoutFunctions }: PlatformOptions,
  config: Config,
): Promise<OrganisationFunctions | undefined> {
  if (withoutFunctions === true) return undefined
  return openFunctions({ config, tools, env, kept: { home, closed: [join(home, 'keys'), data] }, log })
}

/** What an upload is checked against. */
async function uploadRules(
  { residency, schemas = {}, signatures }: Config,
  extensions: readonly Extension[],
  version: string,
): Promise<UploadRules> {
  const facts = await capabilityFacts(residency, extensions)
  return {
    manifest: () => hostManifest(version, new Date().toISOString(), facts),
    registries: await registriesOf(extensions),
    schemas: readSchemaFiles(schemas),
    ...defined({ signatures }),
  }
}

async function closeAll(records: ReadonlyMap<string, PostgresRecords>): Promise<void> {
  for (const one of records.values()) await one.close()
}

function copiedText({ generation, runs }: NoticedGeneration): string {
  return `the database was put back from an older copy, or its server was promoted (generation ${generation}): what a newer one has sent is not known, so the ${runs} runs that were active ask before a write that must not be repeated`
}
