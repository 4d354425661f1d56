import { printSpread, type Spread, spread, table } from '../table.ts'
import type { Latency } from './dispatch.ts'
import type { Results } from './parts.ts'

/** Formats a table for each part that was measured. */
export function printResults(results: Results): string {
  return [
    iterationTable(results),
    throughputTable(results),
    dispatchTable(results),
    apiTable(results),
    storageTable(results),
    fairnessTable(results),
    parkedTable(results),
  ].join('')
}

function iterationTable({ iterations }: Results): string {
  if (iterations === undefined) return ''
  return table('One durable iteration of runs of 10 calls, one run after another', [
    ['', 'wall us', 'cpu us with PostgreSQL', 'cpu us of the process'],
    ...Object.entries({
      'Waybill, PostgreSQL': iterations.waybill,
      'LangGraph 1, PostgresSaver': iterations.langgraph,
    }).map(([name, costs]) => [
      name,
      ...(['wall_us', 'cpu_us', 'process_cpu_us'] as const).map((figure) =>
        of(costs, (cost) => cost[figure]),
      ),
    ]),
  ])
}

function throughputTable({ throughput }: Results): string {
  if (throughput === undefined) return ''
  return table('Many runs at the same time, in two processes', [
    ['', 'iterations/s', 'cpu us with PostgreSQL', 'cpu us of workers', 'iterations per commit'],
    [
      'Waybill, two workers',
      of(throughput, (one) => one.iterations_per_s, 0),
      of(throughput, (one) => one.cpu_us, 0),
      of(throughput, (one) => one.workers_cpu_us, 0),
      of(throughput, (one) => one.iterations_per_commit),
    ],
    ['LangGraph, two processes', of(throughput, (one) => one.langgraph_iterations_per_s, 0), '', '', ''],
    [
      'memory of a worker, idle / loaded, MB',
      `${of(throughput, (one) => one.worker_idle_mb, 0)} / ${of(throughput, (one) => one.worker_loaded_mb, 0)}`,
      '',
      '',
      '',
    ],
  ])
}

function dispatchTable({ dispatch }: Results): string {
  if (dispatch === undefined) return ''
  const row = (name: string, latencies: readonly Latency[]) => [
    name,
    ...(['p50_ms', 'p99_ms', 'max_ms'] as const).map((figure) => of(latencies, (one) => one[figure], 0)),
  ]
  return table('From the commit of a request to the first event of its run, ms', [
    ['', 'p50', 'p99', 'longest'],
    row(
      'idle',
      dispatch.map(({ idle }) => idle),
    ),
    row(
      'among many runs',
      dispatch.map(({ loaded }) => loaded),
    ),
  ])
}

function apiTable({ api }: Results): string {
  if (api === undefined) return ''
  return table('HTTP API', [
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'not 2xx'],
    ...api.routes.map(({ name, per_second, p50_ms, p99_ms, refused }) => [
      name,
      ...[per_second, p50_ms, p99_ms, refused].map((figure) => figure.toFixed(0)),
    ]),
    ['memory of the server, idle / loaded, MB', `${api.idle_mb.toFixed(0)} / ${api.loaded_mb.toFixed(0)}`],
  ])
}

function storageTable({ storage }: Results): string {
  if (storage === undefined) return ''
  const { content_kb, stored_kb, tables } = storage
  return table('Bytes stored, messages of 1 KB', [
    ['', 'KB', 'of it indexes'],
    ['content', content_kb.toFixed(0), ''],
    ['stored', stored_kb.toFixed(0), ''],
    ...tables.map(({ name, kb, indexes_kb }) => [`  ${name}`, kb.toFixed(0), indexes_kb.toFixed(0)]),
  ])
}

function fairnessTable({ fairness }: Results): string {
  if (fairness === undefined) return ''
  return table('Single runs of one organisation while another one has many queued, with two workers', [
    ['', 's'],
    ['request to end', printSpread(spread(fairness), 2)],
  ])
}

function parkedTable({ parked }: Results): string {
  if (parked === undefined) return ''
  return table('All runs are parked: percent of one core', [
    ['worker', 'server', 'PostgreSQL', 'together'],
    [parked.worker_percent, parked.server_percent, parked.postgres_percent, parked.all_percent].map((one) =>
      one.toFixed(2),
    ),
  ])
}

function of<T>(all: readonly T[], figure: (one: T) => number, digits = 0): string {
  const found: Spread = spread(all.map(figure))
  return all.length === 1 ? found.median.toFixed(digits) : printSpread(found, digits)
}
