import { WaybillError } from '../document/issue.ts'
import type { Program } from '../plan/plan.ts'
import { callSubagent, subagentNamed } from '../run/decide/agent-call.ts'
import type { CallEntry, RunState, Stage } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'

/** The sub-agent of the current step gets the output of the step before it. */
export function stepCalls(
  { subagent_states = [] }: AgentState,
  state: RunState,
  program: Program,
): readonly CallEntry[] {
  const { stage } = state
  if (stage?.type !== 'pipeline') return []
  const { steps = [] } = program.plan.orchestration ?? {}
  const subagent = subagentNamed(program, steps[stage.step])
  if (subagent === undefined) return []
  const before = subagent_states.find(({ alias }) => alias === steps[stage.step - 1])
  return [callSubagent(program, state, `step${stage.step}`, subagent, before?.output ?? state.input)]
}

/**
 * Returns the stage that has the name of the current step. Other platforms also name nodes of a graph, or steps that no
 * definition declares: the run then continues at the boundary of its turn.
 * @throws STATE_POSITION_UNKNOWN if the definition declares a pipeline without this step
 */
export function stageByName(
  { pipeline_position: position }: AgentState,
  before: Stage | null,
  { plan }: Program,
  report: Fidelity,
): Stage | null {
  const name = position?.current_step
  if (name === undefined) return before
  const { orchestration } = plan
  if (orchestration?.mode === 'pipeline') {
    const step = orchestration.steps.indexOf(name)
    if (step < 0) throw positionUnknown(name, orchestration.steps)
    report.kept('pipeline_position')
    return { type: 'pipeline', step }
  }
  if (before !== null && orchestration !== undefined) {
    report.approximated('pipeline_position', 'the definition has changed since the capture')
    return before
  }
  report.leftBehind(
    'pipeline_position',
    `the definition declares no pipeline, so the step ${name} has no meaning here: the run continues at the boundary of its turn`,
  )
  return null
}

function positionUnknown(name: string, steps: readonly string[]): WaybillError {
  return new WaybillError('STATE_POSITION_UNKNOWN', {
    at: '/pipeline_position/current_step',
    message: `the run was at the step ${name}, which the pipeline of the definition does not have (${steps.join(', ')})`,
    hint: 'restore it with the version of the definition that it was captured with',
    rule: 'AAIF-8.2-06',
  })
}
