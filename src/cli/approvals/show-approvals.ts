import { type Asks, asksOf } from '../../run/unsettled.ts'
import { assertHere } from '../../session/assert-here.ts'
import { findRun } from '../../session/find-run.ts'
import { waitingCallObject } from '../../session/waiting-approval.ts'
import { findWaitingCall, type WaitingCall, waitingCallsOf } from '../../session/waiting-calls.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { shortIds } from '../remote/short-ids.ts'
import { type PlaceOptions, withRecords } from '../remote/with-records.ts'
import { describeCall } from '../run-view/ask-person.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { type SeenQuestion, seenQuestions, voteLines } from './seen-votes.ts'

/** Prints one waiting call, or all waiting calls of a run (`waybill approvals show`). */
export async function showApprovals(
  wanted: string,
  callId: string | undefined,
  options: PlaceOptions & { readonly json?: boolean; readonly format?: string },
  io: Io,
): Promise<void> {
  const { runId, all, seen, short } = await withRecords(options, io, async (home, server) => {
    const id = await findRun(home, wanted)
    await assertHere(home, id)
    return {
      runId: id,
      all: await waitingCallsOf(home, await home.runs.read(id)),
      seen: await seenQuestions(server, { run_id: id }),
      short: (await shortIds(home, server, [id]))(id),
    }
  })
  const seenOf = ({ run, call }: WaitingCall) => seen(run.header.run_id, call.id)
  const calls = callId === undefined && all.length > 1 ? all : [findWaitingCall(all, runId, callId)]
  if (wantsJson(options))
    io.out(
      `${jsonText({ approvals: calls.map((call) => ({ ...waitingCallObject(call), ...seenOf(call) })) })}\n`,
    )
  else io.out(`${calls.map((call) => textOf(call, seenOf(call), short, io)).join('\n\n')}\n`)
}

const VERDICTS: Readonly<Record<Asks, readonly string[]>> = {
  approval: ['approve', 'deny'],
  input: ['answer', 'deny'],
  unknown: ['assume', 'resend', 'deny'],
}

function textOf({ run, call, decided }: WaitingCall, seen: SeenQuestion, short: string, io: Io): string {
  const paint = painter(io.color && io.outIsTty)
  const tool = run.plan.tools.find(({ name }) => name === call.tool)
  const id = plainLine(call.id)
  const verdicts = VERDICTS[asksOf(call)]
  const next =
    decided === undefined
      ? verdicts.map((verdict) => `waybill approvals ${verdict} ${short} ${id}`)
      : [`waybill resume ${short}   (${decided.verdict} by ${plainLine(decided.by, 40)})`]
  return [
    describeCall(call, tool, paint),
    ...voteLines(seen, paint),
    ...next.map((step) => `  ${paint('accent', 'next')} ${step}`),
  ].join('\n')
}
