import { WaybillError } from '../../../document/issue.ts'
import type { Json } from '../../../document/json.ts'
import { eachRun } from '../../../run/record/each-run.ts'
import type { Records } from '../../../run/record/records.ts'

/** A batch that was begun. */
export interface BatchRuns {
  readonly id: string
  /** By the place of the input, the newest run that was begun for it. */
  readonly runs: ReadonlyMap<number, string>
}

/**
 * The newest batch of these inputs.
 * @throws BATCH_NOT_FOUND
 */
export async function findBatch(
  records: Pick<Records, 'runs'>,
  key: string,
  inputs: readonly Json[],
): Promise<BatchRuns> {
  const id = await newestBatch(records, key)
  if (id === undefined) {
    throw new WaybillError('BATCH_NOT_FOUND', {
      fault: 'usage',
      message: `no run of this batch of ${inputs.length} inputs is on record`,
      hint: 'a batch is known by its definition, its file and its inputs; start it without --resume',
    })
  }
  const runs = new Map<number, string>()
  for await (const { run_id, header } of eachRun(records, { batch: id })) {
    const index = header?.batch?.index
    if (index !== undefined && !runs.has(index)) runs.set(index, run_id)
  }
  return { id, runs }
}

async function newestBatch(records: Pick<Records, 'runs'>, key: string): Promise<string | undefined> {
  for await (const { header } of eachRun(records, { roots: true }))
    if (header?.batch?.key === key) return header.batch.id
  return undefined
}
