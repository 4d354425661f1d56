import type { CallEntry, CallStatus } from './state.ts'
import { finished } from './with-call.ts'

/**
 * Whether the end of a run must wait for a call: it is on its way and may take effect, or it may have, and it must not
 * be sent a second time. A sub-agent counts as long as its run has not settled its own calls.
 */
export function isUnsettled(call: CallEntry): boolean {
  if (call.agent !== undefined) return call.status === 'sent' || call.status === 'held'
  return isOnceSent(call) || (call.effect === 'once' && call.status === 'unknown')
}

/** Whether a call that must not be repeated is on its way. */
export function isOnceSent(call: CallEntry): boolean {
  return call.agent === undefined && call.effect === 'once' && call.status === 'sent' && call.unasked !== true
}

/**
 * What a call becomes when no process was executing the run: what was on its way may or may not have taken effect.
 * @returns null when it stays as it is
 */
export function statusAfterRestart(call: CallEntry): CallStatus | null {
  if (isOnceSent(call)) return 'unknown'
  return call.status === 'held' ? 'sent' : null
}

/** Whether a call waits for a person: for an approval, or to say what became of it. */
export function asksPerson({ status }: CallEntry): boolean {
  return status === 'asking' || status === 'unknown'
}

/** The calls of a run that is about to end: those that the end need not wait for are not gone on with. */
export function withoutSettled(calls: readonly CallEntry[]): readonly CallEntry[] {
  return calls.map((call) =>
    call.status === 'done' || isUnsettled(call)
      ? call
      : finished(call, 'not finished: the run was about to end', true),
  )
}
