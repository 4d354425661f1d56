import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ExtData, encode as encodeElsewhere } from '@msgpack/msgpack'
import { type ErrorObject, WaybillError } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import { decodeMsgpack, encodeMsgpack } from '../../src/document/lazy-encodings.ts'
import { readDocument } from '../../src/document/read-document.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

function refusal(bytes: Uint8Array): ErrorObject {
  try {
    decodeMsgpack(bytes)
  } catch (error) {
    assert.ok(error instanceof WaybillError, String(error))
    return error.toJSON()
  }
  return assert.fail('it was read')
}

describe('MessagePack: every first byte of its table', () => {
  const vectors: readonly [bytes: string, value: Json][] = [
    ['00', 0],
    ['7f', 127],
    ['80', {}],
    ['81 a161 01', { a: 1 }],
    ['90', []],
    ['92 01 02', [1, 2]],
    ['a0', ''],
    ['a161', 'a'],
    ['c0', null],
    ['c2', false],
    ['c3', true],
    ['ca 3fc00000', 1.5],
    ['cb 3ff199999999999a', 1.1],
    ['cb 8000000000000000', 0],
    ['cc ff', 255],
    ['cd ffff', 65535],
    ['ce ffffffff', 4294967295],
    ['cf 001fffffffffffff', Number.MAX_SAFE_INTEGER],
    ['d0 80', -128],
    ['d1 8000', -32768],
    ['d2 80000000', -2147483648],
    ['d3 ffe0000000000001', Number.MIN_SAFE_INTEGER],
    ['d9 02 c3bc', '\u00fc'],
    ['da 0001 61', 'a'],
    ['db 00000001 61', 'a'],
    ['dc 0001 c0', [null]],
    ['dd 00000001 c0', [null]],
    ['de 0001 a161 c0', { a: null }],
    ['df 00000001 a161 c0', { a: null }],
    ['e0', -32],
    ['ff', -1],
    ['a4 efbbbf61', '\ufeffa'],
  ]
  for (const [bytes, value] of vectors) {
    test(`${bytes} is ${JSON.stringify(value)}`, () =>
      assert.deepStrictEqual(decodeMsgpack(hex(bytes)), value))
  }
})

describe('MessagePack that is refused', () => {
  const cases: readonly [what: string, bytes: string, code: string, byte: number][] = [
    ['binary data', '92 00 c4 01 00', 'MSGPACK_NOT_JSON', 2],
    ['an extension', '92 00 d4 01 00', 'MSGPACK_NOT_JSON', 2],
    ['a timestamp', '92 00 d6 ff 00000000', 'MSGPACK_NOT_JSON', 2],
    ['NaN as a float', '92 00 ca 7fc00000', 'MSGPACK_NOT_JSON', 2],
    ['NaN as a double', '92 00 cb 7ff8000000000000', 'MSGPACK_NOT_JSON', 2],
    ['infinity', 'ca 7f800000', 'MSGPACK_NOT_JSON', 0],
    ['an integer beyond 2^53', '92 00 cf 0020000000000000', 'MSGPACK_NOT_JSON', 2],
    ['a negative integer beyond 2^53', 'd3 ffe0000000000000', 'MSGPACK_NOT_JSON', 0],
    ['a number for a key', '81 01 02', 'MSGPACK_NOT_JSON', 1],
    ['null for a key', '81 c0 02', 'MSGPACK_NOT_JSON', 1],
    ['a map for a key', '81 80 02', 'MSGPACK_NOT_JSON', 1],
    ['a key twice', '82 a161 01 a161 02', 'DUPLICATE_KEY', 4],
    ['the byte that is never used', '91 c1', 'MSGPACK_SYNTAX', 1],
    ['bytes after the value', '80 00', 'MSGPACK_SYNTAX', 1],
    ['a text that is cut off', '92 00 a3 6161', 'MSGPACK_SYNTAX', 2],
    ['a number that is cut off', 'cd 00', 'MSGPACK_SYNTAX', 0],
    ['an array that is cut off', '92 00', 'MSGPACK_SYNTAX', 0],
    ['bad UTF-8', '92 00 a2 c328', 'ENCODING_NOT_UTF8', 2],
    ['half a surrogate pair', 'a3 eda080', 'ENCODING_NOT_UTF8', 0],
  ]
  for (const [what, bytes, code, byte] of cases) {
    test(`refuses ${what} at its byte`, () => {
      const error = refusal(hex(bytes))
      assert.deepEqual([error.code, error.column], [code, byte + 1], error.message)
      assert.ok(error.hint)
    })
  }

  test('dates, bytes and extensions of another writer are refused', () => {
    for (const value of [new Date(0), new Uint8Array(3), new ExtData(7, new Uint8Array(1))]) {
      assert.equal(refusal(encodeElsewhere({ a: value })).code, 'MSGPACK_NOT_JSON')
    }
  })

  test('declared sizes allocate no memory, and depth is limited', () => {
    for (const bytes of ['dd ffffffff', 'df ffffffff', 'db ffffffff'])
      assert.equal(refusal(hex(bytes)).code, 'MSGPACK_SYNTAX')
    assert.equal(refusal(Buffer.alloc(1_000_000, 0x91)).code, 'DOCUMENT_TOO_DEEP')
    const nested = (depth: number) => Buffer.concat([Buffer.alloc(depth - 1, 0x91), Buffer.of(0x90)])
    assert.deepEqual(Buffer.from(encodeMsgpack(decodeMsgpack(nested(64)))), nested(64))
    assert.equal(refusal(nested(65)).column, 65)
  })
})

test('MessagePack documents are detected by file name, by first byte, or by option of the caller', () => {
  const wide = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`m${index}`, index]))
  for (const value of [{ a: 1 }, wide]) {
    const bytes = encodeMsgpack(value)
    for (const options of [{ file: 'x.msgpack' }, { file: 'x.mpk' }, {}, { encoding: 'msgpack' as const }]) {
      const read = readDocument(bytes, options)
      assert.equal(read.document?.encoding, 'msgpack')
      assert.deepEqual(read.document?.value, value)
    }
  }
})
