import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as cborg from 'cborg'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { decodeCbor, encodeCbor } from '../../src/document/cbor.ts'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import { repetitions } from '../repetitions.ts'

const SAMPLES: readonly Json[] = [
  [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, 2 ** 53 - 1],
  [-1, -24, -25, -256, -257, -65_537, -4_294_967_296, -4_294_967_297, 0.5, 0.1, 1e300, 5e-324],
  { a: 'é', b: '€'.repeat(12), c: '\u{FFFD}', d: 'x'.repeat(300), e: '😀'.repeat(7) },
  { '10': [], '2': {}, toString: true, constructor: false, a: null, '': { a: [[[{ a: 'aa' }]]] } },
]
/** Bytes that begin, end or break items. */
const TELLING = [
  0x5f, 0x7f, 0xff, 0x9f, 0xbf, 0x18, 0x1b, 0x38, 0x3b, 0x78, 0x7a, 0x7b, 0xc2, 0xf6, 0xf7, 0xf9, 0xfb,
]

/** One byte replaced, put in or taken out, or the end cut off. */
function damage(bytes: Uint8Array, random: () => number): Uint8Array {
  const at = Math.floor(random() * bytes.length)
  const byte = random() < 0.5 ? TELLING[Math.floor(random() * TELLING.length)] : Math.floor(random() * 256)
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at + 1)]
  switch (Math.floor(random() * 4)) {
    case 0:
      return Buffer.concat([before, Buffer.from([byte ?? 0]), after])
    case 1:
      return Buffer.concat([before, Buffer.from([byte ?? 0]), bytes.subarray(at)])
    case 2:
      return Buffer.concat([before, after])
    default:
      return before
  }
}

const ROUNDS = repetitions(10_000)

test('damaged CBOR is read as its library reads it, or refused for a reason that the library does not know', () => {
  const random = randomNumbers(41)
  const counts = { read: 0, malformed: 0, refused: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    let bytes: Uint8Array = encodeCbor(SAMPLES[round % SAMPLES.length] as Json)
    for (let hits = Math.floor(random() * 3); hits >= 0 && bytes.length > 0; hits--)
      bytes = damage(bytes, random)
    const hex = Buffer.from(bytes).toString('hex')
    const library = outcomeOf(() => cborg.decode(bytes, { rejectDuplicateMapKeys: true }))
    const ours = outcomeOf(() => decodeCbor(bytes))
    if ('value' in ours) {
      counts.read++
      // Texts in pieces are beyond the library.
      if ('value' in library || !hex.includes('7f'))
        assert.equal(written(ours.value), written(library.value), hex)
      continue
    }
    assert.ok(ours.error instanceof WaybillError, `${hex}: ${ours.error}`)
    if (ours.error.code === 'CBOR_SYNTAX') {
      counts.malformed++
      // The library takes a break for a value.
      assert.ok('error' in library || hex.includes('ff'), hex)
    } else counts.refused++
  }
  for (const [what, count] of Object.entries(counts)) assert.ok(count > ROUNDS / 20, `${what}: ${count}`)
})

function outcomeOf(read: () => unknown): { value?: unknown; error?: unknown } {
  try {
    return { value: read() }
  } catch (error) {
    return { error }
  }
}

function written(value: unknown): string {
  return JSON.stringify(value)
}
