import type { ShortRunId } from '../../session/short-run-id.ts'
import { waitingCallObject } from '../../session/waiting-approval.ts'
import { allWaitingCalls, type WaitingCall } from '../../session/waiting-calls.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { shortIds } from '../remote/short-ids.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { count } from '../terminal/amounts.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { argumentsLine, jsonText, plainLine } from '../terminal/plain-text.ts'
import { editedVote, type SeenQuestion, seenQuestions, voteCount } from './seen-votes.ts'

/** Prints the waiting calls of all runs (`waybill approvals list`). */
export async function showApprovalList(
  options: PlaceOptions & { readonly json?: boolean; readonly format?: string },
  io: Io,
): Promise<void> {
  const json = wantsJson(options)
  const { calls, damaged, seen, short } = await withRecords(options, io, async (home, server) => {
    const waiting = await allWaitingCalls(home)
    const ids = waiting.calls.map(({ run }) => run.header.run_id)
    return {
      ...waiting,
      seen: await seenQuestions(server),
      short: await shortIds(home, server, json ? [] : ids),
    }
  })
  const seenOf = ({ run, call }: WaitingCall) => seen(run.header.run_id, call.id)
  if (damaged.length > 0)
    io.err(
      `${count(damaged.length, 'run')} cannot be read, so their waiting calls are unknown: ${damaged.join(', ')}\n`,
    )
  if (json) {
    io.out(
      `${jsonText({ approvals: calls.map((call) => ({ ...waitingCallObject(call), ...seenOf(call) })), ...(damaged.length > 0 && { damaged: damaged.length }) })}\n`,
    )
    return
  }
  if (calls.length === 0) {
    io.out(`no call waits for a decision in ${placeName(options, io)}\n`)
    return
  }
  const paint = painter(io.color && io.outIsTty)
  io.out(calls.map((call) => `${lineOf(call, seenOf(call), short, paint)}\n`).join(''))
}

function lineOf(
  { run, call, decided }: WaitingCall,
  seen: SeenQuestion,
  short: ShortRunId,
  paint: Paint,
): string {
  const count = voteCount(seen)
  const votes =
    count === ''
      ? ''
      : paint('warn', ` ${count}${editedVote(seen) === undefined ? '' : ', for edited arguments'}`)
  const what = `${paint('strong', plainLine(call.tool, 60))} ${argumentsLine(call.args, 80)}`
  const asks = call.status === 'asking' ? '' : paint('warn', ' outcome unknown')
  const done =
    decided === undefined
      ? ''
      : paint('good', ` decided: ${decided.verdict} by ${plainLine(decided.by, 40)}; waits for resume`)
  return `${short(run.header.run_id)}  ${plainLine(call.id, 40)}  ${paint('faint', plainLine(run.header.agent_name, 30))}  ${what}${asks}${votes}${done}`
}
