import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { asJson, isObject, type JsonObject } from '../../document/json.ts'
import type { ServerQuestion } from '../../run/elicitation.ts'
import type { LeftDecision } from '../../run/record/left-decision.ts'
import { alreadyDecided, decidedBefore } from '../../session/decided-before.ts'
import { findRun } from '../../session/find-run.ts'
import { EXIT, type Io, isInteractive } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { each, objectOf, remoteRecords } from '../remote/remote-records.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { readResult } from '../run-view/ask-person.ts'
import { chooseDeliberately } from '../terminal/choose-deliberately.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { type DecideOptions, readArguments } from './decide-options.ts'
import { readAnswers } from './read-answers.ts'
import { editedVote, type SeenVote, voteLines } from './seen-votes.ts'

export interface DecideThere {
  readonly verdict: LeftDecision['verdict']
  readonly wanted: string
  readonly callId: string | undefined
  readonly options: DecideOptions
}

/** Decides about a call of a run on a server, which continues the run. @returns false if nothing was decided */
export async function decideThere(
  server: ServerClient,
  { verdict, wanted, callId, options }: DecideThere,
  io: Io,
  exit: (code: number) => void,
): Promise<boolean> {
  const records = remoteRecords(server)
  const runId = await findRun(records, wanted)
  const open: JsonObject[] = []
  for await (const item of each(server, '/v1/approvals', { run_id: runId })) open.push(item)
  const one = await namedCall(open, runId, callId).catch(async (error: WaybillError) => {
    if (error.code !== 'APPROVAL_NOT_FOUND') throw error
    const decided = decidedBefore(await records.runs.events(runId), { call: callId })
    throw decided === undefined
      ? error
      : alreadyDecided(decided, `\`waybill runs show ${runId}\` shows what followed`)
  })
  const digest = verdict === 'approve' ? await approvedDigest(one, options, io) : one.digest
  if (digest === undefined) {
    io.err('not decided: the call waits\n')
    exit(EXIT.waiting)
    return false
  }
  const { why: note, result, arguments: args } = options
  const answer = objectOf(
    await server.send('POST', `/v1/approvals/${encodeURIComponent(String(one.id))}`, {
      verdict,
      digest,
      ...defined({ note }),
      ...(result !== undefined && { result: readResult(result) }),
      ...(args !== undefined && { arguments: readArguments(args, io) }),
      ...(verdict === 'answer' && (asJson(readAnswers(questionsOf(one), options, io)) as JsonObject)),
    }),
  )
  const { votes } = answer
  if (wantsJson(options)) {
    // With --resume, the result of the run is the one JSON value.
    if (options.resume === true) return true
    const decided = { run_id: runId, tool: one.tool ?? null, call_id: one.call_id ?? null, verdict }
    io.out(`${jsonText({ ...decided, ...defined({ why: note, votes }), takes_effect: 'now' })}\n`)
    return true
  }
  const paint = painter(io.color)
  const missing = isObject(votes) && Array.isArray(votes.given) && Number(votes.needed) > votes.given.length
  io.err(
    `${paint('good', '✓')} ${plainLine(String(one.tool))} ${plainLine(String(one.call_id))}: ${verdict}${missing ? '; more people must agree' : ''}\n`,
  )
  return true
}

/**
 * Returns the digest of what is approved: of the question, except if others have voted for edited arguments; then a
 * person is asked.
 * @returns undefined if the person decides later
 * @throws APPROVAL_VOTED_OTHERWISE without a terminal
 */
async function approvedDigest(one: JsonObject, options: DecideOptions, io: Io): Promise<string | undefined> {
  const own = String(one.digest)
  const edited = editedVote(one)
  if (options.digest !== undefined || edited === undefined) return options.digest ?? own
  if (!isInteractive(io, wantsJson(options))) throw votedOtherwise(edited, own)
  io.err(`${voteLines(one, painter(io.color)).join('\n')}\n`)
  const message = `Which arguments of ${plainLine(String(one.tool), 60)} do you approve?`
  const choices = [
    { value: edited.digest, label: `The edited ones, as ${plainLine(edited.by, 40)}` },
    { value: own, label: 'Those of the model', hint: 'removes the votes for the edited ones' },
    { value: 'later', label: 'Decide later' },
  ]
  const digest = await chooseDeliberately({ message, options: choices, safe: 'later' }, io)
  return digest === 'later' ? undefined : digest
}

function votedOtherwise({ by, digest }: SeenVote, own: string): WaybillError {
  return new WaybillError('APPROVAL_VOTED_OTHERWISE', {
    fault: 'refused',
    message: `${by} has voted for edited arguments: \`waybill approvals show\` shows them`,
    hint: `to agree, add --digest ${digest}; to approve the arguments of the model, which removes the votes for others, add --digest ${own}`,
  })
}

function questionsOf({ questions }: JsonObject): readonly ServerQuestion[] {
  return Array.isArray(questions) ? (questions as unknown as readonly ServerQuestion[]) : []
}

/** @throws APPROVAL_NOT_FOUND, APPROVAL_AMBIGUOUS */
async function namedCall(
  open: readonly JsonObject[],
  runId: string,
  callId: string | undefined,
): Promise<JsonObject> {
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
