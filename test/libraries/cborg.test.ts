import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { encode, Token, Tokenizer, Type } from 'cborg'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

function tokensOf(bytes: string): readonly (readonly [name: string, value: unknown, end: number])[] {
  const tokens = new Tokenizer(hex(bytes), { retainStringBytes: true, allowBigInt: true })
  const found: (readonly [string, unknown, number])[] = []
  while (!tokens.done()) {
    const { type, value } = tokens.next()
    found.push([type.name, value, tokens.pos()])
  }
  return found
}

/** What `src/document/cbor.ts` and `diagnostic.ts` rely on. */
describe('cborg: tokens', () => {
  for (const [bytes, tokens] of [
    [
      '17 1903e8',
      [
        ['uint', 23, 1],
        ['uint', 1000, 4],
      ],
    ],
    ['1bffffffffffffffff', [['uint', 2n ** 64n - 1n, 9]]],
    ['3903e7', [['negint', -1000, 3]]],
    ['3bffffffffffffffff', [['negint', -(2n ** 64n), 9]]],
    [
      'f93e00 f97e00',
      [
        ['float', 1.5, 3],
        ['float', Number.NaN, 6],
      ],
    ],
    ['f90003', [['float', 3 * 2 ** -24, 3]]],
    [
      'f4 f5 f6 f7',
      [
        ['false', false, 1],
        ['true', true, 2],
        ['null', null, 3],
        ['undefined', undefined, 4],
      ],
    ],
    [
      '82 a1',
      [
        ['array', 2, 1],
        ['map', 1, 2],
      ],
    ],
    [
      '9f bf ff',
      [
        ['array', Infinity, 1],
        ['map', Infinity, 2],
        ['break', undefined, 3],
      ],
    ],
    [
      'c1 d9d9f7',
      [
        ['tag', 1, 1],
        ['tag', 55799, 4],
      ],
    ],
    ['1801', [['uint', 1, 2]]],
  ] as const) {
    test(`${bytes} are ${tokens.map(([name]) => name).join(', ')}`, () => {
      assert.deepEqual(tokensOf(bytes), tokens)
    })
  }

  test('a text has its bytes as well, also when they are not UTF-8, which the value hides', () => {
    const token = new Tokenizer(hex('62ff61'), { retainStringBytes: true }).next()
    assert.deepEqual(Buffer.from(token.byteValue ?? []), hex('ff61'))
    assert.equal(token.value, '\ufffda')
  })

  test('a byte string is its bytes', () => {
    assert.deepEqual(Buffer.from(new Tokenizer(hex('420102')).next().value), hex('0102'))
  })

  for (const [bytes, what] of [
    ['5f4101ff', 'a byte string in pieces'],
    ['7f6161ff', 'a text in pieces'],
    ['f0', 'a simple value'],
    ['f820', 'a simple value in two bytes'],
    ['1c', 'a reserved size'],
    ['1901', 'a number that is cut off'],
    ['6261', 'a text that is cut off'],
  ] as const) {
    test(`${what} throws, with a prefix`, () => {
      assert.throws(() => tokensOf(bytes), { message: /^CBOR decode error: / })
    })
  }
})

describe('cborg: writing', () => {
  test('without a sorter the members keep their order', () => {
    const unsorted = encode({ b: 1, aa: 2, a: 3 }, { mapSorter: undefined as never })
    assert.equal(Buffer.from(unsorted).toString('hex'), 'a3616201626161026161' + '03')
  })

  test('an encoder of a type may write another token, or leave it to the library with null', () => {
    const number = (value: number) => (value === 2 ** 53 ? [new Token(Type.float, value)] : null)
    const written = encode([2 ** 53, 1], { typeEncoders: { number } })
    assert.equal(Buffer.from(written).toString('hex'), '82fa5a00000001')
  })

  test('numbers are written in a short form that holds them', () => {
    for (const [value, bytes] of [
      [1.5, 'f93e00'],
      [100000.5, 'fa47c35040'],
      [1.1, 'fb3ff199999999999a'],
    ] as const) {
      assert.equal(Buffer.from(encode(value)).toString('hex'), bytes)
    }
  })
})
