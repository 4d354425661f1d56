import { defined } from '../document/defined.ts'
import { eachRun } from '../run/record/each-run.ts'
import { type MovedTo, withoutPhase } from '../run/record/moved-to.ts'
import type { ListedRecord, Records, RunFilter } from '../run/record/records.ts'
import type { RunHeader } from '../run/record/run-header.ts'
import { type ShownStatus, shownStatus, stopReason } from './run-status.ts'

/** The list entry of a run. Members of a damaged record that cannot be read are null. */
export interface ListedRun {
  readonly run_id: string
  readonly status: ShownStatus
  readonly agent_id: string | null
  readonly agent_name: string | null
  /** RFC 3339 */
  readonly created_at: string | null
  readonly stop_reason?: string
  readonly rehearsal: boolean | null
  /** The recorded run whose answers it has. */
  readonly replay?: RunHeader['replay']
  /** Of a sub-agent's run. */
  readonly parent?: RunHeader['parent']
  /** Imported from a file: it cannot be resumed. */
  readonly imported?: true
  /** It is being moved, or was moved. */
  readonly moved_to?: Omit<MovedTo, 'phase'>
}

/** Selects the runs of a list. */
export interface ListedOptions {
  readonly status?: ShownStatus
  /** Maximum number of runs to return; default 20. */
  readonly limit?: number
  /** Include those of sub-agents. */
  readonly all?: boolean
}

/** Lists runs. @returns the entries, and whether there are more */
export async function listed(
  records: Pick<Records, 'runs'>,
  { status, limit = 20, all = false }: ListedOptions,
): Promise<{ readonly runs: readonly ListedRun[]; readonly more: boolean }> {
  const filter: RunFilter = { ...filterOf(status), ...(!all && { roots: true as const }) }
  const found: ListedRun[] = []
  for await (const record of eachRun(records, filter, limit + 1)) {
    const run = listedRun(record)
    if (status !== undefined && run.status !== status) continue
    if (found.length === limit) return { runs: found, more: true }
    found.push(run)
  }
  return { runs: found, more: false }
}

/** Returns the part of the filter that the records can apply; whether a process is alive is checked for each run. */
function filterOf(status: ShownStatus | undefined): RunFilter {
  switch (status) {
    case undefined:
    case 'moving':
    case 'moved':
    case 'damaged':
      return {}
    case 'awaiting_approval':
      return { status: 'waiting' }
    case 'interrupted':
      return { status: 'running' }
    default:
      return { status }
  }
}

function listedRun(record: ListedRecord): ListedRun {
  const { run_id, header, imported, moved } = record
  const stop_reason = stopReason(record)
  return {
    run_id,
    status: shownStatus(record),
    agent_id: header?.agent_id ?? null,
    agent_name: header?.agent_name ?? null,
    created_at: header?.created_at ?? null,
    ...defined({ stop_reason }),
    rehearsal: header?.rehearsal ?? null,
    ...defined({ replay: header?.replay, parent: header?.parent }),
    ...(imported && header?.replay === undefined && { imported: true as const }),
    ...(moved !== undefined && { moved_to: withoutPhase(moved) }),
  }
}
