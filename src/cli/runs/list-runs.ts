import { type ListedRun, listed } from '../../session/listed-runs.ts'
import type { ShownStatus } from '../../session/run-status.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../options/run-options.ts'
import { type PlaceOptions, placeName, withRecords } from '../remote/with-records.ts'
import { ago } from '../terminal/amounts.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
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
  const { runs, more } = await withRecords(options, io, (home) => listed(home, options))
  if (wantsJson(options)) io.out(`${jsonText({ runs })}\n`)
  else io.out(table(runs, more, options, io))
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

function table(runs: readonly ListedRun[], more: boolean, options: Options, io: Io): string {
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
        : paint('faint', ` (${plainLine(run.parent.alias, 30)} of ${run.parent.run_id})`)
    const note =
      part +
      (run.rehearsal === true ? paint('faint', ' rehearsal') : '') +
      (run.replay === undefined ? '' : paint('faint', ' replay')) +
      (run.imported === true ? paint('faint', ' imported') : '') +
      (run.moved_to === undefined ? '' : paint('faint', ` to ${movedText(run.moved_to)}`))
    const mark = paint(STATUS_TONES[run.status], run.status.replaceAll('_', ' ').padEnd(17))
    return `${run.run_id}  ${mark}  ${when.padEnd(10)}  ${name}${note}${why === '' ? '' : paint('faint', ` (${why.replaceAll('_', ' ')})`)}`
  })
  if (more) lines.push(paint('faint', `there are more runs: --limit ${runs.length * 2}`))
  return `${lines.join('\n')}\n`
}
