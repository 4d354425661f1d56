import { median } from '../table.ts'
import type { Subject } from './subject.ts'
import { counted, FINAL_TEXT } from './workload.ts'

/** A run of this many tool calls is what is timed. */
export const TOOL_CALLS = 10
export const CONCURRENT_RUNS = 1_000
export const MODEL_DELAY_MS = 50

export interface IterationCost {
  /** Microseconds of a run divided by its tool calls. */
  readonly us_per_iteration: number
  /** Of the fastest batch: what else the machine does only ever adds, so this is what targets are judged by. */
  readonly least_us: number
  /** The same in processor time, the garbage collector's threads included. */
  readonly cpu_us_per_iteration: number
  /** What one more tool call adds: without the cost of starting and ending a run. */
  readonly marginal_us: number
}

export interface ConcurrencyCost {
  readonly wall_ms: number
  readonly ideal_ms: number
  readonly cpu_ms: number
  /** Growth of resident memory at its highest, over what it was before. */
  readonly rss_growth_mb: number
}

/** Enough for a short-lived process; a server's code goes on getting faster for some seconds. */
export const WARM_UP_MS = 800
/** Long enough for the garbage collector to come by, short enough to find the machine idle now and then. */
const BATCH_MS = 25
const BATCHES = 25
const SLOW_RUNS = 5

/** Time of an iteration, after warming up. */
export async function measureIterations(subject: Subject, warmUpMs: number): Promise<IterationCost> {
  const empty = await timeRuns(await subject.prepare(0, 0), 0, warmUpMs)
  const full = await timeRuns(await subject.prepare(TOOL_CALLS, 0), TOOL_CALLS, warmUpMs)
  return {
    us_per_iteration: full.wallUs / TOOL_CALLS,
    least_us: full.leastUs / TOOL_CALLS,
    cpu_us_per_iteration: full.cpuUs / TOOL_CALLS,
    marginal_us: (full.wallUs - empty.wallUs) / TOOL_CALLS,
  }
}

async function timeRuns(run: () => Promise<string>, tools: number, warmUpMs: number) {
  let warm = 0
  const start = performance.now()
  while (performance.now() - start < warmUpMs || warm < 20) {
    await checked(run, tools)
    warm++
  }
  const runs = Math.max(5, Math.round((warm * BATCH_MS) / (performance.now() - start)))
  const walls: number[] = []
  const cpus: number[] = []
  globalThis.gc?.()
  for (let batch = 0; batch < BATCHES; batch++) {
    const cpu = process.cpuUsage()
    const from = performance.now()
    for (let i = 0; i < runs; i++) await run()
    walls.push(((performance.now() - from) * 1_000) / runs)
    const used = process.cpuUsage(cpu)
    cpus.push((used.user + used.system) / runs)
  }
  return { wallUs: median(walls), leastUs: Math.min(...walls), cpuUs: median(cpus) }
}

/** What is fast because it does less is not fast. */
async function checked(run: () => Promise<string>, tools: number): Promise<void> {
  counted.model = 0
  counted.tool = 0
  const text = await run()
  if (text !== FINAL_TEXT || counted.model !== tools + 1 || counted.tool !== tools)
    throw new Error(
      `expected ${tools} calls and "${FINAL_TEXT}", got ${JSON.stringify(counted)} and "${text}"`,
    )
}

export interface SlowCost {
  readonly wall_ms: number
  readonly ideal_ms: number
}

/** One run after another with a model that takes its time. */
export async function measureSlow(subject: Subject): Promise<SlowCost> {
  const run = await subject.prepare(TOOL_CALLS, MODEL_DELAY_MS)
  await checked(run, TOOL_CALLS)
  const walls: number[] = []
  for (let i = 0; i < SLOW_RUNS; i++) {
    const from = performance.now()
    await run()
    walls.push(performance.now() - from)
  }
  return { wall_ms: median(walls), ideal_ms: (TOOL_CALLS + 1) * MODEL_DELAY_MS }
}

/** Many runs at once with a model that takes its time: what is above the ideal is overhead. */
export async function measureConcurrency(subject: Subject): Promise<ConcurrencyCost> {
  const run = await subject.prepare(TOOL_CALLS, MODEL_DELAY_MS)
  await Promise.all([run(), run(), run()])
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const cpu = process.cpuUsage()
  const from = performance.now()
  const texts = await Promise.all(Array.from({ length: CONCURRENT_RUNS }, run))
  const wall = performance.now() - from
  const used = process.cpuUsage(cpu)
  clearInterval(watch)
  peak = Math.max(peak, process.memoryUsage.rss())
  if (texts.some((text) => text !== FINAL_TEXT)) throw new Error('some runs did not end as they should')
  return {
    wall_ms: wall,
    ideal_ms: (TOOL_CALLS + 1) * MODEL_DELAY_MS,
    cpu_ms: (used.user + used.system) / 1_000,
    rss_growth_mb: (peak - before) / 2 ** 20,
  }
}
