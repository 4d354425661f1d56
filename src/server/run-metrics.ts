import type { PlatformNumbers } from '../platform/engine/measure.ts'
import type { Measurement } from '../run/ports.ts'

type Kind = 'counter' | 'histogram' | 'gauge'

/** The metrics of runs (AAIF telemetry), in the order of the text. */
const METRICS: Readonly<Record<Measurement['name'], readonly [Kind, string]>> = {
  aaif_agent_run_duration_ms: ['histogram', 'Duration of runs.'],
  aaif_agent_run_total: ['counter', 'Runs that ended.'],
  aaif_agent_llm_tokens_total: ['counter', 'Tokens sent to and received from models.'],
  aaif_agent_tool_calls_total: ['counter', 'Tool calls that were made.'],
  aaif_agent_cost_usd_total: ['counter', 'Cost of model calls with a known price.'],
}

/** Upper bounds of the duration, in milliseconds. */
const BOUNDS = [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 1_800_000]

/** Series that are kept. Labels contain ids of agents and names of tools, so their number has no natural limit. */
const MAX_SERIES = 10_000

interface Series {
  readonly name: Measurement['name']
  readonly labels: string
  sum: number
  count: number
  /** Of a histogram: how many values are at most each bound. */
  readonly below: number[]
}

/** Sums the measurements of the runs that this process drives, for `/metrics`. */
export class RunMetrics {
  readonly #series = new Map<string, Series>()

  record({ name, value, labels }: Measurement): void {
    const key = `${name}${labelText(labels)}`
    const known = this.#series.get(key)
    if (known === undefined && this.#series.size >= MAX_SERIES) return
    const series = known ?? { name, labels: labelText(labels), sum: 0, count: 0, below: BOUNDS.map(() => 0) }
    this.#series.set(key, series)
    series.sum += value
    series.count += 1
    for (const [index, bound] of BOUNDS.entries())
      if (value <= bound) series.below[index] = (series.below[index] ?? 0) + 1
  }

  /** Returns the lines of all metrics, without a line break at the end. */
  lines(): readonly string[] {
    return Object.entries(METRICS).flatMap(([name, [kind, help]]) => {
      const series = [...this.#series.values()].filter((entry) => entry.name === name)
      if (series.length === 0) return []
      return [
        ...headOf(name, kind, help),
        ...series.flatMap(kind === 'histogram' ? histogramLines : counterLine),
      ]
    })
  }
}

/** Returns the answer to `/metrics`, in the text format of Prometheus. */
export function metricsText(runs: RunMetrics, numbers: PlatformNumbers): string {
  const gauge = (name: string, help: string, samples: readonly string[]) => [
    ...headOf(name, 'gauge', help),
    ...samples.map((sample) => `${name}${sample}`),
  ]
  const lines = [
    ...runs.lines(),
    ...gauge(
      'waybill_runs',
      'Runs by phase.',
      numbers.runs.map(({ phase, count }) => `${labelText({ phase })} ${count}`),
    ),
    ...gauge('waybill_workers', 'Workers whose lease is valid.', [` ${numbers.workers}`]),
    ...gauge('waybill_oldest_due_seconds', 'Age of the oldest leg that is due and has not begun.', [
      ` ${numbers.oldest_due_seconds}`,
    ]),
  ]
  return `${lines.join('\n')}\n`
}

function headOf(name: string, kind: Kind, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${kind}`]
}

function counterLine({ name, labels, sum }: Series): string {
  return `${name}${labels} ${sum}`
}

function histogramLines({ name, labels, sum, count, below }: Series): readonly string[] {
  const bucket = (bound: string, value: number) =>
    `${name}_bucket${labels === '' ? '{' : `${labels.slice(0, -1)},`}le="${bound}"} ${value}`
  return [
    ...BOUNDS.map((bound, index) => bucket(String(bound), below[index] ?? 0)),
    bucket('+Inf', count),
    `${name}_sum${labels} ${sum}`,
    `${name}_count${labels} ${count}`,
  ]
}

/** Returns labels as `{name="value"}`, sorted by name; an empty text without labels. */
function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
