import { defined } from '../../document/defined.ts'
import type { ListedRecord, RunFilter, RunRecords } from './records.ts'

/**
 * Yields every run that a list would show, newest first, page by page. Runs that are added or removed meanwhile do
 * not cause other runs to appear twice or to be skipped.
 * @param pageSize how many runs are read at a time
 */
export async function* eachRun(
  { runs }: { readonly runs: Pick<RunRecords, 'list'> },
  filter: RunFilter = {},
  pageSize = 500,
): AsyncGenerator<ListedRecord> {
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page = await runs.list(filter, { limit: pageSize, ...defined({ cursor }) })
    yield* page.items
    cursor = page.next
  }
}
