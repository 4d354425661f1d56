import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { digitRuns, digitWindows } from '../../src/policy/pii/digit-runs.ts'
import { findPii } from '../../src/policy/pii/find-pii.ts'

const kinds = (text: string, regions?: readonly string[]) =>
  findPii(text, regions === undefined ? {} : { regions }).map(({ kind }) => kind)

describe('numbers of persons', () => {
  for (const [kind, word, numbers] of [
    [
      // The century is in the month: 01-12, 21-32, 41-52, 61-72, 81-92.
      'pl_pesel',
      'PESEL ',
      [
        ['90011512346', true],
        ['90121512340', true],
        ['90211512342', true],
        ['90321512346', true],
        ['90811512340', true],
        ['90001512345', false],
        ['90131512341', false],
        ['90201512341', false],
        ['90331512347', false],
        ['90050112343', true],
        ['90053112340', true],
        ['90050012346', false],
        ['90053212347', false],
        ['9005311-2340', false],
      ],
    ],
    [
      // Of the first ten digits one occurs twice or three times, the first is not 0.
      'de_tax_id',
      'Steuer-ID ',
      [
        ['11234567890', true],
        ['11234567808', true],
        ['11123456786', true],
        ['11112345678', false],
        ['12345678903', false],
        ['11223456785', false],
        ['01123456782', false],
      ],
    ],
    [
      'de_tax_id',
      'x ',
      [
        ['86 095 742 719', true],
        ['86095742719', false],
        ['860 957 427 19', false],
      ],
    ],
    [
      // Months 20 to 42 and from 50 on stand for an unknown month.
      'fr_nir',
      '',
      [
        ['184017645108964', true],
        ['184127645108946', true],
        ['184007645108948', false],
        ['184137645108962', false],
        ['184197645108961', false],
        ['184207645108977', true],
        ['184427645108941', true],
        ['184437645108957', false],
        ['184497645108956', false],
        ['184507645108972', true],
        ['284067645108994', true],
        ['784067645108938', true],
        ['884067645108985', true],
        ['584067645108941', false],
        ['984067645108935', false],
        ['184062A12345601', true],
        ['184062B12345628', true],
        ['184062A12345628', false],
      ],
    ],
    [
      'us_ssn',
      '',
      [
        ['123-45-6789', true],
        ['666-45-6789', false],
        ['900-45-6789', false],
        ['899-45-6789', true],
        ['123-00-6789', false],
        ['123-45-0000', false],
        ['123-456-789', false],
        ['123456789', false],
      ],
    ],
    [
      'us_ssn',
      'SSN ',
      [
        ['123456789', true],
        ['1 2 3 4 5 6 7 8 9', true],
        ['000456789', false],
        ['12-3456789', false],
      ],
    ],
    [
      'nl_bsn',
      'BSN ',
      [
        ['111222333', true],
        ['000000000', false],
      ],
    ],
    ['nl_bsn', 'x ', [['111222333', false]]],
    [
      'es_dni',
      '',
      [
        ['12.345.678-Z', true],
        ['x-1234567-l', true],
        ['Y1234567X', true],
        ['Y1234567L', false],
        ['a12345678Z', false],
      ],
    ],
    [
      'uk_nino',
      '',
      [
        ['AB123456C', true],
        ['AB123456E', false],
        ['GB123456C', false],
        ['QQ123456C', false],
        ['AO123456C', false],
      ],
    ],
  ] as const)
    for (const [number, is] of numbers)
      test(`${word}${number} is ${is ? '' : 'not '}${kind}`, () =>
        assert.equal(kinds(`${word}${number}`).includes(kind), is))
})

describe('ISO/IEC 7812 card numbers', () => {
  for (const [number, is] of [
    ['4123456789128', true],
    ['4123456789123450', true],
    ['4123456789123456785', true],
    ['41234567891235', false],
    ['5112345678912349', true],
    ['5512345678912345', true],
    ['5012345678912340', false],
    ['5612345678912344', false],
    ['2221123456789121', true],
    ['2220123456789122', false],
    ['2720123456789127', true],
    ['2721123456789126', false],
    ['341234567891232', true],
    ['371234567891235', true],
    ['351234567891239', false],
    ['3412345678912341', false],
    ['6011123456789126', true],
    ['6441234567891238', true],
    ['6431234567891230', false],
    ['30012345678915', true],
    ['30612345678912', false],
    ['36123456789120', true],
    ['3528123456789129', true],
    ['3527123456789120', false],
    ['6212345678912346', true],
    ['9123456789123459', false],
    // Grouped like a card number, or labelled.
    ['4123 4567 8912 3450', true],
    ['3412 345678 91232', true],
    ['41234 56789 123 450', false],
    ['card 41234 56789 123 450', true],
    ['4123 4567-8912 3450', false],
    ['4123/4567/8912/3450', false],
    ['visa 4123/4567/8912/3450', true],
    ['0000000000000000', false],
    ['4444444444444444', false],
  ] as const)
    test(`${number} is ${is ? 'a' : 'no'} card`, () => assert.equal(kinds(number).includes('card'), is))
})

