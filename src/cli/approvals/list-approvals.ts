import { waitingCallObject } from '../../library/kept-runs.ts'
import { allWaitingCalls, type WaitingCall } from '../../library/waiting-calls.ts'
import { RunStore } from '../../run/record/run-store.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../run-options.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { argumentsLine, jsonText, plainLine } from '../terminal/plain-text.ts'

/** `waybill approvals list`. */
export function listApprovals(options: { readonly json?: boolean; readonly format?: string }, io: Io): void {
  const calls = allWaitingCalls(new RunStore(runsFolder(io.env)))
  if (wantsJson(options)) {
    io.out(`${jsonText({ approvals: calls.map(waitingCallObject) })}\n`)
    return
  }
  if (calls.length === 0) {
    io.out('nothing waits for a person\n')
    return
  }
  const paint = painter(io.color && io.outIsTty)
  io.out(calls.map((call) => `${lineOf(call, paint)}\n`).join(''))
}

function lineOf({ run, call, decided }: WaitingCall, paint: Paint): string {
  const what = `${paint('strong', plainLine(call.tool, 60))} ${argumentsLine(call.args, 80)}`
  const asks = call.status === 'asking' ? '' : paint('warn', ' may have happened already')
  const done =
    decided === undefined
      ? ''
      : paint('good', ` decided: ${decided.verdict} by ${plainLine(decided.by, 40)}; waits for resume`)
  return `${run.header.run_id}  ${plainLine(call.id, 40)}  ${paint('faint', plainLine(run.header.agent_name, 30))}  ${what}${asks}${done}`
}
