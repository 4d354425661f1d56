import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { isObject, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { runAway } from '../../run/record/record-errors.ts'
import type { RunResult } from '../../run/result.ts'
import type { CallEntry } from '../../run/state.ts'
import type { FidelityReport } from '../../state/fidelity.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { exitOf } from '../run-session/drive-run.ts'
import { askInput } from '../run-view/ask-input.ts'
import { describeCall } from '../run-view/ask-person.ts'
import { showResult } from '../run-view/show-result.ts'
import { chooseDeliberately } from '../terminal/choose-deliberately.ts'
import { painter } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { each, movedIn } from './remote-records.ts'
import type { ServerClient } from './server-client.ts'
import { shortIdsThere } from './short-ids.ts'
import { ShownText } from './shown-text.ts'

/** How often the status is asked for, in milliseconds: the stream of a run that waits for a person stays open. */
const LOOK_MS = 500

/** How often a stream that was cut is opened again in a row, and the pause before, in milliseconds. */
const RECONNECTS = 20
const RECONNECT_MS = 500

/** How often a run is looked at that waits by its record, and has no open question. */
const ANSWERED_LOOKS = 40

const SETTLED: ReadonlySet<unknown> = new Set([
  'completed',
  'failed',
  'refused',
  'cancelled',
  'awaiting_approval',
  'paused',
  'set_aside',
  'moved',
])

/**
 * Shows a run on a server until it ends or waits, with its text as it is written, and prints its result as a local run
 * does. The first Ctrl-C pauses the run there, the second one ends this program and not the run.
 */
export async function followRun(
  server: ServerClient,
  runId: string,
  {
    json,
    brief = false,
    report,
  }: { readonly json: boolean; readonly brief?: boolean; readonly report?: FidelityReport },
  io: Io,
): Promise<ExitCode> {
  const short = await shortIdsThere(server, [runId])
  let interrupted = false
  const interrupt = () => {
    if (interrupted) process.exit(EXIT.interrupted)
    interrupted = true
    io.err(`pausing ${short(runId)}; Ctrl-C again leaves it to the server\n`)
    server.send('POST', `/v1/runs/${runId}/pause`).catch(() => {})
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
  try {
    const text = new ShownText(io, !json && io.outIsTty)
    for (;;) {
      const view = await settled(server, runId, text)
      if (view.status === 'awaiting_approval' && !interrupted && isInteractive(io, json)) {
        if (await askHere(server, runId, io)) continue
      }
      const result = resultOf(view)
      await showResult(result, io, { json, short, brief, shown: text.shown, ...defined({ report }) })
      return exitOf({ result, interrupted })
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Waits until a run has ended, or waits for a person. */
async function settled(server: ServerClient, runId: string, text: ShownText): Promise<JsonObject> {
  const stop = new AbortController()
  const path = `/v1/runs/${encodeURIComponent(runId)}`
  // A decision is stored before a worker continues the run, which waits until then by its record. The list of questions is
  // read in steps, so a run that continues meanwhile may still be in it.
  const waits = async (view: JsonObject): Promise<boolean> =>
    (await hasQuestion(server, runId)) && isDeepStrictEqual(await server.send('GET', path), view)
  const followed = follow(server, `${path}/events`, text, stop.signal)
  // A failure of the stream is reported by the requests below.
  followed.catch(() => {})
  try {
    for (let answered = 0; ; ) {
      const view = (await server.send('GET', path)) as JsonObject
      if (view.status === 'awaiting_approval' && ++answered <= ANSWERED_LOOKS && !(await waits(view))) {
        // Not until the stream ends: that of a run that waited may have ended before.
        await sleep(LOOK_MS)
        continue
      }
      if (SETTLED.has(view.status)) {
        // The rest of a text that is on its way.
        if (view.status !== 'awaiting_approval' && view.status !== 'paused')
          await Promise.race([followed.catch(() => {}), sleep(LOOK_MS)])
        return view
      }
      await Promise.race([followed.catch(() => {}), sleep(LOOK_MS)])
    }
  } finally {
    stop.abort()
    await followed.catch(() => {})
    text.end()
  }
}

async function hasQuestion(server: ServerClient, runId: string): Promise<boolean> {
  for await (const _item of each(server, '/v1/approvals', { run_id: runId })) return true
  return false
}

/** Codes of what ends by itself: the server restarts, or its database is away. */
const PASSING: ReadonlySet<string> = new Set([
  'SERVER_UNREACHABLE',
  'SERVER_STOPPING',
  'DATABASE_UNREACHABLE',
])

async function follow(
  server: ServerClient,
  path: string,
  text: ShownText,
  signal: AbortSignal,
): Promise<void> {
  for (let cut = 0; cut < RECONNECTS; cut++) {
    try {
      for await (const { event, data, id } of server.follow(path, text.seq, signal)) {
        // The stream has failed, and may succeed after an outage.
        if (event === 'problem') break
        cut = 0
        if (id !== undefined) text.seq = Number(id)
        if (event === 'end') return
        if (isObject(data) && event.startsWith('text')) text.take(event, data)
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof WaybillError && !PASSING.has(error.code)) throw error
    }
    await sleep(RECONNECT_MS, undefined, { signal })
  }
}

const STATUS: Readonly<Record<string, CallEntry['status']>> = { unknown: 'unknown', input: 'input_required' }

/** Asks the person at the terminal about each call that waits. @returns whether something was decided */
async function askHere(server: ServerClient, runId: string, io: Io): Promise<boolean> {
  let decided = false
  for await (const item of each(server, '/v1/approvals', { run_id: runId })) {
    const call = {
      id: String(item.call_id),
      tool: String(item.tool),
      args: item.arguments as JsonObject,
      key: '',
      effect: 'once',
      status: ownMember(STATUS, String(item.asks)) ?? 'asking',
      ...defined({ why: item.why }),
      ...(item.questions !== undefined && { elicitation: { round: 1, questions: item.questions } }),
    } as unknown as CallEntry
    const asking = String(item.server ?? '')
    io.err(`${describeCall(call, undefined, painter(io.color), asking)}\n`)
    if (call.status === 'input_required') {
      const given = await askInput(call.elicitation?.questions ?? [], asking, io)
      if (given === undefined || given === 'later') return decided
      await server.send('POST', `/v1/approvals/${encodeURIComponent(String(item.id))}`, {
        verdict: 'answer',
        answers: given.answers as unknown as JsonObject,
        digest: item.digest ?? null,
      })
      decided = true
      continue
    }
    const options =
      call.status === 'asking'
        ? [
            { value: 'approve', label: 'Approve' },
            { value: 'deny', label: 'Deny' },
            { value: 'later', label: 'Decide later' },
          ]
        : [
            { value: 'later', label: 'Decide later' },
            { value: 'assume', label: 'It was done' },
            { value: 'resend', label: 'Send it again' },
            { value: 'deny', label: 'It was not done' },
          ]
    const message = `What should happen with ${plainLine(call.tool, 60)}?`
    const verdict = await chooseDeliberately({ message, options, safe: 'later' }, io)
    if (verdict === undefined || verdict === 'later') return decided
    await server.send('POST', `/v1/approvals/${encodeURIComponent(String(item.id))}`, {
      verdict,
      digest: item.digest ?? null,
    })
    decided = true
  }
  return decided
}

/** The members of `waybill run --json`; the others say how the run is kept on the server. */
const MEMBERS = [
  'run_id',
  'agent_id',
  'status',
  'stop_reason',
  'output',
  'rehearsal',
  'model',
  'usage',
  'subagents',
  'warnings',
  'error',
  'waiting',
] as const

function resultOf(view: JsonObject): RunResult {
  if (view.status === 'moved') throw runAway(String(view.run_id), movedIn(view))
  if (view.status === 'set_aside')
    throw new WaybillError('RUN_SET_ASIDE', {
      fault: 'failed',
      message: `the run was set aside: ${String(view.why ?? 'it has killed its worker repeatedly')}`,
      hint: `\`waybill resume ${String(view.run_id)}\` queues it again`,
    })
  const members = MEMBERS.flatMap((name) => (view[name] === undefined ? [] : [[name, view[name]] as const]))
  return Object.fromEntries(members) as unknown as RunResult
}
