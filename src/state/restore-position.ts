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

/** Returns the stage that has the name of the current step. */
export function stageByName(
  { pipeline_position: position }: AgentState,
  before: Stage | null,
  { plan }: Program,
  report: Fidelity,
): Stage | null {
  if (position?.current_step === undefined) return before
  const { orchestration } = plan
  if (orchestration?.mode === 'pipeline') {
    const step = orchestration.steps.indexOf(position.current_step)
    if (step >= 0) {
      report.kept('pipeline_position')
      return { type: 'pipeline', step }
    }
  } else if (before !== null && orchestration !== undefined) {
    report.approximated('pipeline_position', 'the definition has changed since the capture')
    return before
  }
  throw new WaybillError('STATE_POSITION_UNKNOWN', {
    at: '/pipeline_position/current_step',
    message: `the run was at the step ${position.current_step}, which the definition does not have`,
    hint: 'restore it with the version of the definition that it was captured with',
    rule: 'AAIF-8.2-06',
  })
}
