import type { Program } from '../../plan/plan.ts'
import type { Decision } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { afterJudge } from './consensus.ts'
import { afterWork, startWorkers } from './fan-out.ts'
import { afterHandoff } from './hand-off.ts'
import { afterStep, startStep } from './pipeline.ts'

/** Begins a turn of an agent whose sub-agents do the work; returns null if its own model begins. */
export function beginOrchestration(program: Program, state: RunState, at: number): Decision | null {
  const { orchestration } = program.plan
  if (orchestration === undefined) return null
  switch (orchestration.mode) {
    case 'model':
      return null
    case 'pipeline':
      return startStep(program, state, orchestration, 0, state.input)
    case 'swarm':
    case 'router':
      return startWorkers(program, state, orchestration, at)
  }
}

/**
 * Decides what follows when one more sub-agent of the round has finished.
 * @param calls the round with its result in it
 */
export function continueOrchestration(
  program: Program,
  state: RunState,
  calls: readonly CallEntry[],
  at: number,
): Decision {
  const { orchestration } = program.plan
  const { stage } = state
  if (orchestration === undefined || stage === null) return {}
  switch (stage.type) {
    case 'pipeline':
      return afterStep(program, state, orchestration, stage.step, calls)
    case 'swarm':
      return stage.phase === 'work'
        ? afterWork(program, state, orchestration, calls, at)
        : afterJudge(program, state, calls, stage.phase)
    case 'route':
      return afterWork(program, state, orchestration, calls, at)
    case 'handoff':
      return afterHandoff(program, calls)
  }
}
