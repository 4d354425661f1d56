import { ago } from '../../session/ago.ts'
import { type ListedRun, listed } from '../../session/listed-runs.ts'
import type { ShownStatus } from '../../session/run-status.ts'
import type { ShortRunId } from '../../session/short-run-id.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { shortIds } from '../remote/short-ids.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

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
    return { ...list, short: await shortIds(home, server, json ? [] : ids) }
  })
  if (json) io.out(`${jsonText({ runs })}\n`)
  else io.out(table(runs, more, short, options, io))
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
  damaged: 'bad',
}

function table(
  runs: readonly ListedRun[],
  more: boolean,
  short: ShortRunId,
  options: Options,
  io: Io,
): string {
  const { status } = options
  if (runs.length === 0)
    return `no runs ${status === undefined ? 'yet' : `with status ${status}`} in ${placeName(options, io)}\n`
  const paint = painter(io.color && io.outIsTty)
  const now = Date.now()
  const lines = runs.map((run) => {
    const when = run.created_at === null ? '' : ago(now - Date.parse(run.created_at))
    const { stop_reason: reason = 'final' } = run
    const why = reason === 'final' || reason === 'approval' ? '' : reason
    const name = plainLine(run.agent_name ?? '', 30)
    const part =
      run.parent === undefined
        ? ''
        : paint('faint', ` (${plainLine(run.parent.alias, 30)} of ${short(run.parent.run_id)})`)
    const note =
      part +
      (run.rehearsal === true ? paint('faint', ' rehearsal') : '') +
      (run.imported === true ? paint('faint', ' imported') : '')
    const mark = paint(STATUS_TONES[run.status], run.status.replaceAll('_', ' ').padEnd(17))
    return `${short(run.run_id)}  ${mark}  ${when.padEnd(10)}  ${name}${note}${why === '' ? '' : paint('faint', ` (${why.replaceAll('_', ' ')})`)}`
  })
  if (more) lines.push(paint('faint', `there are more runs: --limit ${runs.length * 2}`))
  return `${lines.join('\n')}\n`
}
