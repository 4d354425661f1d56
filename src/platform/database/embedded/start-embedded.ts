import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { messageOf } from '../../../document/message-of.ts'
import {
  claimFolder,
  type DataFolder,
  ensureData,
  openFolder,
  readPassword,
  readPort,
  writePort,
} from './data-folder.ts'
import { exclusively, type SharedLock, share } from './folder-locks.ts'
import { notEmbedded, notStarted, onFiles } from './not-embedded.ts'
import { end, freePort, isRunning, launch, type Postmaster, runningOn } from './postmaster.ts'
import { findPrograms, type Programs } from './programs.ts'
import { SETTINGS } from './settings.ts'

/** A PostgreSQL server that this process has started, or found running. */
export interface EmbeddedPostgres {
  /** The URL of the owner of the platform's database; it remains valid when the server is restarted. */
  readonly url: string
  /** The folder of the server's data. */
  readonly data: string
  readonly pid: number
  /** Stops the server, unless another Waybill process uses it; clients are disconnected. */
  stop(): Promise<void>
}

/** A change of the running server that the operator should know of. */
export type EmbeddedEvent =
  | { readonly kind: 'died'; readonly pid: number }
  | { readonly kind: 'restarted'; readonly pid: number }
  /** It could not be restarted; the next attempt follows. */
  | { readonly kind: 'failed'; readonly error: Error; readonly nextInMs: number }

export interface EmbeddedOptions {
  /** Settings of the server that replace the defaults. */
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of the package with the programs; default: the optional package for this system. */
  readonly programs?: string
  readonly onEvent?: (event: EmbeddedEvent) => void
}

const DATABASE = 'waybill'
const OWNER = 'waybill_owner'
/** Without an answer for this long, a start has failed. The time in which the server repeats its log does not count. */
const START_MS = 30_000
/** Another process may start or stop the server meanwhile. */
const LOCK_MS = 90_000
const WATCH_MS = 250
const FIRST_BACKOFF_MS = 100
const MOST_BACKOFF_MS = 10_000

/**
 * Starts PostgreSQL on a folder, or adopts the server that runs there, and restarts it if it dies. A server lives on if
 * its Waybill process is killed; several processes may use it.
 * @throws DATABASE_NOT_EMBEDDED if the optional package is missing, the folder cannot be used, or the server does not
 * start
 */
export async function startEmbedded(
  folder: string,
  options: EmbeddedOptions = {},
): Promise<EmbeddedPostgres> {
  const opened = onFiles(folder, () => openFolder(folder))
  const supervisor = new Supervisor(opened, options)
  await supervisor.start()
  return supervisor
}

class Supervisor implements EmbeddedPostgres {
  readonly #folder: DataFolder
  readonly #options: EmbeddedOptions
  #server: Postmaster = { pid: 0, port: 0 }
  #password = ''
  #use: SharedLock | undefined
  #watch: NodeJS.Timeout | undefined
  #stopped: Promise<void> | undefined

  constructor(folder: DataFolder, options: EmbeddedOptions) {
    this.#folder = folder
    this.#options = options
  }

  get url(): string {
    return `postgres://${OWNER}:${this.#password}@127.0.0.1:${this.#server.port}/${DATABASE}`
  }

  get data(): string {
    return this.#folder.data
  }

  get pid(): number {
    return this.#server.pid
  }

