import { spread, type Target } from '../table.ts'
import type { Results } from './parts.ts'

/** Returns the targets of the parts that were measured. A ratio compares figures of the same round. */
export function targetsOf(results: Results): readonly Target[] {
  const { iterations, throughput, storage, fairness, parked } = results
  const targets: Target[] = []
  if (iterations !== undefined) {
    const ratio = (figure: 'wall_us' | 'cpu_us') =>
      spread(
        iterations.waybill.map(
          (cost, round) => cost[figure] / (iterations.langgraph[round]?.[figure] ?? NaN),
        ),
      )
    targets.push(
      { what: 'a. durable iteration / LangGraph, wall time', figure: ratio('wall_us'), atMost: 0.1 },
      {
        what: 'a. the same, processor time with PostgreSQL',
        figure: ratio('cpu_us'),
        atMost: 0.1,
      },
    )
  }
  if (throughput !== undefined)
    targets.push({
      what: 'b. us per iteration of many runs (3,000/s)',
      figure: spread(throughput.map((one) => 1e6 / one.iterations_per_s)),
      atMost: 333,
    })
  if (storage !== undefined)
    targets.push({
      what: 'f. bytes stored for a byte of content',
      figure: spread([storage.ratio]),
      atMost: 3,
    })
  if (parked !== undefined)
    targets.push({
      what: 'g. percent of one core with parked runs',
      figure: spread([parked.all_percent]),
      atMost: 1,
    })
  if (fairness !== undefined)
    targets.push({
      what: 'h. single run beside many queued ones, s (slowest)',
      figure: spread([Math.max(...fairness)]),
      atMost: 2,
    })
  return targets
}
