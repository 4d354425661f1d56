import { type Spread, spread, type Target } from '../table.ts'

/** The measurements of each subject: every figure, in each round. */
export type Samples = ReadonlyMap<string, readonly Readonly<Record<string, number>>[]>

export type Mode = 'iter' | 'conc' | 'slow'

interface Aim {
  readonly mode: Mode
  readonly what: string
  readonly figure: string
  readonly of: string
  /** The other subject of a ratio; absent for a plain figure. */
  readonly to?: string
  readonly atMost: number
}

const AIMS: readonly Aim[] = [
  {
    mode: 'iter',
    what: 'a. run of 10 calls / AI SDK 7',
    figure: 'run_cpu_us',
    of: 'waybill',
    to: 'aisdk',
    atMost: 0.25,
  },
  {
    mode: 'iter',
    what: 'b. one more call / AI SDK 7',
    figure: 'call_cpu_us',
    of: 'waybill',
    to: 'aisdk',
    atMost: 0.15,
  },
  {
    mode: 'iter',
    what: 'c. run of 10 calls, both reporting',
    figure: 'run_cpu_us',
    of: 'telemetry',
    to: 'aisdk-telemetry',
    atMost: 0.5,
  },
  {
    mode: 'iter',
    what: 'd. durable run of 10 calls / LangGraph, SqliteSaver',
    figure: 'run_cpu_us',
    of: 'disk',
    to: 'langgraph-sqlite',
    atMost: 0.1,
  },
  {
    mode: 'conc',
    what: 'e. 1,000 durable runs, processor time in ms',
    figure: 'cpu_ms',
    of: 'disk',
    atMost: 700,
  },
  { mode: 'conc', what: 'e. 1,000 durable runs, flushes', figure: 'flushes', of: 'disk', atMost: 100 },
  {
    mode: 'conc',
    what: 'f. 1,000 runs in memory, growth in MB',
    figure: 'rss_growth_mb',
    of: 'waybill',
    atMost: 80,
  },
  {
    mode: 'iter',
    what: 'guarded / unguarded',
    figure: 'run_cpu_us',
    of: 'guarded',
    to: 'unguarded',
    atMost: 2,
  },
  {
    mode: 'slow',
    what: 'guarded / unguarded, model of 50 ms',
    figure: 'wall_ms',
    of: 'guarded',
    to: 'unguarded',
    atMost: 1.05,
  },
]

/** Returns the results of the targets whose subjects were measured. Ratios are of the same round. */
export function targetsOf(mode: Mode, samples: Samples): readonly Target[] {
  return AIMS.flatMap((aim) => {
    const of = samples.get(aim.of)
    const to = aim.to === undefined ? undefined : samples.get(aim.to)
    if (aim.mode !== mode || of === undefined || (aim.to !== undefined && to === undefined)) return []
    const { what, figure, atMost } = aim
    const result: Spread = spread(
      of.map(
        (sample, round) =>
          (sample[figure] as number) / (to === undefined ? 1 : (to[round]?.[figure] as number)),
      ),
    )
    return [{ what, figure: result, atMost }]
  })
}
