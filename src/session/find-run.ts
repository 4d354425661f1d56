import { WaybillError } from '../document/issue.ts'
import type { Records } from '../run/record/records.ts'
import { ago } from './ago.ts'
import { shownStatus } from './run-status.ts'

type Runs = Pick<Records, 'runs'>

/**
 * Returns the id of a run that is named by its id, by a unique prefix or suffix of it, or by `last` for the newest
 * run that a person started.
 * @throws RUN_NOT_FOUND, RUN_AMBIGUOUS
 */
export async function findRun({ runs }: Runs, wanted: string): Promise<string> {
  if (wanted === 'last') {
    const [newest] = (await runs.list({ roots: true }, { limit: 1 })).items
    if (newest !== undefined) return newest.run_id
    throw notFound(wanted)
  }
  const found = await runs.find(wanted, NAMED + 1)
  if (found.includes(wanted)) return wanted
  const [only] = found
  if (only === undefined) throw notFound(wanted)
  if (found.length === 1) return only
  const named = await Promise.all(found.slice(0, NAMED).map((id) => described(runs, id)))
  throw new WaybillError('RUN_AMBIGUOUS', {
    fault: 'usage',
    message: `${found.length > NAMED ? `more than ${NAMED}` : found.length} runs begin or end with ${wanted}: ${named.join(', ')}`,
    hint: 'give more characters of the id; `waybill runs list` shows all runs',
  })
}

/** How many runs the error of an ambiguous id names. */
const NAMED = 5

/** Returns a run's id, with the name of its agent, its age and its status if its record can be read. */
async function described(runs: Runs['runs'], id: string): Promise<string> {
  const listed = await runs.listed(id)
  const { header } = listed
  if (header === undefined || header === null) return `${id} (damaged)`
  const age = ago(Date.now() - Date.parse(header.created_at))
  return `${id} (${header.agent_name}, ${age}, ${shownStatus(listed).replaceAll('_', ' ')})`
}

/**
 * Returns the id of the run that a person started and that this run belongs to; its own id if it is that one.
 * @throws RUN_NOT_FOUND; RECORD_DAMAGED if that run is missing
 */
export async function rootOf({ runs }: Runs, runId: string): Promise<string> {
  const { header } = await runs.listed(runId)
  const root = header?.parent?.root_run_id ?? runId
  if (root === runId || (await runs.has(root))) return root
  throw new WaybillError('RECORD_DAMAGED', {
    fault: 'failed',
    message: `run ${runId} is that of a sub-agent, and the run that started it is missing: ${root}`,
    hint: 'it cannot be continued without that run: restore it from a backup, or remove this one',
  })
}

function notFound(wanted: string): WaybillError {
  return new WaybillError('RUN_NOT_FOUND', {
    fault: 'usage',
    message: wanted === 'last' ? 'there are no runs yet' : `there is no run ${wanted}`,
    hint: '`waybill runs list` shows all runs',
  })
}
