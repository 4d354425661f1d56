import type { Program } from '../plan/plan.ts'
import { DRAIN_MS } from '../run/drive/drive.ts'
import { nextWakeUp } from '../run/drive/wake-ups.ts'
import type { RunRecords } from '../run/record/records.ts'
import type { RunState } from '../run/state.ts'

/**
 * Returns when a run or a sub-agent that it waits for continues without outside input (milliseconds since the epoch), or
 * null. The timers of a sub-agent are in its own record, and the run of its caller has to drive it then.
 */
export async function familyWakeAt(
  program: Program,
  state: RunState,
  runs: Pick<RunRecords, 'read'>,
): Promise<number | null> {
  if (state.end !== null || state.status === 'paused') return null
  const own = nextWakeUp(program, state, DRAIN_MS)?.at ?? null
  const times = [own]
  for (const { status, agent } of state.calls) {
    if (status !== 'held' || agent === undefined) continue
    const child = (await runs.read(agent.run_id)).state
    const planned = [...program.family.values()].find(({ hash }) => hash === child.plan_hash)
    if (planned !== undefined) times.push(await familyWakeAt(planned, child, runs))
  }
  const set = times.filter((at) => at !== null)
  return set.length === 0 ? null : Math.min(...set)
}
