import type { Script } from './agent.ts'
import type { Site } from './site.ts'
import { cpuMs, residentMb } from './usage.ts'
import { enqueueTogether, reportsOf, startWorkers, untilAllOver } from './workers.ts'

export interface ThroughputSize {
  readonly runs: number
  readonly calls: number
  readonly warmUpRuns: number
  /** Time to store the runs, in milliseconds. */
  readonly storeMs: number
}

export interface Throughput {
  readonly iterations_per_s: number
  /** Processor time of the workers and of PostgreSQL for one iteration. */
  readonly cpu_us: number
  readonly workers_cpu_us: number
  /** Iterations whose events were committed together, on average. */
  readonly iterations_per_commit: number
  /** Resident memory of a worker before the first run, and the maximum while it drives half of the runs. */
  readonly worker_idle_mb: number
  readonly worker_loaded_mb: number
}

const WORKERS = 2

/** Measures two workers that drive many runs at the same time through the queue; the model and the tool answer at once. */
export async function measureThroughput(site: Site, size: ThroughputSize): Promise<Throughput> {
  const prepared = await site.prepared()
  const workers = await startWorkers(prepared, WORKERS, size.runs / WORKERS)
  const pids = workers.map(({ pid }) => pid)
  try {
    const worker_idle_mb = Math.max(...pids.map(residentMb))
    const script: Script = { calls: size.calls }
    await enqueueTogether(prepared, size.warmUpRuns, script, 0)
    await untilAllOver(prepared)
    await reportsOf(workers)
    await enqueueTogether(prepared, size.runs, script, size.storeMs)
    const cpu = cpuMs(pids, site.pid)
    const ownCpu = cpuMs(pids)
    let worker_loaded_mb = 0
    const watch = setInterval(() => {
      worker_loaded_mb = Math.max(worker_loaded_mb, ...pids.map(residentMb))
    }, 100)
    await untilAllOver(prepared).finally(() => clearInterval(watch))
    const used = cpuMs(pids, site.pid) - cpu
    const ownUsed = cpuMs(pids) - ownCpu
    const reports = await reportsOf(workers)
    const iterations = reports.reduce((sum, report) => sum + report.iterations, 0)
    if (iterations !== size.runs * size.calls)
      throw new Error(`${iterations} iterations instead of ${size.runs * size.calls}`)
    const firstAt = Math.min(...reports.map((report) => report.firstAt || Number.POSITIVE_INFINITY))
    const wall = Math.max(...reports.map(({ lastAt }) => lastAt)) - firstAt
    const commits = reports.reduce((sum, report) => sum + report.commits, 0)
    return {
      iterations_per_s: (iterations * 1_000) / wall,
      cpu_us: (used * 1_000) / iterations,
      workers_cpu_us: (ownUsed * 1_000) / iterations,
      iterations_per_commit: iterations / commits,
      worker_idle_mb,
      worker_loaded_mb,
    }
  } finally {
    for (const worker of workers) await worker.kill()
    await prepared.drop()
  }
}
