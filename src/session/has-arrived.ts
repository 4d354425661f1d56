import type { JsonObject } from '../document/json.ts'
import type { Program } from '../plan/plan.ts'
import { DRAIN_MS } from '../run/drive/drive.ts'
import { nextWakeUp } from '../run/drive/wake-ups.ts'
import type { Records } from '../run/record/records.ts'
import type { CallEntry, RunState } from '../run/state.ts'
import { asksPerson } from '../run/unsettled.ts'
import { type DecisionSources, isDecided } from './standing-decision.ts'

export interface ArrivalSources extends DecisionSources {
  readonly records: Pick<Records, 'runs'>
  /** Returns arguments with real values instead of placeholders. */
  readonly reveal: (args: JsonObject) => JsonObject
  readonly now: () => number
}

/**
 * Returns whether a run that waits has something to do: a time has come, one of its calls has been decided or is covered
 * by a rule, or a sub-agent has something to do. Without it, to resume the run would only repeat its questions.
 */
export async function hasArrived(
  program: Program,
  state: RunState,
  sources: ArrivalSources,
): Promise<boolean> {
  if (state.status !== 'waiting') return true
  const wake = nextWakeUp(program, state, DRAIN_MS)
  if (wake !== null && wake.at <= sources.now()) return true
  for (const call of state.calls) {
    if (call.status === 'held' && (await hasArrivedFor(call, program, sources))) return true
    if (asksPerson(call) && (await isDecided(call, state, sources.reveal(call.args), program.plan, sources)))
      return true
  }
  return false
}

/** The calls of a sub-agent are in its own record. */
async function hasArrivedFor(
  { agent }: CallEntry,
  program: Program,
  sources: ArrivalSources,
): Promise<boolean> {
  if (agent === undefined) return true
  const child = (await sources.records.runs.read(agent.run_id)).state
  const planned = [...program.family.values()].find(({ hash }) => hash === child.plan_hash)
  return planned === undefined || hasArrived(planned, child, sources)
}
