import { type RunHeader, RunStore } from '../../run/run-store.ts'
import { runsFolder } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { wantsJson } from '../run-options.ts'
import { type ShownStatus, shownStatus, stopReason } from '../run-status.ts'
import { ago } from '../terminal/amounts.ts'
import { painter, type Tone } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'

interface Options {
  readonly status?: ShownStatus
  readonly limit: number
  /** Those of sub-agents as well. */
  readonly all?: boolean
  readonly json?: boolean
  readonly format?: string
}

interface ListedRun {
  readonly run_id: string
  readonly status: ShownStatus
  readonly agent_id: string | null
  readonly agent_name: string | null
  readonly created_at: string | null
  readonly stop_reason?: string
  readonly rehearsal: boolean | null
  /** Of a sub-agent's run. */
  readonly parent?: RunHeader['parent']
}

/** `waybill runs list`. */
export function listRuns(options: Options, io: Io): void {
  const store = new RunStore(runsFolder(io.env))
  const found: ListedRun[] = []
  let more = 0
  for (const id of options.all === true ? store.list() : store.roots()) {
    // Reading a run folds its whole record, so no more are read than are shown.
    if (found.length >= options.limit) {
      more++
      continue
    }
    const run = listedRun(store, id)
    if (options.status === undefined || run.status === options.status) found.push(run)
  }
  if (wantsJson(options)) io.out(`${jsonText({ runs: found })}\n`)
  else io.out(table(found, more, options, io))
}

function listedRun(store: RunStore, id: string): ListedRun {
  try {
    const run = store.read(id)
    const reason = stopReason(run)
    return {
      run_id: id,
      status: shownStatus(store, run),
      agent_id: run.header.agent_id,
      agent_name: run.header.agent_name,
      created_at: run.header.created_at,
      ...(reason !== undefined && { stop_reason: reason }),
      rehearsal: run.header.rehearsal,
      ...(run.header.parent !== undefined && { parent: run.header.parent }),
    }
  } catch {
    // One damaged record must not hide the others.
    return {
      run_id: id,
      status: 'damaged',
      agent_id: null,
      agent_name: null,
      created_at: null,
      rehearsal: null,
    }
  }
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

function table(runs: readonly ListedRun[], more: number, { status }: Options, io: Io): string {
  if (runs.length === 0) return status === undefined ? 'there are no runs yet\n' : `no run is ${status}\n`
  const paint = painter(io.color && io.outIsTty)
  const now = Date.now()
  const lines = runs.map((run) => {
    const when = run.created_at === null ? '' : ago(now - Date.parse(run.created_at))
    const why = run.stop_reason === undefined || run.stop_reason === 'final' ? '' : run.stop_reason
    const name = plainLine(run.agent_name ?? '', 30)
    const part =
      run.parent === undefined
        ? ''
        : paint('faint', ` (${plainLine(run.parent.alias, 30)} of ${run.parent.run_id})`)
    const note = part + (run.rehearsal === true ? paint('faint', ' rehearsal') : '')
    const mark = paint(STATUS_TONES[run.status], run.status.replaceAll('_', ' ').padEnd(17))
    return `${run.run_id}  ${mark}  ${when.padEnd(10)}  ${name}${note}${why === '' ? '' : paint('faint', ` (${why.replaceAll('_', ' ')})`)}`
  })
  if (more > 0) lines.push(paint('faint', `and ${more} more: --limit ${runs.length + more}`))
  return `${lines.join('\n')}\n`
}
