import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import { findRun } from '../../session/find-run.ts'
import { leaveDecision } from '../../session/leave-decision.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import { withHome } from '../home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import { each, objectOf, remoteRecords } from '../remote/remote-records.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { type PlaceOptions, serverFor } from '../remote/with-records.ts'
import { readResult } from '../run-view/ask-person.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

interface Options extends PlaceOptions {
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
  const server = serverFor(options, io)
  if (server !== undefined) return decideThere(server, verdict, wanted, callId, options, io)
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

/** Decides about a call of a run on a server, which continues the run. */
async function decideThere(
  server: ServerClient,
  verdict: LeftDecision['verdict'],
  wanted: string,
  callId: string | undefined,
  options: Options,
  io: Io,
): Promise<void> {
  const runId = await findRun(remoteRecords(server), wanted)
  const open: JsonObject[] = []
  for await (const item of each(server, '/v1/approvals', { run_id: runId })) open.push(item)
  const one = namedCall(open, runId, callId)
  const { why: note, result, arguments: args } = options
  const answer = objectOf(
    await server.send('POST', `/v1/approvals/${encodeURIComponent(String(one.id))}`, {
      verdict,
      digest: one.digest ?? null,
      ...defined({ note }),
      ...(result !== undefined && { result: readResult(result) }),
      ...(args !== undefined && { arguments: readArguments(args, io) }),
    }),
  )
  const { votes } = answer
  if (wantsJson(options)) {
    const decided = { run_id: runId, tool: one.tool ?? null, call_id: one.call_id ?? null, verdict }
    io.out(`${jsonText({ ...decided, ...defined({ why: note, votes }), takes_effect: 'now' })}\n`)
    return
  }
  const paint = painter(io.color)
  const missing = isObject(votes) && Array.isArray(votes.given) && Number(votes.needed) > votes.given.length
  io.err(
    `${paint('good', '✓')} ${plainLine(String(one.tool))} ${plainLine(String(one.call_id))}: ${verdict}${missing ? '; more people must agree' : ''}\n`,
  )
}

/** @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS */
function namedCall(open: readonly JsonObject[], runId: string, callId: string | undefined): JsonObject {
  const exact = open.filter(({ call_id }) => call_id === callId)
  const found =
    exact.length > 0
      ? exact
      : open.filter(({ call_id }) => callId === undefined || String(call_id).startsWith(callId))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw new WaybillError(only === undefined ? 'APPROVAL_NOT_FOUND' : 'APPROVAL_AMBIGUOUS', {
    fault: 'usage',
    message:
      only === undefined
        ? `no call of run ${runId} waits for a person${callId === undefined ? '' : ` with the id ${callId}`}`
        : `${found.length} calls wait: ${found.map(({ call_id, tool }) => `${String(call_id)} (${String(tool)})`).join(', ')}`,
    hint:
      only === undefined ? '`waybill approvals list` shows the waiting calls' : 'name the call after the run',
  })
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
