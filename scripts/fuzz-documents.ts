/**
 * Tests mutated documents of every kind in every encoding: `npm run fuzz:documents -- [--count N] [--seed N]`. Reading,
 * validating and inspecting a document never throws and takes less than a second, and every document found valid is
 * also accepted by the published schema of its format (WAYBILL_TEST_DATA names the folder of the schemas). A short form
 * runs in the test suite.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { inspectorOf } from '../src/cli/inspect/inspector-of.ts'
import type { Encoding } from '../src/document/document.ts'
import { encodeDocument } from '../src/document/encode-document.ts'
import { type Issue, WaybillError } from '../src/document/issue.ts'
import type { Json } from '../src/document/json.ts'
import { judgeFile } from '../src/spec/judge-file.ts'
import { KINDS, type Kind } from '../src/spec/kinds.ts'
import { mutate } from '../test/spec/aaif/mutations.ts'
import { randomNumbers } from './random-numbers.ts'

export interface FuzzOptions {
  readonly count: number
  readonly seed: number
  /** The folder of the published schemas; without it the comparison is skipped. */
  readonly reference?: string
}

export interface FuzzResult {
  readonly count: number
  readonly valid: number
  readonly refused: number
  readonly unreadable: number
  /** Number of documents that were also validated with the published schema. */
  readonly compared: number
  readonly slowest_ms: number
  /** The first fault of each kind; expected to be empty. */
  readonly faults: readonly Fault[]
}

interface Fault {
  readonly what: 'crash' | 'slow' | 'too lax' | 'malformed issue'
  readonly kind: Kind
  readonly round: number
  readonly detail: string
  readonly document: string
}

const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'cbor', 'msgpack']
const SLOW_MS = 1000
const MAX_FAULTS = 20
const INSPECTORS = new Map(
  await Promise.all(KINDS.map(async (kind) => [kind, await inspectorOf(kind)] as const)),
)
const root = join(import.meta.dirname, '..')

const SCHEMAS: Readonly<Partial<Record<Kind, string>>> = {
  'aaif.agent': 'aaif/schema/agent.schema.json',
  'aaif.state': 'aaif/schema/agent-state.schema.json',
  'aaif.manifest': 'aaif/schema/platform-manifest.schema.json',
  'aaif.conformance-report': 'aaif/schema/conformance-report.schema.json',
  'aaif.registry': 'aaif/registries/registry.schema.json',
}

export function fuzzDocuments({ count, seed, reference }: FuzzOptions): FuzzResult {
  const random = randomNumbers(seed)
  const samples = KINDS.map((kind) => [kind, samplesOf(kind)] as const)
  const published = publishedSchemas(reference)
  const faults: Fault[] = []
  const tally = { valid: 0, refused: 0, unreadable: 0, compared: 0, slowest_ms: 0 }
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  for (let round = 0; round < count && faults.length < MAX_FAULTS; round++) {
    const [kind, documents] = samples[round % samples.length] as (typeof samples)[number]
    let value = pick(documents)
    for (let changes = Math.floor(random() * 4); changes > 0; changes--) value = worsen(value, random)
    const encoding = pick(ENCODINGS)
    const bytes = damaged(encoded(value, encoding, kind), random)
    const stream = kind === 'aaif.handoff-stream' && encoding === 'json'
    const file = `fuzz.${stream ? 'ndjson' : encoding}`
    const fault = (what: Fault['what'], detail: string) =>
      faults.push({
        what,
        kind,
        round,
        detail,
        document: Buffer.from(bytes).toString('latin1').slice(0, 2000),
      })
    const start = processorMs()
    try {
      // Sometimes detected by its shape, otherwise the kind is given.
      const judged = judgeFile(bytes, { file }, random() < 0.2 ? undefined : kind, {
        lenient: random() < 0.2,
      })
      const wrong = judged.issues.find(isMalformed)
      if (wrong !== undefined) fault('malformed issue', JSON.stringify(wrong))
      if (judged.document === undefined) {
        tally.unreadable++
        if (judged.issues.length === 0) fault('malformed issue', 'unreadable without a reason')
      } else {
        const data = judged.document.value
        const valid = judged.kind !== undefined && !judged.issues.some(({ severity }) => severity === 'error')
        tally[valid ? 'valid' : 'refused']++
        if (judged.kind !== undefined) INSPECTORS.get(judged.kind)?.(data, judged.issues)
        const schema = judged.kind === undefined ? undefined : published.get(judged.kind)
        if (schema !== undefined) {
          tally.compared++
          if (valid && !schema(data) && !isKnownDifference(judged.kind, data))
            fault('too lax', JSON.stringify(schema.errors?.[0]))
        }
      }
    } catch (error) {
      fault('crash', error instanceof Error ? (error.stack ?? error.message) : String(error))
    }
    const took = processorMs() - start
    tally.slowest_ms = Math.max(tally.slowest_ms, took)
    if (took > SLOW_MS) fault('slow', `${Math.round(took)} ms`)
  }
  return { count, ...tally, slowest_ms: Math.round(tally.slowest_ms), faults }
}

