import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, startChild } from './child.ts'
import { copyRun } from './copies.ts'
import type { ServerConfig } from './server-process.ts'
import type { Site } from './site.ts'
import { cpuMs } from './usage.ts'
import { enqueueTogether, startWorkers, untilAllOver } from './workers.ts'

export interface ParkedSize {
  readonly runs: number
  readonly seconds: number
}

export interface Parked {
  /** Percent of one core: worker, server and PostgreSQL together. */
  readonly all_percent: number
  readonly worker_percent: number
  readonly server_percent: number
  readonly postgres_percent: number
}

/** Measures the processor time of an installation in which all runs wait: half until next year, half for a person. */
export async function measureParked(site: Site, { runs, seconds }: ParkedSize): Promise<Parked> {
  const prepared = await site.prepared()
  const children: Child[] = []
  try {
    const [worker] = await startWorkers(prepared, 1)
    if (worker === undefined) throw new Error('no worker was started')
    children.push(worker)
    const [id] = await enqueueTogether(prepared, 1, { calls: 3 }, 0)
    await untilAllOver(prepared)
    await copyRun(prepared, id ?? '', runs)
    await prepared.admin(
      `UPDATE waybill.progress SET phase = 'parked', status = 'waiting',
         due_at = CASE WHEN right(run_id, 1)::int < 5 THEN (extract(epoch FROM now()) * 1000)::bigint + 31536000000 END`,
    )
    await prepared.admin('VACUUM ANALYZE')
    await prepared.admin('CHECKPOINT')
    const config: ServerConfig = { databaseUrl: prepared.ownerUrl }
    const server = await startChild('server-process.ts', config)
    children.push(server)
    // The work that follows the start, and that of the large statements before it.
    await sleep(10_000)
    const times = () => [cpuMs([worker.pid]), cpuMs([server.pid]), cpuMs([], site.pid)] as const
    const before = times()
    const from = performance.now()
    await sleep(seconds * 1_000)
    const after = times()
    const percent = (n: 0 | 1 | 2) => ((after[n] - before[n]) / (performance.now() - from)) * 100
    const [worker_percent, server_percent, postgres_percent] = [percent(0), percent(1), percent(2)]
    return {
      all_percent: worker_percent + server_percent + postgres_percent,
      worker_percent,
      server_percent,
      postgres_percent,
    }
  } finally {
    for (const child of children) await child.kill()
    await prepared.drop()
  }
}
