/**
 * Measures starts of the published package, compared with a start of Node: `npm run bench:start -- [--rounds N]
 * [--folder DIR] [--json]`. Packs the package and installs it in a temporary folder, or uses the folder of an existing
 * installation (`--folder`). Each sample starts a command {@link STARTS} times and `node -e 0` equally often; a ratio
 * compares samples of the same round. The times are those of the whole process (user and system), with the compile
 * cache that users have.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printSpread, printTargets, roundsOf, type Spread, spread, table } from '../table.ts'

/** The processor time of a process is measured in milliseconds, which is too coarse for a single start. */
const STARTS = 5
const root = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    folder: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const rounds = roundsOf(values.rounds, 3)

interface Subject {
  readonly name: string
  readonly argv: readonly string[]
  /** Upper limit of the processor time, as a multiple of `node -e 0`. */
  readonly atMost?: number
}

const SUBJECTS: readonly Subject[] = [
  { name: '--version', argv: ['--version'] },
  { name: 'validate, JSON', argv: ['validate', 'agent.json'], atMost: 2.5 },
  { name: 'validate, YAML', argv: ['validate', 'agent.yaml'], atMost: 4 },
  { name: 'plan, YAML', argv: ['plan', 'agent.yaml', '--assume-secret', 'OPENAI_API_KEY'], atMost: 5 },
  {
    name: 'run --rehearse, YAML',
    argv: ['run', 'agent.yaml', '--rehearse', '--input', 'Where is 1Z?'],
    atMost: 6,
  },
]

interface Sample {
  /** Milliseconds of one start. */
  readonly wall: number
  readonly cpu: number
}

interface Result {
  readonly name: string
  readonly atMost: number | undefined
  readonly cpuMs: Spread
  readonly wallMs: Spread
  readonly cpu: Spread
  readonly wall: Spread
}

/** Starts a command line {@link STARTS} times, one after the other. */
function sample(argv: readonly string[], folder: string): Sample {
  const script = `TIMEFORMAT='%R %U %S'; time for i in {1..${STARTS}}; do "$@" >/dev/null 2>failed.txt || exit 9; done`
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...inherited } = process.env
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...inherited,
      LC_ALL: 'C',
      WAYBILL_HOME: join(folder, 'home'),
      WAYBILL_NODE: process.execPath,
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
  })
  if (status !== 0) {
    throw new Error(`${argv.join(' ')} failed: ${readFileSync(join(folder, 'failed.txt'), 'utf8')}`)
  }
  const [wall = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number)
  return { wall: (wall * 1000) / STARTS, cpu: ((user + system) * 1000) / STARTS }
}

function measure(folder: string): Result[] {
  cpSync(join(root, 'examples/parcel-clerk/clerk.yaml'), join(folder, 'agent.yaml'))
  const waybill = join(folder, 'node_modules/waybill/bin/waybill')
  const toJson = [waybill, 'transcode', 'agent.yaml', '--to', 'json']
  writeFileSync(join(folder, 'agent.json'), execFileSync('sh', toJson, { cwd: folder }))
  const pairs = new Map(SUBJECTS.map(({ name }) => [name, [] as (readonly [ours: Sample, bare: Sample])[]]))
  // The first round fills the compile cache.
  for (let round = -1; round < rounds; round++) {
    for (const { name, argv } of SUBJECTS) {
      const ours = () => sample([waybill, ...argv], folder)
      const bare = () => sample([process.execPath, '-e', '0'], folder)
      // The order alternates, because a machine that slows down favours the first one.
      const [first, second] = round % 2 === 0 ? [ours(), bare()] : [bare(), ours()]
      if (round >= 0) pairs.get(name)?.push(round % 2 === 0 ? [first, second] : [second, first])
    }
  }
  return SUBJECTS.map(({ name, atMost }) => {
    const found = pairs.get(name) ?? []
    return {
      name,
      atMost,
      cpuMs: spread(found.map(([ours]) => ours.cpu)),
      wallMs: spread(found.map(([ours]) => ours.wall)),
      cpu: spread(found.map(([ours, bare]) => ours.cpu / bare.cpu)),
      wall: spread(found.map(([ours, bare]) => ours.wall / bare.wall)),
    }
  })
}

function install(folder: string): void {
  const tarball = execFileSync(process.execPath, [join(root, 'scripts/package/pack.ts')], {
    encoding: 'utf8',
  }).trim()
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'start', private: true }))
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--omit=optional']
  execFileSync('npm', ['install', tarball, ...options], { cwd: folder, stdio: ['ignore', 2, 2] })
}

if (values.folder !== undefined && !existsSync(join(values.folder, 'node_modules/waybill/bin/waybill'))) {
  process.stderr.write(`${values.folder}: the package waybill is not installed in this folder\n`)
  process.exit(2)
}

const temporary =
  values.folder === undefined ? mkdtempSync(join(tmpdir(), 'waybill-bench-start-')) : undefined
try {
  const folder = values.folder ?? temporary ?? ''
  if (temporary !== undefined) install(temporary)
  const results = measure(folder)
  if (values.json) process.stdout.write(`${JSON.stringify({ node: process.version, results }, null, 2)}\n`)
  else {
    process.stdout.write(
      table('A start, as a multiple of `node -e 0`', [
        ['', 'processor time', 'wall', 'processor ms', 'wall ms'],
        ...results.map(({ name, cpu, wall, cpuMs, wallMs }) => [
          name,
          printSpread(cpu, 2),
          printSpread(wall, 2),
          printSpread(cpuMs, 0),
          printSpread(wallMs, 0),
        ]),
      ]),
    )
    const aimed = results.flatMap(({ name, atMost, cpu }) =>
      atMost === undefined ? [] : [{ what: `${name}, processor time`, figure: cpu, atMost }],
    )
    process.stdout.write(printTargets(aimed))
  }
} finally {
  if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true })
}
