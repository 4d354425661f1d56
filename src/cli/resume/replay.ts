import { defined } from '../../document/defined.ts'
import { asJson } from '../../document/json.ts'
import { knownProviderKeys } from '../../policy/model-providers.ts'
import type { StoredRun } from '../../run/record/records.ts'
import { type RunResult, resultOf } from '../../run/result.ts'
import { compareSteps, type RunStep, stepsOf } from '../../session/compare-runs.ts'
import { findRun, rootOf } from '../../session/find-run.ts'
import type { Home } from '../../session/home.ts'
import type { QuestionDifference } from '../../session/replay/replay-ports.ts'
import { type Replayed, type ReplayOptions, replayRun } from '../../session/replay/replay-run.ts'
import { allRunIds, type ShortRunId, shortRunIdsAmong } from '../../session/short-run-id.ts'
import { withHome } from '../home.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import type { OpenedCommand } from '../run-session/opened-command.ts'
import { environment } from '../run-session/parts-from-flags.ts'
import { setUpRun } from '../run-session/run-setup.ts'
import { captureOptions } from '../run-session/write-state.ts'
import { eventsView } from '../run-view/events-view.ts'
import type { RunView } from '../run-view/run-view.ts'
import { showResult } from '../run-view/show-result.ts'
import { openRunView } from '../run-view/terminal-view.ts'
import { count } from '../terminal/amounts.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { usageError } from '../usage-error.ts'
import { mergeFlags, type ResumeOptions } from './resume-run.ts'

/**
 * Repeats a recorded run in a new run of the same home, answered from its record (`waybill resume RUN --replay`).
 * @returns 1 if the replay did not do the same as the run
 */
export async function replay(wanted: string, options: ResumeOptions, io: Io): Promise<ExitCode> {
  const refused = refusedOption(options)
  if (refused !== undefined) throw usageError(`${refused} has no meaning for a replay`, 'leave it out')
  return withHome(
    io,
    async (home, env) => {
      const stored = await home.runs.read(await rootOf(home, await findRun(home, wanted)))
      const planned = await plannedWith(stored, { options, io, home, env })
      const { at } = options
      const { by = '', platform } = await captureOptions(home, io)
      const known = await allRunIds(home)
      let short = shortRunIdsAmong(known)
      let view: RunView | undefined
      const replayed = await replayRun(home, stored.header.run_id, {
        by,
        platform,
        ...defined({ at, planned }),
        onBegin: async (run) => {
          short = shortRunIdsAmong([...known, run.header.run_id])
          view =
            options.events === 'ndjson'
              ? eventsView(io)
              : await openRunView(io, run, home, { json: wantsJson(options), short })
        },
        onEvent: (event, state) => view?.event?.(event, state),
      })
      view?.close?.()
      await home.runs.import(replayed.runs)
      return await show(
        stored,
        replayed,
        { changes: await changesOf(home, stored, replayed, at), short },
        options,
        io,
      )
    },
    environment(options, io),
  )
}

function refusedOption({ failOnLoss, rehearse, trace, wait }: ResumeOptions): string | undefined {
  if (failOnLoss === true) return '--fail-on-loss'
  if (rehearse === true) return '--rehearse'
  if (trace === true) return '--trace'
  return wait === false ? '--no-wait' : undefined
}

/** Options that need the definition to be planned again. */
const PLANNING = [
  'agent',
  'model',
  'judge',
  'baseUrl',
  'tools',
  'agents',
  'budget',
  'schema',
] as const satisfies readonly (keyof ResumeOptions)[]

/** Returns the program of a changed definition, or with other models; undefined: the recorded plans are used. */
async function plannedWith(
  { header, plan, family }: StoredRun,
  command: OpenedCommand<ResumeOptions>,
): Promise<ReplayOptions['planned']> {
  const { options } = command
  if (!PLANNING.some((name) => options[name] !== undefined)) return undefined
  const file = options.agent ?? header.definition_file
  if (file === undefined)
    throw usageError('the file of the definition of this run is not on record', 'name it with --agent FILE')
  const { user, session } = header
  // Nothing is sent, so no key is needed.
  const assume = [...[plan, ...family].flatMap(({ secrets }) => secrets), ...knownProviderKeys()]
  const given = {
    ...mergeFlags(header, options),
    ...defined({ user: options.user ?? user, session: options.session ?? session }),
  }
  const { program, family: plans } = await setUpRun(file, { ...command, options: given }, { assume })
  return { program, plans }
}

/** Returns how many steps only one of both runs has. */
async function changesOf(
  home: Home,
  { header }: StoredRun,
  { runs: [root] }: Replayed,
  at = 0,
): Promise<number> {
  const events = await home.runs.events(header.run_id)
  const before = stepsOf(events.filter(({ seq }) => seq <= at))
  const own = root?.events ?? []
  const restored = at === 0 ? [] : stepsOf(own.filter(({ fact }) => fact.type.endsWith('.restored')))
  const after = [...callsBeyond(before, restored), ...stepsOf(own).slice(restored.length)]
  return compareSteps(stepsOf(events).slice(before.length), after).length
}

/** Returns the calls that a restored state has answered with what was recorded after its event. */
function callsBeyond(before: readonly RunStep[], restored: readonly RunStep[]): readonly RunStep[] {
  const known = before.map((step) => JSON.stringify(step))
  return restored.filter((step) => {
    const at = step.type === 'call' ? known.indexOf(JSON.stringify(step)) : -1
    if (at >= 0) known.splice(at, 1)
    return step.type === 'call' && at < 0
  })
}

async function show(
  { header }: StoredRun,
  { runs: [root], program, state, differences, diverged }: Replayed,
  { changes, short }: { readonly changes: number; readonly short: ShortRunId },
  options: ResumeOptions,
  io: Io,
): Promise<ExitCode> {
  const result: RunResult = resultOf(program.plan, state, root?.header.replay)
  const equal = changes === 0 && diverged === undefined
  if (wantsJson(options)) {
    const replayed = { ...root?.header.replay, equal, changes, differences: asJson(differences) }
    io.out(`${jsonText({ ...result, replay: replayed })}\n`)
  } else if (options.events === undefined) {
    await showResult(result, io, { json: false, short })
    for (const difference of differences) io.err(`${differenceLine(difference)}\n`)
    const how = equal
      ? `the replay did the same as run ${short(header.run_id)}`
      : `the replay differs from run ${short(header.run_id)} in ${count(changes, 'step')}`
    io.err(`${how}\n`)
  }
  return equal ? EXIT.ok : EXIT.no
}

function differenceLine({ agent_name, question, differs }: QuestionDifference): string {
  return plainLine(
    `question ${question} of ${agent_name} is not the recorded one: ${differs.join(', ')}`,
    300,
  )
}
