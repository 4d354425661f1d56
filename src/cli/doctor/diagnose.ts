import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { auditKeys } from '../../compose/audit-keys.ts'
import { WaybillError } from '../../document/issue.ts'
import { messageOf } from '../../document/message-of.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Check } from '../../platform/database/check.ts'
import { hasData } from '../../platform/database/embedded/data-folder.ts'
import { testPrograms } from '../../platform/database/embedded/programs.ts'
import { TABLES } from '../../platform/features.ts'
import { modelProvider, providerNames } from '../../policy/model-providers.ts'
import { openHomeWarning } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { commandFetch, typedHost } from '../network/command-fetch.ts'
import { type PlatformCommandOptions, platformOptions } from '../platform/platform-options.ts'
import type { ServerCommandOptions } from '../platform/server-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

type Options = PlatformCommandOptions & ServerCommandOptions
type Platform = ReturnType<typeof platformOptions>

/** Checks what the platform needs, and prints each problem with its fix (`waybill doctor`). */
export async function diagnose(options: Options, io: Io): Promise<ExitCode> {
  const platform = platformOptions(options, io)
  const checks = [
    checkConfig(platform.home, platform.config),
    checkHome(platform.home),
    checkKeys(platform.home),
    ...(await checkRecords(platform.home)),
    checkProviders(platform),
    await checkPort(options.port ?? 4400),
    ...(await checkMailOf(platform)),
    ...(await checkDatabaseOf(platform)),
  ]
  const ok = checks.every((check) => check.ok)
  if (options.json === true) io.out(`${jsonText({ ok, checks })}\n`)
  else for (const check of checks) io.out(`${lineOf(check)}\n`)
  return ok ? EXIT.ok : EXIT.no
}

function lineOf({ check, ok, detail, fix }: Check): string {
  const result = ok ? (fix === undefined ? 'ok    ' : 'note  ') : 'FAILED'
  const line = `${result}  ${check}: ${plainLine(detail, 500)}`
  return fix === undefined ? line : `${line}\n        fix: ${plainLine(fix, 500)}`
}

function checkConfig(home: string, file: string | undefined): Check {
  try {
    readConfig(home, file)
    const found = file !== undefined || existsSync(join(home, 'config.yaml'))
    return {
      check: 'configuration',
      ok: true,
      detail: found ? 'it is valid' : 'there is none: the defaults apply',
    }
  } catch (error) {
    return {
      check: 'configuration',
      ok: false,
      detail: messageOf(error),
      fix:
        error instanceof WaybillError && error.code === 'CONFIG_UNREADABLE'
          ? hintOf(error, LET_IN)
          : 'correct the file; docs/guides/configuration.md lists its members',
    }
  }
}

function checkHome(home: string): Check {
  const warning = openHomeWarning(home)
  if (warning !== null) return { check: 'home', ok: false, detail: warning.message, fix: `chmod 700 ${home}` }
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK)
    return { check: 'home', ok: true, detail: `only this user may change ${home}` }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { check: 'home', ok: true, detail: `${home} does not exist yet: the first start creates it` }
    const detail = `this user cannot read and write ${home}: ${messageOf(error)}`
    return { check: 'home', ok: false, detail, fix: LET_IN }
  }
}

/** Says how often the home was noticed to be a copy. Notices no copy itself: nothing is changed. */
async function checkRecords(home: string): Promise<readonly Check[]> {
  if (!existsSync(join(home, 'waybill.db'))) return []
  const check = 'records'
  const { openSqliteRecords } = await import('../../adapters/records/sqlite/open-sqlite-records.ts')
  const records = openSqliteRecords(home, { signAudit: auditKeys(home).signer, readOnly: true })
  try {
    const generation = await records.generation()
    return [{ check, ok: true, detail: `generation ${generation} of this home` }]
  } catch (error) {
    return [{ check, ok: false, detail: messageOf(error), fix: hintOf(error, LET_IN) }]
  } finally {
    await records.close()
  }
}

/** Several machines that share a database need the same keys. */
function checkKeys(home: string): Check {
  const folder = join(home, 'keys')
  try {
    // Throws if the folder cannot be searched.
    const made = ['audit.key', 'audit.pub'].some((name) => isThere(join(folder, name)))
    if (!made)
      return {
        check: 'keys',
        ok: true,
        detail: 'there is no audit key yet: the first audit entry creates it',
      }
    auditKeys(home).signer()
    return { check: 'keys', ok: true, detail: `the audit key in ${folder} can be used` }
  } catch (error) {
    // Other errors are those of the file system.
    const fix = error instanceof WaybillError ? hintOf(error, RESTORE_KEYS) : LET_IN
    return { check: 'keys', ok: false, detail: messageOf(error), fix }
  }
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined
}

