import type { Program } from '../../plan/plan.ts'
import type { Decision, Fact } from '../event.ts'
import type { RunState } from '../state.ts'
import { callAsked } from './ask-input.ts'
import { beginNextTurn, beginRun } from './begin-turn.ts'
import { deadlinePassed } from './deadline.ts'
import { piiWarning } from './gate-pii.ts'
import { holdEnd } from './hold-end.ts'
import { turnInterrupted } from './interrupt-turn.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { type Moment, retryOrNextRoute, withRoute } from './next-question.ts'
import { memoryRead } from './recall.ts'
import { recordCopied } from './record-copied.ts'
import { resumed } from './resumed.ts'
import { answerSteering, userSteered } from './steer-turn.ts'
import { modelAnswered } from './take-answer.ts'
import { approvalLapsed, personDecided } from './take-decision.ts'
import { hookRan } from './take-hook.ts'
import { afterChild, callAnswered, callFailed } from './take-result.ts'
import { judgeAnswered, judgeFailed } from './take-verdict.ts'
import { withUsageNoted } from './usage-noted.ts'
import { whileEnding } from './while-ending.ts'

/**
 * Decides what a run does about a fact. All policy is here. Pure: no clock, no network, no randomness.
 * @param moment the time of the fact, and what was known of the routes at that time
 * @returns null if the fact no longer matters (an answer to an older question, a result after the end)
 */
export function decide(program: Program, state: RunState, fact: Fact, moment: Moment): Decision | null {
  const { at } = moment
  const decision = decideFact(program, state, fact, moment)
  if (decision === null) return null
  const warning = piiWarning(program, state, fact)
  const warned = warning === null ? decision : mergeDecisions(decision, { warnings: [warning] })
  const steered = answerSteering(program, state, fact, warned, at)
  const noted = withUsageNoted(program, state, fact, steered, at)
  return holdEnd(program, state, withRoute(program, state, fact, noted, moment))
}

function decideFact(program: Program, state: RunState, fact: Fact, moment: Moment): Decision | null {
  const { at } = moment
  if (state.ending !== null) return whileEnding(program, state, state.ending.end, fact, at)
  if (state.end !== null && fact.type !== 'user.said' && fact.type !== 'hook.ran') return null
  switch (fact.type) {
    case 'run.started':
      if (state.seq !== 0) return null
      return beginRun(program, state, fact, at)
    case 'user.said':
      return state.end === null ? null : beginNextTurn(program, state, fact, at)
    case 'user.steered':
      return userSteered(program, state, fact, at)
    case 'turn.interrupted':
      return turnInterrupted(program, state, fact)
    case 'memory.read':
      return memoryRead(program, state, fact, at)
    case 'model.answered':
      return modelAnswered(program, state, fact, at)
    case 'model.failed':
      return state.attempt?.n === fact.attempt && state.status !== 'paused'
        ? retryOrNextRoute(program, state, fact, moment)
        : null
    case 'call.answered':
      return callAnswered(program, afterChild(state, fact), fact, at)
    case 'call.failed':
      return callFailed(program, afterChild(state, fact), fact, at)
    case 'call.asked':
      return callAsked(program, state, fact, at)
    case 'call.held':
      return state.calls.some((call) => call.id === fact.call_id && call.status === 'sent')
        ? { set: { [fact.call_id]: 'held' } }
        : null
    case 'judge.answered':
      return judgeAnswered(program, state, fact, at)
    case 'judge.failed':
      return judgeFailed(program, state, fact, at)
    case 'approval.lapsed':
      return approvalLapsed(program, state, fact, at)
    case 'person.decided':
      return personDecided(program, state, fact, at)
    case 'hook.ran':
      return hookRan(fact)
    case 'drain.passed':
      return null
    case 'deadline.passed':
      return deadlinePassed(program, state, at)
    case 'run.paused':
      return state.status === 'paused' ? null : { abort: 'model' }
    case 'run.resumed':
      return resumed(program, state, fact, at)
    case 'messages.restored':
    case 'run.restored':
      // A run begins with these events: no driver reports them.
      return null
    case 'record.copied':
      return recordCopied(program, state, fact)
    case 'run.cancelled':
      return {
        abort: 'all',
        end: {
          status: 'cancelled',
          stop_reason: 'interrupt',
          error: { code: 'CANCELLED', message: `the run was cancelled by ${fact.by}` },
        },
      }
  }
}
