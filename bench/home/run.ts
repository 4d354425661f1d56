/**
 * Measures the cost of commands in a home with many runs: `npm run bench:home -- [--rounds N] [--runs N] [--json]`.
 * Each figure is the processor time (user and system) of a separate process, minus that of `waybill --version`; the
 * commands alternate.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printSpread, type Spread, spread, table } from '../table.ts'
import { fillHome } from './fill-home.ts'

const BIN = join(import.meta.dirname, '../../bin/waybill')

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    runs: { type: 'string', default: '2000' },
    json: { type: 'boolean', default: false },
  },
})

interface Command {
  readonly argv: readonly string[]
  readonly exit: number
}

/** @param waiting a run that awaits a decision */
function commandsFor(waiting: string): Readonly<Record<string, Command>> {
  const command = (...argv: readonly string[]): Command => ({ argv, exit: 0 })
  return {
    'runs list': command('runs', 'list'),
    'runs list --status failed': command('runs', 'list', '--status', 'failed'),
    'approvals list': command('approvals', 'list'),
    'audit verify': command('audit', 'verify'),
    'runs show': command('runs', 'show', waiting),
    resume: { argv: ['resume', waiting, '--tools', 'tools.mjs'], exit: 4 },
  }
}

/** Returns the processor time of one command, in seconds. */
function cpuOf({ argv, exit }: Command, folder: string): number {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1'
  const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', BIN, ...argv], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, WAYBILL_HOME: join(folder, 'home'), OPENAI_API_KEY: 'not-a-key', LC_ALL: 'C' },
  })
  if (status !== exit) throw new Error(`waybill ${argv.join(' ')} ended with ${status}`)
  return stderr
    .trim()
    .split(' ')
    .reduce((sum, seconds) => sum + Number(seconds), 0)
}

async function measure(runs: number, rounds: number): Promise<Readonly<Record<string, Spread>>> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-bench-home-'))
  try {
    writeFileSync(join(folder, 'tools.mjs'), 'export const tools = { write: () => ({ done: true }) }\n')
    const commands = commandsFor(await fillHome(join(folder, 'home'), runs))
    const bare: Command = { argv: ['--version'], exit: 0 }
    const found = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]))
    // The first round fills the compile cache.
    for (let round = -1; round < rounds; round++) {
      const base = cpuOf(bare, folder)
      for (const [name, command] of Object.entries(commands)) {
        const seconds = cpuOf(command, folder) - base
        if (round >= 0) found.get(name)?.push(seconds)
      }
    }
    return Object.fromEntries([...found].map(([name, seconds]) => [name, spread(seconds)]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const [few, many] = [100, Number(values.runs)]
const figures = {
  [few]: await measure(few, Number(values.rounds)),
  [many]: await measure(many, Number(values.rounds)),
}
if (values.json) process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
else {
  const names = Object.keys(figures[many] ?? {})
  process.stdout.write(
    table('Processor time minus that of --version, seconds', [
      ['', `${few} runs`, `${many} runs`],
      ...names.map((name) => [
        name,
        printSpread(figures[few]?.[name], 2),
        printSpread(figures[many]?.[name], 2),
      ]),
    ]),
  )
}