const LET_IN = 'make the home readable and writable for this user, or set WAYBILL_HOME to another folder'
const RESTORE_KEYS = 'restore the folder keys/ from a backup'

function checkProviders({ env }: Pick<Platform, 'env'>): Check {
  const names = providerNames().flatMap((id) => modelProvider(id)?.key ?? [])
  const set = names.filter((name) => (ownMember(env, name) ?? '') !== '')
  return set.length > 0
    ? { check: 'providers', ok: true, detail: `keys are set: ${set.join(', ')}` }
    : {
        check: 'providers',
        ok: true,
        detail:
          'no key of a model provider is set: rehearsals, local models and custom models without a key work',
        fix: 'set a key, for example OPENAI_API_KEY, and start Waybill again',
      }
}

/** Loaded only for a configured mail server; a configuration that cannot be read is reported by its own check. */
async function checkMailOf({ home, config: file, env }: Platform): Promise<readonly Check[]> {
  let config: ReturnType<typeof readConfig>
  try {
    config = readConfig(home, file)
  } catch {
    return []
  }
  if (config.mail === undefined) return []
  return (await import('./check-mail.ts')).checkMail(config, { env })
}

async function checkPort(port: number): Promise<Check> {
  const problem = await listenProblem(port)
  if (problem === null) return { check: 'port', ok: true, detail: `port ${port} is free` }
  if (await isWaybill(port)) return { check: 'port', ok: true, detail: `Waybill answers at port ${port}` }
  return {
    check: 'port',
    ok: false,
    detail: `port ${port} cannot be used: ${problem}`,
    fix: 'stop the program that uses it, or choose another one with --port',
  }
}

function listenProblem(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) => resolve(messageOf(error)))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(null)))
  })
}

const LARGEST_MANIFEST_BYTES = 1024 * 1024

async function isWaybill(port: number): Promise<boolean> {
  try {
    const url = `http://127.0.0.1:${port}`
    const fetch = commandFetch({ hosts: [typedHost(url)] }, { maxResponseBytes: LARGEST_MANIFEST_BYTES })
    const manifest = await fetch(`${url}/.well-known/aaif-manifest.json`, {
      signal: AbortSignal.timeout(2000),
    })
    const { platform } = (await manifest.json()) as { readonly platform?: { readonly name?: unknown } }
    return platform?.name === 'Waybill'
  } catch {
    return false
  }
}

async function checkDatabaseOf({
  databaseUrl,
  data,
}: ReturnType<typeof platformOptions>): Promise<readonly Check[]> {
  const { checkDatabase, checkFreeSpace } = await import('../../platform/database/check.ts')
  if (databaseUrl !== undefined) return checkDatabase({ steps: TABLES.steps, ownerUrl: databaseUrl })
  const folder = join(data, 'postgres')
  if (!hasData(folder)) return [checkPrograms(folder), await checkFreeSpace(folder)]
  const { startEmbedded } = await import('../../platform/database/embedded/start-embedded.ts')
  try {
    const server = await startEmbedded(folder)
    try {
      return await checkDatabase({ steps: TABLES.steps, ownerUrl: server.url, data: server.data })
    } finally {
      await server.stop()
    }
  } catch (error) {
    return [{ check: 'database', ok: false, detail: messageOf(error), fix: hintOf(error, SET_URL) }]
  }
}

const SET_URL = 'set DATABASE_URL to a PostgreSQL server'

/** Checks that the embedded database can be created, and creates nothing. */
function checkPrograms(folder: string): Check {
  try {
    const { major } = testPrograms(folder)
    const detail = `there is none yet: the first start creates one of PostgreSQL ${major} in ${folder}`
    return { check: 'database', ok: true, detail }
  } catch (error) {
    return { check: 'database', ok: false, detail: messageOf(error), fix: hintOf(error, SET_URL) }
  }
}

function hintOf(error: unknown, otherwise: string): string {
  return (error instanceof WaybillError ? error.details.hint : undefined) ?? otherwise
}