  async start(): Promise<void> {
    await this.#alone(async () => {
      onFiles(this.#folder.root, () => claimFolder(this.#folder))
      this.#server = await this.#ensureRunning(null)
      await createDatabase(this.#adminUrl(this.#server.port), this.#password)
      this.#use = share(this.#folder.users)
    })
    this.#watchNext(WATCH_MS, FIRST_BACKOFF_MS)
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#watch)
    await this.#alone(async () => {
      if (this.#use?.release() === false) return
      const { pid } = runningOn(this.data) ?? this.#server
      if (await end(pid, this.data)) return
      throw notEmbedded(`the embedded PostgreSQL (pid ${pid}) does not stop`, `end process ${pid}`, 'failed')
    })
  }

  #watchNext(ms: number, backoffMs: number): void {
    this.#watch = setTimeout(() => void this.#check(backoffMs), ms).unref()
  }

  /** Restarts the server on the same port if it has died: clients keep their URL, and connect again. */
  async #check(backoffMs: number): Promise<void> {
    if (isRunning(this.pid, this.data)) return this.#watchNext(WATCH_MS, FIRST_BACKOFF_MS)
    if (backoffMs === FIRST_BACKOFF_MS) this.#report({ kind: 'died', pid: this.pid })
    try {
      await this.#alone(async () => {
        if (this.#stopped === undefined) this.#server = await this.#ensureRunning(this.#server.port)
      })
      if (this.#stopped !== undefined) return
      this.#report({ kind: 'restarted', pid: this.pid })
      this.#watchNext(WATCH_MS, FIRST_BACKOFF_MS)
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(messageOf(cause))
      if (this.#stopped !== undefined) return
      this.#report({ kind: 'failed', error, nextInMs: backoffMs })
      this.#watchNext(backoffMs, Math.min(2 * backoffMs, MOST_BACKOFF_MS))
    }
  }

  #report(event: EmbeddedEvent): void {
    this.#options.onEvent?.(event)
  }

  /** @param port - the only port that may be used, or null */
  async #ensureRunning(port: number | null): Promise<Postmaster> {
    const found = onFiles(this.#folder.root, () => runningOn(this.data))
    if (found === null) return this.#launch(port)
    this.#password = readPassword(this.#folder)
    await this.#ready(found, null)
    if (port === null || port === found.port) return found
    throw notEmbedded(
      `the embedded PostgreSQL now runs on port ${found.port} instead of ${port}`,
      'start Waybill again',
      'failed',
    )
  }

  async #launch(port: number | null): Promise<Postmaster> {
    const programs = onFiles(this.#folder.root, () => {
      const { links, user } = this.#folder
      const found = findPrograms(links, user, this.#options.programs)
      ensureData(this.#folder, found, this.#options.settings?.fsync !== 'off')
      this.#password = readPassword(this.#folder)
      return found
    })
    const last = readPort(this.#folder)
    for (let attempt = 1; ; attempt++) {
      const free = (attempt === 1 && last !== null ? await freePort(last) : null) ?? (await freePort(0))
      const server = await this.#launchOn(port ?? free ?? 0, programs)
      if (server !== null) return server
      // Another program took the port after it was found free.
      if (port !== null || attempt === 3) throw notStarted(this.#folder.root, this.#lastOutput())
    }
  }

  /** @returns null if another program uses the port */
  async #launchOn(port: number, programs: Programs): Promise<Postmaster | null> {
    const child = onFiles(this.#folder.root, () => {
      writePort(this.#folder, port)
      return launch(this.#folder, programs, { ...SETTINGS, port: String(port), ...this.#options.settings })
    })
    const server = { pid: child.pid ?? 0, port }
    try {
      await this.#ready(server, child)
      return server
    } catch (error) {
      await end(server.pid, this.data)
      if (/Address already in use/.test(this.#lastOutput())) return null
      throw error
    }
  }

  /** Waits until the server answers a query. */
  async #ready({ pid, port }: Postmaster, child: ChildProcess | null): Promise<void> {
    let deadline = performance.now() + START_MS
    for (;;) {
      const answer = await ask(this.#adminUrl(port))
      if (answer.data !== undefined) {
        if (realpathSync(answer.data) === realpathSync(this.data)) return
        throw notEmbedded(
          `port ${port} belongs to the PostgreSQL of ${answer.data}`,
          `stop that server`,
          'failed',
        )
      }
      if (answer.code === INVALID_PASSWORD)
        throw notEmbedded(
          `the PostgreSQL that runs on ${this.data} (pid ${pid}) refuses the password in ${this.#folder.root}/password`,
          `restore that file from a backup of the folder`,
        )
      // Accepts no queries yet: it repeats its log after a crash, which may take long.
      if (answer.code === CANNOT_CONNECT_NOW) deadline = performance.now() + START_MS
      if (
        (child !== null && (child.exitCode !== null || child.signalCode !== null)) ||
        !isRunning(pid, this.data)
      )
        throw notStarted(this.#folder.root, this.#lastOutput())
      if (performance.now() > deadline)
        throw notEmbedded(
          `the embedded PostgreSQL (pid ${pid}) does not answer: ${answer.message}`,
          `end process ${pid}, and start Waybill again`,
          'failed',
        )
      await sleep(answer.code === CANNOT_CONNECT_NOW ? 100 : 30)
    }
  }

  #lastOutput(): string {
    return existsSync(this.#folder.log) ? readFileSync(this.#folder.log, 'utf8') : ''
  }

  #adminUrl(port: number): string {
    return `postgres://postgres:${this.#password}@127.0.0.1:${port}/postgres`
  }

  async #alone(act: () => Promise<void>): Promise<void> {
    const done = await exclusively(this.#folder.lock, LOCK_MS, act).catch((error: unknown) => {
      // The file of the lock cannot be opened.
      throw error instanceof Error && 'errcode' in error
        ? notStarted(this.#folder.root, error.message, error)
        : error
    })
    if (done !== null) return
    throw notEmbedded(
      `another process has been starting or stopping the PostgreSQL in ${this.#folder.root} for ${LOCK_MS / 1000} s`,
      'end that process',
      'failed',
    )
  }
}

const INVALID_PASSWORD = '28P01'
const CANNOT_CONNECT_NOW = '57P03'

interface Answer {
  /** The data folder of the server that answers. */
  readonly data?: string
  readonly code?: string
  readonly message: string
}

async function ask(url: string): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000, query_timeout: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
    return { data: rows[0]?.data_directory ?? '', message: 'it answers' }
  } catch (error) {
    return {
      message: messageOf(error),
      ...(error instanceof pg.DatabaseError && error.code !== undefined && { code: error.code }),
    }
  } finally {
    await client.end().catch(() => {})
  }
}

async function createDatabase(admin: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: admin })
  client.on('error', () => {})
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
