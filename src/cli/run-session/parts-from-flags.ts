import { resolve } from 'node:path'
import { loadExtensions } from '../../compose/extensions.ts'
import { loadTools } from '../../compose/functions.ts'
import type { Env, Parts } from '../../compose/parts.ts'
import { defined } from '../../document/defined.ts'
import type { Extension } from '../../run/extension.ts'
import { signatureChecker } from '../../settings/check-signature.ts'
import type { Config } from '../../settings/config-schema.ts'
import { homePath } from '../../settings/home.ts'
import { operatorSettingsOf } from '../../settings/operator-settings-of.ts'
import { readConfig, readProjectConfig } from '../../settings/read-config.ts'
import { type KnownDefinition, rememberedGrants } from '../../settings/remembered-grants.ts'
import type { Io } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { readEnvironment } from '../read-environment.ts'
import { plainLine, plainText } from '../terminal/plain-text.ts'
import type { OpenedCommand } from './opened-command.ts'

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

/** What the parts of a run depend on besides the command line. */
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
  { options, io, home, env }: OpenedCommand,
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
