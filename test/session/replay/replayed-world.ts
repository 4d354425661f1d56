import assert from 'node:assert/strict'
import type { Program } from '../../../src/plan/plan.ts'
import { apply } from '../../../src/run/apply.ts'
import type { RunEvent } from '../../../src/run/event.ts'
import { initialState } from '../../../src/run/initial-state.ts'
import type { Records } from '../../../src/run/record/records.ts'
import { runHeader } from '../../../src/run/record/run-header.ts'
import { resultOf } from '../../../src/run/result.ts'
import type { RunState } from '../../../src/run/state.ts'
import { compareSteps, stepsOf } from '../../../src/session/compare-runs.ts'
import { type Replayed, type ReplayOptions, replayRun } from '../../../src/session/replay/replay-run.ts'
import { type FamilyWorld, ROOT } from '../../run/family-world.ts'

export const REPLAYS: ReplayOptions = { by: 'ann', platform: { name: 'test', version: '1' } }

/** The records of a world of test doubles, as far as a replay reads them. */
export function recordsOf(world: FamilyWorld): Pick<Records, 'runs' | 'memory'> {
  const programOf = (runId: string): Program => {
    const parents = [...world.lines.keys()].flatMap((id) => callsIn(world.events(id)))
    const hash = parents.find((agent) => agent?.run_id === runId)?.definition
    return (hash === undefined ? undefined : world.program.family.get(hash)) ?? world.program
  }
  const plans = [...world.program.family.values()].map(({ plan }) => plan)
  const runs = {
    has: (runId: string) => world.lines.has(runId),
    events: (runId: string) => world.events(runId),
    listed: (runId: string) => ({ run_id: runId, header: runHeader(programOf(runId), runId) }),
    read: (runId: string) => {
      const program = programOf(runId)
      const state = world.stateOf(runId, program)
      const [begin] = world.events(runId)
      return {
        header: runHeader(program, runId),
        plan: program.plan,
        family: plans.filter((plan) => plan !== program.plan),
        first: begin?.fact.type === 'run.started' ? begin.fact : { type: 'run.started', input: 'go' },
        state,
        imported: false,
      }
    },
  }
  return { runs, memory: {} } as unknown as Pick<Records, 'runs' | 'memory'>
}

function callsIn(events: readonly RunEvent[]) {
  return events
    .flatMap(({ decision }) => [...(decision.add ?? []), ...(decision.calls ?? [])])
    .flatMap(({ agent }) => (agent === undefined ? [] : [agent]))
}

export function replayOf(world: FamilyWorld, options: Partial<ReplayOptions> = {}): Promise<Replayed> {
  return replayRun(recordsOf(world), ROOT, { ...REPLAYS, ...options })
}

/** Asserts that a replay did the same as its run, and so did all sub-agents. */
export function assertSame(world: FamilyWorld, replayed: Replayed): void {
  assert.equal(replayed.diverged, undefined)
  assert.deepEqual(replayed.differences, [])
  assert.equal(replayed.runs.length, world.lines.size)
  for (const { header, events } of replayed.runs) {
    const recorded = world.events(header.replay?.run_id)
    assert.deepEqual(compareSteps(stepsOf(recorded), stepsOf(events)), [], header.agent_name)
    const [before, after] = [recorded, events].map((list) =>
      list.map(({ fact, decision }) => withoutRuns({ fact, end: decision.end ?? null })),
    )
    assert.deepEqual(after, before, header.agent_name)
  }
  const { program } = world
  assert.deepEqual(
    withoutRuns(resultOf(program.plan, replayed.state)),
    withoutRuns(resultOf(program.plan, foldOf(program, world.events()))),
  )
}

function foldOf(program: Program, events: readonly RunEvent[]): RunState {
  return events.reduce(apply, initialState(ROOT, program.plan.agent_id, program.hash))
}

/** The ids of runs and traces differ. */
function withoutRuns(value: object): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, member) =>
      name === 'run_id' || name === 'trace_parent' ? undefined : member,
    ).replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[78][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'RUN'),
  )
}
