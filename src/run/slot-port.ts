import { WaybillError } from '../document/issue.ts'
import type { Plan } from '../plan/plan.ts'
import type { Later } from './record/records.ts'

/** A run, as whoever counts the runs of its agent knows it. */
export interface SlotRun {
  readonly agent_id: string
  readonly run_id: string
}

export interface SlotOptions {
  /** The run that takes it. */
  readonly run_id: string
  /** The runs that wait for this one and keep their own slots meanwhile, the root first. */
  readonly above?: readonly SlotRun[]
  readonly signal?: AbortSignal
}

/** Limits how many runs of an agent there are at a time (AAIF §4.6 runtime.concurrency). */
export interface Slots {
  /**
   * Takes a slot for a run of this plan.
   * @returns what gives the slot back
   * @throws WaybillError when the run may not have one; the signal's reason
   */
  take(plan: Plan, options: SlotOptions): Promise<() => Later<void>>
}

/**
 * Creates the error of a run that may not start because its agent runs as often as it may.
 * @param pids processes in which the agent runs, as far as they are known
 */
export function concurrencyExceeded(plan: Plan, limit: number, pids: readonly number[] = []): WaybillError {
  const by = pids.length === 0 ? '' : ` (process ${pids.join(', ')})`
  return new WaybillError('CONCURRENCY_EXCEEDED', {
    at: '/agent/runtime/concurrency',
    message: `${plan.agent_name} may run ${limit} at a time, and ${limit === 1 ? 'one is' : 'as many are'} under way${by}`,
    hint: 'wait until one has ended, start it without --no-wait, or raise runtime.concurrency',
    rule: 'AAIF-4.6-03',
  })
}
