import { median } from '../table.ts'
import type { Subject } from './subject.ts'
import { counted, FINAL_TEXT } from './workload.ts'

/** Number of calls of the measured run. */
export const TOOL_CALLS = 10
export const CONCURRENT_RUNS = 1_000
export const MODEL_DELAY_MS = 50

export interface IterationCost {
  /** Processor time of a run of 10 calls, including threads of the garbage collector, in microseconds. */
  readonly run_cpu_us: number
  /** Processor time of a run whose model answers immediately without a call. */
  readonly empty_cpu_us: number
  /** Additional processor time of one more tool call. */
  readonly call_cpu_us: number
  /** Wall time of a run of 10 calls, divided by 10. */
  readonly wall_us: number
  /** The same for the fastest batch. */
  readonly least_us: number
}

export interface ConcurrencyCost {
  readonly wall_ms: number
  readonly cpu_ms: number
  /** Maximum growth of resident memory. */
  readonly rss_growth_mb: number
  /** Maximum growth of the V8 heap, including garbage. */
  readonly heap_growth_mb: number
  /** Number of commits that were flushed to disk; 0 if the subject does not use the disk. */
  readonly flushes: number
}

/** In processor time, because on a busy machine a wall-time limit would give fewer warm-up runs. */
export const WARM_UP_MS = 5_000
/** Long enough for several garbage collections. */
const BATCH_MS = 150
const BATCHES = 15
/** Reading the processor time is a system call that takes up to a tenth of the time of a short run. */
const RUNS_PER_READING = 10
const SLOW_RUNS = 5

/** Measures runs one after the other, after a warm-up. */
export async function measureIterations(subject: Subject, warmUpMs: number): Promise<IterationCost> {
  const empty = await timeRuns(await subject.prepare(0, 0), 0, warmUpMs / 3)
  const full = await timeRuns(await subject.prepare(TOOL_CALLS, 0), TOOL_CALLS, warmUpMs)
  return {
    run_cpu_us: full.cpuUs,
    empty_cpu_us: empty.cpuUs,
    call_cpu_us: (full.cpuUs - empty.cpuUs) / TOOL_CALLS,
    wall_us: full.wallUs / TOOL_CALLS,
    least_us: full.leastUs / TOOL_CALLS,
  }
}

async function timeRuns(run: () => Promise<string>, tools: number, warmUpMs: number) {
  let warm = 0
  const start = process.cpuUsage()
  while (cpuUsSince(start) < warmUpMs * 1_000) {
    for (let i = 0; i < RUNS_PER_READING; i++) await checked(run, tools)
    warm += RUNS_PER_READING
  }
  const runs = Math.max(1, Math.round((warm * BATCH_MS) / warmUpMs))
  const walls: number[] = []
  const cpus: number[] = []
  // No forced garbage collection: it discards compiled code, and the next second would measure the compiler.
  for (let batch = 0; batch < BATCHES; batch++) {
    const cpu = process.cpuUsage()
    const from = performance.now()
    for (let i = 0; i < runs; i++) await run()
    walls.push(((performance.now() - from) * 1_000) / runs)
    cpus.push(cpuUsSince(cpu) / runs)
  }
  return { wallUs: median(walls), leastUs: Math.min(...walls), cpuUs: median(cpus) }
}

function cpuUsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Throws if a subject has not done the measured work. */
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
}

/** Measures one run after another with a slow model. */
export async function measureSlow(subject: Subject): Promise<SlowCost> {
  const run = await subject.prepare(TOOL_CALLS, MODEL_DELAY_MS)
  await checked(run, TOOL_CALLS)
  const walls: number[] = []
  for (let i = 0; i < SLOW_RUNS; i++) {
    const from = performance.now()
    await run()
    walls.push(performance.now() - from)
  }
  return { wall_ms: median(walls) }
}

/**
 * Measures many concurrent runs with a slow model, after the same warm-up as for sequential runs. Memory is measured in
 * a second pass: its baseline needs a forced garbage collection, which discards compiled code.
 */
export async function measureConcurrency(subject: Subject, warmUpMs: number): Promise<ConcurrencyCost> {
  await timeRuns(await subject.prepare(TOOL_CALLS, 0), TOOL_CALLS, warmUpMs)
  const run = await subject.prepare(TOOL_CALLS, MODEL_DELAY_MS)
  await Promise.all([run(), run(), run()])
  subject.flushes?.()
  const cpu = process.cpuUsage()
  const from = performance.now()
  await allAtOnce(run)
  const wall_ms = performance.now() - from
  const cpu_ms = cpuUsSince(cpu) / 1_000
  const flushes = subject.flushes?.() ?? 0
  return { wall_ms, cpu_ms, flushes, ...(await memoryOf(() => allAtOnce(run))) }
}

async function allAtOnce(run: () => Promise<string>): Promise<void> {
  const texts = await Promise.all(Array.from({ length: CONCURRENT_RUNS }, run))
  if (texts.some((text) => text !== FINAL_TEXT)) throw new Error('some runs did not end as expected')
}

async function memoryOf(act: () => Promise<void>) {
  globalThis.gc?.()
  const before = process.memoryUsage()
  let { rss, heapUsed } = before
  const look = () => {
    const now = process.memoryUsage()
    rss = Math.max(rss, now.rss)
    heapUsed = Math.max(heapUsed, now.heapUsed)
  }
  const watch = setInterval(look, 10)
  await act()
  clearInterval(watch)
  look()
  return {
    rss_growth_mb: (rss - before.rss) / 2 ** 20,
    heap_growth_mb: (heapUsed - before.heapUsed) / 2 ** 20,
  }
}
