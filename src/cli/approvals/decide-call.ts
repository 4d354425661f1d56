import { type Json, WaybillError } from '../../document/issue.ts'
import { createRedactor } from '../../document/redact.ts'
import type { Plan } from '../../plan/plan.ts'
import { JsonCleaner } from '../../policy/pii/clean-json.ts'
import { createPiiFinder } from '../../policy/pii/find-pii.ts'
import { fits, type LeftDecision } from '../../run/left-decision.ts'
import { RunStore } from '../../run/run-store.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { wantsJson } from '../run-options.ts'
import { readResult } from '../terminal/ask-person.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { findWaitingCall, waitingCallsOf } from './waiting-calls.ts'

interface Options {
  readonly why?: string
  readonly by?: string
  readonly result?: string
  readonly json?: boolean
  readonly format?: string
}

/** `waybill approvals approve|deny|resend|assume`: leaves a decision for a call that waits. */
export function decideCall(
  verdict: LeftDecision['verdict'],
  wanted: string,
  callId: string | undefined,
  options: Options,
  io: Io,
): void {
  const store = new RunStore(runsFolder(io.env))
  const runId = store.resolve(wanted)
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
    by: options.by ?? personName(io.env),
    ...(options.why !== undefined && { why: clean(redactor.text(options.why)) }),
    ...(options.result !== undefined && { result: clean(redactor.json(readResult(options.result))) }),
  }
  store.leaveDecision(runId, decision)
  const live = store.isLive(runId)
  if (wantsJson(options)) {
    const { key: _key, seen: _seen, type: _type, ...rest } = decision
    io.out(
      `${jsonText({ run_id: runId, tool: call.tool, ...rest, takes_effect: live ? 'now' : 'on resume' })}\n`,
    )
    return
  }
  const paint = painter(io.color)
  io.err(
    `${paint('good', '✓')} ${plainLine(call.tool)} ${plainLine(call.id)}: ${verdict}, by ${plainLine(decision.by)}\n`,
  )
  io.err(
    live
      ? `  the run is under way: if it asks at a terminal it takes this up, else: waybill resume ${runId}\n`
      : `  ${paint('accent', 'next')} waybill resume ${runId}\n`,
  )
}

/** What is left here lies on disk before the run takes it up, and nobody else's placeholders are at hand. */
function withoutPii({ pii }: Plan): <T extends Json>(value: T) => T {
  if (pii === undefined || pii.handling === 'none' || pii.handling === 'detect') return (value) => value
  const find = createPiiFinder(pii)
  return (value) => new JsonCleaner(find, ({ kind }) => `[${kind} withheld]`).json(value, '')
}
