import { join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { PlatformOptions } from '../../compose/open-platform.ts'
import { databaseUrlOf, withDatabaseUrls } from '../database-url.ts'
import { homeFolder } from '../home.ts'
import type { Io } from '../io.ts'
import { wholeNumber } from '../options/whole-number.ts'
import { productVersion } from '../product-version.ts'
import { readEnvironment } from '../read-environment.ts'
import { LOG_FORMATS, type LogFormat, openPlatformLog, type PlatformLog } from './platform-log.ts'

/** The options that all commands of the platform have. */
export interface PlatformCommandOptions {
  readonly data?: string
  readonly databaseUrl?: string
  readonly config?: string
  readonly tools?: string
  readonly log?: LogFormat
  readonly json?: boolean
}

/** The options that say where the database is. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .option(
      '--data <dir>',
      'the folder of the embedded database (default: platform/ in ~/.waybill, of root in /var/lib/waybill)',
    )
    .option('--database-url <url>', 'use this PostgreSQL database, as its owner; also $DATABASE_URL')
}

export function addPlatformOptions(command: Command): Command {
  return addDatabaseOptions(command)
    .option('--config <file>', 'use this configuration instead of the one in ~/.waybill')
    .option('--tools <file>', 'the module with the functions of tools and hooks of the organisation default')
}

export function addLogOption(command: Command): Command {
  return command.addOption(
    new Option(
      '--log <format>',
      'the log on standard error: lines for people (default), or one JSON object a line; also $WAYBILL_LOG',
    ).choices([...LOG_FORMATS]),
  )
}

export function addWorkerOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--concurrency <n>', 'runs that this process drives at a time, of each queue')
        .argParser(wholeNumber)
        .default(100),
    )
    .addOption(
      new Option('--lease <seconds>', 'other workers take over after this time').argParser(Number).hideHelp(),
    )
}

/** PostgreSQL of root runs as `nobody`, who may not enter the home of root. */
const ROOT_HOME = '/var/lib/waybill'

function homeOf(io: Io): string {
  const isRoot = process.getuid?.() === 0
  return homeFolder(
    isRoot && !io.env.WAYBILL_HOME ? { ...io, env: { ...io.env, WAYBILL_HOME: ROOT_HOME } } : io,
  )
}

/**
 * Returns what a command of the platform opens, with the variables of the process and of `WAYBILL_ENV_FILE`.
 * @throws USAGE; ENV_FILE_UNREADABLE, ENV_FILE_INVALID
 */
export function platformOptions(
  given: PlatformCommandOptions,
  io: Io,
  log: PlatformLog = openPlatformLog('text', io),
): Omit<PlatformOptions, 'worker'> {
  const home = homeOf(io)
  const env = withDatabaseUrls(readEnvironment(undefined, io))
  const databaseUrl = databaseUrlOf(given.databaseUrl, env)
  return {
    home,
    data: given.data === undefined ? join(home, 'platform') : resolve(io.cwd, given.data),
    env,
    version: productVersion(),
    log,
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(given.config !== undefined && { config: resolve(io.cwd, given.config) }),
    ...(given.tools !== undefined && { tools: resolve(io.cwd, given.tools) }),
  }
}
