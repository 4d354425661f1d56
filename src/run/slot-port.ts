import type { Plan } from '../plan/plan.ts'
import type { Later, SlotOptions, SlotRequest } from './record/records.ts'

/** A run, as the slots of its agent identify it. */
export type SlotRun = SlotRequest['above'][number]

export interface TakeSlot extends SlotOptions {
  /** The run that takes it. */
  readonly run_id: string
  /** The runs that wait for this one and keep their own slots meanwhile, the root first. */
  readonly above?: readonly SlotRun[]
  /** No person starts the run, so the default of `runtime.concurrency` applies if none is declared. */
  readonly unattended?: boolean
}

/** Limits how many runs of an agent are active at a time (AAIF §4.6 runtime.concurrency). */
export interface Slots {
  /**
   * Takes a slot for a run of this plan.
   * @returns a function that releases the slot
   * @throws CONCURRENCY_EXCEEDED, CONCURRENCY_DEADLOCK; the signal's reason
   */
  take(plan: Plan, options: TakeSlot): Promise<() => Later<void>>
}
