import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { defined } from '../../document/defined.ts'
import type { ErrorObject } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Plan } from '../../plan/plan.ts'
import { parseBudget } from '../../settings/operator-settings-of.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { agentsAt, findAgent } from '../remote/find-agent.ts'
import { assertRemoteOptions } from '../remote/run-there.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { definitionToSend } from '../remote/upload-agent.ts'
import { planText } from '../run-view/show-plan.ts'
import { timedTriggers } from '../run-view/show-triggers.ts'
import { jsonText } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'

export interface PlanThereOptions extends RunOptions {
  readonly format?: string
  readonly prompt?: boolean
  readonly assumeSecret?: readonly string[]
  readonly out?: string
}

/** Plans a run on a server: of an agent that it has, or of a file, which is not stored there (`waybill plan --server`). */
export async function planThere(
  server: ServerClient,
  file: string,
  options: PlanThereOptions,
  io: Io,
): Promise<ExitCode> {
  assertRemoteOptions(options)
  if (options.out !== undefined || options.assumeSecret !== undefined)
    throw usageError(
      'a plan of a server is neither written for `waybill run --plan` nor made with assumed secrets',
      'leave out --out and --assume-secret, or plan on this machine with --local',
    )
  const plan = (await planOf(server, file, options, io)) as unknown as Plan & {
    readonly ok: boolean
    readonly error?: ErrorObject
  }
  const { ok, error } = plan
  if (wantsJson(options)) io.out(`${jsonText(plan as unknown as Json)}\n`)
  else
    io.out(
      planText(plan, {
        color: io.color && io.outIsTty,
        prompt: options.prompt === true,
        file,
        triggers: await timedTriggers(plan),
        ...(error !== undefined && { error }),
      }),
    )
  return ok ? EXIT.ok : EXIT.no
}

async function planOf(
  server: ServerClient,
  file: string,
  { user, session, budget, rehearse, tools, agents }: PlanThereOptions,
  io: Io,
): Promise<JsonObject> {
  const isFile = file === '-' || existsSync(resolve(io.cwd, file))
  if (isFile) {
    const { bytes, mediaType } = await definitionToSend(file, defined({ tools, agents }), io)
    const query = rehearse === true ? '?rehearse=true' : ''
    return objectOf(await server.upload(`/v1/plans${query}`, bytes, mediaType))
  }
  const { agent_id } = await findAgent(agentsAt(server), file, io)
  const limits = budget === undefined ? undefined : (parseBudget(budget) as unknown as Json)
  const settings = defined({ user, session, budget: limits, rehearse }) as JsonObject
  return objectOf(await server.send('POST', `/v1/agents/${encodeURIComponent(agent_id)}/plan`, settings))
}

function objectOf(value: Json): JsonObject {
  return isObject(value) ? value : {}
}
