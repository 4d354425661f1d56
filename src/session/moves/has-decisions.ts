import type { Records } from '../../run/record/records.ts'
import { waitingCallsOf } from '../waiting-calls.ts'

/** Returns whether a run, or the run of a sub-agent of it, has a decision that it has not taken in. */
export async function hasDecisions(records: Pick<Records, 'runs'>, runId: string): Promise<boolean> {
  const { items } = await records.runs.list({ root: runId, questions: true }, { limit: 1000 })
  for (const { run_id } of items) {
    const waiting = await waitingCallsOf(records, await records.runs.read(run_id))
    if (waiting.some(({ decided }) => decided !== undefined)) return true
  }
  return false
}
