import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { type Env, loadTools, type Parts, type Prepared, prepare } from '../compose.ts'
import { WaybillError } from '../document/issue.ts'
import { primaryProvider } from '../plan/plan-models.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { Io } from './io.ts'
import { readDefinition } from './read-definition.ts'
import type { RunOptions } from './run-options.ts'
import { operatorSettingsOf, parseModel } from '../settings/operator-settings-of.ts'
import { readConfig, readProjectConfig } from '../settings/read-config.ts'
import { readRemembered } from '../settings/remembered-grants.ts'

/** Everything that a command needs to start or continue a run. */
export interface RunSetup extends Prepared {
  readonly definition: AgentDefinition
  /** Absolute; absent for standard input. */
  readonly file?: string
  readonly toolsFile?: string
  readonly parts: Parts
}

/** Reads, checks, resolves and plans what a command line names. */
export async function setUpRun(file: string, options: RunOptions, io: Io): Promise<RunSetup> {
  const env = environment(options, io)
  const { definition, path } = await readDefinition(file, io)
  const folder = path === undefined ? undefined : dirname(path)
  const parts = await partsOf(definition, folder, options, env, io)
  const prepared = await prepare(definition, parts, folder)
  const toolsFile = options.tools === undefined ? undefined : resolve(io.cwd, options.tools)
  return {
    ...prepared,
    definition,
    ...(path !== undefined && { file: path }),
    ...(toolsFile !== undefined && { toolsFile }),
    parts,
  }
}

/** The settings of a run, and the operator's functions, from flags, configuration and remembered grants. */
export async function partsOf(
  definition: AgentDefinition | undefined,
  folder: string | undefined,
  options: RunOptions,
  env: Env,
  io: Io,
): Promise<Parts> {
  const config = readConfig(env, options.config === undefined ? undefined : resolve(io.cwd, options.config))
  const project = folder === undefined ? {} : readProjectConfig(folder)
  const model = options.model === undefined ? undefined : parseModel(options.model)
  const settings = operatorSettingsOf(options, config, project, {
    primary: definition === undefined ? model?.provider : primaryProvider(definition, model),
    remembered: readRemembered(env),
  })
  const tools = options.tools === undefined ? undefined : await loadTools(resolve(io.cwd, options.tools))
  return { settings, env, ...(tools !== undefined && { tools }) }
}

/** Variables of the process, with those of `--env-file` for the ones that are not set. */
export function environment(options: RunOptions, io: Io): Env {
  if (options.envFile === undefined) return io.env
  const path = isAbsolute(options.envFile) ? options.envFile : resolve(io.cwd, options.envFile)
  if (!existsSync(path)) {
    throw new WaybillError('ENV_FILE_UNREADABLE', {
      fault: 'usage',
      file: path,
      message: 'there is no such file',
      hint: 'give --env-file a file of NAME=value lines',
    })
  }
  return { ...parseEnv(readFileSync(path, 'utf8')), ...io.env }
}
