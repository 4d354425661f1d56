import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { decode as decodeElsewhere } from 'cbor2'
import type { ErrorObject } from '../../src/document/issue.ts'
import { WaybillError } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import { decodeCbor, encodeCbor, toDiagnostic } from '../../src/document/lazy-encodings.ts'
import { readDocument } from '../../src/document/read-document.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

function refusal(bytes: Uint8Array): ErrorObject {
  try {
    decodeCbor(bytes)
  } catch (error) {
    assert.ok(error instanceof WaybillError, String(error))
    return error.toJSON()
  }
  return assert.fail('it was read')
}

/** `{"a": <item>}`: the item begins at byte 3. */
const member = (item: string) => hex(`a1 6161 ${item}`)

describe('RFC 8949 Appendix A: the examples that are JSON data', () => {
  const vectors: readonly [bytes: string, value: Json][] = [
    ['00', 0],
    ['01', 1],
    ['0a', 10],
    ['17', 23],
    ['1818', 24],
    ['1864', 100],
    ['1903e8', 1000],
    ['1a000f4240', 1000000],
    ['1b000000e8d4a51000', 1000000000000],
    ['20', -1],
    ['29', -10],
    ['3863', -100],
    ['3903e7', -1000],
    ['fb3ff199999999999a', 1.1],
    ['f93e00', 1.5],
    ['fa7f7fffff', 3.4028234663852886e38],
    ['fb7e37e43c8800759c', 1e300],
    ['f90001', 2 ** -24],
    ['f90400', 0.00006103515625],
    ['fbc010666666666666', -4.1],
    ['f4', false],
    ['f5', true],
    ['f6', null],
    ['60', ''],
    ['6161', 'a'],
    ['6449455446', 'IETF'],
    ['62225c', '"\\'],
    ['62c3bc', '\u00fc'],
    ['63e6b0b4', '\u6c34'],
    ['64f0908591', '\u{10151}'],
    ['80', []],
    ['83010203', [1, 2, 3]],
    ['8301820203820405', [1, [2, 3], [4, 5]]],
    ['a0', {}],
    ['a26161016162820203', { a: 1, b: [2, 3] }],
    ['826161a161626163', ['a', { b: 'c' }]],
  ]
  for (const [bytes, value] of vectors) {
    test(`${bytes} is ${JSON.stringify(value)}, and is written like this`, () => {
      assert.deepEqual(decodeCbor(hex(bytes)), value)
      assert.equal(Buffer.from(encodeCbor(value)).toString('hex'), bytes)
    })
  }

  const readOnly: readonly [bytes: string, value: Json][] = [
    ['f90000', 0],
    ['f98000', 0],
    ['f93c00', 1],
    ['fa47c35000', 100000],
    ['1800', 0],
    ['7f657374726561646d696e67ff', 'streaming'],
    ['7fff', ''],
    ['9fff', []],
    ['9f018202039f0405ffff', [1, [2, 3], [4, 5]]],
    ['bf61610161629f0203ffff', { a: 1, b: [2, 3] }],
    ['bf6346756ef563416d7421ff', { Fun: true, Amt: -2 }],
    ['64efbbbf61', '\ufeffa'],
  ]
  for (const [bytes, value] of readOnly) {
    test(`${bytes} is read as ${JSON.stringify(value)}`, () =>
      assert.deepStrictEqual(decodeCbor(hex(bytes)), value))
  }
})

