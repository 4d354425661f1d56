import { leaveDecision } from '../../library/leave-decision.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import { RunStore } from '../../run/record/run-store.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { wantsJson } from '../run-options.ts'
import { readResult } from '../terminal/ask-person.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

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
  const { call, decision } = leaveDecision(store, runId, callId, {
    verdict,
    by: options.by ?? personName(io.env),
    ...(options.why !== undefined && { why: options.why }),
    ...(options.result !== undefined && { result: readResult(options.result) }),
  })
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
