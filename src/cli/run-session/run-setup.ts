import { dirname, resolve } from 'node:path'
import { loadExtensions, registriesOf } from '../../compose/extensions.ts'
import { loadTools } from '../../compose/functions.ts'
import type { Env, Parts } from '../../compose/parts.ts'
import { type Prepared, prepare } from '../../compose/prepare.ts'
import { defined } from '../../document/defined.ts'
import type { Issue } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import { primaryProvider } from '../../plan/plan-models.ts'
import type { Grants, HostGrant } from '../../policy/endpoint-gate.ts'
import { sourceIdentity } from '../../resolve/definition-identity.ts'
import { lockFileOf } from '../../resolve/tool-lock-file.ts'
import type { Extension } from '../../run/extension.ts'
import { auditingRefusal, type ImportAttempt } from '../../session/audit-refusal.ts'
import { assertRuleForRun } from '../../session/check-rule.ts'
import type { Home } from '../../session/home.ts'
import { signatureChecker } from '../../settings/check-signature.ts'
import type { Config } from '../../settings/config-schema.ts'
import { homePath } from '../../settings/home.ts'
import { operatorSettingsOf, parseModel } from '../../settings/operator-settings-of.ts'
import { readConfig, readProjectConfig } from '../../settings/read-config.ts'
import { parseSchemaMappings, readSchemaFiles } from '../../settings/read-schema-files.ts'
import {
  type KnownDefinition,
  type RememberedGrants,
  rememberedGrants,
} from '../../settings/remembered-grants.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { readDefinition } from '../files/read-definition.ts'
import { type Io, isInteractive } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { readEnvironment } from '../read-environment.ts'
import type { GrantedHosts } from '../run-view/ask-hosts.ts'
import { plainLine, plainText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { rememberHosts } from './remember-hosts.ts'

/** All parts that a command needs to start runs of an agent. */
export interface RunSetup extends Prepared {
  readonly definition: AgentDefinition
  /** Warnings of the validation of the definition. */
  readonly warnings: readonly Issue[]
  /** Absolute path; absent for standard input. */
  readonly file?: string
  readonly toolsFile?: string
  readonly parts: Parts
  readonly home: Home
  /** The configuration of the operator. */
  readonly config: Config
}

export interface SetUpChoices {
  /** Whether a person may be asked to allow the hosts of http tools. */
  readonly askHosts?: boolean
  /** Whether the command starts runs: new tools of servers are pinned, and a refusal is audited. */
  readonly starts?: boolean
  /** Names of secrets that the plan takes as set. */
  readonly assume?: readonly string[]
  /** Further grants to the definition, for this planning only. */
  readonly granted?: RememberedGrants
  /** Whether slow tool servers get the time that a run gives them. Default: `starts`. */
  readonly patient?: boolean
}

/**
 * Reads, validates, resolves and plans the definition of a command line.
 * @param env variables of the opened home; see {@link environment}
 */
export async function setUpRun(
  file: string,
  options: RunOptions,
  io: Io,
  home: Home,
  env: Env,
  choices: SetUpChoices = {},
): Promise<RunSetup> {
  const setUp = (onRead: (definition: AgentDefinition) => void) =>
    readAndPlan(file, options, io, home, env, choices, onRead)
  if (options.ask === true && options.rehearse !== true)
    throw usageError(
      '--ask is for rehearsals: a real run stops for approvals in any case',
      'add --rehearse, or leave --ask out',
    )
  if (choices.starts !== true || options.rehearse === true) return setUp(() => {})
  let read: AgentDefinition | undefined
  return auditingRefusal(
    importAttempt(file, options, io, home),
    () => read,
    () =>
      setUp((definition) => {
        read = definition
      }),
  )
}

/** Returns who tries to import the definition of a command line. */
export function importAttempt(file: string, { user }: RunOptions, io: Io, home: Home): ImportAttempt {
  const source = file === '-' ? undefined : resolve(io.cwd, file)
  return { home, by: personName(io.env), user, source }
}

async function readAndPlan(
  file: string,
  options: RunOptions,
  io: Io,
  home: Home,
  env: Env,
  { askHosts = false, starts = false, assume = [], granted, patient = starts }: SetUpChoices,
  onRead: (definition: AgentDefinition) => void,
): Promise<RunSetup> {
  const operator = await operatorOf(options, io)
  const registries = await registriesOf(operator.extensions)
  const schemas = readSchemaFiles({
    ...operator.config.schemas,
    ...parseSchemaMappings(options.schema, io.cwd),
  })
  const { definition, path, real, warnings } = await readDefinition(file, io, registries, schemas)
  onRead(definition)
  const folder = path === undefined ? undefined : dirname(path)
  const model = options.model === undefined ? undefined : parseModel(options.model)
  const known = { identity: sourceIdentity(definition, { file: path, real }), definition }
  const context = { primary: primaryProvider(definition, model), folder, known, ...operator }
  const flagged = await partsFromFlags(context, options, env, io, home)
  const { settings } = granted === undefined ? flagged : withRemembered(flagged, granted)
  let parts: Parts = {
    ...flagged,
    settings: { ...settings, schemas },
    assumed: assume,
    discovery: discoveryOf(patient, io),
  }
  const agents = options.agents === undefined ? undefined : resolve(io.cwd, options.agents)
  const reviewed = options.plan
  const toolsFile = options.tools === undefined ? undefined : resolve(io.cwd, options.tools)
  const lock = path === undefined ? null : lockFileOf(path)
  // Tools that were not reviewed must not be pinned.
  const places = { folder, agents, lock, pin: starts && reviewed === undefined, file: path, real }
  let prepared = await prepare(definition, parts, places)
  if (askHosts && reviewed === undefined) {
    const asked = new Set<string>()
    const remembered: string[] = []
    const ask = () => grantHosts(prepared.program.plan, parts.settings.grants, io, asked)
    // A document that can be fetched now may name servers whose hosts have not been asked about.
    for (let granted = await ask(); granted.hosts.length > 0; granted = await ask()) {
      remembered.push(...granted.remembered)
      parts = withGrants(parts, granted.hosts)
      prepared = await prepare(definition, parts, places)
    }
    // Stored last, so that the grants record the operations of the documents that could be fetched.
    await rememberHosts(remembered, prepared.program.plan, known, home, io)
  }
  for (const rule of parts.settings.allowed_calls ?? []) assertRuleForRun(rule, prepared.family)
  if (reviewed !== undefined) {
    const { assertReviewed } = await import('./assert-reviewed.ts')
    await assertReviewed(reviewed, prepared, { parts, home, folder, config: operator.config }, io)
    if (starts) prepared.pinTools()
  }
  return {
    ...prepared,
    definition,
    warnings,
    ...defined({ file: path, toolsFile }),
    parts,
    home,
    config: operator.config,
  }
}

/**
 * Asks a person at the terminal for the hosts that tools need and that are not granted. Does nothing without a terminal.
 * @param asked hosts that the person has already been asked about; this function adds to it
 */
export async function grantHosts(
  plan: Plan,
  grants: Grants,
  io: Io,
  asked = new Set<string>(),
): Promise<GrantedHosts> {
  if (plan.rehearsal || !isInteractive(io)) return NO_HOSTS
  const { missingHosts } = await import('../run-view/missing-hosts.ts')
  const missing = missingHosts(plan, grants).filter(({ host }) => !asked.has(host))
  for (const { host } of missing) asked.add(host)
  if (missing.length === 0) return NO_HOSTS
  const { askHosts } = await import('../run-view/ask-hosts.ts')
  return askHosts(missing, plan, io)
}

const NO_HOSTS: GrantedHosts = { hosts: [], remembered: [] }

function withRemembered(parts: Parts, { hosts, secrets }: RememberedGrants): Parts {
  const { settings } = withGrants(parts, hosts)
  return { ...parts, settings: { ...settings, secret_grants: [...settings.secret_grants, ...secrets] } }
}

export function withGrants(parts: Parts, granted: readonly HostGrant[]): Parts {
  const { settings } = parts
  return {
    ...parts,
    settings: { ...settings, grants: { ...settings.grants, hosts: [...settings.grants.hosts, ...granted] } },
  }
}

/** How long commands that start no run wait for a tool server, in milliseconds. */
const IMPATIENT_MS = 2000

function discoveryOf(patient: boolean, io: Io): NonNullable<Parts['discovery']> {
  const named = new Set<string>()
  const onWaiting = (server: string, limitMs: number) => {
    // Several tools may belong to one server.
    if (named.has(server)) return
    named.add(server)
    io.err(`waiting for the MCP server ${plainLine(server, 80)}, up to ${limitMs / 1000} s\n`)
  }
  if (patient) return { onWaiting }
  return { discoverMs: IMPATIENT_MS, ...(io.errIsTty && { onWaiting }) }
}

/** The configuration of the operator. */
export interface Operator {
  readonly config: Config
  /** The loaded extensions of the configuration. */
  readonly extensions: readonly Extension[]
}

/**
 * Reads the configuration of the operator, and loads its extensions.
 * @throws CONFIG_INVALID, CONFIG_UNREADABLE, EXTENSION_UNREADABLE, EXTENSION_INVALID
 */
export async function operatorOf(options: Pick<RunOptions, 'config'>, io: Io): Promise<Operator> {
  const file = options.config === undefined ? undefined : resolve(io.cwd, options.config)
  const config = readConfig(homePath(io.env), file)
  return { config, extensions: await loadExtensions(config.extensions ?? []) }
}

/** The user of the run. */
export interface PartsContext extends Operator {
  /** The provider whose key may be sent to `--base-url`. */
  readonly primary: string | undefined
  /** The folder of the definition, which may contain the `waybill.yaml` of a project. */
  readonly folder: string | undefined
  /** The root definition, to which standing grants apply. */
  readonly known: KnownDefinition | undefined
}

/** Returns the settings of a run and the functions of the operator, from flags, configuration and standing grants. */
export async function partsFromFlags(
  { primary, folder, known, config, extensions }: PartsContext,
  options: RunOptions,
  env: Env,
  io: Io,
  home: Home,
): Promise<Parts> {
  const project = folder === undefined ? {} : readProjectConfig(folder)
  const settings = operatorSettingsOf(options, config, project, {
    primary,
    remembered: await rememberedGrants(home.grants, known?.identity),
  })
  const tools = options.tools === undefined ? undefined : await loadTools(resolve(io.cwd, options.tools))
  return {
    settings,
    env,
    secrets: home.secrets,
    home,
    checkSignature: signatureChecker(home.trust, config.signatures ?? {}),
    extensions,
    onFunctionError: ({ name, stack }) =>
      (io.stray ?? io.err)(`${plainLine(name, 60)} threw ${plainText(stack)}\n`),
    ...defined({ tools }),
  }
}

/** Returns the variables of the process, and those of `--env-file` or `WAYBILL_ENV_FILE` that the process does not set. */
export function environment({ envFile }: Pick<RunOptions, 'envFile'>, io: Io): Env {
  return readEnvironment(envFile, io)
}
