import { WaybillError } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import { usesOf } from '../../policy/definition-uses.ts'
import { type HostGrant, parseHostGrant } from '../../policy/endpoint-gate.ts'
import type { Home } from '../../session/home.ts'
import {
  fingerprintsFor,
  giveGrant,
  type KnownDefinition,
  newGrantId,
} from '../../settings/remembered-grants.ts'
import type { Io } from '../io.ts'
import { personName } from '../person-name.ts'
import { plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'
import type { MissingHost } from './missing-hosts.ts'

/** Asks the person at the terminal, once for each host, whether the tools of this agent may connect to it. */
export async function askHosts(
  missing: readonly MissingHost[],
  plan: Plan,
  known: KnownDefinition,
  home: Home,
  io: Io,
): Promise<readonly HostGrant[]> {
  const { prompts, streams } = await openPrompts(io)
  const granted: HostGrant[] = []
  for (const { host, tools } of missing) {
    const users = tools.map((tool) => plainLine(tool, 40)).join(', ')
    const answer = await prompts.select<'run' | 'remember' | 'no'>({
      ...streams,
      message: `${plainLine(plan.agent_name, 60)} wants to connect to ${plainLine(host, 100)} (${users}). Allow it?`,
      options: [
        { value: 'no', label: 'No', hint: 'the model gets an error if it calls the tool' },
        { value: 'run', label: 'For this run' },
        { value: 'remember', label: 'Always', hint: 'for this agent; listed by `waybill grants list`' },
      ],
      showInstructions: false,
    })
    if (prompts.isCancel(answer)) {
      throw new WaybillError('INTERRUPTED', {
        fault: 'refused',
        message: 'cancelled before the run started; no tool was called',
        hint: 'run the command again',
      })
    }
    if (answer === 'no') continue
    if (answer === 'remember') {
      const { agent_id, agent_name } = plan
      const by = personName(io.env)
      const at = new Date().toISOString()
      const grant = { id: newGrantId(), kind: 'host' as const, what: host, agent_id, agent_name, by, at }
      const needed = fingerprintsFor(grant, usesOf(known.definition))
      await giveGrant(home.grants, { ...grant, definition: known.identity, tools: needed })
    }
    // Like standing grants, these grants do not allow private addresses.
    granted.push({ ...parseHostGrant(host, 'remembered'), bound: true })
  }
  return granted
}
