/**
 * Measures the cost of the loop around model and tools, compared with peers: `npm run bench:loop -- [--rounds N]
 * [--json] [--only iter|conc|slow] [--subject KEY]… [--warm-up MS]`. Every figure comes from a separate process, and
 * the subjects alternate, so that other load of the machine affects all of them. Peers are installed from their lock
 * files on first use.
 */
import { execFile } from 'node:child_process'
import { cpus } from 'node:os'
import { parseArgs, promisify } from 'node:util'
import { installPeer } from '../peers/install-peer.ts'
import { printSpread, printTargets, roundsOf, type Spread, spread, type Target, table } from '../table.ts'
import {
  type ConcurrencyCost,
  type IterationCost,
  measureConcurrency,
  measureIterations,
  measureSlow,
  type SlowCost,
  WARM_UP_MS,
} from './measure.ts'
import type { Subject } from './subject.ts'
import { type Mode, targetsOf } from './targets.ts'

const SUBJECTS = {
  waybill: async () => (await import('./waybill.ts')).subject,
  'waybill-run': async () => (await import('./waybill.ts')).oneShot,
  telemetry: async () => (await import('./waybill-telemetry.ts')).subject,
  disk: async () => (await import('./waybill-disk.ts')).subject,
  guarded: async () => (await import('./waybill-guarded.ts')).guarded,
  unguarded: async () => (await import('./waybill-guarded.ts')).unguarded,
  aisdk: async () => (await import('../peers/aisdk/subject.ts')).subject,
  'aisdk-telemetry': async () => (await import('../peers/aisdk/reporting.ts')).subject,
  langgraph: async () => (await import('../peers/langgraph/subject.ts')).prebuilt,
  'langgraph-saved': async () => (await import('../peers/langgraph/subject.ts')).saved,
  'langgraph-sqlite': async () => (await import('../peers/langgraph/sqlite.ts')).subject,
} as const satisfies Record<string, () => Promise<Subject>>
type Key = keyof typeof SUBJECTS
const KEYS = Object.keys(SUBJECTS) as Key[]

/** The subjects of each mode. Omitted subjects would take minutes without additional information. */
const MODES: Readonly<Record<Mode, readonly Key[]>> = {
  iter: KEYS,
  conc: ['waybill', 'disk', 'aisdk'],
  slow: ['guarded', 'unguarded'],
}

interface Row {
  readonly key: Key
  readonly name: string
  readonly figures: Readonly<Record<string, Spread>>
  /** Ratio of the main figure to that of Waybill in the same round. */
  readonly ratio: Spread | null
}

const MAIN = { iter: 'run_cpu_us', conc: 'cpu_ms', slow: 'wall_ms' } as const satisfies Record<Mode, string>

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: String(WARM_UP_MS) },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    subject: { type: 'string', multiple: true },
    // Set by this script for its child processes.
    measure: { type: 'string' },
  },
})

async function measureHere(what: string): Promise<void> {
  const [key, mode] = what.split(':') as [Key, Mode]
  const subject = await SUBJECTS[key]()
  const measures: Record<Mode, () => Promise<IterationCost | ConcurrencyCost | SlowCost>> = {
    iter: () => measureIterations(subject, Number(values['warm-up'])),
    conc: () => measureConcurrency(subject, Number(values['warm-up'])),
    slow: () => measureSlow(subject),
  }
  const cost = await measures[mode]()
  process.stdout.write(JSON.stringify({ name: subject.name, cost }))
}

