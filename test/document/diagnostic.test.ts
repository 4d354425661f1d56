import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { diagnose } from 'cbor2'
import fc from 'fast-check'
import { WaybillError } from '../../src/document/issue.ts'
import { toDiagnostic } from '../../src/document/lazy-encodings.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
/** Line ends without the spaces that another writer leaves there. */
const trimmed = (text: string) => text.replaceAll(/ +$/gm, '')
const unspaced = (text: string) => text.replaceAll(/\s+/g, '')

describe('diagnostic notation (RFC 8949 §8)', () => {
  for (const [bytes, notation] of [
    // Appendix A
    ['00', '0'],
    ['1818', '24'],
    ['1bffffffffffffffff', '18446744073709551615'],
    ['3bffffffffffffffff', '-18446744073709551616'],
    ['3903e7', '-1000'],
    ['f90000', '0.0'],
    ['f98000', '-0.0'],
    ['f93c00', '1.0'],
    ['fb3ff199999999999a', '1.1'],
    ['fa47c35000', '100000.0'],
    ['fb7e37e43c8800759c', '1e+300'],
    ['f90001', '5.960464477539063e-8'],
    ['f97c00', 'Infinity'],
    ['f97e00', 'NaN'],
    ['f9fc00', '-Infinity'],
    ['f4', 'false'],
    ['f6', 'null'],
    ['f7', 'undefined'],
    ['f0', 'simple(16)'],
    ['f8ff', 'simple(255)'],
    ['c11a514b67b0', '1(\n  1363896240)'],
    ['d818456449455446', "24(\n  h'6449455446')"],
    ['40', "h''"],
    ['4401020304', "h'01020304'"],
    ['62225c', '"\\"\\\\"'],
    ['64f0908591', '"\u{10151}"'],
    ['80', '[]'],
    ['8301820203820405', '[\n  1,\n  [\n    2,\n    3\n  ],\n  [\n    4,\n    5\n  ]\n]'],
    ['a0', '{}'],
    ['a201020304', '{\n  1: 2,\n  3: 4\n}'],
    ['5f42010243030405ff', "(_ h'0102', h'030405')"],
    ['7f657374726561646d696e67ff', '(_ "strea", "ming")'],
    ['9fff', '[_ ]'],
    ['bfff', '{_ }'],
    ['9f018202039f0405ffff', '[_\n  1,\n  [\n    2,\n    3\n  ],\n  [_\n    4,\n    5\n  ]\n]'],
    ['bf6346756ef563416d7421ff', '{_\n  "Fun": true,\n  "Amt": -2\n}'],
    // Strings without a piece, and arguments that are longer than they need be
    ['5fff', "''_"],
    ['7fff', '""_'],
    ['1801', '1_0'],
    ['1817', '23_0'],
    ['18ff', '255'],
    ['1900ff', '255_1'],
    ['190100', '256'],
    ['1a0000ffff', '65535_2'],
    ['1a00010000', '65536'],
    ['1b00000000ffffffff', '4294967295_3'],
    ['1b0000000100000000', '4294967296'],
    ['f97bff', '65504.0'],
    ['fa477fe000', '65504.0_2'],
    ['fa47800000', '65536.0'],
    ['fa33800000', '5.960464477539063e-8_2'],
    ['fa33000000', '2.9802322387695312e-8'],
    ['1b0000000000000001', '1_3'],
    ['390000', '-1_1'],
    ['780161', '"a"_0'],
    ['590001 61', "h'61'_1"],
    ['9800', '[_0 ]'],
    ['b8010102', '{_0\n  1: 2\n}'],
    ['d80102', '1_0(\n  2)'],
    ['fb3ff8000000000000', '1.5_3'],
    ['fa7fc00000', 'NaN_2'],
  ] as const) {
    test(`${bytes} is ${JSON.stringify(notation)}`, () => {
      assert.equal(toDiagnostic(hex(bytes)), notation)
    })
  }

  test('a document with sizes has the same lines as without', () => {
    const sized = toDiagnostic(hex('a2 6161 82 01 62 6162 6162 02'))
    const open = toDiagnostic(hex('bf 6161 9f 01 7f 6161 6162 ff ff 6162 02 ff'))
    assert.deepEqual(
      open.split('\n').map((line) => line.replace('(_ "a", "b")', '"ab"').replace(/_$/, '')),
      sized.split('\n'),
    )
  })

  for (const [bytes, what] of [
    ['', 'no bytes'],
    ['8201', 'an array that is cut off'],
    ['a1 01', 'a map that is cut off'],
    ['1901', 'a number that is cut off'],
    ['62 61', 'a text that is cut off'],
    ['c1', 'a tag without content'],
    ['9f01', 'an open array without a break'],
    ['5f41', 'a string in pieces that is cut off'],
    ['7f', 'a string in pieces without a break'],
    ['01 02', 'two values'],
    ['ff', 'a break alone'],
    ['82 01 ff', 'a break in a sized array'],
    ['bf 01 ff', 'a name without a value'],
    ['c1 ff', 'a break in a tag'],
    ['61 ff', 'a text that is not UTF-8'],
    ['7f 4161 ff', 'a byte string as a piece of a text'],
    ['5f 5f ff ff', 'pieces in pieces'],
    ['f8 18', 'a simple value in two bytes that needs one'],
    ['f8', 'a simple value that is cut off'],
    ['1c', 'a reserved size'],
    ['1f', 'a number of indefinite size'],
    ['9bffffffffffffffff', 'a size beyond all data'],
    [`${'81'.repeat(1025)}01`, 'too deep a nesting'],
  ] as const) {
    test(`${what} is refused`, () => {
      assert.throws(
        () => toDiagnostic(hex(bytes)),
        (error) =>
          error instanceof WaybillError && error.code === 'CBOR_SYNTAX' && !/undefined/.test(error.message),
      )
    })
  }
})

