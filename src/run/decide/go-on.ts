import type { Program } from '../../plan/plan.ts'
import { isIdle } from '../apply.ts'
import type { Decision, Fact, FactOf } from '../event.ts'
import type { CallStatus, RunState } from '../state.ts'
import { nextQuestion } from './next-question.ts'
import { continueOrchestration, startQueued } from './orchestrate.ts'

/** A run goes on where its record ends; a write that was in flight, and may not be sent twice, is of unknown fate. */
export function resumed(
  program: Program,
  state: RunState,
  fact: FactOf<'run.resumed'>,
  at: number,
): Decision {
  const again = state.review === null ? {} : { review: { ...state.review, n: state.reviews + 1 } }
  const deadline = { ...laterDeadline(state, fact, at), ...again }
  if (state.review?.subject === 'answer') return deadline
  // Made from entries: an id may be the name of what every object has.
  const set = Object.fromEntries(
    state.calls.flatMap((call): readonly (readonly [string, CallStatus])[] => {
      if (call.status === 'sent' && call.effect === 'once' && call.unasked !== true)
        return [[call.id, 'unknown']]
      return call.status === 'held' ? [[call.id, 'sent']] : []
    }),
  )
  const unknown = Object.keys(set).length > 0 ? { set } : {}
  if (state.calls.length > 0 && !state.calls.every((call) => call.status === 'done'))
    return { ...deadline, ...unknown, ...moreWorkers(program, state, set) }
  if (state.calls.length > 0 && state.stage !== null)
    return {
      ...deadline,
      ...continueOrchestration(program, { ...state, status: 'running' }, state.calls, at),
    }
  if (state.calls.length > 0) return { ...deadline, settle: true, ...nextQuestion(program, state, at) }
  if (state.recalling) return { ...deadline, recall: true }
  if (state.attempt === null) return { ...deadline, ...nextQuestion(program, state, at) }
  return { ...deadline, attempt: { ...state.attempt, n: state.attempts + 1, delay_ms: 0 } }
}

/** Workers whose turn came while the run was paused. */
function moreWorkers(program: Program, state: RunState, set: Readonly<Record<string, CallStatus>>): Decision {
  const { orchestration } = program.plan
  if (orchestration === undefined || state.stage === null) return {}
  const more = startQueued(orchestration, state.calls).set
  return more === undefined ? {} : { set: { ...set, ...more } }
}

/** Time in which the run was waiting, paused or dead does not count against its deadline. */
export function laterDeadline(state: RunState, fact: Fact, at: number): Decision {
  if (state.deadline_at === null || !isIdle(state, fact)) return {}
  return { deadline_at: state.deadline_at + Math.max(0, at - state.at) }
}
