import type { Prepared, Site } from './site.ts'
import { enqueueTogether, reportsOf, startWorkers, untilAllOver } from './workers.ts'

export interface StorageSize {
  readonly runs: number
  readonly calls: number
}

export interface Storage {
  readonly content_kb: number
  readonly stored_kb: number
  /** Bytes stored for each byte of content. */
  readonly ratio: number
  /** The largest tables with their indexes, in KB. */
  readonly tables: readonly { readonly name: string; readonly kb: number; readonly indexes_kb: number }[]
}

const MESSAGE_SIZE = 1024

/**
 * Measures the size of the database for messages of 1 KB: all tables and indexes after a checkpoint, as they are, minus
 * the empty database. Content is what the model and the tool produce: texts, arguments and results.
 */
export async function measureStorage(site: Site, { runs, calls }: StorageSize): Promise<Storage> {
  const prepared = await site.prepared()
  const before = await sizeOf(prepared)
  const workers = await startWorkers(prepared, 1)
  try {
    await enqueueTogether(prepared, runs, { calls, size: MESSAGE_SIZE }, 0)
    await untilAllOver(prepared)
    const [report] = await reportsOf(workers)
    const content = report?.contentBytes ?? Number.NaN
    const after = await sizeOf(prepared)
    return {
      content_kb: content / 1024,
      stored_kb: (after - before) / 1024,
      ratio: (after - before) / content,
      tables: await largestTables(prepared),
    }
  } finally {
    for (const worker of workers) await worker.kill()
    await prepared.drop()
  }
}

async function sizeOf({ admin }: Prepared): Promise<number> {
  await admin('CHECKPOINT')
  const rows = await admin<{ bytes: number }>('SELECT pg_database_size(current_database()) AS bytes')
  return rows[0]?.bytes ?? Number.NaN
}

async function largestTables({ admin }: Prepared): Promise<Storage['tables']> {
  return admin(`SELECT relname AS name, (pg_total_relation_size(oid) / 1024)::int AS kb,
      (pg_indexes_size(oid) / 1024)::int AS indexes_kb
    FROM pg_class WHERE relkind = 'r' AND relnamespace IN ('waybill'::regnamespace, 'waybill_queue'::regnamespace)
    ORDER BY 2 DESC LIMIT 6`)
}
