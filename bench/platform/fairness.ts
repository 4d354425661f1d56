import { setTimeout as sleep } from 'node:timers/promises'
import { scriptedRun } from './agent.ts'
import { copyRun } from './copies.ts'
import type { Site } from './site.ts'
import { startWorkers } from './workers.ts'

export interface FairnessSize {
  readonly runs: number
  readonly requests: number
}

/**
 * Measures single runs of one organisation while another one has many queued runs, with two workers.
 * @returns seconds from the commit of the request to the end of the run, for each request
 */
export async function measureFairness(
  site: Site,
  { runs, requests }: FairnessSize,
): Promise<readonly number[]> {
  const prepared = await site.prepared()
  const { engine } = prepared.database
  const workers = await startWorkers(prepared, 2)
  try {
    await prepared.recordsOf('a').runs.enqueue(scriptedRun('many', { calls: 20, modelMs: 50 }), {
      dueAt: Date.now() + 86_400_000,
    })
    await copyRun(prepared, 'many', runs)
    await engine.query(`SELECT waybill.enqueue_leg(org, run_id) FROM waybill.progress WHERE org = 'a'`)
    await sleep(2_000)
    const own = prepared.recordsOf('b').runs
    const seconds: number[] = []
    for (let n = 0; n < requests; n++) {
      await own.enqueue(scriptedRun(`single-${n}`, { calls: 1 }), {})
      const from = performance.now()
      while ((await own.listed(`single-${n}`)).phase !== 'over') {
        if (performance.now() - from > 60_000) throw new Error('a single run is not over after 60 s')
        await sleep(20)
      }
      seconds.push((performance.now() - from) / 1_000)
    }
    const { rows } = await engine.query<{ queued: number }>(
      `SELECT count(*) AS queued FROM waybill.progress WHERE org = 'a' AND phase = 'queued'`,
    )
    if ((rows[0]?.queued ?? 0) === 0) throw new Error('no run of the other organisation was queued any more')
    return seconds
  } finally {
    for (const worker of workers) await worker.kill()
    await prepared.drop()
  }
}
