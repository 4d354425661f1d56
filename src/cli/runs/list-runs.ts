import { ago } from '../../session/ago.ts'
import type { Home } from '../../session/home.ts'
import { type ListedRun, listed } from '../../session/listed-runs.ts'
import type { ShownStatus } from '../../session/run-status.ts'
import { type RunSums, runSums } from '../../session/run-sums.ts'
import type { ShortRunId } from '../../session/short-run-id.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import type { ServerClient } from '../remote/server-client.ts'
import { shortIds } from '../remote/short-ids.ts'
import { sumsThere } from '../remote/sums-there.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { dollars, duration } from '../terminal/amounts.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { table } from '../terminal/table.ts'
import { movedText } from './moved-text.ts'

interface Options extends PlaceOptions {
  readonly status?: ShownStatus
  readonly limit: number
  /** Includes the runs of sub-agents. */
  readonly all?: boolean
  readonly json?: boolean
  readonly format?: string
}

/** Prints the runs (`waybill runs list`). */
export async function showRunList(options: Options, io: Io): Promise<void> {
  const json = wantsJson(options)
  const { runs, more, short } = await withRecords(options, io, async (home, server) => {
    const list = await listed(home, options)
    const ids = list.runs.flatMap(({ run_id, parent }) => [run_id, ...(parent ? [parent.run_id] : [])])
    const runs = json ? list.runs : await withSums(list.runs, home, server)
    return { ...list, runs, short: await shortIds(home, server, json ? [] : ids) }
  })
  if (json) io.out(`${jsonText({ runs })}\n`)
  else io.out(listText(runs, more, short, options, io))
}

async function withSums(
  runs: readonly ListedRun[],
  home: Home,
  server: ServerClient | undefined,
): Promise<readonly Row[]> {
  if (server === undefined)
    return Promise.all(runs.map(async (run) => ({ ...run, ...(await runSums(home, run)) })))
  const ids = runs.map(({ run_id }) => run_id)
  const sums = await sumsThere(server, ids)
  return runs.map((run) => ({ ...run, ...sums.get(run.run_id) }))
}

export const STATUS_TONES: Readonly<Record<ShownStatus, Tone>> = {
  running: 'accent',
  awaiting_approval: 'warn',
  paused: 'warn',
  interrupted: 'warn',
  completed: 'good',
  failed: 'bad',
  refused: 'bad',
  cancelled: 'faint',
  moving: 'warn',
  moved: 'faint',
  damaged: 'bad',
}

type Row = ListedRun & Pick<RunSums, 'model' | 'duration_ms' | 'cost_usd'>

function listText(
  runs: readonly Row[],
  more: boolean,
  short: ShortRunId,
  { status, ...place }: Options,
  io: Io,
): string {
  if (runs.length === 0)
    return `no runs ${status === undefined ? 'yet' : `with status ${status}`} in ${placeName(place, io)}\n`
  const now = Date.now()
  const lines = table(
    runs,
    [
      { head: 'run', text: ({ run_id }) => short(run_id), tone: () => 'accent' },
      {
        head: 'status',
        text: (run) => run.status.replaceAll('_', ' '),
        tone: (run) => STATUS_TONES[run.status],
      },
      {
        head: 'age',
        text: ({ created_at }) => (created_at === null ? '' : ago(now - Date.parse(created_at))),
        drop: 2,
      },
      {
        head: 'time',
        text: ({ duration_ms }) => (duration_ms === undefined ? '' : duration(duration_ms)),
        drop: 3,
      },
      { head: 'cost', text: costText, drop: 4 },
      { head: 'model', text: ({ model }) => plainLine(model ?? '', 40), drop: 5 },
      { head: 'agent', text: (run) => agentText(run, short) },
    ],
    io,
  )
  if (!more) return lines
  return `${lines}${painter(io.color && io.outIsTty)('faint', `there are more runs: --limit ${runs.length * 2}`)}\n`
}

/** A rehearsal and a replay send nothing. */
function costText({ rehearsal, replay, cost_usd = null }: Row): string {
  return rehearsal === true || replay !== undefined || cost_usd === null ? '' : dollars(cost_usd)
}

/** Returns the name of the agent, and what is special about the run. */
function agentText(run: Row, short: ShortRunId): string {
  const { agent_name, parent, rehearsal, replay, imported, moved_to, stop_reason } = run
  const why = stop_reason === 'final' || stop_reason === 'approval' ? undefined : stop_reason
  return [
    plainLine(agent_name ?? '', 30),
    ...(parent === undefined ? [] : [`(${plainLine(parent.alias, 30)} of ${short(parent.run_id)})`]),
    ...(rehearsal === true ? ['rehearsal'] : []),
    ...(replay === undefined ? [] : ['replay']),
    ...(imported === true ? ['imported'] : []),
    ...(moved_to === undefined ? [] : [`to ${movedText(moved_to)}`]),
    ...(why === undefined ? [] : [`(${why.replaceAll('_', ' ')})`]),
  ].join(' ')
}
