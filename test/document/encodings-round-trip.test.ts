import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import * as yaml from 'yaml'
import type { Encoding } from '../../src/document/document.ts'
import { encodeDocument } from '../../src/document/encode-document.ts'
import type { Json } from '../../src/document/json.ts'
import { printYaml } from '../../src/document/lazy-encodings.ts'
import {
  AAIF_CBOR,
  AAIF_HANDOFF_STREAM,
  encodingOfMediaType,
  mediaTypeOf,
} from '../../src/document/media-types.ts'
import { readDocument } from '../../src/document/read-document.ts'

const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'cbor', 'msgpack']
const RUNS = { seed: 20261121, numRuns: 300 }

function carried(value: Json, encoding: Encoding): Json {
  const read = readDocument(encodeDocument(value, encoding), { encoding })
  assert.ok(read.document, `${encoding}: ${JSON.stringify(read.issues)}`)
  return read.document.value
}

/** Asserts equal data with members in the same order. */
function assertSame(actual: Json, expected: Json, what: string): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected), what)
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }).filter((value) => value.isWellFormed()),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(...'\n\r\t :#-?,[]{}&*!|>%@`"\'\\~ \u0085\u2028\ufeffab01'),
    maxLength: 12,
  }),
  fc.constantFrom(
    ...['yes', 'No', 'ON', 'y', 'null', '~', 'true', '0123', '0o7', '0x1f', '1e3', '1_000', '12:30:45'],
    ...['2026-01-01', '2026-01-01T00:00:00Z', '.5', '.inf', '.nan', '-', '---', '...', '<<', '=', '', ' '],
    ...['__proto__', 'constructor', 'a: b', '# x', '\u{1f600}', '\u0000', '\u007f', '\ufffe', 'a\n\n b\n'],
  ),
)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
  fc.constantFrom(
    ...[0, -0, 1, -1, 23, 24, 255, 256, 65535, 65536, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -(2 ** 53), 2 ** 64],
    ...[1e21, 1e-7, 5e-324, Number.MAX_VALUE, 0.1, 65504, 65505, 1.5, 2 ** -24, 123456.7],
  ),
)
const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    number,
    text,
    fc.array(tie('value'), { maxLength: 6 }),
    fc
      .array(fc.tuple(text, tie('value')), { maxLength: 6 })
      .map((members) => Object.fromEntries(members) as Json),
  ),
})).value

describe('written data is read unchanged', () => {
  for (const encoding of ENCODINGS) {
    test(`in ${encoding}, for any JSON data`, () => {
      fc.assert(
        fc.property(json, (value) => assertSame(carried(value, encoding), value, encoding)),
        RUNS,
      )
    })
  }

  test('AAIF-9-06: JSON to CBOR to JSON loses nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        const source = encodeDocument(value, 'json')
        const read = readDocument(source, { encoding: 'json' }).document?.value as Json
        const back = encodeDocument(carried(read, 'cbor'), 'json')
        assert.deepEqual(Buffer.from(back), Buffer.from(source))
      }),
      RUNS,
    )
  })

  test('long texts, wide and deep data', () => {
    const wide = Object.fromEntries(Array.from({ length: 70_000 }, (_, index) => [`m${index}`, index]))
    let deep: Json = 'x'
    for (let level = 0; level < 64; level++) deep = level % 2 === 0 ? [deep] : { d: deep }
    const long = 'ä\u{1f600}'.repeat(40_000)
    for (const encoding of ENCODINGS) {
      const data = encoding === 'yaml' ? [long, deep] : [wide, long, deep]
      for (const value of data) assertSame(carried(value, encoding), value, encoding)
    }
  })

  test('data that is not JSON is refused by every writer', () => {
    const cycle: unknown[] = []
    cycle.push(cycle)
    const values = [undefined, Number.NaN, 1n, new Date(0), '\ud800', { '\udc00': 1 }, new Array(2), cycle]
    for (const encoding of ENCODINGS) {
      for (const value of values) {
        assert.throws(() => encodeDocument({ a: value } as Json, encoding), { name: 'WaybillError' })
      }
    }
  })

  test('the published data is unchanged after each encoding', (t) => {
    const folder = join(process.env.WAYBILL_TEST_DATA ?? '../shared', 'reference')
    if (!existsSync(folder)) return t.skip(`needs the reference data at ${folder}`)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((f) =>
      f.endsWith('.json'),
    )
    assert.ok(files.length > 5)
    for (const file of files) {
      const value = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json
      for (const encoding of ENCODINGS) assertSame(carried(value, encoding), value, `${file} as ${encoding}`)
    }
  })
})

