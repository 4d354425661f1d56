import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import type { RunState } from '../state.ts'
import { lapsesAt } from './gate-approval.ts'
import { laterDeadline } from './go-on.ts'
import { finishCall } from './settle-round.ts'

/** A person's word about a call; one that does not answer what the call asks means nothing. */
export function personDecided(
  program: Program,
  state: RunState,
  fact: FactOf<'person.decided'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  if (call === undefined || (call.status !== 'asking' && call.status !== 'unknown')) return null
  const deadline = laterDeadline(state, fact, at)
  const why = fact.why === undefined ? '' : `: ${fact.why}`
  if (call.status === 'asking') {
    if (fact.verdict === 'approve') return { ...deadline, set: { [call.id]: 'sent' } }
    if (fact.verdict !== 'deny') return null
    return {
      ...deadline,
      ...finishCall(program, state, call, `${fact.by} did not approve this call${why}`, true, at),
    }
  }
  switch (fact.verdict) {
    case 'resend':
      return { ...deadline, set: { [call.id]: 'sent' } }
    case 'assume':
      return {
        ...deadline,
        ...finishCall(program, state, call, fact.result ?? 'done (confirmed by a person)', false, at),
      }
    case 'deny':
      return {
        ...deadline,
        ...finishCall(program, state, call, `the call did not take effect, says ${fact.by}${why}`, true, at),
      }
    case 'approve':
      return null
  }
}

/** AAIF §4.9: time that runs out is a denial, never an approval. */
export function approvalLapsed(
  program: Program,
  state: RunState,
  fact: FactOf<'approval.lapsed'>,
  at: number,
): Decision | null {
  const call = state.calls.find((entry) => entry.id === fact.call_id)
  const lapses = call === undefined ? null : lapsesAt(program, call)
  if (call === undefined || lapses === null || at < lapses) return null
  const seconds = (program.plan.approval?.timeout_ms ?? 0) / 1000
  return {
    ...laterDeadline(state, fact, at),
    ...finishCall(
      program,
      state,
      call,
      `nobody approved this call within ${seconds} s, so it was denied`,
      true,
      at,
    ),
  }
}
