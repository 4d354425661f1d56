/**
 * Measures recall and false positives of the detection of personal data: `npm run bench:pii -- [--json] [--misses]`.
 * Values are generated from a fixed seed, so that the figures are the same in every run, on every machine.
 */
import { parseArgs } from 'node:util'
import { createPiiFinder } from '../../src/policy/pii/find-pii.ts'
import { nearMisses } from './near-misses.ts'
import { positives } from './positives.ts'

const SEED = 20_260_101
/** Minimum recall, and maximum share of near misses that may be reported as personal data. */
const TARGETS: Readonly<Record<string, number>> = {
  email: 0.99,
  card: 0.99,
  iban: 0.99,
  us_ssn: 0.99,
  ip: 0.99,
  phone: 0.85,
}
const MOST_FALSE = 0.01
const MOST_FALSE_PHONES = 0.05

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, misses: { type: 'boolean', default: false } },
})
const find = createPiiFinder()

interface Recall {
  readonly kind: string
  readonly locale: string
  found: number
  total: number
}

function recall(): readonly Recall[] {
  const rows = new Map<string, Recall>()
  for (const { kind, locale, text, value } of positives(SEED, 400)) {
    const key = `${kind} ${locale}`
    const row = rows.get(key) ?? { kind, locale, found: 0, total: 0 }
    rows.set(key, row)
    row.total++
    const start = text.indexOf(value)
    // All of it must be removed, with the right kind: half a number is still a number.
    const whole = find(text).some(
      (finding) => finding.kind === kind && finding.start <= start && finding.end >= start + value.length,
    )
    if (whole) row.found++
    else if (values.misses)
      process.stderr.write(
        `missed ${kind} ${locale}: ${JSON.stringify(text)} ${JSON.stringify(find(text))}\n`,
      )
  }
  return [...rows.values()].sort((a, b) => a.kind.localeCompare(b.kind))
}

function falseAlarms() {
  const misses = nearMisses(SEED + 1, 200)
  const byKind = new Map<string, number>()
  const byWhat = new Map<string, { total: number; alarms: number }>()
  for (const { what, text } of misses) {
    const row = byWhat.get(what) ?? { total: 0, alarms: 0 }
    byWhat.set(what, row)
    row.total++
    const kinds = new Set(find(text).map(({ kind }) => kind))
    if (kinds.size > 0) row.alarms++
    for (const kind of kinds) byKind.set(kind, (byKind.get(kind) ?? 0) + 1)
    if (kinds.size > 0 && values.misses)
      process.stderr.write(`false ${[...kinds]} ${what}: ${JSON.stringify(text)}\n`)
  }
  return { total: misses.length, byKind, byWhat }
}

/** Microseconds per kilobyte. */
function cost(text: string): number {
  const large = text.repeat(Math.ceil(20_000 / text.length))
  find(large)
  const runs = 10
  const began = performance.now()
  for (let i = 0; i < runs; i++) find(large)
  return ((performance.now() - began) * 1000) / runs / (large.length / 1024)
}

const rows = recall()
const alarms = falseAlarms()
const costs = {
  prose: cost('The quick brown fox jumps over the lazy dog, and all is calm; it was 4 in the morning. '),
  'prose beyond ASCII': cost(
    'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich, früh um vier. ',
  ),
  'JSON with numbers': cost(
    '{"id":"a81bc81b-dead-4e5d-abff-90865d1e13b1","at":1767225600000,"total":1234.5,"items":[1,2,3]}\n',
  ),
  'personal data': cost(
    'Ada Lovelace, ada@example.com, +49 151 23456789, card 4111 1111 1111 1111, and so on and on. ',
  ),
}
const kinds = [...new Set(rows.map(({ kind }) => kind))].map((kind) => {
  const of = rows.filter((row) => row.kind === kind)
  const found = of.reduce((sum, row) => sum + row.found, 0)
  const total = of.reduce((sum, row) => sum + row.total, 0)
  return { kind, recall: found / total, total, falseAlarms: (alarms.byKind.get(kind) ?? 0) / alarms.total }
})
const failures = kinds.flatMap(({ kind, recall: share, falseAlarms: wrong }) => [
  ...(share < (TARGETS[kind] ?? 0) ? [`${kind}: recall ${percent(share)}`] : []),
  ...(wrong > (kind === 'phone' ? MOST_FALSE_PHONES : MOST_FALSE)
    ? [`${kind}: false alarms ${percent(wrong)}`]
    : []),
])

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

if (values.json) {
  const locales = rows.map(({ kind, locale, found, total }) => ({
    kind,
    locale,
    recall: found / total,
    total,
  }))
  process.stdout.write(
    `${JSON.stringify({ kinds, locales, near_misses: alarms.total, by_what: Object.fromEntries(alarms.byWhat), us_per_kb: costs, failures }, null, 2)}\n`,
  )
} else {
  const line = (cells: readonly string[]) =>
    `${cells
      .map((cell, i) => cell.padEnd(i === 0 ? 24 : 14))
      .join('')
      .trimEnd()}\n`
  let out = line(['kind', 'locale', 'found', 'of'])
  for (const { kind, locale, found, total } of rows)
    out += line([kind, locale, percent(found / total), String(total)])
  out += `\nOf ${alarms.total} near misses, reported as personal data:\n`
  for (const [what, row] of alarms.byWhat)
    if (row.alarms > 0) out += line([what, percent(row.alarms / row.total)])
  out += `\n${line(['kind', 'false alarms'])}`
  for (const { kind, falseAlarms: wrong } of kinds) out += line([kind, percent(wrong)])
  out += '\nCost in microseconds per kilobyte:\n'
  for (const [what, us] of Object.entries(costs)) out += line([what, us.toFixed(1)])
  out += failures.length === 0 ? '\nAll targets are met.\n' : `\nNot met: ${failures.join('; ')}\n`
  process.stdout.write(out)
}
if (failures.length > 0) process.exitCode = 1
