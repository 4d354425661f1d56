import { resolve } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { type RecordedFlags, runHeader } from '../run/record/run-header.ts'
import { type OpenRun, RunStore } from '../run/record/run-store.ts'
import { makeHome, runsFolder } from '../settings/home.ts'
import type { Io } from './io.ts'
import type { RunOptions } from './run-options.ts'
import type { RunSetup } from './run-setup.ts'

/** Opens the record of a new run in Waybill's home. */
export function startRun(setup: RunSetup, options: RunOptions, io: Io, run_id: string = uuidv7()): OpenRun {
  makeHome(io.env)
  const header = runHeader(setup.program, run_id, {
    definition_file: setup.file,
    tools_file: setup.toolsFile,
    user: options.user,
    session: options.session,
    flags: flagsOf(options, io),
  })
  return new RunStore(runsFolder(io.env)).create(header, setup.program.plan, setup.family.slice(1))
}

/** The flags that a resumed run is given again, from whatever folder. None of them holds a secret. */
function flagsOf(options: RunOptions, io: Io): RecordedFlags {
  const { baseUrl, allowHost, allowSecret, yes, config, envFile } = options
  return {
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(allowHost !== undefined && { allow_hosts: allowHost }),
    ...(allowSecret !== undefined && { allow_secrets: allowSecret }),
    ...(yes !== undefined && { yes }),
    ...(config !== undefined && { config: resolve(io.cwd, config) }),
    ...(envFile !== undefined && { env_file: resolve(io.cwd, envFile) }),
  }
}
