import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { compileProgram } from '../../plan/compile-program.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { AgentSessions, StartOptions } from '../../session/agent-sessions.ts'
import { wantsJson } from '../options/run-options.ts'
import type { OpenedCommand } from '../run-session/opened-command.ts'
import { originOf, sessionsOf } from '../run-session/run-origin.ts'
import { setUpRun } from '../run-session/run-setup.ts'
import { type ResumeOptions, sessionsOfRun } from './resume-run.ts'

export interface Continued {
  readonly sessions: AgentSessions
  readonly origin: Omit<StartOptions, 'run_id' | 'durable'>
}

/**
 * Opens the sessions that continue a state. With `--agent`, the definition in that file is planned; else the recorded plan
 * of a run of this home is used.
 * @param stored the captured run, or one that it has come from
 * @throws STATE_AGENT_MISSING
 */
export async function continuingSessions(
  stored: StoredRun | undefined,
  command: OpenedCommand<ResumeOptions>,
): Promise<Continued> {
  const { options, io } = command
  const { agent } = options
  const own = stored?.header
  const user = options.user ?? own?.user
  const session = options.session ?? own?.session
  if (agent !== undefined) {
    const given = { ...options, ...defined({ user, session }) }
    const askHosts = !wantsJson(options) && options.events === undefined
    const setup = await setUpRun(agent, { ...command, options: given }, { askHosts, starts: true })
    return { sessions: sessionsOf(setup, io), origin: originOf(setup, given, io) }
  }
  if (stored === undefined) {
    throw new WaybillError('STATE_AGENT_MISSING', {
      fault: 'usage',
      message: 'the captured run is not in this home, so its definition is not known',
      hint: 'name the definition with --agent FILE',
      rule: 'AAIF-8.2-04',
    })
  }
  const { plan, family, header } = stored
  const planned = {
    program: compileProgram(plan, family),
    plans: [plan, ...family],
    definitions: header.definitions ?? {},
  }
  const { definition_file, tools_file, flags } = header
  return {
    sessions: await sessionsOfRun(stored, command, planned),
    origin: { definition_file, tools_file, user, session, ...defined({ flags }) },
  }
}
