import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '../../document/message-of.ts'
import type { Check } from '../../platform/database/check.ts'
import { modelProvider, providerNames } from '../../policy/model-providers.ts'
import { openHomeWarning } from '../../settings/home.ts'
import { readConfig } from '../../settings/read-config.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type PlatformCommandOptions, platformOptions } from '../platform/platform-options.ts'
import type { ServerCommandOptions } from '../platform/server-options.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

type Options = PlatformCommandOptions & ServerCommandOptions

/** Checks what the platform needs, and prints each problem with its fix (`waybill doctor`). */
export async function diagnose(options: Options, io: Io): Promise<ExitCode> {
  const platform = platformOptions(options, io)
  const checks = [
    checkConfig(platform.home, platform.config),
    checkHome(platform.home),
    checkProviders(io),
    await checkPort(options.port ?? 4400),
    ...(await checkDatabaseOf(platform)),
  ]
  const ok = checks.every((check) => check.ok)
  if (options.json === true) io.out(`${jsonText({ ok, checks })}\n`)
  else for (const check of checks) io.out(`${lineOf(check)}\n`)
  return ok ? EXIT.ok : EXIT.no
}

function lineOf({ check, ok, detail, fix }: Check): string {
  const line = `${ok ? 'ok    ' : 'FAILED'}  ${check}: ${plainLine(detail, 500)}`
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
      fix: 'correct the file; docs/guides/configuration.md lists its members',
    }
  }
}

function checkHome(home: string): Check {
  const warning = openHomeWarning(home)
  return warning === null
    ? { check: 'home', ok: true, detail: `${home} belongs to this user alone, or is still to be created` }
    : { check: 'home', ok: false, detail: warning.message, fix: `chmod 700 ${home}` }
}

function checkProviders({ env }: Io): Check {
  const names = providerNames().flatMap((id) => modelProvider(id)?.key ?? [])
  const set = names.filter((name) => (env[name] ?? '') !== '')
  return set.length > 0
    ? { check: 'providers', ok: true, detail: `keys are set: ${set.join(', ')}` }
    : {
        check: 'providers',
        ok: false,
        detail: 'no key of a model provider is set',
        fix: 'set one, for example OPENAI_API_KEY; rehearsals and local models need none',
      }
}

function checkPort(port: number): Promise<Check> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error) =>
      resolve({
        check: 'port',
        ok: false,
        detail: `port ${port} cannot be used: ${messageOf(error)}`,
        fix: 'stop the program that uses it, or choose another one with --port',
      }),
    )
    server.listen(port, '127.0.0.1', () =>
      server.close(() => resolve({ check: 'port', ok: true, detail: `port ${port} is free` })),
    )
  })
}

async function checkDatabaseOf({
  databaseUrl,
  data,
}: ReturnType<typeof platformOptions>): Promise<readonly Check[]> {
  const { checkDatabase } = await import('../../platform/database/check.ts')
  if (databaseUrl !== undefined) return checkDatabase({ ownerUrl: databaseUrl })
  const { startEmbedded } = await import('../../platform/database/embedded/start-embedded.ts')
  try {
    const server = await startEmbedded(join(data, 'postgres'))
    try {
      return await checkDatabase({ ownerUrl: server.url, data: server.data })
    } finally {
      await server.stop()
    }
  } catch (error) {
    return [{ check: 'database', ok: false, detail: messageOf(error), fix: hintOf(error) }]
  }
}

function hintOf(error: unknown): string {
  const { hint } = error as { readonly hint?: string }
  return hint ?? 'set DATABASE_URL to a PostgreSQL server'
}
