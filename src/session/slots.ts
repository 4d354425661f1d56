import type { Plan } from '../plan/plan.ts'
import type { Later, Records, SlotOptions, SlotRequest } from '../run/record/records.ts'

export interface TakeSlot extends SlotOptions {
  readonly run_id: string
  /** The runs that wait for this one and keep their own slots meanwhile, the root first. */
  readonly above?: readonly { readonly agent_id: string; readonly run_id: string }[]
}

/** Lets no more runs of an agent be under way at once than its `runtime.concurrency` says (AAIF §4.6). */
export function slotsOf({ slots }: Pick<Records, 'slots'>) {
  return {
    /** @throws CONCURRENCY_EXCEEDED, CONCURRENCY_DEADLOCK; the signal's reason */
    async take(plan: Plan, { run_id, above = [], ...options }: TakeSlot): Promise<() => Later<void>> {
      const limit = plan.limits.concurrency
      // A rehearsal touches nothing that could be too much.
      if (limit === undefined || plan.rehearsal) return () => {}
      const request: SlotRequest = {
        agent: plan.agent_id,
        agent_name: plan.agent_name,
        limit,
        run_id,
        above: above.map(({ agent_id, run_id: id }) => ({ agent: agent_id, run_id: id })),
      }
      return slots.take(request, options)
    },
  }
}