function samplesOf(kind: Kind): readonly Json[] {
  return globSync(`test/conformance/${kind}/{valid,invalid}/*`, { cwd: root })
    .sort()
    .flatMap((file) => judgeFile(readFileSync(join(root, file)), { file }, kind).document?.value ?? [])
}

type Published = ReturnType<Ajv2020['compile']>

function publishedSchemas(folder: string | undefined): ReadonlyMap<Kind, Published> {
  const schemas = new Map<Kind, Published>()
  for (const [kind, path] of Object.entries(SCHEMAS)) {
    const file = join(folder ?? '', 'reference', path)
    if (folder === undefined || !existsSync(file)) continue
    const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false })
    schemas.set(kind as Kind, ajv.compile(JSON.parse(readFileSync(file, 'utf8'))))
  }
  return schemas
}

/** The draft lists mtls, but the published schema does not. */
function isKnownDifference(kind: Kind | undefined, value: Json): boolean {
  return kind === 'aaif.agent' && JSON.stringify(value).includes('"mtls"')
}

function deep(levels: number): Json {
  let value: Json = 'x'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/**
 * Values that are difficult for readers: too deep, too long, too many, half surrogate pairs, names of inherited
 * members, ambiguous numbers.
 */
const HOSTILE: readonly (() => Json)[] = [
  () => deep(40),
  () => deep(200),
  () => 'a'.repeat(20_000),
  () => `${'a'.repeat(2000)}!`,
  () => '(a+)+$',
  () => Array.from({ length: 500 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, index])),
  () => '\u0000\u001b[2J\u202e',
  () => '$..[?@.a == \'x\' && match(@.b, "(a|a)*b")]',
  () => 'size(x) > 3 && x.all(y, y > 0) ? true : "no"',
  () => ({ lang: 'jsonpath', expr: '$[?search(@, "(x+x+)+y")]' }),
  () => ({ lang: 'jmespath', expr: 'a[?b > `1`].c | [0] && !d' }),
  () => ({ lang: 'cel', expr: '[1,2].map(x, [1,2].map(y, x*y))' }),
  () => ({ lang: 'jsonlogic', expr: { and: [{ var: 'a' }, { '==': [1, { constructor: [] }] }] } }),
  () => ({ type: 'object', properties: { a: { pattern: '^(\\d+)*$' } }, $ref: '#' }),
  () => ({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } }),
  () => ({ allOf: [{ $ref: 'https://example.com/s' }], not: true, else: false }),
  () => Number.MAX_SAFE_INTEGER,
  () => 1e308,
  () => 5e-324,
  () => -0,
  () => '2026-02-30T25:61:61Z',
  () => 'http://user:pass@[::1]:99999/%zz',
  () => '__proto__',
  () => ({ ['__proto__']: { polluted: true }, constructor: { prototype: {} } }) as unknown as Json,
]

