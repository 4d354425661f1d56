import { median } from '../table.ts'
import type { Subject } from './subject.ts'
import { counted, FINAL_TEXT } from './workload.ts'

/** Calls of the run that is measured. */
export const TOOL_CALLS = 10
export const CONCURRENT_RUNS = 1_000
export const MODEL_DELAY_MS = 50

export interface IterationCost {
  /** Processor time of a run of 10 calls, threads of the garbage collector included: microseconds. */
  readonly run_cpu_us: number
  /** Processor time of a run whose model answers at once without a call. */
  readonly empty_cpu_us: number
  /** Processor time that one more tool call adds. */
  readonly call_cpu_us: number
  /** Wall time of a run of 10 calls, divided by 10. */
  readonly wall_us: number
  /** The same of the fastest batch. */
  readonly least_us: number
}

export interface ConcurrencyCost {
  readonly wall_ms: number
  readonly cpu_ms: number
  /** Growth of resident memory at its highest, over what it was before. */
  readonly rss_growth_mb: number
  /** Growth of V8's heap at its highest, garbage included. */
  readonly heap_growth_mb: number
  /** Commits that waited for the disk; 0 when the subject has no disk. */
  readonly flushes: number
}

/** Processor time, because on a busy machine wall time would warm a subject up by fewer runs than on an idle one. */
export const WARM_UP_MS = 5_000
/** Long enough for the garbage collector to come by several times. */
const BATCH_MS = 150
const BATCHES = 15
/** Reading the processor time is a system call that takes up to a tenth of a short run. */
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
  // No forced collection here: it throws away compiled code, and the next second would measure the compiler.
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

/** Fails when a subject has not done the work that it is measured for. */
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
 * Measures many runs at once with a slow model, after the same warm-up as runs one after the other. Memory is measured
 * in a second pass: its base needs a forced collection, which throws away compiled code.
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
  if (texts.some((text) => text !== FINAL_TEXT)) throw new Error('some runs did not end as they should')
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
