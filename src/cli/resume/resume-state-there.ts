import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { ReceivedState } from '../../platform/moves/move.ts'
import { readState } from '../files/read-state.ts'
import { readStatesBeside } from '../files/states-beside.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { optionName } from '../options/option-name.ts'
import { wantsJson } from '../options/run-options.ts'
import { assertStateChannel } from '../remote/assert-state-channel.ts'
import { followRun } from '../remote/follow-run.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { shortIdsThere } from '../remote/short-ids.ts'
import { fidelitySummary, lossLines } from '../run-session/fidelity-text.ts'
import { jsonText } from '../terminal/plain-text.ts'
import type { ResumeOptions } from './resume-run.ts'

/**
 * Continues a state from a file on a server, with the states of its sub-agents beside the file: with a migration token as
 * the owner of its run, else as a fork. The agents must be on the server.
 */
export async function resumeStateThere(
  server: ServerClient,
  file: string,
  options: ResumeOptions,
  io: Io,
): Promise<ExitCode> {
  assertStateChannel(server.url, io, options.config)
  const state = await readState(file, io)
  const beside = await readStatesBeside(file, state, io)
  // The state that names them uses them.
  for (const one of beside) await server.send('POST', '/v1/states?subagent=true', one as unknown as Json)
  if (beside.length > 0) io.err(`${sentFirst(beside.length)}\n`)
  const query = new URLSearchParams({
    resume: String(options.resume !== false),
    subagent: 'false',
    ...(options.failOnLoss === true && { fail_on_loss: 'true' }),
  })
  const received = (await server.send(
    'POST',
    `/v1/states?${query}`,
    state as unknown as Json,
  )) as unknown as ReceivedState
  const { run_id, report } = received
  for (const line of lossLines(report)) io.err(`${line}\n`)
  io.err(`${fidelitySummary(report)}\n`)
  if (!wantsJson(options)) {
    const short = await shortIdsThere(server, [run_id])
    io.err(`the state continues as run ${short(run_id)}\n`)
  }
  if (options.resume !== false) return followRun(server, run_id, { json: wantsJson(options), report }, io)
  if (wantsJson(options)) io.out(`${jsonText(received as unknown as Json)}\n`)
  return EXIT.ok
}

function sentFirst(count: number): string {
  return count === 1
    ? 'the state of a sub-agent was sent first'
    : `the states of ${count} sub-agents were sent first`
}

/** What a server decides as this machine does. */
const THERE: readonly (keyof ResumeOptions)[] = ['failOnLoss', 'resume']

/** @throws OPTION_LOCAL_ONLY: the server plans the run, with its own definition and configuration */
export function assertPlannedThere(options: ResumeOptions, planned: readonly (keyof ResumeOptions)[]): void {
  const found = planned.find((name) => !THERE.includes(name) && options[name] !== undefined)
  if (found === undefined && options.at === undefined) return
  throw new WaybillError('OPTION_LOCAL_ONLY', {
    fault: 'usage',
    message: `${found === undefined ? 'a fork after an event' : optionName(found)} is possible on this machine only`,
    hint: 'add --local, or export the state with `waybill state export` and continue that file',
  })
}
