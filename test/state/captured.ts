import type { JsonObject } from '../../src/document/json.ts'
import type { Program } from '../../src/plan/plan.ts'
import { apply } from '../../src/run/apply.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import type { RunState } from '../../src/run/state.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { type CapturedChild, type CaptureOptions, captureState } from '../../src/state/capture-state.ts'
import type { RestoreOptions } from '../../src/state/restore-options.ts'
import { type RestoredRun, restoreState } from '../../src/state/restore-state.ts'
import { type FamilyWorld, ROOT } from '../run/family-world.ts'

let made = 0
/** Returns a new id for a captured state. */
export function newStateId(): string {
  return `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
}

/** Captures a state of a world of test doubles, with its sub-agents as they are now. */
export function captureOf(
  world: FamilyWorld,
  state: RunState,
  options: Partial<CaptureOptions> = {},
): AgentState {
  const children = new Map<string, CapturedChild>()
  for (const { agent, status } of state.calls) {
    const program = world.program.family.get(agent?.definition ?? '')
    if (agent === undefined || program === undefined || status === 'queued' || status === 'done') continue
    if (world.events(agent.run_id).length === 0) continue
    children.set(agent.run_id, { document: captureOf(world, world.stateOf(agent.run_id, program), options) })
  }
  const own = [...world.program.family.values(), world.program].find(({ hash }) => hash === state.plan_hash)
  return captureState(
    {
      state,
      plan: (own ?? world.program).plan,
      family: new Map([...world.program.family].map(([hash, { plan }]) => [hash, plan])),
      children,
      memory: [],
    },
    { stateId: newStateId(), at: state.at, platform: { name: 'test', version: '1' }, ...options },
  )
}

/** Restores a document; the root run has the id of the captured one unless another is given. */
export function restored(
  document: AgentState,
  program: Program,
  options: Partial<RestoreOptions> = {},
): ReturnType<typeof restoreState> {
  const at = Date.parse(document.checkpoint_at)
  return restoreState(document, {
    program,
    runId: ROOT,
    at,
    by: 'a test',
    fork: true,
    trusted: true,
    ...options,
  })
}

export function restoredState(
  document: AgentState,
  program: Program,
  options: Partial<RestoreOptions> = {},
): RunState {
  return stateOfRun(restored(document, program, options).runs[0] as RestoredRun)
}

/** Returns the fold of the first events of a restored run. */
export function stateOfRun({ runId, program, facts }: RestoredRun, at = 0): RunState {
  return facts.reduce(
    (state, fact, index) => apply(state, { seq: index + 1, at, fact, decision: {} }),
    initialState(runId, program.plan.agent_id, program.hash),
  )
}

/** Returns what must be equal: all but the place in the record, and where the run came from. */
export function plainState(state: RunState): JsonObject {
  const { seq: _seq, at: _at, restored: _restored, ...members } = JSON.parse(JSON.stringify(state))
  return members
}

/** Puts restored runs into a new world of test doubles with the same records otherwise empty. */
export function placed(world: FamilyWorld, { runs }: ReturnType<typeof restoreState>): FamilyWorld {
  const next = world.die()
  next.lines.clear()
  for (const { runId, facts } of runs)
    next.lines.set(
      runId,
      facts.map((fact, index) => encodeEvent({ seq: index + 1, at: next.clock.now(), fact, decision: {} })),
    )
  return next
}
