import type { Json } from '../document/json.ts'
import { concurrencyOf } from '../plan/concurrency-of.ts'
import type { Plan } from '../plan/plan.ts'
import { type PlanFile, planFileOf } from '../plan/plan-file.ts'
import { inOrder } from '../run/drive/in-order.ts'
import type { RunResult } from '../run/result.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import { closingWith, type DriveOptions, type StartedRun, type StreamOptions } from './drive-session.ts'
import { type Agent, openAgent } from './open-agent.ts'
import { useHome } from './open-home.ts'
import { inOptions, withOptionHints } from './option-hints.ts'
import type { PlanOptions } from './options.ts'
import { prepareAgent, reviewedMeaning } from './prepare-agent.ts'

export interface RunOptions extends PlanOptions, DriveOptions {
  readonly input?: Json
  /** The W3C `traceparent` of the request that this run is part of. An invalid one is ignored. */
  readonly traceParent?: string
  /** Its W3C `tracestate`, which is passed on. An invalid one is ignored. */
  readonly traceState?: string
}

/** Plans a run without running it: what it may do, what is not enforced, and why. */
export async function planRun(definition: AgentDefinition, options: PlanOptions = {}): Promise<Plan> {
  const { home, release } = await useHome(options)
  try {
    const { prepared } = await inOptions(() => prepareAgent({ definition }, home, options))
    return withOptionHints(prepared.program.plan)
  } finally {
    await release()
  }
}

/**
 * Plans a run for a review: returns the file that `waybill plan --out` writes, as data. A run with the option `plan`
 * is then refused unless it is the one that was reviewed.
 */
export async function reviewPlan(definition: AgentDefinition, options: PlanOptions = {}): Promise<PlanFile> {
  const { home, release } = await useHome(options)
  try {
    const { parts, prepared } = await prepareAgent({ definition }, home, options)
    return planFileOf(await reviewedMeaning(parts, prepared, options.folder), prepared.program.hash)
  } finally {
    await release()
  }
}

/**
 * Runs an agent once and returns its result. A run that fails is a result as well (`status`, `error`); only an
 * error that prevents it from starting is thrown. For more than one run, {@link openAgent} plans once.
 * @throws WaybillError if the options or the definition's schemas cannot be used
 */
export async function run(definition: AgentDefinition, options: RunOptions = {}): Promise<RunResult> {
  return withAgent(definition, options, (agent) => agent.run(options.input, options))
}

/**
 * Starts a run, and returns its events, text and controls while it is in progress.
 * @throws an error that prevents it from starting; a later error rejects `result`
 */
export async function startRun(
  definition: AgentDefinition,
  options: RunOptions & StreamOptions = {},
): Promise<StartedRun> {
  const agent = await openAgent(definition, options)
  return closingWith(agent.close, () => agent.start(options.input, options))
}

export interface BatchOptions extends Omit<RunOptions, 'input'> {
  /** Called with each result as soon as the results of all earlier inputs are available. */
  readonly onResult?: (result: RunResult, index: number) => void
}

/**
 * Runs an agent once for each input, at most `runtime.concurrency` (default 1) at a time, and returns the results
 * in the order of the inputs. The agent is planned once.
 * @throws an error that prevents one of the runs from starting, after the runs in progress have finished
 */
export async function runBatch(
  definition: AgentDefinition,
  inputs: readonly Json[],
  { onResult, ...options }: BatchOptions = {},
): Promise<readonly RunResult[]> {
  return withAgent(definition, options, async (agent) => {
    const results: RunResult[] = []
    await inOrder(inputs, {
      limit: concurrencyOf(agent.plan.limits, true) ?? 1,
      work: (input) => agent.run(input, { unattended: true, ...options }),
      deliver: (result, index) => {
        results.push(result)
        onResult?.(result, index)
      },
    })
    return results
  })
}

async function withAgent<T>(
  definition: AgentDefinition,
  options: PlanOptions,
  act: (agent: Agent) => Promise<T>,
): Promise<T> {
  const agent = await openAgent(definition, options)
  try {
    return await act(agent)
  } finally {
    await agent.close()
  }
}