describe('random bytes', () => {
  test('are read or refused with issues, and never cause an exception', () => {
    const damaged = fc
      .tuple(json, fc.constantFrom('cbor' as const, 'msgpack' as const), fc.nat(), fc.nat(255))
      .map(([value, encoding, at, byte]) => {
        const bytes = Buffer.from(encodeDocument(value, encoding))
        bytes[at % bytes.length] = byte
        return { encoding, bytes }
      })
    const random = fc.record({
      encoding: fc.constantFrom('cbor' as const, 'msgpack' as const),
      bytes: fc.uint8Array({ maxLength: 64 }).map((bytes) => Buffer.from(bytes)),
    })
    fc.assert(
      fc.property(fc.oneof(damaged, random), ({ encoding, bytes }) => {
        const read = readDocument(bytes, { encoding })
        // Data that was read can be encoded exactly.
        if (read.document !== undefined)
          assertSame(carried(read.document.value, encoding), read.document.value, encoding)
        else
          assert.ok(read.issues.every(({ hint, column }) => hint !== undefined && column <= bytes.length + 1))
      }),
      { ...RUNS, numRuns: 2000 },
    )
  })
})

describe('printed YAML', () => {
  test('a YAML 1.1 reader gets the same data', () => {
    fc.assert(
      fc.property(json, (value) => {
        const read: unknown = yaml.parse(printYaml(value), { version: '1.1', merge: false })
        assert.equal(JSON.stringify(read), JSON.stringify(value))
      }),
      RUNS,
    )
  })

  test('contains only printable characters, and numbers that are numbers in YAML 1.1', () => {
    fc.assert(
      fc.property(json, (value) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters, which are not allowed
        assert.doesNotMatch(printYaml(value), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/)
      }),
      RUNS,
    )
    assert.equal(printYaml([1e21, -2e-7, 1.5e300]), '- 1.0e+21\n- -2.0e-7\n- 1.5e+300\n')
    assert.equal(printYaml({ 'a\u2028': '\u0085' }), '"a\\u2028": "\\u0085"\n')
  })

  test('is block style, without aliases, folding or needless quotes', () => {
    const shared = { name: 'x' }
    const goal = `Say ${'very '.repeat(40)}much.`
    assert.equal(
      printYaml({ goal, steps: [shared, shared], notes: 'one\ntwo\n', on: 'yes' }),
      `goal: ${goal}\nsteps:\n  - name: x\n  - name: x\nnotes: |\n  one\n  two\n"on": "yes"\n`,
    )
  })
})

describe('media types', () => {
  test('only CBOR of an AAIF document has the media type of its profile', () => {
    const label = 'application/cbor; profile="https://schemacommons.org/SC-006/cbor"'
    for (const kind of [
      'aaif.agent',
      'aaif.state',
      'aaif.manifest',
      'aaif.conformance-report',
      'aaif.registry',
    ]) {
      assert.equal(mediaTypeOf('cbor', kind), label)
    }
    assert.equal(mediaTypeOf('cbor', 'agentcard'), 'application/cbor')
    assert.equal(AAIF_CBOR, label)
    assert.equal(encodingOfMediaType(label), 'cbor')
  })

  test('AAIF-9-01: JSON is the default encoding', () => {
    const document = { sc_standard: 'SC-006', agent: { name: 'x' } }
    const bytes = encodeDocument(document)
    assert.deepEqual(JSON.parse(Buffer.from(bytes).toString()), document)
    assert.equal(readDocument(bytes).document?.encoding, 'json')
  })

  test('are converted in both directions', () => {
    assert.equal(mediaTypeOf('json', 'agentcard'), 'application/agentcard+json')
    assert.equal(mediaTypeOf('json', 'aaif.handoff-stream'), AAIF_HANDOFF_STREAM)
    assert.equal(encodingOfMediaType('application/agentcard+json; charset=utf-8'), 'json')
    assert.equal(encodingOfMediaType('Application/YAML'), 'yaml')
    assert.equal(encodingOfMediaType('application/vnd.msgpack'), 'msgpack')
    assert.equal(encodingOfMediaType(AAIF_HANDOFF_STREAM), undefined)
    assert.equal(encodingOfMediaType('text/html'), undefined)
  })
})
