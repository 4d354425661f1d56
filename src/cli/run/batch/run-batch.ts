import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { sha256OfCanonical } from '../../../document/canonical.ts'
import { WaybillError } from '../../../document/issue.ts'
import type { Json } from '../../../document/json.ts'
import { concurrencyOf } from '../../../plan/concurrency-of.ts'
import { inOrder } from '../../../run/drive/in-order.ts'
import type { FirstFact } from '../../../run/record/records.ts'
import type { RunHeader } from '../../../run/record/run-header.ts'
import { type RunResult, resultOf } from '../../../run/result.ts'
import type { AgentSessions } from '../../../session/agent-sessions.ts'
import type { Session } from '../../../session/session.ts'
import { shortRunId } from '../../../session/short-run-id.ts'
import { withHome } from '../../home.ts'
import type { ExitCode, Io } from '../../io.ts'
import { type RunOptions, wantsJson } from '../../options/run-options.ts'
import { slotOptions, type WaitOptions } from '../../options/wait-option.ts'
import { callerTraceOf, type TraceOptions } from '../../run-session/caller-trace.ts'
import { driveRun, exitOf } from '../../run-session/drive-run.ts'
import { environment } from '../../run-session/parts-from-flags.ts'
import { originOf, sessionsOf } from '../../run-session/run-origin.ts'
import { type RunSetup, setUpRun } from '../../run-session/run-setup.ts'
import { ProgressLine } from '../../run-view/progress-line.ts'
import { printResultLine, resultLine } from '../../run-view/result-line.ts'
import { count, dollars } from '../../terminal/amounts.ts'
import { jsonText } from '../../terminal/plain-text.ts'
import { usageError } from '../../usage-error.ts'
import { type BatchRuns, findBatch } from './find-batch.ts'
import { readBatch } from './read-batch.ts'

interface Options extends RunOptions, TraceOptions, WaitOptions {
  readonly batch: string
  readonly resume?: boolean
  readonly input?: string
  readonly format?: string
}

interface Ended {
  readonly result: RunResult
  readonly exit: ExitCode
  readonly interrupted: boolean
}

type BatchPlace = NonNullable<RunHeader['batch']>

/**
 * Starts one run per input (`waybill run --batch`), at most `runtime.concurrency` (default 1) at a time. Prints one
 * result per line in the order of the inputs, as JSON unless a person reads it, or with `--json` all in one value. `--resume` continues the
 * newest batch of the same inputs; finished runs are not repeated.
 */
export async function runBatchFile(file: string, options: Options, given: Io): Promise<ExitCode> {
  assertUsable(file, options)
  const progress = new ProgressLine(given, !wantsJson(options))
  const { io } = progress
  return withHome(
    io,
    async (home, env) => {
      const setup = await setUpRun(file, { options, io, home, env }, { starts: true })
      const { plan } = setup.program
      const inputs = await readBatch(options.batch, io)
      const key = batchKey(setup, options, inputs, io)
      const previous = options.resume === true ? await findBatch(home, key, inputs) : undefined
      const id = previous?.id ?? uuidv7()
      const trace = callerTraceOf(options, env)
      const sessions = sessionsOf(setup, io)
      const results: RunResult[] = []
      const exits: ExitCode[] = []
      let interrupted = false
      let active = 0
      let finished = 0
      const showProgress = () => {
        const text = `${finished} of ${count(inputs.length, 'input')} finished, ${active} active`
        progress.show(active === 0 ? null : text)
      }
      try {
        await inOrder(
          inputs.map((input, index) => ({ input, index })),
          {
            limit: concurrencyOf(plan.limits, true) ?? 1,
            mayStartNext: () => !interrupted,
            work: async ({ input, index }) => {
              active++
              showProgress()
              const first: FirstFact = { type: 'run.started', input, ...trace }
              const ended = await runOne(setup, sessions, first, { id, key, index }, previous, options, io)
              interrupted ||= ended.interrupted
              active--
              finished++
              showProgress()
              return { ...ended, short: await shortRunId(home, ended.result.run_id) }
            },
            deliver: ({ result, exit, short }, index) => {
              results.push(result)
              exits.push(exit)
              const place = `${index + 1}/${inputs.length}`
              if (wantsJson(options)) io.err(resultLine(place, result, short, io))
              else printResultLine(place, result, short, io)
            },
          },
        )
      } finally {
        progress.close()
        await sessions.close()
      }
      if (wantsJson(options)) io.out(`${jsonText({ results })}\n`)
      io.err(`${summary(results, inputs.length)}\n`)
      return Math.max(...exits) as ExitCode
    },
    environment(options, io),
  )
}

