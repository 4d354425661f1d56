import { dirname } from 'node:path'
import { registriesOf } from '../../compose/extensions.ts'
import { openSecrets } from '../../compose/open-secrets.ts'
import type { Parts } from '../../compose/parts.ts'
import { withHosts } from '../../compose/preparation.ts'
import { runHost } from '../../compose/run-host.ts'
import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { firstProvider } from '../../plan/plan-models.ts'
import { parseCallRule } from '../../policy/approval/call-rule.ts'
import { isFinished } from '../../run/drive/call-hook.ts'
import type { StoredRun } from '../../run/record/records.ts'
import type { RunHeader } from '../../run/record/run-header.ts'
import { resultOf } from '../../run/result.ts'
import { AgentSessions, type PlannedAgent } from '../../session/agent-sessions.ts'
import { assertHere } from '../../session/assert-here.ts'
import { assertRuleForRun } from '../../session/check-rule.ts'
import { findRun, rootOf } from '../../session/find-run.ts'
import { type ShortRunId, shortRunIds } from '../../session/short-run-id.ts'
import type { KnownDefinition } from '../../settings/remembered-grants.ts'
import { readGivenDefinition } from '../files/read-given-definition.ts'
import { withHome } from '../home.ts'
import type { ExitCode, Io } from '../io.ts'
import { type RunOptions, wantsJson } from '../options/run-options.ts'
import { slotOptions, type WaitOptions } from '../options/wait-option.ts'
import { personName } from '../person-name.ts'
import type { PlaceOptions } from '../remote/with-records.ts'
import { askMissingHosts } from '../run-session/ask-missing-hosts.ts'
import { driveAndShow, type ShowRunOptions } from '../run-session/drive-and-show.ts'
import { exitOf } from '../run-session/drive-run.ts'
import type { OpenedCommand } from '../run-session/opened-command.ts'
import { environment, operatorOf, partsFromFlags } from '../run-session/parts-from-flags.ts'
import { rememberHosts } from '../run-session/remember-hosts.ts'
import { showResult } from '../run-view/show-result.ts'

export interface ResumeOptions extends RunOptions, ShowRunOptions, WaitOptions, PlaceOptions {
  /** The definition that continues a state. */
  readonly agent?: string
  /** Fork the run from its state after this event. */
  readonly at?: number
  readonly failOnLoss?: boolean
  /** Continue a state of a run that is being moved, without proof that its source has stopped. */
  readonly asFork?: boolean
  /** False: the state is stored as a paused run. */
  readonly resume?: boolean
  /** Answer from the record of the run, and send nothing. */
  readonly replay?: boolean
}

type Options = ResumeOptions

/** Continues a run of this machine after its last recorded event. */
export async function resumeRun(wanted: string, options: Options, io: Io): Promise<ExitCode> {
  return withHome(
    io,
    async (home, env) => {
      const named = await findRun(home, wanted)
      const runId = await rootOf(home, named)
      if (runId !== named) {
        const short = await shortRunIds(home, [named, runId])
        io.err(`${short(named)} is the run of a sub-agent: resuming the root run ${short(runId)}\n`)
      }
      await assertHere(home, runId)
      const stored = await home.runs.read(runId)
      if (isFinished(stored.plan, stored.state)) {
        const others = stored.header.replay === undefined ? [] : [stored.header.replay.run_id]
        return await showEnded(stored, await shortRunIds(home, [runId, ...others]), options, io)
      }
      const sessions = await sessionsOfRun(stored, { options, io, home, env })
      try {
        for (const rule of options.yes ?? [])
          assertRuleForRun(parseCallRule(rule), [stored.plan, ...stored.family])
        const session = await sessions.open(runId)
        try {
          return await driveAndShow(session, home, slotOptions(stored.plan, options, io), options, io)
        } finally {
          await session.close()
        }
      } finally {
        await sessions.close()
      }
    },
    environment(options, io),
  )
}

/**
 * Opens the sessions that continue a run, with the settings of its start and the additions of this command line.
 * @param planned the agent, if new runs of it are made
 */
export async function sessionsOfRun(
  { header, plan }: StoredRun,
  command: OpenedCommand<Options>,
  planned?: PlannedAgent,
): Promise<AgentSessions> {
  const parts = await resumedParts({ header, plan }, command)
  return new AgentSessions(runHost(parts, personName(command.io.env), command.home), planned)
}

async function resumedParts(
  { header, plan }: Pick<StoredRun, 'header' | 'plan'>,
  { options, home: opened, env: given, io }: OpenedCommand<Options>,
): Promise<Parts> {
  const merged = mergeFlags(header, options)
  const folder = header.definition_file === undefined ? undefined : dirname(header.definition_file)
  // Without --env-file, the file at the start of the run is used.
  const envFile = options.envFile === undefined ? header.flags?.env_file : undefined
  const env = envFile === undefined ? given : environment({ envFile }, io)
  const home = envFile === undefined ? opened : { ...opened, secrets: openSecrets(env) }
  const operator = await operatorOf(merged, io)
  const registries = await registriesOf(operator.extensions)
  const known = await definitionOf(header, plan.definition_hash, registries, io)
  const context = { primary: firstProvider(plan), folder, known, ...operator }
  const parts = await partsFromFlags(context, { options: merged, io, home, env })
  if (wantsJson(options) || options.events !== undefined || known === undefined) return parts
  const { hosts, remembered } = await askMissingHosts(plan, parts.settings.grants, io)
  await rememberHosts(remembered, plan, known, home, io)
  return withHosts(parts, hosts)
}

/** Returns the current definition in the file of the run, because grants apply to the tools that they were given for. */
async function definitionOf(
  { definition_file, definitions }: RunHeader,
  hash: string,
  registries: readonly Json[],
  io: Io,
): Promise<KnownDefinition | undefined> {
  const identity = ownMember(definitions ?? {}, hash)
  if (identity === undefined || definition_file === undefined) return undefined
  try {
    return { identity, definition: (await readGivenDefinition(definition_file, io, registries)).definition }
  } catch {
    // The run continues with its recorded plan. Without the file, no standing grant applies.
    return undefined
  }
}

/** Returns the options of a command with those that the run was started with. */
export function mergeFlags({ flags = {}, tools_file }: RunHeader, options: Options): RunOptions {
  const tools = options.tools ?? tools_file
  const baseUrl = options.baseUrl ?? flags.base_url
  const config = options.config ?? flags.config
  const model = options.model ?? flags.model
  const judge = options.judge ?? flags.judge
  return {
    ...options,
    ...defined({ tools, baseUrl, config, model, judge }),
    allowHost: [...(flags.allow_hosts ?? []), ...(options.allowHost ?? [])],
    allowSecret: [...(flags.allow_secrets ?? []), ...(options.allowSecret ?? [])],
    yes: [...(flags.yes ?? []), ...(options.yes ?? [])],
  }
}

async function showEnded(
  { header, plan, state }: StoredRun,
  short: ShortRunId,
  options: Options,
  io: Io,
): Promise<ExitCode> {
  const json = wantsJson(options)
  const result = resultOf(plan, state, header.replay)
  if (!json) io.err(`run ${short(header.run_id)} has already finished; its result:\n`)
  if (options.events === undefined) await showResult(result, io, { json, short })
  return exitOf({ result, interrupted: false })
}
