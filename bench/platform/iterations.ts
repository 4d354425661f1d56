import type { DatabaseUrls } from '../../src/platform/database/open-database.ts'
import { type Child, startChild } from './child.ts'
import type { Site } from './site.ts'
import { cpuMs } from './usage.ts'

/** The configuration of a process of `subject-process.ts`. */
export type SubjectConfig =
  | { readonly subject: 'waybill'; readonly urls: DatabaseUrls }
  | { readonly subject: 'langgraph'; readonly url: string }

/** A request to such a process. */
export interface SubjectRuns {
  /** Calls of one run. */
  readonly calls: number
  readonly runs: number
  /** Runs at the same time. */
  readonly atOnce: number
}

export interface SubjectCost {
  readonly wall_ms: number
  /** Processor time of the process. */
  readonly cpu_ms: number
}

/** The cost of one iteration: one answer of the model, one call of a tool, and their records. */
export interface IterationCost {
  readonly wall_us: number
  /** Processor time of the process and of PostgreSQL. */
  readonly cpu_us: number
  readonly process_cpu_us: number
}

export interface IterationSize {
  readonly rounds: number
  /** Runs of 10 calls in a round, of each subject. */
  readonly runs: number
  readonly warmUpRuns: number
}

const CALLS = 10

/**
 * Measures runs of 10 calls, one after another, of Waybill and of LangGraph with its saver, on the same server. The
 * subjects take turns. Neither uses a queue here: both record each step before the next one.
 */
export async function measureIterations(site: Site, { rounds, runs, warmUpRuns }: IterationSize) {
  const prepared = await site.prepared()
  const waybill = await startSubject({ subject: 'waybill', urls: prepared.urls })
  const langgraph = await startSubject({ subject: 'langgraph', url: await site.empty() })
  const costs = { waybill: [] as IterationCost[], langgraph: [] as IterationCost[] }
  try {
    for (let round = 0; round <= rounds; round++) {
      for (const [name, child] of Object.entries({ waybill, langgraph }) as [keyof typeof costs, Child][]) {
        const cost = await timed(site, child, round === 0 ? warmUpRuns : runs)
        if (round > 0) costs[name].push(cost)
      }
    }
  } finally {
    await waybill.kill()
    await langgraph.kill()
    await prepared.drop()
  }
  return costs
}

function startSubject(config: SubjectConfig): Promise<Child> {
  return startChild('subject-process.ts', config)
}

async function timed(site: Site, child: Child, runs: number): Promise<IterationCost> {
  const before = cpuMs([], site.pid)
  const asked: SubjectRuns = { calls: CALLS, runs, atOnce: 1 }
  const cost = await child.ask<SubjectCost>(asked, 300_000)
  const server = cpuMs([], site.pid) - before
  const each = (ms: number) => (ms * 1_000) / (runs * CALLS)
  return {
    wall_us: each(cost.wall_ms),
    cpu_us: each(cost.cpu_ms + server),
    process_cpu_us: each(cost.cpu_ms),
  }
}

/** Measures the throughput of LangGraph with many runs at the same time, in two processes. @returns iterations/s */
export async function langGraphThroughput(site: Site, runs: number, calls: number): Promise<number> {
  const url = await site.empty()
  const children: Child[] = []
  try {
    for (let i = 0; i < 2; i++) {
      const child = await startSubject({ subject: 'langgraph', url })
      children.push(child)
      // Also creates the tables, which two processes cannot do at the same time.
      await child.ask<SubjectCost>({ calls, runs: 3, atOnce: 3 } satisfies SubjectRuns)
    }
    const asked: SubjectRuns = { calls, runs: runs / 2, atOnce: runs / 2 }
    const costs = await Promise.all(children.map((child) => child.ask<SubjectCost>(asked, 600_000)))
    return (runs * calls * 1_000) / Math.max(...costs.map(({ wall_ms }) => wall_ms))
  } finally {
    for (const child of children) await child.kill()
  }
}
