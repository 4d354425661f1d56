import { defined } from '../document/defined.ts'
import type { HookName } from '../plan/plan.ts'
import type { Decision, Fact, FactOf, RunEvent, Verdict } from './event.ts'
import type { CallEntry, Interruption, RunState, RunStatus } from './state.ts'
import { asksPerson } from './unsettled.ts'

export function startsTurn(fact: Fact): fact is FactOf<'run.started' | 'user.said'> {
  return fact.type === 'run.started' || fact.type === 'user.said'
}

/** Sets the members that `run.started` sets and no later event changes. */
export function withOrigin(state: RunState, { fact, at }: RunEvent): RunState {
  if (fact.type !== 'run.started') return state
  return {
    ...state,
    started_at: at,
    limits: fact.limits ?? {},
    trace_parent: fact.trace_parent ?? null,
    trace_state: fact.trace_state ?? null,
    depth: fact.depth ?? 0,
    named: fact.named ?? [],
    triggered: fact.triggered === true,
    ...defined({ withheld: fact.withheld }),
    sent_by_origin: fact.sent_by_origin ?? [],
  }
}

export function iterationAfter(state: RunState, fact: Fact): number {
  switch (fact.type) {
    case 'run.started':
    case 'user.said':
      return 0
    case 'model.answered':
      return state.iteration + 1
    default:
      return state.iteration
  }
}

export function attemptAfter(state: RunState, fact: Fact, decision: Decision): RunState['attempt'] {
  if (decision.attempt !== undefined) return decision.attempt
  if (stops(decision) || fact.type === 'model.answered' || fact.type === 'model.failed') return null
  return state.attempt
}

export function reviewAfter(state: RunState, turnStarts: boolean, decision: Decision): RunState['review'] {
  if (decision.review !== undefined) return decision.review
  return turnStarts || stops(decision) ? null : state.review
}

export function choiceAfter(state: RunState, turnStarts: boolean, { choice }: Decision): RunState['choice'] {
  if (choice !== undefined) return choice ?? undefined
  return turnStarts ? undefined : state.choice
}

export function recallingAfter(state: RunState, fact: Fact, decision: Decision): boolean {
  if (decision.recall === true) return true
  return state.recalling && fact.type !== 'memory.read' && !stops(decision)
}

/** The verdicts with which a write leaves. */
const LETS_LEAVE: ReadonlySet<Verdict> = new Set(['resend', 'approve', 'edit'])

/** Returns the generation in which a record became a copy, until a person has let a write leave. */
export function copiedAfter({ copied }: RunState, fact: Fact): RunState['copied'] {
  switch (fact.type) {
    case 'run.started':
      return fact.copied
    case 'record.copied':
      return fact.generation
    case 'person.decided':
      return LETS_LEAVE.has(fact.verdict) && fact.grant === undefined ? undefined : copied
    default:
      return copied
  }
}

export function handedOffAfter(state: RunState, turnStarts: boolean, decision: Decision): readonly number[] {
  const before = turnStarts ? [] : state.handed_off
  return decision.handed_off === undefined ? before : [...before, decision.handed_off]
}

/** Records which texts of the prompt were fetched again for this turn, and when. */
export function backgroundAfter(state: RunState, { fact, decision, at }: RunEvent): RunState['background'] {
  if (isRolledBack(state, fact, decision)) return state.turn_start.background
  const { background } = state
  if (fact.type !== 'user.said' || fact.background === undefined) return background
  const read = fact.background.flatMap(({ item, sha256 }) =>
    sha256 === undefined ? [] : [[item, { sha256, at }] as const],
  )
  return { ...background, ...Object.fromEntries(read) }
}

export function isEndHook(hook: HookName): boolean {
  return hook === 'on_complete' || hook === 'on_error'
}

/** Returns the end that waits for unsettled calls, and since when it waits (ms since the epoch). */
export function endingAfter(state: RunState, { at, fact, decision }: RunEvent): RunState['ending'] {
  if (decision.end !== undefined) return null
  const superseded = interruptionOf(state, fact)
  const { ending: before } = state
  if (decision.ending !== undefined) return { end: decision.ending, since: at, ...defined({ superseded }) }
  const ending = before === null ? null : { ...before, ...defined({ superseded }) }
  // A call that is sent again gets the full time to answer.
  const again = decision.set !== undefined && Object.values(decision.set).includes('sent')
  return ending !== null && again ? { ...ending, since: at } : ending
}

/** @param calls the calls of the round after the event, before a settled round is removed */
export function statusAfter(
  state: RunState,
  fact: Fact,
  decision: Decision,
  calls: readonly CallEntry[],
): RunStatus {
  if (decision.end !== undefined) return decision.end.status
  if (state.end !== null && fact.type === 'hook.ran') return state.status
  if ((decision.ending !== undefined || state.ending !== null) && isWaiting(calls)) return 'waiting'
  if (fact.type === 'run.paused') return 'paused'
  const continues = fact.type === 'run.resumed' || fact.type === 'turn.interrupted'
  if (state.status === 'paused' && !continues) return 'paused'
  if (decision.settle === true || decision.attempt !== undefined) return 'running'
  return isWaiting(calls) ? 'waiting' : 'running'
}

/** Returns true if a call needs a person's decision and no call is in flight. */
function isWaiting(calls: readonly CallEntry[]): boolean {
  return (
    calls.some((call) => asksPerson(call) || call.status === 'held') &&
    !calls.some((call) => call.status === 'sent' || call.status === 'judging')
  )
}

/** Returns how the turn is interrupted after a fact; undefined if it is not. A rollback is not withdrawn. */
export function interruptionOf({ ending }: RunState, fact: Fact): Interruption | undefined {
  const before = ending?.superseded
  return fact.type === 'turn.interrupted' && before !== 'rollback' ? fact.how : before
}

/** Returns true if the messages of the turn leave the conversation with this event. */
export function isRolledBack(state: RunState, fact: Fact, { end }: Decision): boolean {
  return end !== undefined && interruptionOf(state, fact) === 'rollback'
}

/** Returns the interrupted answer of a model after an event. */
export function partialAfter(state: RunState, fact: Fact, decision: Decision): RunState['partial'] {
  if (fact.type === 'run.paused') {
    const before = state.attempt?.continues === true ? state.partial : null
    return fact.calls === true ? null : (fact.partial ?? before)
  }
  const asks = decision.attempt !== undefined || fact.type === 'run.resumed'
  if (asks && decision.attempt?.continues !== true) return null
  return startsTurn(fact) || stops(decision) || fact.type === 'model.answered' ? null : state.partial
}

/** Returns true if the run ends, or only waits for its end. */
export function stops({ end, ending }: Decision): boolean {
  return end !== undefined || ending !== undefined
}
