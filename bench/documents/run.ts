/**
 * Measures the cost of reading and validating documents, compared with the bare libraries: `npm run bench:documents --
 * [--rounds N] [--json]`. Both alternate in one process, so that other load of the machine affects both.
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import canonicalizeBare from 'canonicalize'
import * as cborg from 'cborg'
import { canonicalize } from '../../src/document/canonical.ts'
import { decodeCbor, encodeCbor } from '../../src/document/cbor.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { agentSchema } from '../../src/spec/aaif/agent.schema.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { roundsOf } from '../table.ts'
import { tenKilobytes } from './sample.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, json: { type: 'boolean', default: false } },
})
const rounds = roundsOf(values.rounds, 3)
const BATCH_MS = 40
const root = join(import.meta.dirname, '../..')

interface Row {
  readonly name: string
  readonly ours_per_s: number
  readonly bare_per_s: number
  /** Ratio of our time to that of the library in the same round: the median over the rounds. */
  readonly ratio: number
}

const document = tenKilobytes()
const text = JSON.stringify(document, null, 2)
const cbor = encodeCbor(document)
const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false }).compile(agentSchema)
if (validateAgentDefinition(document).length > 0) throw new Error('the sample has findings')
if (!ajv(document)) throw new Error('the sample breaks the schema')

const rows = [
  compare(
    'validate a definition (bare: Ajv on its schema)',
    () => validateAgentDefinition(document),
    () => ajv(document),
  ),
  compare('read and validate its text (bare: JSON.parse and Ajv)', readAndValidate, () =>
    ajv(JSON.parse(text)),
  ),
  compare(
    'canonical form (bare: canonicalize)',
    () => canonicalize(document),
    () => canonicalizeBare(document),
  ),
  compare(
    'to CBOR (bare: cborg)',
    () => encodeCbor(document),
    () => cborg.encode(document),
  ),
  compare(
    'from CBOR (bare: cborg)',
    () => decodeCbor(cbor),
    () => cborg.decode(cbor),
  ),
]
const imports = ['spec', 'condition', 'document'].map((entry) => ({
  entry: `waybill/${entry}`,
  ...importMs(entry),
}))

if (values.json) {
  process.stdout.write(
    `${JSON.stringify({ node: process.version, cpus: cpus().length, bytes: text.length, rows, imports }, null, 2)}\n`,
  )
} else {
  process.stdout.write(
    `a definition of ${Buffer.byteLength(JSON.stringify(document))} bytes; times in a second of processor time, median of ${rounds} rounds\n\n`,
  )
  process.stdout.write(`${'ours'.padStart(10)} ${'bare'.padStart(10)} ${'ratio'.padStart(6)}\n`)
  for (const { name, ours_per_s, bare_per_s, ratio } of rows) {
    const cells = [ours_per_s, bare_per_s].map((figure) => String(Math.round(figure)).padStart(10))
    process.stdout.write(`${cells.join(' ')} ${ratio.toFixed(2).padStart(6)}  ${name}\n`)
  }
  process.stdout.write('\nimport in a separate process, without the start-up time of Node\n')
  for (const { entry, ms } of imports) process.stdout.write(`${ms.toFixed(0).padStart(10)} ms  ${entry}\n`)
}

function readAndValidate(): unknown {
  const read = readDocument(text, { encoding: 'json' })
  return read.document === undefined ? read.issues : validateAgentDefinition(read.document)
}

function compare(name: string, ours: () => unknown, bare: () => unknown): Row {
  for (const work of [ours, bare, ours, bare]) perSecond(work)
  const pairs = Array.from({ length: rounds }, (_, round) => {
    // The order alternates, because a machine that slows down slows the second.
    const first = round % 2 === 0 ? perSecond(ours) : perSecond(bare)
    const second = round % 2 === 0 ? perSecond(bare) : perSecond(ours)
    return round % 2 === 0 ? { ours: first, bare: second } : { ours: second, bare: first }
  })
  return {
    name,
    ours_per_s: median(pairs.map((pair) => pair.ours)),
    bare_per_s: median(pairs.map((pair) => pair.bare)),
    ratio: median(pairs.map((pair) => pair.ours / pair.bare)),
  }
}

/** Processor time, so that other load of the machine does not count. */
function perSecond(work: () => unknown): number {
  let done = 0
  const start = processorMs()
  let now = start
  do {
    for (let i = 0; i < 50; i++) work()
    done += 50
    now = processorMs()
  } while (now - start < BATCH_MS)
  return (done * 1000) / (now - start)
}

function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function median(figures: readonly number[]): number {
  const sorted = [...figures].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** Returns the milliseconds for importing an entry point in a new process, with the compile cache of users. */
function importMs(entry: string): { readonly ms: number } {
  const file = join(root, 'src', entry, 'index.ts')
  const script = `const s = performance.now(); await import(${JSON.stringify(file)}); process.stdout.write(String(performance.now() - s))`
  const measure = () => {
    const env = { ...process.env, NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/bench') }
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
      env,
    })
    return Number(stdout)
  }
  measure()
  return { ms: median(Array.from({ length: Math.min(7, rounds) }, measure)) }
}