describe('CBOR without a JSON counterpart', () => {
  const cases: readonly [what: string, item: string][] = [
    ['a byte string', '43 010203'],
    ['an empty byte string', '40'],
    ['a byte string in pieces', '5f 4101 ff'],
    ['a tag', 'c0 74 323031332d30332d32315432303a30343a30305a'],
    ['a big number', 'c2 49 010000000000000000'],
    ['the tag that says it is CBOR', 'd9d9f7 00'],
    ['undefined', 'f7'],
    ['a simple value', 'f0'],
    ['a simple value of two bytes', 'f8ff'],
    ['NaN', 'f97e00'],
    ['NaN as a double', 'fb7ff8000000000000'],
    ['infinity', 'f97c00'],
    ['minus infinity', 'faff800000'],
    ['an integer beyond 2^53', '1b0020000000000000'],
    ['a negative integer beyond 2^53', '3b001fffffffffffff'],
    ['the smallest integer of all', '3bffffffffffffffff'],
  ]
  test('AAIF-9-08: each is refused with its byte offset', () => {
    for (const [what, item] of cases) {
      const error = refusal(member(item))
      assert.equal(error.code, 'CBOR_NOT_JSON', what)
      assert.equal(error.column, 4, what)
      assert.match(error.message, /^byte 3: /, what)
      assert.equal(error.pointer, '/a', what)
      assert.equal(error.rule, 'AAIF-9-08', what)
      assert.ok(error.hint, what)
    }
    const duplicate = refusal(hex('a3 6161 01 6162 02 6161 03'))
    assert.deepEqual([duplicate.code, duplicate.column], ['DUPLICATE_KEY', 8])
    const inPieces = refusal(hex('bf 6161 01 7f 6161 ff 02 ff'))
    assert.deepEqual([inPieces.code, inPieces.column], ['DUPLICATE_KEY', 5])
  })

  test('AAIF-9-05: a key that is not a UTF-8 string is refused and never written', () => {
    for (const key of ['00', '20', '1864', 'f5', 'f6', 'f93e00', '80', 'a0']) {
      const error = refusal(hex(`a1 ${key} 01`))
      assert.deepEqual([error.code, error.column, error.rule], ['CBOR_NOT_JSON', 2, 'AAIF-9-05'], key)
    }
    assert.equal(refusal(hex('a1 4161 01')).code, 'CBOR_NOT_JSON')
    assert.equal(refusal(hex('a1 61ff 01')).code, 'ENCODING_NOT_UTF8')
    const written = decodeElsewhere(encodeCbor({ 1: 'one', b: { 2: 'two' } }), { preferMap: true }) as Map<
      unknown,
      unknown
    >
    assert.deepEqual([...written.keys()], ['1', 'b'])
    assert.deepEqual([...(written.get('b') as Map<unknown, unknown>).keys()], ['2'])
  })

  const malformed: readonly [what: string, bytes: string, code: string, byte: number][] = [
    ['nothing after a key', 'a1 6161', 'CBOR_SYNTAX', 3],
    ['a text that is cut off', 'a1 6161 6561', 'CBOR_SYNTAX', 3],
    ['a number that is cut off', '82 01 19 01', 'CBOR_SYNTAX', 2],
    ['bytes after the value', 'a0 00', 'CBOR_SYNTAX', 1],
    ['a reserved length', '82 00 1c', 'CBOR_SYNTAX', 2],
    ['a break in a definite array', '82 00 ff', 'CBOR_SYNTAX', 2],
    ['a break for a value', 'bf 6161 ff', 'CBOR_SYNTAX', 3],
    ['a break alone', 'ff', 'CBOR_SYNTAX', 0],
    ['an array without an end', '9f 01', 'CBOR_SYNTAX', 2],
    ['a text in pieces without an end', '7f 6161', 'CBOR_SYNTAX', 3],
    ['a text in pieces within one', '7f 7f 6161 ff ff', 'CBOR_SYNTAX', 1],
    ['a number among pieces of text', '7f 01 ff', 'CBOR_SYNTAX', 1],
    ['bytes that are no UTF-8', '82 00 62 c328', 'ENCODING_NOT_UTF8', 2],
    ['half a surrogate pair', '63 eda080', 'ENCODING_NOT_UTF8', 0],
    ['half a character in a piece of text', '7f 61c3 61bc ff', 'ENCODING_NOT_UTF8', 1],
    ['an overlong form', '62 c0af', 'ENCODING_NOT_UTF8', 0],
  ]
  for (const [what, bytes, code, byte] of malformed) {
    test(`refuses ${what}`, () => {
      const error = refusal(hex(bytes))
      assert.deepEqual([error.code, error.column], [code, byte + 1], error.message)
    })
  }
})

