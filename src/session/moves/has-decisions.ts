import type { Records, StoredRun } from '../../run/record/records.ts'
import { waitingCallsOf } from '../waiting-calls.ts'

/**
 * Returns whether a run, or the run of a sub-agent of it, has a decision that it has not taken in.
 * @param root the run, if it was read already
 */
export async function hasDecisions(
  records: Pick<Records, 'runs'>,
  runId: string,
  root?: StoredRun,
): Promise<boolean> {
  const { items } = await records.runs.list({ root: runId, questions: true }, { limit: 1000 })
  for (const { run_id } of items) {
    const run = root !== undefined && run_id === runId ? root : await records.runs.read(run_id)
    const waiting = await waitingCallsOf(records, run)
    if (waiting.some(({ decided }) => decided !== undefined)) return true
  }
  return false
}
