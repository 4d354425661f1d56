import { type Spread, spread, type Target } from '../table.ts'

/** What a comparison measured: of each subject, each figure of all rounds. */
export type Samples = ReadonlyMap<string, readonly Readonly<Record<string, number>>[]>

interface Aim {
  readonly mode: 'iter' | 'conc' | 'slow'
  readonly figure: string
  readonly of: string
  /** Absent: the figure itself is meant, and not a ratio. */
  readonly to?: string
  readonly atMost: number
}

const AIMS: readonly Aim[] = [
  { mode: 'iter', figure: 'least_us', of: 'waybill', to: 'aisdk', atMost: 0.25 },
  { mode: 'iter', figure: 'least_us', of: 'telemetry', to: 'aisdk', atMost: 0.25 },
  { mode: 'iter', figure: 'least_us', of: 'telemetry', to: 'aisdk-telemetry', atMost: 0.25 },
  { mode: 'iter', figure: 'least_us', of: 'waybill', to: 'langgraph', atMost: 0.03 },
  { mode: 'iter', figure: 'least_us', of: 'waybill', to: 'langgraph-graph', atMost: 0.03 },
  { mode: 'iter', figure: 'least_us', of: 'waybill', to: 'langgraph-saved', atMost: 0.03 },
  { mode: 'iter', figure: 'least_us', of: 'guarded', to: 'unguarded', atMost: 2 },
  { mode: 'slow', figure: 'wall_ms', of: 'guarded', to: 'unguarded', atMost: 1.05 },
  { mode: 'conc', figure: 'wall_ms', of: 'waybill', atMost: 715 },
  { mode: 'conc', figure: 'rss_growth_mb', of: 'waybill', atMost: 100 },
]

/** The aims whose subjects were measured, with what came: ratios are of the same round. */
export function targetsOf(
  mode: Aim['mode'],
  samples: Samples,
  nameOf: (key: string) => string,
): readonly Target[] {
  return AIMS.flatMap((aim) => {
    const of = samples.get(aim.of)
    const to = aim.to === undefined ? undefined : samples.get(aim.to)
    if (aim.mode !== mode || of === undefined || (aim.to !== undefined && to === undefined)) return []
    const { figure, atMost } = aim
    const came: Spread = spread(
      of.map(
        (sample, round) =>
          (sample[figure] as number) / (to === undefined ? 1 : (to[round]?.[figure] as number)),
      ),
    )
    const what =
      aim.to === undefined
        ? `${nameOf(aim.of)}, ${figure}`
        : `${nameOf(aim.of)} / ${nameOf(aim.to)}, ${figure}`
    return [{ what, figure: came, atMost }]
  })
}
