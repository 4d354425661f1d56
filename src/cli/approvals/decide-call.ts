import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import { findRun } from '../../session/find-run.ts'
import { leaveDecision } from '../../session/leave-decision.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { readResult } from '../run-view/ask-person.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface Options {
  readonly why?: string
  readonly by?: string
  readonly result?: string
  readonly arguments?: string
  readonly json?: boolean
  readonly format?: string
}

/** Stores a decision on a waiting call (`waybill approvals approve|deny|resend|assume`). */
export async function decideCall(
  verdict: LeftDecision['verdict'],
  wanted: string,
  callId: string | undefined,
  options: Options,
  io: Io,
): Promise<void> {
  const { runId, call, decision, live } = await withHome(io, async (home) => {
    const id = await findRun(home, wanted)
    const left = await leaveDecision(home, id, callId, {
      verdict,
      by: options.by ?? personName(io.env),
      ...defined({ why: options.why }),
      ...(options.result !== undefined && { result: readResult(options.result) }),
      ...(options.arguments !== undefined && { arguments: readArguments(options.arguments, io) }),
    })
    return { runId: id, ...left, live: (await home.runs.listed(id)).live }
  })
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
      ? `  the run is active: if it is asking at a terminal, it uses this decision now; otherwise run: waybill resume ${runId}\n`
      : `  ${paint('accent', 'next')} waybill resume ${runId}\n`,
  )
}

/** Reads the arguments of a call: a JSON object, or `@FILE`. @throws USAGE */
function readArguments(given: string, io: Io): JsonObject {
  const hint = 'give a JSON object such as \'{"amount":20}\', or @FILE'
  const text = given.startsWith('@')
    ? readNamedFile(given.slice(1), io, { what: 'the arguments', hint, code: 'INPUT_UNREADABLE' }).toString(
        'utf8',
      )
    : given
  const value = jsonIn(text)
  if (!isObject(value)) throw usageError('the arguments are not a JSON object', hint)
  return value
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
