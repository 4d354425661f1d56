import type { Json } from '../../document/json.ts'
import type { AgentView } from '../../platform/agents/agent.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { findAgent } from '../remote/find-agent.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { type AgentOptions, withAgents } from './with-agents.ts'

export interface LabelOptions extends AgentOptions {
  readonly remove?: boolean
}

/** Activates or deprecates a version (`waybill agents activate`, `waybill agents deprecate`). */
export async function changeAgent(
  change: 'activate' | 'deprecate',
  agent: string,
  version: string | undefined,
  options: AgentOptions,
  io: Io,
): Promise<void> {
  const view = await withAgents(options, io, async (agents) =>
    agents[change]((await findAgent(agents, agent, io)).agent_id, version),
  )
  show(view, `${change}d`, options, io)
}

/** Moves or removes a label (`waybill agents label`). */
export async function labelAgent(
  agent: string,
  label: string,
  version: string | undefined,
  options: LabelOptions,
  io: Io,
): Promise<void> {
  if ((version === undefined) !== (options.remove === true))
    throw usageError(
      'a label needs either a version or --remove',
      `waybill agents label AGENT ${plainLine(label, 60)} VERSION`,
    )
  const view = await withAgents(options, io, async (agents) =>
    agents.label((await findAgent(agents, agent, io)).agent_id, label, version ?? null),
  )
  show(view, options.remove === true ? `label ${label} removed` : `label ${label}`, options, io)
}

function show(view: AgentView, what: string, options: AgentOptions, io: Io): void {
  if (wantsJson(options)) io.out(`${jsonText(view as unknown as Json)}\n`)
  else io.err(`${plainLine(`${what}: ${view.name} ${view.version} (${view.status})`, 300)}\n`)
}
