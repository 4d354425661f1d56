import type { Program } from '../../plan/plan.ts'
import type { Decision, Fact } from '../event.ts'
import { callsAfter } from '../round.ts'
import type { CallStatus, RunEnd, RunState } from '../state.ts'
import { interruptionOf } from '../turn.ts'
import { isOnceSent, isUnsettled, statusAfterRestart } from '../unsettled.ts'
import { NOT_ANSWERED } from './ask-input.ts'
import { closeUnknown, endInterrupted, finishInterrupted } from './interrupt-turn.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { recordCopied } from './record-copied.ts'
import { saveToRecord } from './remember.ts'
import { answerToUnknown } from './take-decision.ts'
import { hookRan } from './take-hook.ts'
import { resultOfAnswer } from './take-result.ts'

/**
 * Decides for a run whose end waits for unsettled calls. Calls settle one after the other, and no new call or request is
 * sent. The end takes effect with the last call. The end of an interrupted turn does not wait for a person.
 * @returns null if the fact no longer matters
 */
export function whileEnding(
  program: Program,
  state: RunState,
  end: RunEnd,
  fact: Fact,
  at: number,
): Decision | null {
  const how = interruptionOf(state, fact)
  const settled = settling(program, state, fact, at)
  const decision = settled === null || how === undefined ? settled : closeUnknown(state, settled)
  if (decision === null || callsAfter(state.calls, decision).some(isUnsettled)) return decision
  const round: Decision = state.stage === null ? {} : { clear: true, stage: null }
  return mergeDecisions(decision, how === undefined ? round : finishInterrupted(state, how, decision), {
    end,
  })
}

function settling(program: Program, state: RunState, fact: Fact, at: number): Decision | null {
  const call = 'call_id' in fact ? state.calls.find(({ id }) => id === fact.call_id) : undefined
  switch (fact.type) {
    case 'call.answered': {
      if (call === undefined || !isUnsettled(call)) return null
      const { result, error } = resultOfAnswer(program, call, fact)
      const done = { call_id: call.id, result, ...(error && { error: true as const }) }
      return error ? { done } : mergeDecisions(saveToRecord(program, call, at), { done })
    }
    case 'call.failed':
      if (call === undefined || !isUnsettled(call)) return null
      if (fact.outcome === 'unknown' && call.effect === 'once')
        return call.status === 'unknown' ? null : { set: { [call.id]: 'unknown' } }
      return { done: { call_id: call.id, result: `${fact.code}: ${fact.message}`, error: true } }
    case 'call.asked':
      if (call === undefined || !isUnsettled(call)) return null
      return { done: { call_id: call.id, result: NOT_ANSWERED, error: true } }
    case 'call.held':
      if (call?.status !== 'sent') return null
      // Its run began to wait for a person before it was interrupted: it is driven again, to its end.
      return { set: { [call.id]: state.ending?.superseded === undefined ? 'held' : 'sent' } }
    case 'turn.interrupted':
      return endInterrupted(program, state, fact)
    case 'person.decided':
      return call?.status === 'unknown' ? answerToUnknown(call, fact) : null
    case 'drain.passed': {
      const set = changed(state, (each) => (isOnceSent(each) ? 'unknown' : null))
      return set === null ? null : { set, abort: 'all' }
    }
    case 'run.resumed': {
      const set = changed(state, statusAfterRestart)
      return set === null ? {} : { set }
    }
    case 'record.copied':
      return recordCopied(program, state, fact)
    case 'run.paused':
      return state.status === 'paused' ? null : { abort: 'model' }
    case 'hook.ran':
      return hookRan(fact)
    default:
      return null
  }
}

function changed(
  { calls }: RunState,
  to: (call: RunState['calls'][number]) => CallStatus | null,
): Readonly<Record<string, CallStatus>> | null {
  const entries = calls.flatMap((call): readonly (readonly [string, CallStatus])[] => {
    const status = to(call)
    return status === null ? [] : [[call.id, status]]
  })
  // `Object.fromEntries` defines own members only, so an id such as `__proto__` is safe.
  return entries.length === 0 ? null : Object.fromEntries(entries)
}
