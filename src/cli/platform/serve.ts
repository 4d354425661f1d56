import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { type OpenedPlatform, openPlatform } from '../../compose/open-platform.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson } from '../../document/json.ts'
import { machineFault } from '../../document/machine-fault.ts'
import { messageOf } from '../../document/message-of.ts'
import { firstTokenInForce } from '../../platform/people/first-admin.ts'
import type { ServerApp } from '../../server/create-server.ts'
import { assertProtected, isLoopback } from '../../server/public-address.ts'
import { RunMetrics } from '../../server/run-metrics.ts'
import { OWN_REPORT } from '../conformance/generated/own-report.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { productVersion } from '../product-version.ts'
import { exitOf } from '../report-error.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { logFormat, openPlatformLog, type PlatformLog } from './platform-log.ts'
import { type PlatformCommandOptions, platformOptions } from './platform-options.ts'
import { readTls, type Tls } from './read-tls.ts'
import type { ServerCommandOptions } from './server-options.ts'

export interface ServeOptions extends PlatformCommandOptions, ServerCommandOptions {
  readonly works: boolean
  readonly serves: boolean
  readonly queue?: readonly string[]
  readonly concurrency?: number
  /** In seconds. */
  readonly lease?: number
}

/** How long requests in progress may take when the server stops, in milliseconds. */
const GRACE_MS = 10_000

/**
 * The old generation of the heap at most doubles between two collections. V8's own choice, about four times as much, lets a
 * process that sends a state of 100 MB grow by 130 MB, though it has 40 MB in use (`docs/benchmarks.md`).
 */
const HEAP_GROWTH = '--heap-growing-percent=100'

/** Opens the platform, serves until a signal arrives, and closes it without losing a run (`up`, `server`, `worker`). */
export async function serve(options: ServeOptions, io: Io): Promise<ExitCode> {
  const format = logFormat(options.log, io)
  const log = openPlatformLog(format, io)
  try {
    return await serveWith({ ...options, log: format }, io, log)
  } catch (error) {
    if (format === 'text' || options.json === true) throw error
    const known = error instanceof WaybillError ? error : machineFault(error)
    log('error', messageOf(error), {
      code: known?.code ?? 'INTERNAL',
      ...defined({ hint: known?.details.hint }),
    })
    return known === null ? EXIT.failed : exitOf(known)
  }
}

