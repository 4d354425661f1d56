import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedRun } from './agent.ts'
import type { Prepared, Site } from './site.ts'
import { enqueueTogether, startWorkers } from './workers.ts'

/** From the commit of a request to the first event of its run, in milliseconds. */
export interface Latency {
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

export interface DispatchSize {
  readonly requests: number
  /** Other runs that are being driven. */
  readonly runs: number
  readonly storeMs: number
}

/** Measures the latency of single requests at random moments: with nothing else to do, and among many runs. */
export async function measureDispatch(
  site: Site,
  { requests, runs, storeMs }: DispatchSize,
): Promise<{ readonly idle: Latency; readonly loaded: Latency }> {
  const prepared = await site.prepared()
  const workers = await startWorkers(prepared, 2, runs)
  try {
    // The first runs compile the code and open the connections.
    await latencyOf(prepared, 'warm', 5)
    const idle = await latencyOf(prepared, 'idle', requests)
    await enqueueTogether(prepared, runs, { calls: 100_000, modelMs: 1_000 }, storeMs)
    await sleep(storeMs + 2_000)
    return { idle, loaded: await latencyOf(prepared, 'loaded', requests) }
  } finally {
    for (const worker of workers) await worker.kill()
    await prepared.drop()
  }
}

async function latencyOf(prepared: Prepared, name: string, requests: number): Promise<Latency> {
  const { runs } = prepared.recordsOf('b')
  const committedAt = new Map<string, number>()
  for (let n = 0; n < requests; n++) {
    const id = `${name}-${n}`
    await runs.enqueue(scriptedRun(id, { calls: 1 }), {})
    committedAt.set(id, Date.now())
    await sleep(50 + 150 * Math.random())
  }
  const latencies: number[] = []
  for (const [id, at] of committedAt) latencies.push((await firstEventAt(prepared, id)) - at)
  latencies.sort((a, b) => a - b)
  const quantile = (part: number) => latencies[Math.ceil(part * latencies.length) - 1] ?? Number.NaN
  return { p50_ms: quantile(0.5), p99_ms: quantile(0.99), max_ms: quantile(1) }
}

/** Returns when the first event of a run happened, in milliseconds since the epoch; waits for it. */
async function firstEventAt(prepared: Prepared, id: string): Promise<number> {
  const { runs } = prepared.recordsOf('b')
  for (let tries = 0; tries < 600; tries++) {
    const [first] = await runs.events(id, 0, 1)
    if (first !== undefined) return first.at
    await sleep(100)
  }
  throw new Error(`run ${id} has not begun after 60 s`)
}
