import { setTimeout as sleep } from 'node:timers/promises'
import type { CommitCounts } from '../../src/platform/records/group-commit.ts'
import type { Script, Work } from './agent.ts'
import { scriptedRun } from './agent.ts'
import { type Child, startChild } from './child.ts'
import type { Prepared } from './site.ts'
import type { WorkerConfig } from './worker-process.ts'

export type WorkerReport = Work & CommitCounts

/** Starts workers on a database. @param concurrency legs at a time, of each worker */
export async function startWorkers(
  { urls }: Prepared,
  count: number,
  concurrency?: number,
): Promise<readonly Child[]> {
  const config: WorkerConfig = { urls, ...(concurrency !== undefined && { concurrency }) }
  return Promise.all(Array.from({ length: count }, () => startChild('worker-process.ts', config)))
}

/** Returns what each worker has done since it was last asked. */
export function reportsOf(workers: readonly Child[]): Promise<readonly WorkerReport[]> {
  return Promise.all(workers.map((worker) => worker.ask<WorkerReport>({})))
}

let runs = 0

/**
 * Stores runs that are due at the same moment, so that storing them does not delay the first.
 * @param inMs milliseconds from now; the runs must be stored within them
 * @returns their ids
 */
export async function enqueueTogether(
  prepared: Prepared,
  count: number,
  script: Script,
  inMs: number,
): Promise<readonly string[]> {
  const records = prepared.recordsOf('a')
  const dueAt = Date.now() + inMs
  const ids = Array.from({ length: count }, () => `run-${++runs}`)
  await Promise.all(ids.map((id) => records.runs.enqueue(scriptedRun(id, script), { dueAt })))
  if (inMs > 0 && Date.now() > dueAt)
    process.stderr.write(`storing ${count} runs took longer than ${inMs} ms: the first ones had begun\n`)
  return ids
}

/** Waits until no run is queued, parked until a time, or driven. @throws if that takes too long */
export async function untilAllOver({ database }: Prepared, withinMs = 300_000): Promise<void> {
  const until = performance.now() + withinMs
  for (;;) {
    const { rows } = await database.engine.query<{ open: number; aside: number }>(
      `SELECT count(*) FILTER (WHERE phase <> 'over') AS open,
         count(*) FILTER (WHERE phase = 'set_aside') AS aside FROM waybill.progress`,
    )
    const { open = 0, aside = 0 } = rows[0] ?? {}
    if (aside > 0) throw new Error(`${aside} runs were set aside`)
    if (open === 0) return
    if (performance.now() > until) throw new Error(`${open} runs are not over after ${withinMs / 1000} s`)
    await sleep(100)
  }
}
