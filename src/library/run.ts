import type { Json } from '../document/json.ts'
import { concurrencyOf } from '../plan/concurrency-of.ts'
import type { Plan } from '../plan/plan.ts'
import { type PlanFile, planFileOf } from '../plan/plan-file.ts'
import { inOrder } from '../run/drive/in-order.ts'
import type { RunResult } from '../run/result.ts'
import { assertOptions, type OptionNames, pickOptions } from './assert-options.ts'
import {
  closingWith,
  DRIVE_OPTIONS,
  type DriveOptions,
  STREAM_OPTIONS,
  type StartedRun,
  type StreamOptions,
} from './drive-session.ts'
import { type AgentSource, givenAgent } from './given-agent.ts'
import { AGENT_RUN_OPTIONS, type Agent, openChecked } from './open-agent.ts'
import { useHome } from './open-home.ts'
import { inOptions, withOptionHints } from './option-hints.ts'
import { PLAN_OPTIONS, type PlanOptions } from './options.ts'
import { prepareAgent, reviewedMeaning } from './prepare-agent.ts'

export interface RunOptions extends PlanOptions, DriveOptions {
  readonly input?: Json
  /** The W3C `traceparent` of the request that this run is part of. An invalid one is ignored. */
  readonly traceParent?: string
  /** Its W3C `tracestate`, which is passed on. An invalid one is ignored. */
  readonly traceState?: string
}

const RUN_OPTIONS: OptionNames<RunOptions> = {
  ...PLAN_OPTIONS,
  ...DRIVE_OPTIONS,
  input: true,
  traceParent: true,
  traceState: true,
}
const STARTED_OPTIONS: OptionNames<RunOptions & StreamOptions> = { ...RUN_OPTIONS, ...STREAM_OPTIONS }

/**
 * Plans a run without running it: what it may do, what is not enforced, and why.
 * @throws as {@link openAgent}
 */
export async function planRun(from: AgentSource, options: PlanOptions = {}): Promise<Plan> {
  // The options of a run plan it too.
  assertOptions('planRun', options, { names: STARTED_OPTIONS })
  return inOptions(() =>
    prepared(from, options, ({ prepared: { program } }) => withOptionHints(program.plan)),
  )
}

/**
 * Plans a run for a review: returns the file that `waybill plan --out` writes, as data. A run with the option `plan`
 * is then refused unless it is the one that was reviewed.
 */
export async function reviewPlan(from: AgentSource, options: PlanOptions = {}): Promise<PlanFile> {
  assertOptions('reviewPlan', options, { names: STARTED_OPTIONS })
  return inOptions(() =>
    prepared(from, options, async ({ parts, prepared, folder }) =>
      planFileOf(await reviewedMeaning(parts, prepared, folder), prepared.program.hash),
    ),
  )
}

/** Plans an agent in its home, and passes the plan on before the home is closed. */
async function prepared<T>(
  from: AgentSource,
  options: PlanOptions,
  act: (ready: Awaited<ReturnType<typeof prepareAgent>>) => T | Promise<T>,
): Promise<T> {
  const { home, release } = await useHome(options)
  try {
    return await act(await prepareAgent(await givenAgent(from, options), home, options))
  } finally {
    await release()
  }
}

/**
 * Runs an agent once and returns its result. A run that fails is a result as well (`status`, `error`); only an
 * error that prevents it from starting is thrown. For more than one run, {@link openAgent} plans once.
 * @throws as {@link openAgent}
 */
export async function run(from: AgentSource, options: RunOptions = {}): Promise<RunResult> {
  assertOptions('run', options, { names: RUN_OPTIONS })
  return withAgent(from, options, (agent) => agent.run(options.input, ofRun(options)))
}

/**
 * Starts a run, and returns its events, text and controls while it is in progress.
 * @throws an error that prevents it from starting; a later error rejects `result`
 */
export async function startRun(
  from: AgentSource,
  options: RunOptions & StreamOptions = {},
): Promise<StartedRun> {
  assertOptions('startRun', options, { names: STARTED_OPTIONS })
  const agent = await openChecked(from, options)
  return closingWith(agent.close, () => agent.start(options.input, ofRun(options)))
}

export interface BatchOptions extends Omit<RunOptions, 'input'> {
  /** Called with each result as soon as the results of all earlier inputs are available. */
  readonly onResult?: (result: RunResult, index: number) => void
}

const { input: _input, ...EACH_RUN } = RUN_OPTIONS
const BATCH_OPTIONS: OptionNames<BatchOptions> = { ...EACH_RUN, onResult: true }

/**
 * Runs an agent once for each input, at most `runtime.concurrency` (default 1) at a time, and returns the results
 * in the order of the inputs. The agent is planned once.
 * @throws an error that prevents one of the runs from starting, after the runs in progress have finished
 */
export async function runBatch(
  from: AgentSource,
  inputs: readonly Json[],
  options: BatchOptions = {},
): Promise<readonly RunResult[]> {
  assertOptions('runBatch', options, { names: BATCH_OPTIONS })
  const { onResult } = options
  return withAgent(from, options, async (agent) => {
    const results: RunResult[] = []
    await inOrder(inputs, {
      limit: concurrencyOf(agent.plan.limits, true) ?? 1,
      work: (input) => agent.run(input, { unattended: true, ...ofRun(options) }),
      deliver: (result, index) => {
        results.push(result)
        onResult?.(result, index)
      },
    })
    return results
  })
}

/** Returns the options of one run: the others are those of its agent. */
function ofRun(options: RunOptions & StreamOptions) {
  return pickOptions(options, { ...AGENT_RUN_OPTIONS, ...STREAM_OPTIONS })
}

async function withAgent<T>(
  from: AgentSource,
  options: PlanOptions,
  act: (agent: Agent) => Promise<T>,
): Promise<T> {
  const agent = await openChecked(from, options)
  try {
    return await act(agent)
  } finally {
    await agent.close()
  }
}
