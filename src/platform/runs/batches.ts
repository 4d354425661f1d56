import type pg from 'pg'
import { v5 as uuidv5 } from 'uuid'
import { sha256OfCanonical } from '../../document/canonical.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import type { Page } from '../../run/record/records.ts'
import type { Principal } from '../../session/principal.ts'
import { sql } from '../database/sql.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { RunView } from '../records/run-view.ts'
import type { BatchView } from './run.ts'

/** How many runs of a batch are stored at a time. */
const AT_ONCE = 8

/** How many results a page has. */
const PAGE = 100

type StoreRun = (
  input: Json,
  runId: string,
  batch: { readonly id: string; readonly key: string; readonly index: number },
) => Promise<void>

/**
 * Stores the runs of a batch. The id of each run follows from the batch and its index, so a batch that was interrupted
 * while it was stored is completed by the same request, and no input runs twice.
 */
export async function startBatch(
  app: pg.Pool,
  { organisation: org, user }: Principal,
  batchId: string,
  agentId: string,
  inputs: readonly Json[],
  store: StoreRun,
): Promise<BatchView> {
  await inOrganisation(app, org, (on) =>
    on.query(sql`
      INSERT INTO waybill.batches (org, batch, agent_id, inputs, by)
      VALUES (${org}, ${batchId}, ${agentId}, ${inputs.length}, ${user}) ON CONFLICT DO NOTHING`),
  )
  const key = sha256OfCanonical([agentId, ...inputs])
  for (let from = 0; from < inputs.length; from += AT_ONCE) {
    const stored = inputs.slice(from, from + AT_ONCE).map((input, offset) => {
      const index = from + offset
      return store(input, runIdOf(batchId, index), { id: batchId, key, index })
    })
    await Promise.all(stored)
  }
  return { batch_id: batchId, agent_id: agentId, inputs: inputs.length, done: 0, items: [], next: null }
}

/** @throws BATCH_NOT_FOUND */
export async function readBatch(
  app: pg.Pool,
  org: string,
  batchId: string,
  { limit = PAGE, cursor }: Page,
  read: (runId: string) => Promise<RunView>,
): Promise<BatchView> {
  const found = await inOrganisation(app, org, async (on) => {
    const batch = await on.query<{ agent_id: string; inputs: number }>(
      'SELECT agent_id, inputs FROM waybill.batches WHERE org = $1 AND batch = $2',
      [org, batchId],
    )
    const runs = await on.query<{ run_id: string; phase: string }>(
      `SELECT r.run_id, p.phase FROM waybill.runs AS r JOIN waybill.progress AS p USING (org, run_id)
       WHERE r.org = $1 AND r.batch = $2`,
      [org, batchId],
    )
    return { batch: batch.rows[0], runs: runs.rows }
  })
  if (found.batch === undefined) throw notFound(batchId)
  const { agent_id, inputs } = found.batch
  const from = cursor === undefined ? 0 : Number(cursor)
  if (!Number.isSafeInteger(from) || from < 0) throw notFound(batchId)
  const until = Math.min(from + limit, inputs)
  const known = new Set(found.runs.map(({ run_id }) => run_id))
  const items: (RunView | null)[] = []
  for (let index = from; index < until; index++) {
    const runId = runIdOf(batchId, index)
    items.push(known.has(runId) ? await read(runId) : null)
  }
  const done = found.runs.filter(({ phase }) => phase === 'over' || phase === 'moved').length
  return { batch_id: batchId, agent_id, inputs, done, items, next: until < inputs ? String(until) : null }
}

/** The namespace of run ids that follow from a batch. */
const NAMESPACE = '5f2c1f5e-7a63-4c55-9f0f-0c6f5fd4c3d1'

function runIdOf(batchId: string, index: number): string {
  return uuidv5(`${batchId} ${index}`, NAMESPACE)
}

function notFound(batchId: string): WaybillError {
  return new WaybillError('BATCH_NOT_FOUND', {
    fault: 'usage',
    message: `there is no batch ${JSON.stringify(batchId.slice(0, 100))}`,
    hint: 'check the id that POST /v1/agents/ID/batches returned',
  })
}
