/**
 * Measures captures and moves of runs: `npm run bench:state -- [--mb N] [--moves N] [--only PART]… [--json]`. Two platforms
 * in their own processes move runs over TLS on loopback, on one PostgreSQL server with fsync. Linux only, because memory is
 * read from /proc.
 */
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { MoveMethod } from '../../src/platform/moves/move.ts'
import { median, printSpread, spread, table } from '../table.ts'
import { measureCapture } from './capture-cost.ts'
import { measureMove } from './measure-move.ts'
import { measureOwnerGap, type OwnerGap } from './owner-gap.ts'
import { certificateOf, measureParts, sumOf } from './stream-parts.ts'
import { type TwoPlatforms, twoPlatforms } from './two-platforms.ts'

const PARTS = ['capture', 'stream', 'wss', 'document', 'gap'] as const
const SIZE = 1000
/** A request holds at most 64 MiB. */
const MOST_DOCUMENT_MB = 40

const { values } = parseArgs({
  options: {
    mb: { type: 'string', default: '100' },
    moves: { type: 'string', default: '20' },
    only: { type: 'string', multiple: true, default: [...PARTS] },
    json: { type: 'boolean', default: false },
  },
})
const wanted = (part: (typeof PARTS)[number]) => values.only.includes(part)
const conversation = { messages: Number(values.mb) * 1000, size: SIZE }
const results: Record<string, unknown> = {
  node: process.version,
  cpus: `${cpus().length} x ${cpus()[0]?.model}`,
  load: loadavg(),
}
let text = ''

if (wanted('capture')) {
  const costs = [100, 1_000, 10_000].map(measureCapture)
  results.capture = costs
  text += table('Capture of a conversation, messages of 1 KB, without the database', [
    ['messages', 'the first time, ms', 'with two more, ms'],
    ...costs.map((one) => [String(one.messages), one.first_ms.toFixed(2), one.next_ms.toFixed(3)]),
  ])
}
if (PARTS.some((part) => part !== 'capture' && wanted(part))) {
  const site = await twoPlatforms()
  try {
    // The first moves load and compile code, and the heaps of the processes take their usual size.
    for (const method of ['stream', 'document', 'stream'] as const)
      await measureMove(site, { messages: 5000, size: SIZE }, { method })
    if (wanted('gap')) await gap(site)
    if (wanted('stream')) await move(site, conversation.messages, { method: 'stream' })
    if (wanted('wss')) await move(site, conversation.messages, { method: 'stream', wss: true })
    if (wanted('document'))
      await move(site, Math.min(conversation.messages, MOST_DOCUMENT_MB * 1000), { method: 'document' })
  } finally {
    await site.close()
  }
}
results.load_after = loadavg()
process.stdout.write(values.json ? `${JSON.stringify(results, null, 2)}\n` : text)
process.exit(0)

async function move(
  site: TwoPlatforms,
  messages: number,
  how: { readonly method: MoveMethod; readonly wss?: true },
): Promise<void> {
  const cost = await measureMove(site, { messages, size: SIZE }, how)
  const parts = await measureParts(
    { messages, size: SIZE },
    certificateOf(site.b.home, site.b.caFile),
    site.b.ownerUrl,
  )
  const name = how.wss === true ? 'stream over WSS' : how.method
  const mb = (messages * SIZE) / 1e6
  const all = sumOf(parts) + parts.search
  results[name] = { mb, ...cost, parts }
  text += table(`${mb} MB as ${name}`, [
    ['', 'ms', 'MB/s'],
    ...Object.entries({ ...parts, 'sum of the first four': sumOf(parts), 'with the search': all }).map(
      ([part, ms]) => [part, ms.toFixed(0), ((mb * 1000) / ms).toFixed(1)],
    ),
    ['sent and stored', cost.send_ms.toFixed(0), ((mb * 1000) / cost.send_ms).toFixed(1)],
    ['whole move', cost.whole_ms.toFixed(0), ((mb * 1000) / cost.whole_ms).toFixed(1)],
  ])
  text += `sum of the first four / sent and stored: ${(sumOf(parts) / cost.send_ms).toFixed(2)} (target 0.6); `
  text += `with the search: ${(all / cost.send_ms).toFixed(2)}; frozen until captured: ${cost.capture_ms.toFixed(0)} ms; `
  text += `growth of the sender ${cost.sender_mb.toFixed(0)} MB, of the receiver ${cost.receiver_mb.toFixed(0)} MB (target 64)\n`
}

async function gap(site: TwoPlatforms): Promise<void> {
  const gaps: OwnerGap[] = []
  for (let n = 0; n < Number(values.moves); n++) gaps.push(await measureOwnerGap(site))
  results.gap = gaps
  const of = (figure: keyof OwnerGap) => spread(gaps.map((one) => one[figure]))
  text += table(`A run under way without an active owner, ms, ${gaps.length} moves`, [
    ['', 'median (lowest to highest)'],
    ['from the last event to the next one', printSpread(of('all'), 0)],
    ['  until frozen', printSpread(of('frozen'), 0)],
    ['  until captured', printSpread(of('captured'), 0)],
    ['  until the receiver has the token', printSpread(of('received'), 0)],
    ['  until it continues', printSpread(of('continued'), 0)],
  ])
  text += `target 100 ms: ${median(gaps.map(({ all }) => all)) <= 100 ? 'met' : 'NOT MET'}\n`
}
