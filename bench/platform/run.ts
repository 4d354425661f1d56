/**
 * Measures the platform on PostgreSQL, beside LangGraph with its PostgreSQL saver on the same server:
 * `npm run bench:platform -- [--quick] [--rounds N] [--only PART]… [--json]`. fsync, the audit log and row-level
 * security are on. `--quick` shows that every part works, in about two minutes; its figures are too few to compare.
 * The peer is installed from its lock file on first use. Linux only, because processor time is read from /proc.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { installPeer } from '../peers/install-peer.ts'
import { printTargets, roundsOf } from '../table.ts'
import { FULL, measurePart, PARTS, type PartName, QUICK, type Results } from './parts.ts'
import { printResults } from './print-results.ts'
import { startSite } from './site.ts'
import { targetsOf } from './targets.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', multiple: true },
    json: { type: 'boolean', default: false },
  },
})

const asked = values.only ?? PARTS
const unknown = asked.find((name) => !PARTS.some((part) => part === name))
if (unknown !== undefined) {
  process.stderr.write(`--only takes one of ${PARTS.join(', ')}, not "${unknown}"\n`)
  process.exit(2)
}
const rounds = roundsOf(values.rounds ?? (values.quick ? '1' : '3'), 1)
const size = values.quick ? QUICK : FULL
if (asked.includes('iterations') || asked.includes('throughput')) installPeer('langgraph')

const load = () => loadavg().map((one) => Number(one.toFixed(1)))
const loadBefore = load()
const results: Results = {}
const failed: string[] = []
const site = await startSite()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void site.stop().finally(() => process.exit(130)))
try {
  for (const name of PARTS.filter((part) => asked.includes(part))) {
    process.stderr.write(`${name}…\n`)
    // The figures of the other parts are still wanted.
    await measurePart(name as PartName, site, size, rounds, results).catch((error: Error) => {
      failed.push(name)
      process.stderr.write(`${name}: ${error.stack}\n`)
    })
  }
} finally {
  await site.stop()
}
const targets = targetsOf(results)
const machine = { node: process.version, cpus: cpus().length, cpu: cpus()[0]?.model ?? 'unknown' }
const context = { quick: values.quick, rounds, machine, load: { before: loadBefore, after: load() } }
if (values.json)
  process.stdout.write(`${JSON.stringify({ ...context, ...results, targets, failed }, null, 2)}\n`)
else {
  process.stdout.write(
    `Node ${machine.node}, ${machine.cpus} x ${machine.cpu}, ${rounds} rounds${values.quick ? ', quick' : ''}; ` +
      `load ${loadBefore.join(' ')} before, ${context.load.after.join(' ')} after; median (lowest to highest)\n`,
  )
  process.stdout.write(printResults(results) + printTargets(targets))
}
if (failed.length > 0) process.exitCode = 1