/** A common change, or a hostile value in a random place. */
function worsen(value: Json, random: () => number): Json {
  const container = value !== null && typeof value === 'object'
  if (container && random() < 0.75) return mutate(value, random)
  const copy = structuredClone(value) as Json
  const places: [owner: Record<string, Json>, key: string][] = []
  collect(copy, places)
  const place = places[Math.floor(random() * places.length)]
  const hostile = (HOSTILE[Math.floor(random() * HOSTILE.length)] as () => Json)()
  if (place === undefined) return hostile
  const [owner, key] = place
  Object.defineProperty(owner, key, { value: hostile, enumerable: true, configurable: true, writable: true })
  return copy
}

function collect(value: Json, into: [Record<string, Json>, string][]): void {
  if (value === null || typeof value !== 'object') return
  for (const [key, inner] of Object.entries(value)) {
    into.push([value as Record<string, Json>, key])
    collect(inner as Json, into)
  }
}

/** Values that our own writers refuse (too deep, half surrogate pairs) are written without validation. */
function encoded(value: Json, encoding: Encoding, kind: Kind): Uint8Array {
  if (kind === 'aaif.handoff-stream' && encoding === 'json' && Array.isArray(value)) {
    return Buffer.from(value.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
  try {
    return encodeDocument(value, encoding)
  } catch (error) {
    if (!(error instanceof WaybillError)) throw error
    return Buffer.from(JSON.stringify(value))
  }
}

const TOKENS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\t',
  '  ',
  '- ',
  '? ',
  '&a ',
  '*a',
  '!!binary ',
  '<<: ',
  '|',
  '>',
  '#',
  '%',
  '---\n',
  '\u0000',
  '\uFEFF',
  '\u2028',
  '1e999',
  '-',
  '0x',
  '~',
  'null',
  '"__proto__":',
  '\\ud800',
  '//',
  '/*',
] as const

/** Most documents stay unchanged; in the others some bytes are removed, added, swapped or repeated. */
function damaged(bytes: Uint8Array, random: () => number): Uint8Array {
  if (random() < 0.7 || bytes.length === 0) return bytes
  let current = Buffer.from(bytes)
  for (let hits = 1 + Math.floor(random() * 3); hits > 0; hits--) {
    const at = Math.floor(random() * current.length)
    const some = Math.floor(random() * 16)
    switch (Math.floor(random() * 6)) {
      case 0:
        current = current.subarray(0, at)
        break
      case 1:
        current = Buffer.concat([current.subarray(0, at), current.subarray(at + some)])
        break
      case 2:
        current = Buffer.from(current)
        current[at] = Math.floor(random() * 256)
        break
      case 3:
        current = Buffer.concat([current.subarray(0, at + some), current.subarray(at)])
        break
      case 4:
        current = Buffer.concat([Buffer.from([0x9f, 0xbf, 0xc1, 0xdb, 0xff, 0xfe].slice(some % 6)), current])
        break
      default: {
        const token = TOKENS[Math.floor(random() * TOKENS.length)] ?? ''
        current = Buffer.concat([current.subarray(0, at), Buffer.from(token), current.subarray(at)])
      }
    }
    if (current.length === 0) break
  }
  return current
}

/** Processor time of this process, so that the load of the machine has no influence. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function isMalformed({ code, line, column, message, pointer }: Issue): boolean {
  const placed = Number.isInteger(line) && line >= 1 && Number.isInteger(column) && column >= 1
  return (
    !placed ||
    !/^[A-Z][A-Z0-9_]+$/.test(code) ||
    message === '' ||
    (pointer !== '' && !pointer.startsWith('/'))
  )
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
  })
  const reference = resolve(root, process.env.WAYBILL_TEST_DATA ?? '../shared')
  const { faults, ...tally } = fuzzDocuments({
    count: Number(values.count),
    seed: Number(values.seed),
    reference,
  })
  for (const { what, kind, round, detail, document } of faults) {
    process.stdout.write(`${what} (${kind}, round ${round}): ${detail}\n${JSON.stringify(document)}\n\n`)
  }
  process.stdout.write(
    `${JSON.stringify(tally)}\n${faults.length === 0 ? 'no faults' : `${faults.length} faults`}\n`,
  )
  process.exitCode = faults.length === 0 ? 0 : 1
}
