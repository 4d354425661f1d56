import { WaybillError } from '../document/issue.ts'
import { type LeftDecision, leftDecision } from '../run/record/left-decision.ts'
import type { RunStore, StoredRun } from '../run/record/run-store.ts'
import type { CallEntry } from '../run/state.ts'

/** A call that needs a person's word. */
export interface WaitingCall {
  readonly run: StoredRun
  readonly call: CallEntry
  /** What somebody has decided already; it takes effect when the run goes on. */
  readonly decided?: LeftDecision
}

/** The waiting calls of one run, in the order the model made them. */
export function waitingCallsOf(store: RunStore, run: StoredRun): readonly WaitingCall[] {
  if (run.state.end !== null) return []
  return run.state.calls
    .filter(({ status }) => status === 'asking' || status === 'unknown')
    .map((call) => {
      const decided = leftDecision(store, run.header.run_id, call)
      return { run, call, ...(decided !== undefined && { decided }) }
    })
}

/** The waiting calls of all runs, newest run first. A record that cannot be read hides no other. */
export function allWaitingCalls(store: RunStore): readonly WaitingCall[] {
  return store.list().flatMap((id) => {
    try {
      return waitingCallsOf(store, store.read(id))
    } catch {
      return []
    }
  })
}

/**
 * The one call that a command line names.
 * @param callId a call's id or the beginning of it; may be absent when only one waits
 * @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS
 */
export function findWaitingCall(
  calls: readonly WaitingCall[],
  runId: string,
  callId: string | undefined,
): WaitingCall {
  const exact = calls.filter(({ call }) => call.id === callId)
  const found =
    exact.length > 0 ? exact : calls.filter(({ call }) => callId === undefined || call.id.startsWith(callId))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  if (only === undefined) {
    throw new WaybillError('APPROVAL_NOT_FOUND', {
      fault: 'usage',
      message:
        callId === undefined
          ? `no call of run ${runId} waits for a person`
          : `no waiting call of run ${runId} is named ${callId}`,
      hint: '`waybill approvals list` shows what waits',
    })
  }
  throw new WaybillError('APPROVAL_AMBIGUOUS', {
    fault: 'usage',
    message: `${found.length} calls wait: ${found.map(({ call }) => `${call.id} (${call.tool})`).join(', ')}`,
    hint: 'name the call after the run',
  })
}
