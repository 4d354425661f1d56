import { defined } from '../document/defined.ts'
import {
  addedMessages,
  countedAfter,
  receivedAfter,
  steeringAfter,
  turnStartAfter,
} from './added-messages.ts'
import { deniedAfter } from './denied-calls.ts'
import type { RunEvent } from './event.ts'
import { withItems } from './kept-items.ts'
import { withoutReused } from './origin-calls.ts'
import { withRestoredMessages, withRestoredState } from './restored.ts'
import { agentsOver, callsAfter, callsAsked, sentAfter, tallyAfter } from './round.ts'
import type { RunState } from './state.ts'
import { totalsAfter } from './totals.ts'
import {
  attemptAfter,
  backgroundAfter,
  choiceAfter,
  copiedAfter,
  endingAfter,
  handedOffAfter,
  isEndHook,
  isRolledBack,
  iterationAfter,
  partialAfter,
  recallingAfter,
  reviewAfter,
  startsTurn,
  statusAfter,
  withOrigin,
} from './turn.ts'
import { unsettledAfter, withoutSettled } from './unsettled.ts'

/**
 * Returns the state after one event. Needs neither the plan nor the policy: an event contains its decision,
 * so versions with different policies read a record in the same way.
 */
export function apply(state: RunState, event: RunEvent): RunState {
  const { fact, decision } = event
  if (fact.type === 'messages.restored') return withRestoredMessages(state, fact, event)
  if (fact.type === 'run.restored') return withRestoredState(state, fact, event)
  const after = callsAfter(callsAsked(state.calls, fact), decision)
  const calls = decision.ending === undefined ? after : withoutSettled(after)
  const roundEnds = decision.settle === true || decision.clear === true
  const next = decision.add ?? []
  const turnStarts = startsTurn(fact)
  const undone = isRolledBack(state, fact, decision)
  const before = undone ? state.turn_start.messages : state.messages.length
  const added = addedMessages(state, fact, decision)
  const { choice: _before, copied: _copied, denied: _denied, ...members } = withOrigin(state, event)
  return {
    ...members,
    seq: event.seq,
    at: event.at,
    turn: turnStarts ? state.turn + 1 : state.turn,
    iteration: iterationAfter(state, fact),
    deadline_at: decision.deadline_at === undefined ? state.deadline_at : decision.deadline_at,
    ...(decision.deadline_of !== undefined && { deadline_of: decision.deadline_of }),
    attempts: decision.attempt?.n ?? state.attempts,
    attempt: attemptAfter(state, fact, decision),
    calls: roundEnds ? next : calls,
    stage: decision.stage === undefined ? (turnStarts ? null : state.stage) : decision.stage,
    ...defined({
      choice: choiceAfter(state, turnStarts, decision),
      copied: copiedAfter(state, fact),
      denied: deniedAfter(state, fact, decision),
    }),
    review: reviewAfter(state, turnStarts, decision),
    start_hook_turn:
      fact.type === 'hook.ran' && fact.hook === 'on_start' ? state.turn : state.start_hook_turn,
    end_hook_turn: fact.type === 'hook.ran' && isEndHook(fact.hook) ? state.turn : state.end_hook_turn,
    reviews: decision.review?.n ?? state.reviews,
    tally: tallyAfter(state, turnStarts, decision),
    recalling: recallingAfter(state, fact, decision),
    memory: withItems(state.memory, decision.remember),
    background: backgroundAfter(state, event),
    input: turnStarts ? fact.input : state.input,
    handed_off: handedOffAfter(state, turnStarts, decision),
    messages: state.messages.first(before).append(added),
    message_times: state.message_times.first(before).append(added.map(() => event.at)),
    steering: steeringAfter(state, fact, decision),
    received: receivedAfter(state, fact, decision),
    turn_start: turnStartAfter(state, fact, decision),
    sent: sentAfter(state, turnStarts, roundEnds ? [...calls, ...next] : calls),
    unsettled: unsettledAfter(state, decision),
    counted: undone ? null : countedAfter(state, fact),
    repairs: turnStarts ? 0 : decision.repair === undefined ? state.repairs : state.repairs + 1,
    down:
      decision.down === undefined
        ? state.down
        : { ...state.down, [decision.down.route]: decision.down.until },
    answered_by: fact.type === 'model.answered' ? (state.attempt?.route ?? null) : state.answered_by,
    totals: totalsAfter(state, event),
    warnings: state.warnings.append(decision.warnings ?? []),
    agents: state.agents.append(agentsOver(state, fact, decision)),
    partial: partialAfter(state, fact, decision),
    end: decision.end ?? (turnStarts ? null : state.end),
    ending: endingAfter(state, event),
    sent_by_origin: withoutReused(members.sent_by_origin, decision),
    status: statusAfter(state, fact, decision, calls),
  }
}
