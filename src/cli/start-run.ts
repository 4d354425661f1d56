import { resolve } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import type { OpenRun, RunHeader } from '../run/run-store.ts'
import { RunStore } from '../run/run-store.ts'
import { makeHome, runsFolder } from '../settings/home.ts'
import type { Io } from './io.ts'
import type { RunOptions } from './run-options.ts'
import type { RunSetup } from './run-setup.ts'

/** Opens the record of a new run in Waybill's home. */
export function startRun(setup: RunSetup, options: RunOptions, io: Io, run_id: string = uuidv7()): OpenRun {
  makeHome(io.env)
  const { plan, hash } = setup.program
  const header: RunHeader = {
    v: 1,
    run_id,
    agent_id: plan.agent_id,
    agent_name: plan.agent_name,
    created_at: new Date().toISOString(),
    plan_hash: hash,
    rehearsal: plan.rehearsal,
    ...(setup.file !== undefined && { definition_file: setup.file }),
    ...(setup.toolsFile !== undefined && { tools_file: setup.toolsFile }),
    ...(options.user !== undefined && { user: options.user }),
    ...(options.session !== undefined && { session: options.session }),
    flags: flagsOf(options, io),
  }
  return new RunStore(runsFolder(io.env)).create(
    header,
    plan,
    setup.family.length > 1 ? setup.family.slice(1) : [],
  )
}

/** The flags that a resumed run is given again, from whatever folder. None of them holds a secret. */
function flagsOf(options: RunOptions, io: Io): NonNullable<RunHeader['flags']> {
  const { baseUrl, allowHost, allowSecret, config, envFile } = options
  return {
    ...(baseUrl !== undefined && { base_url: baseUrl }),
    ...(allowHost !== undefined && { allow_hosts: allowHost }),
    ...(allowSecret !== undefined && { allow_secrets: allowSecret }),
    ...(config !== undefined && { config: resolve(io.cwd, config) }),
    ...(envFile !== undefined && { env_file: resolve(io.cwd, envFile) }),
  }
}
