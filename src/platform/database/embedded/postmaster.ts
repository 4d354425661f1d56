import { type ChildProcess, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataFolder } from './data-folder.ts'
import type { Programs } from './programs.ts'
import { giveTo } from './server-user.ts'

/** The main process of a PostgreSQL server, as its file in the data says. */
export interface Postmaster {
  readonly pid: number
  readonly port: number
}

const FAST_STOP_MS = 20_000
const IMMEDIATE_STOP_MS = 10_000

/** Returns the server that runs on the data, or null. */
export function runningOn(data: string): Postmaster | null {
  const path = join(data, 'postmaster.pid')
  if (!existsSync(path)) return null
  const [pid = Number.NaN, , , port = Number.NaN] = readFileSync(path, 'utf8').split('\n').map(Number)
  return isRunning(pid, data) ? { pid, port } : null
}

/** Returns whether a process is the PostgreSQL server of the data: pids are reused, and a zombie has ended. */
export function isRunning(pid: number, data: string): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false
  if (process.platform !== 'linux') return answersSignals(pid)
  try {
    const [, name, state] = /\((.*)\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    if (name !== 'postgres' || state === 'Z' || state === 'X') return false
  } catch {
    return false
  }
  try {
    // The server works in the folder of its data.
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch (error) {
    // Root without CAP_SYS_PTRACE, as in many containers, may not read it. If the process has just ended, it is gone.
    return error instanceof Error && 'code' in error && error.code === 'EACCES'
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Starts the server. It lives on if this process ends without stopping it. */
export function launch(
  folder: DataFolder,
  programs: Programs,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  ignoreReusedPid(folder)
  if (existsSync(folder.log)) renameSync(folder.log, `${folder.log}.1`)
  const log = openSync(folder.log, 'w', 0o600)
  giveTo(folder.user, folder.log)
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(programs.postgres, ['-D', folder.data, ...args], {
    ...folder.user,
    cwd: folder.data,
    env: programs.env,
    stdio: ['ignore', log, log],
    // A group of its own: Ctrl-C in a terminal must reach this process only, which then stops the server.
    detached: true,
  })
  child.once('error', () => {})
  child.unref()
  closeSync(log)
  return child
}

/**
 * PostgreSQL refuses to start if any process has the pid in the file, also one that has only got the same number. It
 * accepts its parent's pid, so that replaces the reused one. The file remains, because its other lines protect the
 * data: with them, the server waits for the last processes of a server that was killed.
 */
function ignoreReusedPid({ data }: DataFolder): void {
  const path = join(data, 'postmaster.pid')
  if (!existsSync(path)) return
  const [, ...rest] = readFileSync(path, 'utf8').split('\n')
  writeFileSync(path, [process.pid, ...rest].join('\n'))
}

/** Ends the server: its clients are disconnected, and its data are consistent. @returns false if it still runs */
export async function end(pid: number, data: string): Promise<boolean> {
  for (const [signal, ms] of [
    ['SIGINT', FAST_STOP_MS],
    // Without the last checkpoint: the next start repeats the log.
    ['SIGQUIT', IMMEDIATE_STOP_MS],
  ] as const) {
    const deadline = performance.now() + ms
    signalTo(pid, data, signal)
    while (isRunning(pid, data) && performance.now() < deadline) await sleep(20)
  }
  return !isRunning(pid, data)
}

function signalTo(pid: number, data: string, signal: NodeJS.Signals): void {
  try {
    if (isRunning(pid, data)) process.kill(pid, signal)
  } catch {
    // It has ended since.
  }
}

/** Returns the port if a server can listen on it, else null. Port 0 selects any free port. */
export function freePort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : null))
    })
  })
}
