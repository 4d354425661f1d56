import { ago } from '../../session/ago.ts'
import type { Home } from '../../session/home.ts'
import { type ListedRun, listed } from '../../session/listed-runs.ts'
import { type ShownStatus, shownStatus } from '../../session/run-status.ts'
import type { ShortRunId } from '../../session/short-run-id.ts'
import { EXIT, type ExitCode, type Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { shortIds } from '../remote/short-ids.ts'
import { placeName, withRecords } from '../remote/with-records.ts'
import { painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { STATUS_TONES } from './list-runs.ts'
import { untilStopped, type WatchOptions } from './until-stopped.ts'

/** How many runs of each status are watched. */
const LIMIT = 100

type Watched = Pick<ListedRun, 'run_id' | 'status' | 'agent_name' | 'created_at'>

/**
 * Shows the active and the waiting runs until Ctrl-C (`waybill runs watch`): as a list that is drawn again on a terminal,
 * else as a line for each change.
 */
export function watchList(options: WatchOptions, io: Io): Promise<ExitCode> {
  return withRecords(options, io, async (home, server) => {
    const json = wantsJson(options)
    const draws = !json && io.outIsTty && io.color
    let before: readonly Watched[] = []
    let drawn = ''
    await untilStopped(io, server, async () => {
      const runs = await activeRuns(home)
      const changed = await changes(home, before, runs)
      before = runs
      if (!draws && changed.length === 0) return false
      const shown = draws ? runs : changed
      const short = await shortIds(home, server, json ? [] : shown.map(({ run_id }) => run_id))
      if (json) for (const run of changed) io.out(`${jsonText({ ...run, at: new Date().toISOString() })}\n`)
      else if (!draws) for (const run of changed) io.out(lineOf(run, short, io))
      else {
        const text =
          runs.length === 0
            ? `no active or waiting runs in ${placeName({ ...options, local: server === undefined }, io)}\n`
            : listText(runs, short, io)
        if (text !== drawn) io.out(`${up(drawn)}${text}`)
        drawn = text
      }
      return false
    })
    return EXIT.interrupted
  })
}

async function activeRuns(home: Home): Promise<readonly Watched[]> {
  const lists = await Promise.all(
    (['running', 'awaiting_approval'] as const).map((status) => listed(home, { status, limit: LIMIT })),
  )
  return lists.flatMap(({ runs }) => runs.map(watched))
}

function watched({ run_id, status, agent_name, created_at }: ListedRun): Watched {
  return { run_id, status, agent_name, created_at }
}

/** Returns the runs with a new status; one that is not active any more has the status of its record. */
async function changes(
  { runs }: Home,
  before: readonly Watched[],
  now: readonly Watched[],
): Promise<readonly Watched[]> {
  const known = new Map(before.map((run) => [run.run_id, run.status]))
  const active = new Set(now.map(({ run_id }) => run_id))
  const left = before.filter(({ run_id }) => !active.has(run_id))
  const ended = await Promise.all(
    left.map(async (run) => ({ ...run, status: await statusNow(runs, run.run_id) })),
  )
  return [
    ...now.filter(({ run_id, status }) => known.get(run_id) !== status),
    ...ended.flatMap(({ status, ...run }) => (status === null ? [] : [{ ...run, status }])),
  ]
}

/** Returns null for a run that was removed. */
async function statusNow(runs: Home['runs'], runId: string): Promise<ShownStatus | null> {
  try {
    return shownStatus(await runs.listed(runId))
  } catch {
    return null
  }
}

function listText(runs: readonly Watched[], short: ShortRunId, io: Io): string {
  const now = Date.now()
  const rows = io.rows === undefined ? runs : runs.slice(0, Math.max(1, io.rows - 2))
  return table(
    rows,
    [
      { head: 'run', text: ({ run_id }) => short(run_id), tone: () => 'accent' },
      {
        head: 'status',
        text: ({ status }) => status.replaceAll('_', ' '),
        tone: ({ status }) => STATUS_TONES[status],
      },
      {
        head: 'age',
        text: ({ created_at }) => (created_at === null ? '' : ago(now - Date.parse(created_at))),
        drop: 1,
      },
      { head: 'agent', text: ({ agent_name }) => plainLine(agent_name ?? '', 60) },
    ],
    io,
  )
}

function lineOf({ run_id, status, agent_name }: Watched, short: ShortRunId, io: Io): string {
  const paint = painter(io.color && io.outIsTty)
  return `${short(run_id)}  ${paint(STATUS_TONES[status], status.replaceAll('_', ' ').padEnd(17))}  ${plainLine(agent_name ?? '', 60)}\n`
}

/** Returns the codes that remove what was drawn. */
function up(drawn: string): string {
  const lines = drawn.split('\n').length - 1
  return lines === 0 ? '' : `\x1b[${lines}A\x1b[J`
}
