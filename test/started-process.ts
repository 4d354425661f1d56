import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

/** The folder of the programs that the runner has bundled, in a run of the whole suite. */
export const PROGRAMS = process.env.WAYBILL_TEST_PROGRAMS

export const BIN = join(PROGRAMS ?? join(import.meta.dirname, '..'), 'bin/waybill')

/** A running command in its own process. */
export interface Started {
  readonly child: ChildProcess
  /** Its output so far. */
  out(): string
  err(): string
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

export function startProcess(
  argv: readonly string[],
  options: {
    readonly cwd?: string
    readonly uid?: number | undefined
    readonly gid?: number | undefined
    readonly env: Readonly<Record<string, string | undefined>>
  },
): Started {
  const child = spawn(BIN, argv, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<number | string>((resolve) =>
    child.on('close', (code, signal) => resolve(code ?? signal ?? 'gone')),
  )
  return { child, out: () => out, err: () => err, ended }
}