async function serveWith(options: ServeOptions, io: Io, log: PlatformLog): Promise<ExitCode> {
  setFlagsFromString(HEAP_GROWTH)
  const stopped = untilSignal()
  const { queue, concurrency, lease, publicUrl } = options
  // Before the database starts, which may take a while.
  const address = options.serves ? addressOf(options, io) : undefined
  const platform = platformOptions(options, io, log)
  const tokenFile = platform.databaseUrl === undefined ? join(platform.data, 'admin-token') : undefined
  const keepToken = keeperOf(tokenFile, options, io)
  const runMetrics = new RunMetrics()
  const opened = await openPlatform({
    ...platform,
    upgrades: true,
    measure: (measurement) => runMetrics.record(measurement),
    ...(keepToken !== undefined && { keepToken }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(options.works && {
      worker: {
        ...(queue !== undefined && { queues: queue }),
        ...(concurrency !== undefined && { concurrency }),
        ...(lease !== undefined && { leaseMs: lease * 1000 }),
      },
    }),
  })
  let server: ServerApp | undefined
  try {
    const url =
      address === undefined
        ? undefined
        : await listen(opened, runMetrics, address, log, (app) => (server = app))
    await dropDeadToken(tokenFile, opened)
    report(opened, { url: url && clientUrl(url, options), tokenFile }, options, io, log)
    await stopped
    say('stopping: runs in progress are saved', options, io, log)
    return EXIT.ok
  } finally {
    await server?.close(GRACE_MS)
    await dropDeadToken(tokenFile, opened)
    await opened.close()
  }
}

/** Where and how the server is reached. */
interface Address {
  readonly port: number
  readonly host: string
  readonly trustedProxy: readonly string[]
  readonly publicUrl?: string
  readonly tls?: Tls
}

/** @throws USAGE; the codes of {@link readTls} */
function addressOf(
  { port = 4400, host = '127.0.0.1', trustedProxy = [], publicUrl, cert, key }: ServerCommandOptions,
  io: Io,
): Address {
  if ((cert === undefined) !== (key === undefined))
    throw usageError('--cert and --key belong together', 'give both')
  if (publicUrl !== undefined) assertPublicUrl(publicUrl)
  const tls = cert === undefined || key === undefined ? undefined : readTls({ cert, key }, io)
  return { port, host, trustedProxy, ...defined({ publicUrl, tls }) }
}

/** A server with another value would refuse or fail each request. An empty one is a variable that is not set. @throws USAGE */
function assertPublicUrl(url: string): void {
  if (/^https?:\/\//i.test(url) && URL.canParse(url)) return
  throw usageError(
    `--public-url is ${url === '' ? 'empty' : `not a URL: ${url}`}`,
    'give the URL under which clients reach the server, such as https://waybill.example',
  )
}

async function listen(
  { platform, manifest, database, plaintextStates }: OpenedPlatform,
  runMetrics: RunMetrics,
  { port, host, trustedProxy, publicUrl, tls }: Address,
  log: PlatformLog,
  onCreated: (app: ServerApp) => void,
): Promise<string> {
  assertProtected(
    {
      host,
      tls: tls !== undefined,
      trustedProxies: trustedProxy,
      ...(publicUrl !== undefined && { publicUrl }),
    },
    isLoopback(host) ? null : await firstTokenInForce(database.engine),
  )
  const { createServer } = await import('../../server/create-server.ts')
  const { OPENAI_OPERATIONS } = await import('../../server/openai/openai-operations.ts')
  const app = await createServer(platform, {
    version: productVersion(),
    manifest,
    trustedProxies: trustedProxy,
    plaintextStates,
    runMetrics,
    conformance: asJson(OWN_REPORT),
    furtherOperations: OPENAI_OPERATIONS,
    register: async (fastify, served) => {
      const { registerOpenAi } = await import('../../server/openai/register-openai.ts')
      registerOpenAi(fastify, served, publicUrl === undefined ? {} : { publicUrl })
    },
    log: ({ level, id, message }) => log(level, message, defined({ request_id: id })),
    ...defined({ publicUrl, tls }),
  })
  onCreated(app)
  try {
    return await app.listen({ host, port })
  } catch (cause) {
    throw new WaybillError('PORT_UNAVAILABLE', {
      fault: 'usage',
      message: `port ${port} of ${host} cannot be used: ${messageOf(cause)}`,
      hint: 'stop the program that uses it, or choose another one with --port',
      cause,
    })
  }
}

/** Returns how the admin token is shown: it is kept in a file beside the embedded database, else printed to a terminal. */
function keeperOf(
  file: string | undefined,
  { log }: ServeOptions,
  io: Io,
): ((token: string) => void) | undefined {
  if (file !== undefined) return (token) => writeFileSync(file, `${token}\n`, { mode: 0o600 })
  // A log is kept, and a token must not be in it.
  if (io.errIsTty && log !== 'json') return (token) => io.err(`admin token, shown once: ${token}\n`)
  return undefined
}

/** The certificate of the server is for its public URL. Behind a proxy, `--json` says where the server listens. */
function clientUrl(
  url: string,
  { publicUrl, cert, json }: ServerCommandOptions & { readonly json?: boolean },
): string {
  return publicUrl !== undefined && (cert !== undefined || json !== true)
    ? publicUrl.replace(/\/+$/, '')
    : url
}

/** A token that was revoked is no longer offered. */
async function dropDeadToken(file: string | undefined, { platform }: OpenedPlatform): Promise<void> {
  if (file === undefined || !existsSync(file)) return
  const known = await platform.authenticate(readFileSync(file, 'utf8').trim()).catch(() => undefined)
  if (known === null) rmSync(file, { force: true })
}

function report(
  { hasToken }: OpenedPlatform,
  { url, tokenFile: file }: { readonly url: string | undefined; readonly tokenFile: string | undefined },
  options: ServeOptions,
  io: Io,
  log: PlatformLog,
): void {
  if (options.json === true) {
    const members = {
      ...(url !== undefined && { url }),
      ...(file !== undefined && existsSync(file) && { token_file: file }),
    }
    io.out(`${jsonText({ ready: true, ...members })}\n`)
    return
  }
  if (url === undefined) {
    say('ready: this worker drives runs', options, io, log)
    return
  }
  if (options.log === 'json') {
    log('info', `ready: ${url}`)
    if (!hasToken) log('warn', 'there is no admin token yet: start `waybill server` once in a terminal')
    return
  }
  io.err(`ready: ${url}\n  API   ${url}/docs\n`)
  if (!hasToken) io.err('  there is no admin token yet: start `waybill server` once in a terminal\n')
  if (file !== undefined && existsSync(file))
    io.err(`  token ${file}\n  next  curl -H "Authorization: Bearer $(cat ${file})" ${url}/v1/agents\n`)
}

function say(text: string, options: ServeOptions, io: Io, log: PlatformLog): void {
  if (options.log === 'json') log('info', text)
  else io.err(`${text}\n`)
}

function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