describe('telephone numbers', () => {
  for (const [text, regions, phone] of [
    ['+49 30 12345678', [], '+49 30 12345678'],
    ['0049 30 12345678', [], '0049 30 12345678'],
    ['+999 30 12345678', [], null],
    ['order +49 30 12345678', [], '+49 30 12345678'],
    ['order 030 12345678', ['DE'], null],
    ['030 12345678', ['DE'], '030 12345678'],
    ['03012345678', ['DE'], null],
    ['phone 03012345678', ['DE'], '03012345678'],
    ['030 12345678', ['US'], null],
    ['212-555-0187', ['US'], '212-555-0187'],
    ['1-212-555-0187', ['US'], '1-212-555-0187'],
    ['212-555-0187', ['DE'], null],
    ['112-555-0187', ['US'], null],
    ['212-155-0187', ['US'], null],
    ['21-2555-0187', ['US'], null],
    ['tel 21-2555-0187', ['US'], '21-2555-0187'],
    ['call (212) 555-0187', ['US'], '(212) 555-0187'],
    ['tel 2024-01-15', ['US', 'DE'], null],
    ['phone 9783161484100', ['US', 'DE'], null],
    // A number without a context word does not match inside a longer row of digits with the same grouping.
    ['212-555-0187-212', ['US'], null],
    ['11-212-555-0187', ['US'], null],
    ['11-212-555-0187-11', ['US'], null],
    ['11 212-555-0187', ['US'], '212-555-0187'],
    ['212-555-0187 11', ['US'], '212-555-0187'],
    ['11 212-555-0187 11', ['US'], '212-555-0187'],
    ['11-212-555-0187 11', ['US'], null],
    ['11 212-555-0187-11', ['US'], null],
    // One whose groups are separated in different ways has no neighbours at all.
    ['(212) 555-0187', ['US'], '(212) 555-0187'],
    ['11 (212) 555-0187', ['US'], null],
    ['(212) 555-0187 11', ['US'], null],
    ['11 (212) 555-0187 11', ['US'], null],
    ['tel 11 (212) 555-0187', ['US'], '11 (212) 555-0187'],
    ['call +49 30 12345678 or +49 89 12345678', [], '+49 30 12345678'],
  ] as const)
    test(`${text} in ${regions.join() || 'no region'}: ${phone ?? 'none'}`, () => {
      const found = findPii(text, { regions }).filter(({ kind }) => kind === 'phone')
      const first = found[0]
      assert.equal(first === undefined ? null : text.slice(first.start, first.end), phone)
    })

  test('every number of a list is found, and each keeps its own identity', () => {
    const found = findPii('tel +49 30 12345678, 0049 89 12345678 / +1 212 555 0187')
    assert.deepEqual(
      found.map(({ identity }) => identity),
      ['+493012345678', '+498912345678', '+12125550187'],
    )
  })
})

describe('runs of digits', () => {
  for (const [text, runs] of [
    ['123456', []],
    ['1234567', ['1234567']],
    ['12 34-56.78', ['12 34-56.78']],
    ['1234567    7654321', ['1234567', '7654321']],
    ['a1234567', []],
    ['_1234567', []],
    ['1234567a', []],
    ['1234567x12', ['1234567']],
    ['1234567x', []],
    ['a-1234567', []],
    ['a/1234567', []],
    ['a@1234567', []],
    ['a 1234567', ['1234567']],
    [' -1234567', ['1234567']],
    ['1234567-a', []],
    ['1234567@a', []],
    ['1234567-', ['1234567']],
    ['1234567.a', ['1234567']],
  ] as const)
    test(`${JSON.stringify(text)} has ${runs.join(', ') || 'none'}`, () =>
      assert.deepEqual(
        digitRuns(text).map(({ start, end }) => text.slice(start, end)),
        runs,
      ))

  for (const [text, plus] of [
    ['+1234567', true],
    ['+ 1234567', true],
    ['+ (1234567', true],
    ['+  1234567', false],
    ['1234567', false],
  ] as const)
    test(`${JSON.stringify(text)} is written ${plus ? 'with' : 'without'} a plus`, () =>
      assert.equal(digitRuns(text)[0]?.plus, plus))

  const windows = (text: string, least: number, most: number, only?: number) =>
    digitRuns(text).flatMap((run) => [...digitWindows(text, run, least, most, only)])
  test('windows are all neighbouring groups with so many digits', () => {
    const text = '12 34 567'
    assert.deepEqual(
      windows(text, 4, 7).map(({ digits }) => digits),
      ['1234', '1234567', '34567'],
    )
    assert.deepEqual(
      windows(text, 4, 6).map(({ digits }) => digits),
      ['1234', '34567'],
    )
    assert.deepEqual(
      windows(text, 1, 7, 1).map(({ digits }) => digits),
      ['34', '34567'],
    )
    assert.deepEqual(
      windows(text, 5, 5).map(({ first, last, start, end, shape }) => [first, last, start, end, shape]),
      [[1, 2, 3, 9, '2-3']],
    )
  })
  for (const [text, separator] of [
    ['1234567', ''],
    ['12 34567', ' '],
    ['12-34-567', '-'],
    ['12-34 567', undefined],
    ['12-34 56-7', undefined],
    ['12 - 34 - 567', ' - '],
  ] as const)
    test(`${text} is separated by ${JSON.stringify(separator)}`, () =>
      assert.equal(windows(text, 7, 7)[0]?.separator, separator))
})
