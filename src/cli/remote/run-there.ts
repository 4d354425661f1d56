import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { findRun } from '../../session/find-run.ts'
import { parseBudget, type RunFlags } from '../../settings/operator-settings-of.ts'
import { EXIT, type ExitCode, type Io, isInteractive } from '../io.ts'
import { type FormatOptions, type RunOptions, wantsJson } from '../options/run-options.ts'
import { asInput, readInputText } from '../run-session/run-input.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { agentsAt, findAgent } from './find-agent.ts'
import { followRun } from './follow-run.ts'
import { remoteRecords } from './remote-records.ts'
import type { ServerClient } from './server-client.ts'
import { type UploadedAgent, uploadAgent } from './upload-agent.ts'

export interface RunThereOptions extends RunOptions, FormatOptions {
  readonly input?: string
  readonly detach?: boolean
}

/** Options that say what a run on this machine may do: on a server, the operator of the server does. */
const LOCAL_ONLY: readonly (readonly [member: string, option: string])[] = [
  ['model', '--model'],
  ['judge', '--judge'],
  ['ask', '--ask'],
  ['baseUrl', '--base-url'],
  ['schema', '--schema'],
  ['allowHost', '--allow-host'],
  ['allowSecret', '--allow-secret'],
  ['yes', '--yes'],
  ['allowDeprecated', '--allow-deprecated'],
  ['config', '--config'],
  ['envFile', '--env-file'],
  ['plan', '--plan'],
  ['batch', '--batch'],
  ['resume', '--resume'],
  ['events', '--events'],
  ['stateOut', '--state-out'],
  ['trace', '--trace'],
  ['traceParent', '--trace-parent'],
  ['traceState', '--trace-state'],
]

/** @throws OPTION_LOCAL_ONLY */
export function assertRemoteOptions(options: object): void {
  const found = LOCAL_ONLY.find(([member]) => (options as Record<string, unknown>)[member] !== undefined)
  if (found === undefined) return
  throw new WaybillError('OPTION_LOCAL_ONLY', {
    fault: 'usage',
    message: `${found[1]} is an option of runs on this machine`,
    hint: 'leave it out: the operator of the server sets models, hosts and secrets; or run it here with --local',
  })
}

/** Uploads a definition and runs it on a server (`waybill run --server`). */
export async function runThere(
  server: ServerClient,
  file: string,
  options: RunThereOptions,
  io: Io,
): Promise<ExitCode> {
  assertRemoteOptions(options)
  const agent = await agentFor(server, file, options, io)
  const text = await readInputText(options.input, io, file === '-')
  const input = text === undefined ? undefined : asInput(text, agent.hasInputSchema)
  const started = (await server.send('POST', `/v1/agents/${encodeURIComponent(agent.agent_id)}/runs`, {
    ...defined({ input, version: agent.version === '' ? undefined : agent.version }),
    ...startMembers(options),
  })) as JsonObject
  const runId = String(started.run_id)
  if (options.detach !== true) return followRun(server, runId, { json: wantsJson(options) }, io)
  io.out(wantsJson(options) ? `${jsonText({ run_id: runId })}\n` : `${runId}\n`)
  return EXIT.ok
}

function startMembers({ user, session, budget, rehearse }: RunFlags): JsonObject {
  const limits = budget === undefined ? undefined : (parseBudget(budget) as unknown as JsonObject)
  return defined({ user, session, budget: limits, rehearse }) as JsonObject
}

/** The agent in a file, which is uploaded, or one that the server has, by its id or name. */
async function agentFor(
  server: ServerClient,
  file: string,
  options: Pick<RunOptions, 'tools' | 'agents'>,
  io: Io,
): Promise<UploadedAgent> {
  if (file === '-' || existsSync(resolve(io.cwd, file)))
    return uploadAgent(server, file, defined({ tools: options.tools, agents: options.agents }), io)
  const { agent_id, name } = await findAgent(agentsAt(server), file, io)
  return { agent_id, version: '', name, hasInputSchema: false }
}

/** Continues a run on a server, and shows it (`waybill resume --server`). */
export async function resumeThere(
  server: ServerClient,
  wanted: string,
  options: FormatOptions,
  io: Io,
): Promise<ExitCode> {
  assertRemoteOptions(options)
  const runId = await findRun(remoteRecords(server), wanted)
  const view = (await server.send('GET', `/v1/runs/${runId}`)) as JsonObject
  if (view.status === 'paused') await server.send('POST', `/v1/runs/${runId}/resume`)
  else if (view.status === 'set_aside') await server.send('POST', `/v1/runs/${runId}/retry`)
  return followRun(server, runId, { json: wantsJson(options) }, io)
}

/** Reads messages, as `waybill chat` does. */
interface Lines {
  next(prompt: string): Promise<string | null>
  close(): void
}

/** Holds a conversation on a server: a session with a turn for each message (`waybill chat --server`). */
export async function chatThere(
  server: ServerClient,
  file: string,
  lines: Lines,
  options: RunThereOptions,
  io: Io,
): Promise<ExitCode> {
  assertRemoteOptions(options)
  const agent = await agentFor(server, file, options, io)
  const session = options.session ?? `chat:${uuidv7()}`
  const path = `/v1/agents/${encodeURIComponent(agent.agent_id)}/runs`
  const members = startMembers({ ...options, session })
  const json = wantsJson(options)
  let exit: ExitCode = EXIT.ok
  try {
    for (;;) {
      const said = await lines.next(isInteractive(io, json) ? '> ' : '')
      if (said === null || said === '/exit') return exit
      const input: Json = asInput(said, agent.hasInputSchema)
      // A run in a session that has one is its next turn.
      const { run_id } = (await server.send('POST', path, { input, ...members })) as JsonObject
      exit = await followRun(server, String(run_id), { json, brief: true }, io)
    }
  } finally {
    lines.close()
  }
}
