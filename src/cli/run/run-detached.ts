import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { v7 as uuidv7 } from 'uuid'
import type { ErrorObject } from '../../document/issue.ts'
import type { Home } from '../../session/home.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { errorText } from '../report-error.ts'
import { readInputText } from '../run-session/run-input.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface Options extends RunOptions {
  readonly input?: string
  readonly format?: string
}

const LOOK_MS = 30
const LAUNCHER = join(import.meta.dirname, '../../../bin/main.mjs')
/** Options that are not passed on to the background process. */
const OWN = new Set(['detach', 'input', 'json', 'format', 'events', 'batch', 'runId'])

/**
 * Starts a run in a background process that outlives this process and the terminal (`waybill run --detach`). Prints the
 * id as soon as the run is recorded. An error before that is printed here.
 */
export async function runDetached(
  file: string,
  options: Options,
  command: Command,
  io: Io,
): Promise<ExitCode> {
  if (file === '-') {
    throw usageError(
      '--detach needs a definition file: the background process cannot read standard input',
      'give the definition as a file',
    )
  }
  const text = await readInputText(options.input, io, false)
  // Without an input, the background process decides whether the agent needs one.
  const input = text === undefined ? [] : ['--input', '-']
  const run_id = uuidv7()
  const child = spawn(
    process.execPath,
    // See bin/waybill for the "--".
    ['--', LAUNCHER, 'run', file, ...flagsOf(command), '--json', '--run-id', run_id, ...input],
    { cwd: io.cwd, env: io.env as NodeJS.ProcessEnv, detached: true, stdio: ['pipe', 'pipe', 'ignore'] },
  )
  child.stdin?.on('error', () => {})
  child.stdin?.end(text ?? '')
  const early = await withHome(io, (home) => begun(child, home, run_id))
  if (early !== null) return tellEarly(early, options, io)
  child.unref()
  child.stdout?.destroy()
  if (wantsJson(options)) io.out(`${jsonText({ run_id, status: 'running', pid: child.pid })}\n`)
  else {
    io.out(`${run_id}\n`)
    const short = await withHome(io, (home) => shortRunId(home, run_id))
    io.err(`running in the background, process ${child.pid}\n  next waybill runs show ${short}\n`)
  }
  return EXIT.ok
}

interface Early {
  readonly code: number
  readonly out: string
}

/** Waits until the run is recorded (returns null) or its process has ended (returns its exit). */
async function begun(child: ChildProcess, { runs }: Home, runId: string): Promise<Early | null> {
  let out = ''
  child.stdout?.on('data', (chunk) => {
    out += chunk
  })
  let ended: Early | null = null
  child.on('close', (code) => {
    ended = { code: code ?? EXIT.failed, out }
  })
  for (;;) {
    if (ended !== null) return ended
    // The record contains the input, so from now on the run can be resumed even if its process crashes.
    if (await runs.has(runId)) return null
    await sleep(LOOK_MS)
  }
}

/** Reports that the background process ended before the run was recorded; prints its output. */
function tellEarly({ code, out }: Early, options: Options, io: Io): ExitCode {
  if (wantsJson(options)) io.out(out)
  else io.err(earlyText(out, io))
  return code as ExitCode
}

function earlyText(out: string, io: Io): string {
  const { error } = JSON.parse(out === '' ? '{}' : out) as { readonly error?: ErrorObject }
  return error === undefined
    ? `the background process ended at once: ${out.trim()}\n`
    : errorText(error, io.color)
}

/** Returns the flags of this command line for the background process. */
function flagsOf(command: Command): readonly string[] {
  return command.options.flatMap((option): readonly string[] => {
    const name = option.attributeName()
    const value: unknown = command.getOptionValue(name)
    if (OWN.has(name) || value === undefined || option.long === undefined || option.long === null) return []
    if (command.getOptionValueSource(name) === 'default') return []
    if (option.negate) return value === false ? [option.long] : []
    if (value === true) return [option.long]
    if (value === false) return []
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return values.map((one) => `${option.long}=${String(one)}`)
  })
}
