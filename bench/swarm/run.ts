/**
 * Measures the cost of multi-agent runs: `npm run bench:swarm -- [--rounds N] [--json]`. First a hundred workers whose
 * model takes two seconds: the time above the ideal is our overhead. Then one parent with an increasing number of
 * sub-runs, whose cost must stay constant. Every figure comes from a separate process.
 */
import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { parseArgs, promisify } from 'node:util'
import { printSpread, printTargets, roundsOf, type Spread, spread, type Target, table } from '../table.ts'
import { type Family, type FamilyCost, measureFamily } from './measure.ts'

const WORKERS = 100
const DELAY_MS = 2_000
const SIZES = [100, 250, 500, 1_000] as const

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    // Set by this script for its child processes.
    measure: { type: 'string' },
  },
})

async function measured(family: Family): Promise<FamilyCost> {
  const args = ['--expose-gc', import.meta.filename, '--measure', JSON.stringify(family)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

interface Wait {
  readonly name: string
  readonly ideal_ms: number
  readonly wall_ms: Spread
  readonly cpu_ms: Spread
  readonly over_ideal: Spread
}

async function waits(rounds: number): Promise<readonly Wait[]> {
  const rows: Wait[] = []
  for (const onDisk of [false, true]) {
    for (const concurrency of [undefined, 25]) {
      const family = { shape: 'swarm', workers: WORKERS, delayMs: DELAY_MS, onDisk } as const
      const costs: FamilyCost[] = []
      for (let round = 0; round < rounds; round++)
        costs.push(await measured(concurrency === undefined ? family : { ...family, concurrency }))
      const ideal_ms = DELAY_MS * (concurrency === undefined ? 1 : WORKERS / concurrency)
      const name = `${concurrency === undefined ? 'all at once' : `${concurrency} at a time`}, ${onDisk ? 'on disk' : 'in memory'}`
      rows.push({
        name,
        ideal_ms,
        wall_ms: spread(costs.map((cost) => cost.wall_ms)),
        cpu_ms: spread(costs.map((cost) => cost.cpu_ms)),
        over_ideal: spread(costs.map((cost) => cost.wall_ms / ideal_ms)),
      })
      process.stderr.write(`${name}: ${rows.at(-1)?.wall_ms.median.toFixed(0)} ms\n`)
    }
  }
  return rows
}

interface Growth {
  readonly name: string
  readonly sizes: readonly {
    readonly sub_runs: number
    readonly us_per_sub_run: Spread
    readonly heap_kb_per_sub_run: Spread
    readonly record_kb_per_sub_run: Spread
  }[]
  /** Ratio of the cost per sub-run with 1,000 and with 250 sub-runs: 1 is linear, 4 would be quadratic. */
  readonly time_ratio: Spread
  readonly heap_ratio: Spread
}

async function growths(rounds: number): Promise<readonly Growth[]> {
  const rows: Growth[] = []
  for (const shape of ['swarm', 'calls'] as const) {
    for (const onDisk of [false, true]) {
      const name = `${shape === 'swarm' ? 'a swarm' : 'one call after another'}, ${onDisk ? 'on disk' : 'in memory'}`
      const costs = new Map<number, FamilyCost[]>(SIZES.map((size) => [size, []]))
      // The sizes alternate, so that other load of the machine affects all of them.
      for (let round = 0; round < rounds; round++) {
        for (const workers of SIZES)
          costs.get(workers)?.push(await measured({ shape, workers, delayMs: 0, onDisk }))
      }
      const each = (size: number, figure: keyof FamilyCost): number[] =>
        (costs.get(size) ?? []).map((cost) => cost[figure] / size)
      const ratio = (figure: keyof FamilyCost): Spread => {
        const few = each(250, figure)
        return spread(each(1_000, figure).map((many, round) => many / (few[round] as number)))
      }
      rows.push({
        name,
        sizes: SIZES.map((size) => ({
          sub_runs: size,
          us_per_sub_run: spread(each(size, 'wall_ms').map((ms) => ms * 1_000)),
          heap_kb_per_sub_run: spread(each(size, 'heap_kb')),
          record_kb_per_sub_run: spread(each(size, 'record_kb')),
        })),
        time_ratio: ratio('wall_ms'),
        heap_ratio: ratio('heap_kb'),
      })
      process.stderr.write(`${name}: ${rows.at(-1)?.time_ratio.median.toFixed(2)}\n`)
    }
  }
  return rows
}

function print(wait: readonly Wait[], growth: readonly Growth[]): string {
  const targets: Target[] = [
    ...wait.map(({ name, over_ideal }) => ({
      what: `${name}: of the ideal`,
      figure: over_ideal,
      atMost: 1.05,
    })),
    ...growth.flatMap(({ name, time_ratio, heap_ratio }) => [
      { what: `${name}: time of a sub-run among 1,000, of one among 250`, figure: time_ratio, atMost: 1.5 },
      { what: `${name}: memory of a sub-run among 1,000, of one among 250`, figure: heap_ratio, atMost: 1.5 },
    ]),
  ]
  return (
    table(`A swarm of ${WORKERS} whose models take ${DELAY_MS} ms`, [
      ['', 'ideal ms', 'wall ms', 'cpu ms', 'of the ideal'],
      ...wait.map((row) => [
        row.name,
        String(row.ideal_ms),
        printSpread(row.wall_ms, 0),
        printSpread(row.cpu_ms, 0),
        printSpread(row.over_ideal, 3),
      ]),
    ]) +
    table('One parent with many sub-runs whose models answer immediately', [
      ['', 'sub-runs', 'us each', 'live heap KB each', 'parent’s record KB each'],
      ...growth.flatMap(({ name, sizes }) =>
        sizes.map((size, i) => [
          i === 0 ? name : '',
          String(size.sub_runs),
          printSpread(size.us_per_sub_run, 0),
          printSpread(size.heap_kb_per_sub_run, 2),
          printSpread(size.record_kb_per_sub_run, 2),
        ]),
      ),
    ]) +
    printTargets(targets)
  )
}

if (values.measure !== undefined)
  process.stdout.write(JSON.stringify(await measureFamily(JSON.parse(values.measure) as Family)))
else {
  const rounds = roundsOf(values.rounds, 1)
  const wait = await waits(rounds)
  const growth = await growths(rounds)
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' }
  if (values.json) process.stdout.write(`${JSON.stringify({ rounds, machine, wait, growth }, null, 2)}\n`)
  else {
    process.stdout.write(
      `Node ${machine.node}, ${machine.cpus} x ${machine.cpu}, ${rounds} rounds; median (lowest to highest)\n`,
    )
    process.stdout.write(print(wait, growth))
  }
}
