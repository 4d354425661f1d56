import { assertFunctions } from '../../compose/functions.ts'
import { WaybillError } from '../../document/issue.ts'
import { inOrder } from '../../run/drive/in-order.ts'
import type { Fact } from '../../run/event.ts'
import type { RunResult } from '../../run/result.ts'
import { callerTraceOf, type TraceOptions } from '../caller-trace.ts'
import { driveRun, exitOf } from '../drive-run.ts'
import type { ExitCode, Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../run-options.ts'
import { type RunSetup, setUpRun } from '../run-setup.ts'
import { startRun } from '../start-run.ts'
import { takeSlot, type WaitOptions } from '../take-slot.ts'
import { count } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { readBatch } from './read-batch.ts'

interface Options extends RunOptions, TraceOptions, WaitOptions {
  readonly batch: string
  readonly input?: string
  readonly format?: string
}

interface Ended {
  readonly result: RunResult
  readonly exit: ExitCode
  readonly interrupted: boolean
}

/**
 * `waybill run --batch`: one run for each input, no more at a time than `runtime.concurrency` (1 when it says
 * nothing). Standard output gets one result a line, in the order of the inputs; with `--json` all in one value.
 */
export async function runBatch(file: string, options: Options, io: Io): Promise<ExitCode> {
  if (file === '-' && options.batch === '-') {
    throw new WaybillError('INPUT_AMBIGUOUS', {
      fault: 'usage',
      message: 'both the definition and the inputs come from standard input',
      hint: 'name a file for one of them',
    })
  }
  const setup = await setUpRun(file, options, io, { pin: true })
  const { plan } = setup.program
  const inputs = await readBatch(options.batch, io)
  const trace = callerTraceOf(options, setup.parts.env)
  assertFunctions(plan, setup.parts)
  const results: RunResult[] = []
  const exits: ExitCode[] = []
  let interrupted = false
  await inOrder(inputs, {
    limit: plan.limits.concurrency ?? 1,
    goesOn: () => !interrupted,
    work: async (input) => {
      const ended = await runOne(setup, { type: 'run.started', input, ...trace }, options, io)
      interrupted ||= ended.interrupted
      return ended
    },
    deliver: ({ result, exit }, index) => {
      results.push(result)
      exits.push(exit)
      if (!wantsJson(options)) io.out(`${jsonText(result)}\n`)
      io.err(progressLine(result, index, inputs.length, io))
    },
  })
  if (wantsJson(options)) io.out(`${jsonText({ results })}\n`)
  io.err(`${summary(results, inputs.length)}\n`)
  return Math.max(...exits) as ExitCode
}

async function runOne(setup: RunSetup, first: Fact, options: Options, io: Io): Promise<Ended> {
  const release = await takeSlot(setup.program.plan, options, io)
  const run = startRun(setup, options, io)
  try {
    const driven = await driveRun(run, first, setup.parts, {})
    return { result: driven.result, exit: exitOf(driven), interrupted: driven.interrupted }
  } finally {
    run.close()
    release()
  }
}

function progressLine({ run_id, status, error }: RunResult, index: number, of: number, io: Io): string {
  const paint = painter(io.color)
  const why = error === undefined ? '' : ` ${plainLine(`${error.code} ${error.message}`, 200)}`
  const tone = status === 'completed' ? 'good' : 'warn'
  return `${index + 1}/${of} ${paint(tone, status.replaceAll('_', ' '))} ${paint('faint', run_id)}${why}\n`
}

function summary(results: readonly RunResult[], of: number): string {
  const tally = new Map<string, number>()
  for (const { status } of results) tally.set(status, (tally.get(status) ?? 0) + 1)
  const rest = of - results.length
  const parts = [
    ...[...tally].map(([status, amount]) => `${amount} ${status.replaceAll('_', ' ')}`),
    ...(rest > 0 ? [`${rest} not begun`] : []),
  ]
  const rehearsed = results.some(({ rehearsal }) => rehearsal) ? ' in rehearsal' : ''
  return `${count(of, 'input')}: ${parts.join(', ')}${rehearsed}`
}
