import { resolve } from 'node:path'
import { runHost } from '../../compose/run-host.ts'
import { defined } from '../../document/defined.ts'
import type { RecordedFlags } from '../../run/record/run-header.ts'
import { AgentSessions, type StartOptions } from '../../session/agent-sessions.ts'
import type { Io } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { personName } from '../person-name.ts'
import type { RunSetup } from './run-setup.ts'

/** Returns the sessions of the agent that was set up. The caller closes them. */
export function sessionsOf({ parts, home, program, family, definitions }: RunSetup, io: Io): AgentSessions {
  const host = runHost(parts, personName(io.env), home)
  return new AgentSessions(host, { program, plans: family, definitions })
}

/** Returns the user of a run, and the files and flags that it was started with. */
export function originOf(setup: RunSetup, options: RunOptions, io: Io): StartOptions {
  return {
    definition_file: setup.file,
    tools_file: setup.toolsFile,
    user: options.user,
    session: options.session,
    flags: flagsOf(options, io),
  }
}

/** Returns the flags that a resumed run gets again, with absolute paths. They contain no secrets. */
function flagsOf(options: RunOptions, io: Io): RecordedFlags {
  const { model, judge, baseUrl, allowHost, allowSecret, yes, config, envFile } = options
  return {
    ...defined({ model, judge, base_url: baseUrl, allow_hosts: allowHost, allow_secrets: allowSecret, yes }),
    ...(config !== undefined && { config: resolve(io.cwd, config) }),
    ...(envFile !== undefined && { env_file: resolve(io.cwd, envFile) }),
  }
}
