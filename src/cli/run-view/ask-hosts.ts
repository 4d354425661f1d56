import { WaybillError } from '../../document/issue.ts'
import type { Plan } from '../../plan/plan.ts'
import { type HostGrant, parseHostGrant } from '../../policy/endpoint-gate.ts'
import type { Io } from '../io.ts'
import { chooseDeliberately } from '../terminal/choose-deliberately.ts'
import { plainLine } from '../terminal/plain-text.ts'
import type { MissingHost } from './missing-hosts.ts'

const ANSWERS = [
  { value: 'no', label: 'No', hint: 'the model gets an error if it calls the tool' },
  { value: 'run', label: 'For this run' },
  { value: 'remember', label: 'Always', hint: 'for this agent; listed by `waybill grants list`' },
]

export interface GrantedHosts {
  /** The grants of this run, which apply to the started definition. */
  readonly hosts: readonly HostGrant[]
  /** The hosts among them that are granted to this agent for good. */
  readonly remembered: readonly string[]
}

/** Asks the person at the terminal, once for each host, whether the tools of this agent may connect to it. */
export async function askHosts(missing: readonly MissingHost[], plan: Plan, io: Io): Promise<GrantedHosts> {
  const hosts: HostGrant[] = []
  const remembered: string[] = []
  for (const { host, tools } of missing) {
    const users = tools.map((tool) => plainLine(tool, 40)).join(', ')
    const message = `${plainLine(plan.agent_name, 60)} wants to connect to ${plainLine(host, 100)} (${users}). Allow it?`
    const answer = await chooseDeliberately({ message, options: ANSWERS, safe: 'no' }, io)
    if (answer === undefined) {
      throw new WaybillError('INTERRUPTED', {
        fault: 'refused',
        message: 'cancelled before the run started; no tool was called',
        hint: 'run the command again',
      })
    }
    if (answer === 'no') continue
    if (answer === 'remember') remembered.push(host)
    // Like standing grants, these grants do not allow private addresses.
    hosts.push({ ...parseHostGrant(host, 'remembered'), bound: true })
  }
  return { hosts, remembered }
}
