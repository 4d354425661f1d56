import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { loadExtensions, registriesOf } from '../../compose/extensions.ts'
import { loadTools } from '../../compose/functions.ts'
import type { Env, Parts } from '../../compose/parts.ts'
import { type Prepared, prepare } from '../../compose/prepare.ts'
import { defined } from '../../document/defined.ts'
import { type Issue, WaybillError } from '../../document/issue.ts'
import { whyUnreadable } from '../../document/why-unreadable.ts'
import type { Plan } from '../../plan/plan.ts'
import { primaryProvider } from '../../plan/plan-models.ts'
import type { Grants, HostGrant } from '../../policy/endpoint-gate.ts'
import { sourceIdentity } from '../../resolve/definition-identity.ts'
import { lockFileOf } from '../../resolve/tool-lock-file.ts'
import type { Extension } from '../../run/extension.ts'
import type { Home } from '../../session/home.ts'
import { signatureChecker } from '../../settings/check-signature.ts'
import type { Config } from '../../settings/config-schema.ts'
import { homePath } from '../../settings/home.ts'
import { operatorSettingsOf, parseModel } from '../../settings/operator-settings-of.ts'
import { readConfig, readProjectConfig } from '../../settings/read-config.ts'
import { type KnownDefinition, rememberedGrants } from '../../settings/remembered-grants.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { readDefinition } from '../files/read-definition.ts'
import { type Io, isInteractive } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { assertRuleForRun } from '../standing-rules/check-rule.ts'

/** Everything that a command needs to start runs of an agent. */
export interface RunSetup extends Prepared {
  readonly definition: AgentDefinition
  /** What the definition's checks warn of. */
  readonly warnings: readonly Issue[]
  /** Absolute; absent for standard input. */
  readonly file?: string
  readonly toolsFile?: string
  readonly parts: Parts
  readonly home: Home
}

export interface SetUpChoices {
  /** Whether a person may be asked to let http tools reach their hosts. */
  readonly askHosts?: boolean
  /** Whether tools that are met for the first time are pinned: what starts a run does that. */
  readonly pin?: boolean
}

/**
 * Reads, checks, resolves and plans what a command line names.
 * @param env of the opened home; see {@link environment}
 */
export async function setUpRun(
  file: string,
  options: RunOptions,
  io: Io,
  home: Home,
  env: Env,
  { askHosts = false, pin = false }: SetUpChoices = {},
): Promise<RunSetup> {
  const operator = await operatorOf(options, io)
  const registries = await registriesOf(operator.extensions)
  const { definition, path, warnings } = await readDefinition(file, io, registries)
  const folder = path === undefined ? undefined : dirname(path)
  const model = options.model === undefined ? undefined : parseModel(options.model)
  const known = { identity: sourceIdentity(definition, { file: path }), definition }
  const context = { primary: primaryProvider(definition, model), folder, known, ...operator }
  let parts = await partsFromFlags(context, options, env, io, home)
  const agents = options.agents === undefined ? undefined : resolve(io.cwd, options.agents)
  const places = { folder, agents, lock: path === undefined ? null : lockFileOf(path), pin, file: path }
  let prepared = await prepare(definition, parts, places)
  if (askHosts) {
    const asked = new Set<string>()
    const ask = () => grantHosts(prepared.program.plan, known, parts.settings.grants, home, io, asked)
    // A document that may now be fetched can name servers that nobody has been asked about.
    for (let granted = await ask(); granted.length > 0; granted = await ask()) {
      parts = withGrants(parts, granted)
      prepared = await prepare(definition, parts, places)
    }
  }
  for (const rule of parts.settings.allowed_calls ?? []) assertRuleForRun(rule, prepared.family)
  const toolsFile = options.tools === undefined ? undefined : resolve(io.cwd, options.tools)
  return {
    ...prepared,
    definition,
    warnings,
    ...defined({ file: path, toolsFile }),
    parts,
    home,
  }
}

/**
 * Asks for the hosts that tools need and were not granted; nobody is asked where there is no terminal.
 * @param asked hosts that a person has been asked about already; grows
 */
export async function grantHosts(
  plan: Plan,
  known: KnownDefinition,
  grants: Grants,
  home: Home,
  io: Io,
  asked = new Set<string>(),
): Promise<readonly HostGrant[]> {
  if (plan.rehearsal || !isInteractive(io)) return []
  const { missingHosts } = await import('../run-view/missing-hosts.ts')
  const missing = missingHosts(plan, grants).filter(({ host }) => !asked.has(host))
  for (const { host } of missing) asked.add(host)
  if (missing.length === 0) return []
  const { askHosts } = await import('../run-view/ask-hosts.ts')
  return askHosts(missing, plan, known, home, io)
}

export function withGrants(parts: Parts, granted: readonly HostGrant[]): Parts {
  const { settings } = parts
  return {
    ...parts,
    settings: { ...settings, grants: { ...settings.grants, hosts: [...settings.grants.hosts, ...granted] } },
  }
}

/** What the operator of this machine configured. */
export interface Operator {
  readonly config: Config
  /** Those that the configuration names, loaded. */
  readonly extensions: readonly Extension[]
}

/**
 * Reads the operator's configuration, and loads the extensions that it names.
 * @throws CONFIG_INVALID, CONFIG_UNREADABLE, EXTENSION_UNREADABLE, EXTENSION_INVALID
 */
export async function operatorOf(options: Pick<RunOptions, 'config'>, io: Io): Promise<Operator> {
  const file = options.config === undefined ? undefined : resolve(io.cwd, options.config)
  const config = readConfig(homePath(io.env), file)
  return { config, extensions: await loadExtensions(config.extensions ?? []) }
}

/** Whose run the settings are for. */
export interface PartsContext extends Operator {
  /** The provider whose key `--base-url` binds. */
  readonly primary: string | undefined
  /** The definition's own folder, where a project's `waybill.yaml` may be. */
  readonly folder: string | undefined
  /** The definition that a person starts, for which grants were remembered. */
  readonly known: KnownDefinition | undefined
}

/** The settings of a run, and the operator's functions, from flags, configuration and remembered grants. */
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
    remembered: await rememberedGrants(home.grants, known),
  })
  const tools = options.tools === undefined ? undefined : await loadTools(resolve(io.cwd, options.tools))
  return {
    settings,
    env,
    secrets: home.secrets,
    home,
    checkSignature: signatureChecker(home.trust, config.signatures ?? {}),
    extensions,
    ...defined({ tools }),
  }
}

/** Variables of the process, with those of `--env-file` for the ones that are not set. */
export function environment(options: Pick<RunOptions, 'envFile'>, io: Io): Env {
  if (options.envFile === undefined) return io.env
  const path = resolve(io.cwd, options.envFile)
  try {
    return { ...parseEnv(readFileSync(path, 'utf8')), ...io.env }
  } catch (cause) {
    throw new WaybillError('ENV_FILE_UNREADABLE', {
      fault: 'usage',
      file: path,
      message: whyUnreadable(cause),
      hint: 'give --env-file a file of NAME=value lines',
      cause,
    })
  }
}
