import { type Json, WaybillError } from '../../document/issue.ts'
import type { ListedRecord, Records } from '../../run/record/records.ts'

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
  { runs }: Pick<Records, 'runs'>,
  key: string,
  inputs: readonly Json[],
): Promise<BatchRuns> {
  const newest = await firstOf(runs, ({ header }) => header?.batch?.key === key)
  const id = newest?.header?.batch?.id
  if (id === undefined) {
    throw new WaybillError('BATCH_NOT_FOUND', {
      fault: 'usage',
      message: `no run of this batch of ${inputs.length} inputs is on record`,
      hint: 'a batch is known by its definition, its file and its inputs; start it without --resume',
    })
  }
  const found = new Map<number, string>()
  await firstOf(
    runs,
    ({ run_id, header }) => {
      const index = header?.batch?.index
      if (index !== undefined && !found.has(index)) found.set(index, run_id)
      return false
    },
    id,
  )
  return { id, runs: found }
}

/** Newest first, page by page. */
async function firstOf(
  runs: Records['runs'],
  fits: (run: ListedRecord) => boolean,
  batch?: string,
): Promise<ListedRecord | undefined> {
  let cursor: string | undefined
  do {
    const filter = batch === undefined ? { roots: true as const } : { batch }
    const page = await runs.list(filter, { limit: 500, ...(cursor !== undefined && { cursor }) })
    const found = page.items.find(fits)
    if (found !== undefined) return found
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return undefined
}
