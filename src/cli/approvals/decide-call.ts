import { defined } from '../../document/defined.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import type { Records } from '../../run/record/records.ts'
import { findRun } from '../../session/find-run.ts'
import { leaveDecision } from '../../session/leave-decision.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { serverFor } from '../remote/with-records.ts'
import { readResult } from '../run-view/ask-person.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { type DecideOptions, readArguments } from './decide-options.ts'
import { decideThere } from './decide-there.ts'
import { readAnswers } from './read-answers.ts'

/** Stores a decision on a waiting call (`waybill approvals approve|edit|answer|deny|resend|assume`). */
export async function decideCall(
  verdict: LeftDecision['verdict'],
  wanted: string,
  callId: string | undefined,
  options: DecideOptions,
  io: Io,
  exit: (code: number) => void,
): Promise<void> {
  const server = serverFor(options, io)
  if (server !== undefined) {
    const decided = await decideThere(server, { verdict, wanted, callId, options }, io, exit)
    if (decided && options.resume === true) exit(await continued(wanted, options, io))
    return
  }
  if (options.digest !== undefined)
    throw usageError(
      '--digest names what others have voted for, on a server',
      'name the server with --server',
    )
  const { runId, short, call, decision, live } = await withHome(io, async (home) => {
    const id = await findRun(home, wanted)
    const given = await answersFor(home, id, callId, verdict, options, io)
    const left = await leaveDecision(home, id, callId, {
      verdict,
      ...given,
      by: options.by ?? personName(io.env),
      ...defined({ why: options.why }),
      ...(options.result !== undefined && { result: readResult(options.result) }),
      ...(options.arguments !== undefined && { arguments: readArguments(options.arguments, io) }),
    })
    return { runId: id, short: await shortRunId(home, id), ...left, live: (await home.runs.listed(id)).live }
  })
  const resumes = options.resume === true && !live
  if (wantsJson(options) && !resumes) {
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
  if (resumes) {
    exit(await continued(runId, options, io))
    return
  }
  io.err(
    live
      ? `  the run is active: if it is asking at a terminal, it uses this decision now; otherwise run: waybill resume ${short}\n`
      : `  ${paint('accent', 'next')} waybill resume ${short}\n`,
  )
}

/** Returns what a person answers to the server of a call. */
async function answersFor(
  home: Pick<Records, 'runs'>,
  runId: string,
  callId: string | undefined,
  verdict: LeftDecision['verdict'],
  options: DecideOptions,
  io: Io,
) {
  if (verdict !== 'answer') return {}
  const waiting = await waitingCallsOf(home, await home.runs.read(runId))
  // A call that waits for something else, or not at all, is reported where the decision is stored.
  const asking = waiting.filter(({ call }) => call.status === 'input_required')
  const named = asking.find(({ call }) => call.id === callId)
  const one = named ?? asking.find(({ call }) => callId === undefined || call.id.startsWith(callId))
  return readAnswers(one?.call.elicitation?.questions ?? [], options, io)
}

/** Continues the run (`--resume`); a server has continued it, so only its end is shown. */
async function continued(
  wanted: string,
  { server, local, json, format }: DecideOptions,
  io: Io,
): Promise<ExitCode> {
  const { resume } = await import('../resume/resume.ts')
  return resume(wanted, defined({ server, local, json, format }), io)
}
