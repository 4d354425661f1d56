import { WaybillError } from '../../../document/issue.ts'
import type { Json } from '../../../document/json.ts'
import { eachRun } from '../../../run/record/each-run.ts'
import type { Records } from '../../../run/record/records.ts'

/** A recorded batch. */
export interface BatchRuns {
  readonly id: string
  /** The newest run of each input, by the index of the input. */
  readonly runs: ReadonlyMap<number, string>
}

/**
 * Returns the newest batch of these inputs.
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
      message: `no recorded batch matches these ${inputs.length} inputs`,
      hint: 'a batch is identified by its definition, its file and its inputs; start a new one without --resume',
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
