import type { Decision } from './event.ts'
import type { CallEntry, CallStatus, RunState } from './state.ts'
import { finished } from './with-call.ts'

/**
 * Returns true if the end of a run must wait for a call: it is in flight, or its outcome is unknown, and it
 * must not be sent a second time. The call of a sub-agent counts until the sub-agent's run has settled its
 * own calls.
 */
export function isUnsettled(call: CallEntry): boolean {
  if (call.agent !== undefined) return call.status === 'sent' || call.status === 'held'
  return isOnceSent(call) || (call.effect === 'once' && call.status === 'unknown')
}

/** Returns true if a call that must not be repeated is in flight. */
export function isOnceSent(call: CallEntry): boolean {
  return call.agent === undefined && call.effect === 'once' && call.status === 'sent' && call.unasked !== true
}

/**
 * Returns the status of a call after a time without a process: a call that was in flight may or may not have
 * taken effect.
 * @returns null if the status does not change
 */
export function statusAfterRestart(call: CallEntry): CallStatus | null {
  if (isOnceSent(call)) return 'unknown'
  return call.status === 'held' ? 'sent' : null
}

/**
 * Returns true if a call waits for a person: for an approval, for the answer to a question of its server, or for a
 * decision about its unknown outcome.
 */
export function asksPerson({ status }: Pick<CallEntry, 'status'>): boolean {
  return status === 'asking' || status === 'input_required' || status === 'unknown'
}

/** What a waiting call asks a person: for approval, for an answer to its server, or what its outcome is. */
export type Asks = 'approval' | 'input' | 'unknown'

export function asksOf({ status }: Pick<CallEntry, 'status'>): Asks {
  if (status === 'asking') return 'approval'
  return status === 'input_required' ? 'input' : 'unknown'
}

/**
 * Returns the calls of a run that is about to end. Calls that the end does not wait for are finished as
 * failed.
 */
export function withoutSettled(calls: readonly CallEntry[]): readonly CallEntry[] {
  return calls.map((call) =>
    call.status === 'done' || isUnsettled(call)
      ? call
      : finished(call, 'not finished: the run was about to end', true),
  )
}

/** Adds the calls that were closed although their outcome is not known. */
export function unsettledAfter({ unsettled }: RunState, { closed }: Decision): readonly CallEntry[] {
  const more = closed?.filter((call) => call.unsettled === true) ?? []
  return more.length === 0 ? unsettled : [...unsettled, ...more]
}