describe('hostile CBOR', () => {
  test('declared sizes allocate no memory', () => {
    for (const bytes of [
      '9affffffff',
      'baffffffff',
      '9b0000000fffffffff',
      '9bffffffffffffffff',
      '7affffffff',
      '7b00000fffffffffff',
    ]) {
      const before = process.memoryUsage().rss
      assert.equal(refusal(hex(bytes)).code, 'CBOR_SYNTAX', bytes)
      assert.ok(process.memoryUsage().rss - before < 64 * 1024 * 1024, bytes)
    }
  })

  test('64 levels are read and written, 65 are not', () => {
    const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth - 1, 0x81), Buffer.of(0x80)])
    const deepest = decodeCbor(nested(64))
    assert.deepEqual(Buffer.from(encodeCbor(deepest)), nested(64))
    assert.equal(refusal(nested(65)).code, 'DOCUMENT_TOO_DEEP')
    assert.equal(refusal(nested(65)).column, 65)
    assert.equal(refusal(Buffer.alloc(1_000_000, 0x81)).code, 'DOCUMENT_TOO_DEEP')
    assert.equal(refusal(Buffer.alloc(1_000_000, 0x9f)).code, 'DOCUMENT_TOO_DEEP')
    assert.throws(() => encodeCbor([deepest]), { code: 'DOCUMENT_TOO_DEEP' })
  })

  test('a string in millions of empty chunks is refused early', () => {
    const pieces = (count: number) =>
      Buffer.concat([Buffer.of(0x7f), Buffer.alloc(count, 0x60), Buffer.of(0xff)])
    assert.equal(decodeCbor(pieces(100_000)), '')
    assert.equal(refusal(pieces(8_000_000)).code, 'CBOR_TOO_COMPLEX')
  })

  test('a member named __proto__ is data', () => {
    const value = decodeCbor(hex('a1 69 5f5f70726f746f5f5f a1 6161 01')) as { readonly a?: unknown }
    assert.equal(value.a, undefined)
    assert.equal(JSON.stringify(value), '{"__proto__":{"a":1}}')
    assert.equal(Buffer.from(encodeCbor(value as Json)).toString('hex'), 'a1695f5f70726f746f5f5fa1616101')
  })

  test('a document above the size limit is not parsed', () => {
    const read = readDocument(Buffer.alloc(200, 0xff), { file: 'a.cbor', maxBytes: 100 })
    assert.equal(read.issues?.[0]?.code, 'DOCUMENT_TOO_LARGE')
  })
})

describe('CBOR documents', () => {
  test('are detected by file name, by first byte, or by option of the caller', () => {
    const bytes = encodeCbor({ a: [1] })
    for (const options of [{ file: 'x.cbor' }, {}, { file: 'x.bin' }, { encoding: 'cbor' as const }]) {
      const read = readDocument(bytes, options)
      assert.equal(read.document?.encoding, 'cbor')
      assert.deepEqual(read.document?.value, { a: [1] })
    }
    assert.equal(readDocument(bytes, { file: 'x.json' }).issues?.[0]?.code, 'ENCODING_NOT_UTF8')
  })

  test('positions are lines of the diagnostic notation', () => {
    const bytes = encodeCbor({ a: 1, b: ['x', 1.5, { c: null }] })
    const { document } = readDocument(bytes)
    const lines = toDiagnostic(bytes).split('\n')
    for (const [pointer, text] of [
      ['/a', '1'],
      ['/b/1', '1.5'],
      ['/b/2/c', 'null'],
    ] as const) {
      const place = document?.locate(pointer)
      assert.equal(
        lines[(place?.line ?? 0) - 1]?.slice((place?.column ?? 0) - 1).startsWith(text),
        true,
        pointer,
      )
    }
  })

  test('SPEC-T-02: CBOR is shown in diagnostic notation, also refused CBOR', () => {
    assert.equal(toDiagnostic(encodeCbor({ goal: 'x', n: [1, 1.5, null] })).replaceAll(/\s+/g, ' '), SAMPLE)
    assert.equal(toDiagnostic(hex('a2 01 4161 02 c1 00')).replaceAll(/\s+/g, ''), "{1:h'61',2:1(0)}")
    assert.match(toDiagnostic(hex('82 f7 f97e00')), /undefined,\s+NaN/)
    assert.throws(() => toDiagnostic(hex('82 01')), { code: 'CBOR_SYNTAX' })
  })
})

const SAMPLE = '{ "goal": "x", "n": [ 1, 1.5, null ] }'