async function compare(): Promise<void> {
  const asked = values.subject as Key[] | undefined
  const unknown = asked?.find((key) => !Object.hasOwn(SUBJECTS, key))
  if (unknown !== undefined) throw new Error(`unknown subject ${unknown}; subjects: ${KEYS.join(', ')}`)
  const modes = (Object.keys(MODES) as Mode[]).filter(
    (mode) => values.only === undefined || values.only === mode,
  )
  const rounds = roundsOf(values.rounds, 1)
  for (const peer of ['aisdk', 'langgraph'])
    if ((asked ?? KEYS).some((key) => key.startsWith(peer))) installPeer(peer)
  const results: Partial<Record<Mode, Row[]>> = {}
  const targets: Target[] = []
  for (const mode of modes) {
    const measured = await interleave(asked ?? MODES[mode], mode, rounds)
    results[mode] = measured.rows
    targets.push(...measured.targets)
  }
  const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' }
  if (values.json)
    process.stdout.write(`${JSON.stringify({ rounds, machine, ...results, targets }, null, 2)}\n`)
  else {
    const head = `Node ${machine.node}, ${machine.cpus} x ${machine.cpu}, ${rounds} rounds; median (lowest to highest)\n`
    process.stdout.write(
      head + modes.map((mode) => tableOf(mode, results[mode] ?? [])).join('') + printTargets(targets),
    )
  }
}

interface Measured {
  readonly rows: Row[]
  readonly targets: readonly Target[]
}

async function interleave(keys: readonly Key[], mode: Mode, rounds: number): Promise<Measured> {
  const names = new Map<Key, string>()
  const samples = new Map<Key, Record<string, number>[]>(keys.map((key) => [key, []]))
  for (let round = 0; round < rounds; round++) {
    // Every round begins with another subject, so that the order changes.
    for (let i = 0; i < keys.length; i++) {
      const key = keys[(i + round) % keys.length] as Key
      const { name, cost } = await inOwnProcess(key, mode)
      names.set(key, name)
      samples.get(key)?.push(cost)
      process.stderr.write(`round ${round + 1}/${rounds} ${mode} ${name}: ${cost[MAIN[mode]]?.toFixed(1)}\n`)
    }
  }
  const ours = samples.get('waybill')?.map((sample) => sample[MAIN[mode]] as number)
  const rows = keys.map((key): Row => {
    const mine = samples.get(key) ?? []
    const figures = Object.keys(mine[0] ?? {}).map((figure) => [
      figure,
      spread(mine.map((s) => s[figure] as number)),
    ])
    const ratio =
      ours && spread(mine.map((sample, i) => (sample[MAIN[mode]] as number) / (ours[i] as number)))
    return { key, name: names.get(key) ?? key, figures: Object.fromEntries(figures), ratio: ratio ?? null }
  })
  return { rows, targets: targetsOf(mode, samples) }
}

async function inOwnProcess(key: Key, mode: Mode): Promise<{ name: string; cost: Record<string, number> }> {
  const args = [
    '--expose-gc',
    import.meta.filename,
    '--measure',
    `${key}:${mode}`,
    '--warm-up',
    values['warm-up'],
  ]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

const TITLES: Readonly<Record<Mode, string>> = {
  iter: 'Sequential runs, model and tool answer immediately',
  conc: '1,000 concurrent runs, 11 model calls of 50 ms each (ideal: 550 ms)',
  slow: 'One run, 11 model calls of 50 ms each (ideal: 550 ms)',
}

const COLUMNS: Readonly<Record<Mode, readonly (readonly [figure: string, title: string])[]>> = {
  iter: [
    ['run_cpu_us', 'cpu us, run of 10 calls'],
    ['empty_cpu_us', 'cpu us, run of 0 calls'],
    ['call_cpu_us', 'cpu us, one more call'],
    ['wall_us', 'wall us / 10'],
    ['least_us', 'fastest batch / 10'],
  ],
  conc: [
    ['cpu_ms', 'cpu ms'],
    ['wall_ms', 'wall ms'],
    ['rss_growth_mb', 'memory growth MB'],
    ['heap_growth_mb', 'heap growth MB'],
    ['flushes', 'flushes'],
  ],
  slow: [['wall_ms', 'wall ms']],
}

function tableOf(mode: Mode, rows: readonly Row[]): string {
  const columns = COLUMNS[mode]
  return table(TITLES[mode], [
    ['', ...columns.map(([, title]) => title), 'x Waybill'],
    ...rows.map((row) => [
      row.name,
      ...columns.map(([figure]) => printSpread(row.figures[figure])),
      row.key === 'waybill' ? '1' : printSpread(row.ratio ?? undefined, 2),
    ]),
  ])
}

if (values.measure !== undefined) await measureHere(values.measure)
else await compare()
