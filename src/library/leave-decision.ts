import { type Json, WaybillError } from '../document/issue.ts'
import { createRedactor } from '../document/redact.ts'
import type { Plan } from '../plan/plan.ts'
import { JsonCleaner } from '../policy/pii/clean-json.ts'
import { createPiiFinder } from '../policy/pii/find-pii.ts'
import { fits, type LeftDecision } from '../run/record/left-decision.ts'
import type { RunStore } from '../run/record/run-store.ts'
import type { PersonsWord } from './options.ts'
import { findWaitingCall, type WaitingCall, waitingCallsOf } from './waiting-calls.ts'

/**
 * Leaves a decision for a call that waits.
 * @param callId a call's id or the beginning of it; may be absent when only one waits
 * @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS, APPROVAL_DECIDED, APPROVAL_VERDICT_INVALID
 */
export function leaveDecision(
  store: RunStore,
  runId: string,
  callId: string | undefined,
  { verdict, by, why, result }: PersonsWord,
): { readonly call: WaitingCall['call']; readonly decision: LeftDecision } {
  const { run, call, decided } = findWaitingCall(waitingCallsOf(store, store.read(runId)), runId, callId)
  if (!fits(call, { verdict })) {
    const asks = call.status === 'asking'
    throw new WaybillError('APPROVAL_VERDICT_INVALID', {
      fault: 'usage',
      message: asks
        ? `${call.tool} has not been called yet: there is nothing to ${verdict}`
        : `${call.tool} may have happened already: approving it would leave open whether to send it again`,
      hint: asks ? 'approve or deny it' : 'assume (it was done), resend, or deny (it was not done)',
    })
  }
  if (decided !== undefined) {
    throw new WaybillError('APPROVAL_DECIDED', {
      message: `${decided.by} has decided already: ${decided.verdict}`,
      hint: `it takes effect with \`waybill resume ${runId}\``,
    })
  }
  const redactor = createRedactor(new Map())
  const clean = withoutPii(run.plan)
  const decision: LeftDecision = {
    type: 'person.decided',
    call_id: call.id,
    key: call.key,
    seen: run.state.seq,
    verdict,
    by,
    ...(why !== undefined && { why: clean(redactor.text(why)) }),
    ...(result !== undefined && { result: clean(redactor.json(result)) }),
  }
  store.leaveDecision(runId, decision)
  return { call, decision }
}

/** What is left here lies on disk before the run takes it up, and nobody else's placeholders are at hand. */
function withoutPii({ pii }: Plan): <T extends Json>(value: T) => T {
  if (pii === undefined || pii.handling === 'none' || pii.handling === 'detect') return (value) => value
  const find = createPiiFinder(pii)
  return (value) => new JsonCleaner(find, ({ kind }) => `[${kind} withheld]`).json(value, '')
}