function assertUsable(file: string, { batch, resume }: Options): void {
  if (batch !== '-') return
  if (file === '-') {
    throw new WaybillError('INPUT_AMBIGUOUS', {
      fault: 'usage',
      message: 'both the definition and the inputs come from standard input',
      hint: 'use a file for one of them',
    })
  }
  if (resume !== true) return
  throw usageError(
    'a batch from standard input cannot be resumed, because it has no file name',
    'write the inputs to a file, and use --batch FILE',
  )
}

/** Returns the key of a batch: equal for the same agent, file and inputs, so that `--resume` finds the batch. */
function batchKey(
  { definition, file }: RunSetup,
  { batch }: Options,
  inputs: readonly Json[],
  io: Io,
): string {
  const path = batch === '-' ? null : realpathSync(resolve(io.cwd, batch))
  return sha256OfCanonical({
    agent: file ?? definition.agent_id ?? null,
    batch: path,
    inputs: [...inputs],
  })
}

/** Starts the run of one input, or continues its recorded run. */
async function runOne(
  setup: RunSetup,
  sessions: AgentSessions,
  first: FirstFact,
  batch: BatchPlace,
  previous: BatchRuns | undefined,
  options: Options,
  io: Io,
): Promise<Ended> {
  const before = previous?.runs.get(batch.index)
  if (before !== undefined) {
    const { plan, state } = await setup.home.runs.read(before)
    if (state.end !== null) return ended(resultOf(plan, state), false)
  }
  const session =
    before === undefined
      ? await sessions.start(first, { ...originOf(setup, options, io), batch })
      : await sessions.open(before)
  return drive(session, options, io)
}

async function drive(session: Session, options: Options, io: Io): Promise<Ended> {
  try {
    const { result, interrupted } = await driveRun(
      session,
      {},
      slotOptions(session.run.plan, { ...options, unattended: true }, io),
    )
    return ended(result, interrupted)
  } finally {
    await session.close()
  }
}

function ended(result: RunResult, interrupted: boolean): Ended {
  return { result, exit: exitOf({ result, interrupted }), interrupted }
}

function summary(results: readonly RunResult[], of: number): string {
  const tally = new Map<string, number>()
  for (const { status } of results) tally.set(status, (tally.get(status) ?? 0) + 1)
  const rest = of - results.length
  const parts = [
    ...[...tally].map(([status, amount]) => `${amount} ${status.replaceAll('_', ' ')}`),
    ...(rest > 0 ? [`${rest} not started`] : []),
  ]
  const rehearsed = results.some(({ rehearsal }) => rehearsal) ? ' (rehearsal)' : ''
  return `${count(of, 'input')}: ${parts.join(', ')}${costOf(results)}${rehearsed}`
}

/** Returns the cost of all runs that asked a model, and how many of them have no known cost. */
function costOf(results: readonly RunResult[]): string {
  const costs = results
    .filter(({ rehearsal, usage }) => !rehearsal && usage.llm_calls > 0)
    .map(({ usage }) => usage.cost_usd)
  if (costs.length === 0) return ''
  const sum = costs.reduce<number>((total, usd) => total + (usd ?? 0), 0)
  const unknown = costs.filter((usd) => usd === null).length
  if (unknown === 0) return `, ${dollars(sum)}`
  return sum === 0 ? ', cost unknown' : `, ${dollars(sum)} and the unknown cost of ${count(unknown, 'run')}`
}
