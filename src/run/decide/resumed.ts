import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, Fact, FactOf } from '../event.ts'
import type { CallStatus, RunState } from '../state.ts'
import { isIdle, pausedEarly } from '../totals.ts'
import { statusAfterRestart } from '../unsettled.ts'
import { budgetReached } from './budget.ts'
import { continuesAnswer } from './continue-answer.ts'
import { startQueued } from './fan-out.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { continueOrchestration } from './orchestrate.ts'

/** Resumes a run from its last event. A write that was in flight and must not be sent twice becomes `unknown`. */
export function resumed(
  program: Program,
  state: RunState,
  fact: FactOf<'run.resumed'>,
  at: number,
): Decision {
  const { review } = state
  // A request that is sent again may exceed the budget.
  const sends = review !== null || (state.attempt !== null && !pausedEarly(state))
  const over = sends ? budgetReached(program, state) : null
  if (over !== null) return mergeDecisions(laterDeadline(state, fact, at), { end: over })
  return mergeDecisions(
    laterDeadline(state, fact, at),
    review === null ? {} : { review: { ...review, n: state.reviews + 1 } },
    review?.subject === 'answer' ? {} : resumedWork(program, state, at),
  )
}

/** Repeats and continues the work of the run, apart from the judge's review of an answer. */
function resumedWork(program: Program, state: RunState, at: number): Decision {
  if (!state.calls.every((call) => call.status === 'done')) {
    const { set: started = {}, shares } = queuedThatMayStart(program, state)
    const statuses = new Map<string, CallStatus>([...statusesAfterRestart(state), ...Object.entries(started)])
    // `Object.fromEntries` defines own members only, so an id such as `__proto__` is safe.
    return statuses.size === 0 ? {} : { set: Object.fromEntries(statuses), ...defined({ shares }) }
  }
  if (state.calls.length > 0) {
    return state.stage === null
      ? mergeDecisions({ settle: true }, nextQuestion(program, state, at))
      : continueOrchestration(program, { ...state, status: 'running' }, state.calls, at)
  }
  if (state.recalling) return { recall: true }
  const continues = continuesAnswer(program, state) ? true : undefined
  if (state.attempt === null) {
    const { attempt, ...others } = nextQuestion(program, state, at)
    return attempt === undefined
      ? others
      : mergeDecisions(others, { attempt: { ...attempt, ...defined({ continues }) } })
  }
  // A provider that asked for a delay is not asked before, whatever happened to the run in between.
  const { due_at = 0, continues: _before, ...attempt } = state.attempt
  const delay_ms = Math.max(0, due_at - at)
  const n = state.attempts + 1
  return { attempt: { ...attempt, n, delay_ms, ...(delay_ms > 0 && { due_at }), ...defined({ continues }) } }
}

type NewStatus = readonly [call_id: string, status: CallStatus]

function statusesAfterRestart(state: RunState): readonly NewStatus[] {
  return state.calls.flatMap((call): readonly NewStatus[] => {
    const status = statusAfterRestart(call)
    return status === null ? [] : [[call.id, status]]
  })
}

/** Returns the queued workers that may start, because others finished while the run was paused. */
function queuedThatMayStart(program: Program, state: RunState): Decision {
  const { orchestration } = program.plan
  if (orchestration === undefined || state.stage === null) return {}
  return startQueued(program, state, orchestration, state.calls)
}

/** Moves the deadline by the time in which the run was waiting, paused or without a process. */
export function laterDeadline(state: RunState, fact: Fact, at: number): Decision {
  if (state.deadline_at === null || !isIdle(state, fact)) return {}
  return { deadline_at: state.deadline_at + Math.max(0, at - state.at) }
}
