import { dirname } from 'node:path'
import { assertFunctions } from '../compose/functions.ts'
import type { Parts } from '../compose/parts.ts'
import { assertBegun } from '../library/kept-runs.ts'
import { firstProvider } from '../plan/plan-models.ts'
import { parseCallRule } from '../policy/approval/call-rule.ts'
import { endHookDue } from '../run/drive/call-hook.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import { type OpenRun, RunStore, type StoredRun } from '../run/record/run-store.ts'
import { resultOf } from '../run/result.ts'
import { runsFolder } from '../settings/home.ts'
import { driveAndShow, type ShowRunOptions } from './drive-and-show.ts'
import { exitOf } from './drive-run.ts'
import { assertRuleForRun } from './grants/check-rule.ts'
import type { ExitCode, Io } from './io.ts'
import { personName } from './person-name.ts'
import { type RunOptions, wantsJson } from './run-options.ts'
import { environment, grantHosts, partsOf, withGrants } from './run-setup.ts'
import { takeSlot, type WaitOptions } from './take-slot.ts'
import { showResult } from './terminal/show-result.ts'

interface Options extends RunOptions, ShowRunOptions, WaitOptions {}

/** `waybill resume`: goes on where the record ends. */
export async function resumeRun(wanted: string, options: Options, io: Io): Promise<ExitCode> {
  const store = new RunStore(runsFolder(io.env))
  const named = store.resolve(wanted)
  const runId = store.rootOf(named)
  if (runId !== named) io.err(`${named} is the run of a sub-agent: its root ${runId} goes on\n`)
  const stored = store.read(runId)
  if (stored.state.end !== null && endHookDue(stored.plan, stored.state) === null)
    return showEnded(stored, options, io)
  assertBegun(stored)
  const release = await takeSlot(stored.plan, options, io)
  const run = openOr(store, runId, release)
  try {
    const parts = await resumedParts(run, options, io)
    assertFunctions(run.plan, parts)
    for (const rule of options.yes ?? []) assertRuleForRun(parseCallRule(rule), [run.plan, ...run.family])
    return await driveAndShow(run, { type: 'run.resumed', by: personName(io.env) }, parts, options, io)
  } finally {
    run.close()
    release()
  }
}

function openOr(store: RunStore, runId: string, otherwise: () => void): OpenRun {
  try {
    return store.open(runId)
  } catch (error) {
    otherwise()
    throw error
  }
}

/** The settings that a run was started with, and what this command line adds. The plan stays as it was recorded. */
export async function resumedParts({ header, plan }: OpenRun, options: Options, io: Io): Promise<Parts> {
  const merged = mergeFlags(header, options)
  const folder = header.definition_file === undefined ? undefined : dirname(header.definition_file)
  const parts = await partsOf(
    { primary: firstProvider(plan), folder, agentId: plan.agent_id },
    merged,
    environment(merged, io),
    io,
  )
  if (wantsJson(options) || options.events !== undefined) return parts
  return withGrants(parts, await grantHosts(plan, parts, folder, io))
}

function mergeFlags({ flags = {}, tools_file }: RunHeader, options: Options): RunOptions {
  const tools = options.tools ?? tools_file
  const baseUrl = options.baseUrl ?? flags.base_url
  const config = options.config ?? flags.config
  const envFile = options.envFile ?? flags.env_file
  return {
    ...options,
    ...(tools !== undefined && { tools }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(config !== undefined && { config }),
    ...(envFile !== undefined && { envFile }),
    allowHost: [...(flags.allow_hosts ?? []), ...(options.allowHost ?? [])],
    allowSecret: [...(flags.allow_secrets ?? []), ...(options.allowSecret ?? [])],
    yes: [...(flags.yes ?? []), ...(options.yes ?? [])],
  }
}

function showEnded({ header, plan, state }: StoredRun, options: Options, io: Io): ExitCode {
  const json = wantsJson(options)
  const result = resultOf(plan, state)
  if (!json) io.err(`run ${header.run_id} has ended already; this is how\n`)
  if (options.events === undefined) showResult(result, io, { json })
  return exitOf({ result, interrupted: false })
}
