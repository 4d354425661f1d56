import type { Records } from '../run/record/records.ts'
import type { Slots } from '../run/slot-port.ts'

/** Lets no more runs of an agent be under way at once than its `runtime.concurrency` says (AAIF §4.6). */
export function slotsOf({ slots }: Pick<Records, 'slots'>): Slots {
  return {
    async take({ agent_id: agent, agent_name, limits, rehearsal }, { run_id, above = [], ...options }) {
      const limit = limits.concurrency
      // A rehearsal touches nothing that could be too much.
      if (limit === undefined || rehearsal) return () => {}
      return slots.take({ agent, agent_name, limit, run_id, above }, options)
    },
  }
}
