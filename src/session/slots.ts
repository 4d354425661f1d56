import { concurrencyOf } from '../plan/concurrency-of.ts'
import type { Records } from '../run/record/records.ts'
import type { Slots } from '../run/slot-port.ts'

/** Limits the active runs of an agent to its `runtime.concurrency` (AAIF §4.6). */
export function slotsOf({ slots }: Pick<Records, 'slots'>): Slots {
  return {
    async take(
      { agent_id: agent, agent_name, limits, rehearsal },
      { run_id, above = [], unattended = false, ...options },
    ) {
      const limit = concurrencyOf(limits, unattended)
      // A rehearsal uses no shared resources.
      if (limit === undefined || rehearsal) return () => {}
      return slots.take({ agent, agent_name, limit, run_id, above }, options)
    },
  }
}