/** The first bytes of an item: its argument in 0, 1, 2, 4 or 8 bytes, whether or not fewer would do. */
function head(major: number, argument: number, width: number): Buffer {
  const least = argument < 24 ? 0 : argument < 0x100 ? 1 : argument < 0x10000 ? 2 : 4
  const size = [0, 1, 2, 4, 8].find((bytes) => bytes >= Math.max(least, width)) ?? 8
  if (size === 0) return Buffer.from([(major << 5) | argument])
  const bytes = Buffer.alloc(size)
  bytes.writeUIntBE(argument, Math.max(0, size - 6), Math.min(size, 6))
  return Buffer.concat([Buffer.from([(major << 5) | (24 + Math.log2(size))]), bytes])
}

const width = fc.constantFrom(0, 0, 0, 1, 2, 4, 8)
const argument = fc.oneof(fc.nat(30), fc.nat(300), fc.nat(70_000), fc.nat(0x7fffffff))
const CHARACTER = fc.constantFrom(
  'a',
  '"',
  '\\',
  '\n',
  '\0',
  '\u00fc',
  '\u6c34',
  '\u{10151}',
  '\ufeff',
  '\u2028',
)
const joined = (parts: readonly Uint8Array[]) => Buffer.concat(parts)

/** Items of all kinds; with `open`, also those of indefinite length that hold something. */
const itemOf = (open: boolean) =>
  fc.letrec<{ item: Buffer; string: Buffer }>((tie) => ({
    string: fc.oneof(
      fc
        .tuple(fc.uint8Array({ maxLength: 30 }), width)
        .map(([bytes, w]) => joined([head(2, bytes.length, w), bytes])),
      fc.tuple(fc.string({ unit: CHARACTER, maxLength: 12 }), width).map(([text, w]) => {
        const bytes = Buffer.from(text)
        return joined([head(3, bytes.length, w), bytes])
      }),
    ),
    item: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      tie('string'),
      fc.tuple(fc.constantFrom(0, 1), argument, width).map(([major, n, w]) => head(major, n, w)),
      fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((n) => {
        const bytes = Buffer.alloc(9, 0x1b)
        bytes.writeBigUInt64BE(n, 1)
        return bytes
      }),
      fc.nat(0xffff).map((bits) => Buffer.from([0xf9, bits >> 8, bits & 0xff])),
      fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => joined([Buffer.from([0xfa]), bytes])),
      fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => joined([Buffer.from([0xfb]), bytes])),
      fc.double().map((n) => {
        const bytes = Buffer.alloc(9, 0xfb)
        bytes.writeDoubleBE(n, 1)
        return bytes
      }),
      fc.nat(23).map((value) => Buffer.from([0xe0 | value])),
      fc.integer({ min: 32, max: 255 }).map((value) => Buffer.from([0xf8, value])),
      fc.tuple(argument, width, tie('item')).map(([tag, w, item]) => joined([head(6, tag, w), item])),
      fc
        .tuple(fc.array(tie('item'), { maxLength: 4 }), width)
        .map(([items, w]) => joined([head(4, items.length, w), ...items])),
      fc
        .tuple(fc.array(fc.tuple(tie('item'), tie('item')), { maxLength: 4 }), width)
        .map(([members, w]) => joined([head(5, members.length, w), ...members.flat()])),
      ...(open
        ? [
            fc
              .array(tie('item'), { maxLength: 3 })
              .map((items) => joined([Buffer.from([0x9f]), ...items, Buffer.from([0xff])])),
            fc
              .array(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 3 })
              .map((pieces) =>
                joined([
                  Buffer.from([0x5f]),
                  ...pieces.flatMap((bytes) => [head(2, bytes.length, 0), bytes]),
                  Buffer.from([0xff]),
                ]),
              ),
          ]
        : []),
    ),
  })).item

describe('diagnostic notation as another library writes it', () => {
  test('items with a size are written alike, line by line', () => {
    fc.assert(
      fc.property(itemOf(false), (bytes) => {
        assert.equal(toDiagnostic(bytes), trimmed(diagnose(bytes, { pretty: true })))
      }),
      { numRuns: 500 },
    )
  })

  test('items of indefinite length are written alike but for their line breaks', () => {
    fc.assert(
      fc.property(itemOf(true), (bytes) => {
        assert.equal(unspaced(toDiagnostic(bytes)), unspaced(diagnose(bytes, { pretty: true })))
      }),
      { numRuns: 500 },
    )
  })

  test('what one refuses, the other refuses', () => {
    const accepts = (write: () => string) => {
      try {
        write()
        return true
      } catch {
        return false
      }
    }
    fc.assert(
      fc.property(itemOf(true), fc.nat(), fc.nat(255), (item, at, byte) => {
        const bytes = Buffer.from(item)
        bytes[at % bytes.length] = byte
        assert.equal(
          accepts(() => toDiagnostic(bytes)),
          accepts(() => diagnose(bytes, { pretty: true })),
          bytes.toString('hex'),
        )
      }),
      { numRuns: 1000 },
    )
  })
})
