import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { stdnum } from 'stdnum'
import { findLetteredId, nationalIdIn } from '../../src/policy/pii/find-national-id.ts'

// `stdnum` is the referee for check digits. It is not used at run time: see docs/decisions/0024.

const DIGIT = '0123456789'
const TAX_DIGIT = '0123456789LMNPQRSTUV'
const LETTER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** One character of each set. */
const written = (...sets: readonly string[]) =>
  fc.tuple(...sets.map((set) => fc.constantFrom(...set))).map((characters) => characters.join(''))
const digits = (count: number) => written(...Array<string>(count).fill(DIGIT))

/** Numbers up to `count - 1`, with zeros to the same length. */
function endings(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => String(n).padStart(String(count - 1).length, '0'))
}

function kindOf(id: string, shape: string, word: string): string | undefined {
  const window = { digits: id, shape, start: 0, end: id.length, first: 0, last: 0, separator: undefined }
  return nationalIdIn(window, () => word)?.kind
}

const kindOfLettered = (text: string) => findLetteredId({ text, label: '' })[0]?.kind

interface Numbers {
  readonly kind: string
  readonly front: fc.Arbitrary<string>
  /** All of them are put behind each front. */
  readonly endings: readonly string[]
  readonly kindOf: (id: string) => string | undefined
  /** Country and name of the validator in `stdnum`. */
  readonly referee: readonly [country: string, name: string]
}

const NUMBERS: readonly Numbers[] = [
  {
    kind: 'us_ssn',
    front: digits(5),
    // The last four digits of a number are never all 0.
    endings: ['0001', '1234', '9999'],
    kindOf: (id) => kindOf(id, '3-2-4', ''),
    referee: ['US', 'ssn'],
  },
  {
    kind: 'nl_bsn',
    front: digits(8).filter((front) => front !== '00000000'),
    endings: endings(10),
    kindOf: (id) => kindOf(id, '9', 'BSN'),
    referee: ['NL', 'bsn'],
  },
  {
    kind: 'pl_pesel',
    // Of people born in the last century, on days that all months have: only then is the date judged alike.
    front: fc
      .tuple(digits(2), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }), digits(4))
      .map(([year, month, day, serial]) => `${year}${two(month)}${two(day)}${serial}`),
    endings: endings(10),
    kindOf: (id) => kindOf(id, '11', 'PESEL'),
    referee: ['PL', 'pesel'],
  },
  {
    kind: 'de_tax_id',
    // One digit twice or three times, the others at most once: stdnum does not ask for that.
    front: digits(10).filter((front) => {
      const repeated = [...DIGIT].map((digit) => front.split(digit).length - 1).filter((count) => count > 1)
      return repeated.length === 1 && (repeated[0] ?? 0) <= 3
    }),
    endings: endings(10),
    kindOf: (id) => kindOf(id, '11', 'Steuer-ID'),
    referee: ['DE', 'idnr'],
  },
  {
    kind: 'fr_nir',
    // Sex and month are what they may be: stdnum does not ask for that.
    front: fc
      .tuple(fc.constantFrom('1', '2', '7', '8'), digits(2), fc.integer({ min: 1, max: 12 }), digits(8))
      .map(([sex, year, month, place]) => `${sex}${year}${two(month)}${place}`),
    endings: endings(100),
    kindOf: (id) => kindOf(id, '15', ''),
    referee: ['FR', 'nir'],
  },
  {
    kind: 'fr_nir',
    front: fc
      .tuple(digits(2), fc.integer({ min: 1, max: 12 }), fc.constantFrom('2A', '2B'), digits(6))
      .map(([year, month, place, order]) => `1${year}${two(month)}${place}${order}`),
    endings: endings(100),
    kindOf: kindOfLettered,
    referee: ['FR', 'nir'],
  },
  {
    kind: 'es_dni',
    front: digits(8),
    endings: [...LETTER],
    kindOf: kindOfLettered,
    referee: ['ES', 'dni'],
  },
  {
    kind: 'es_dni',
    front: written('XYZ', ...Array<string>(7).fill(DIGIT)),
    endings: [...LETTER],
    kindOf: kindOfLettered,
    referee: ['ES', 'nie'],
  },
  {
    kind: 'it_codice_fiscale',
    front: written(
      ...Array<string>(6).fill(LETTER),
      ...[TAX_DIGIT, TAX_DIGIT, 'ABCDEHLMPRST', TAX_DIGIT, TAX_DIGIT],
      ...[LETTER, TAX_DIGIT, TAX_DIGIT, TAX_DIGIT],
    ),
    endings: [...LETTER],
    kindOf: kindOfLettered,
    referee: ['IT', 'codicefiscale'],
  },
  {
    kind: 'uk_nino',
    front: written(LETTER, LETTER, ...Array<string>(6).fill(DIGIT)),
    endings: [...'ABCDEF'],
    kindOf: kindOfLettered,
    referee: ['GB', 'nino'],
  },
]

function two(n: number): string {
  return String(n).padStart(2, '0')
}

describe('check digits of national ids are those of stdnum', () => {
  for (const [
    index,
    {
      kind,
      front,
      endings,
      kindOf,
      referee: [country, name],
    },
  ] of NUMBERS.entries()) {
    test(`${kind}, ${country}.${name}, ${index}`, () => {
      const referee = stdnum[country]?.[name] ?? assert.fail(`stdnum has no ${country}.${name}`)
      let valid = 0
      fc.assert(
        fc.property(front, (begins) => {
          for (const end of endings) {
            const id = begins + end
            const { isValid } = referee.validate(id)
            if (isValid) valid += 1
            assert.equal(kindOf(id) === kind, isValid, id)
          }
        }),
        { numRuns: Math.ceil(6000 / endings.length), seed: 20_260_101 },
      )
      assert.ok(valid > 20, `${valid} valid numbers are too few to prove it`)
    })
  }
})

describe('a tax code of Italy', () => {
  /** With letters in place of all digits; the last letter is the check. */
  const FRONT = 'RSSMRALRTMLALMN'
  const DIGITS = [6, 7, 9, 10, 12, 13, 14]
  const complete = (front: string): string => {
    const found = [...LETTER]
      .map((check) => front + check)
      .filter((code) => kindOfLettered(code) !== undefined)
    assert.equal(found.length, 1, front)
    return found[0] as string
  }
  const spaced = (code: string) =>
    [code.slice(0, 3), code.slice(3, 6), code.slice(6, 11), code.slice(11, 15), code.slice(15)].join(' ')

  test('is found with capitals in place of all its digits', () => {
    const code = complete(FRONT)
    for (const form of [code, spaced(code)])
      assert.equal(kindOfLettered(`of ${form}, he says`), 'it_codice_fiscale', form)
  })

  for (const at of DIGITS)
    test(`is found with its only digit at ${at}, in each case, with and without spaces`, () => {
      const code = complete(`${FRONT.slice(0, at)}5${FRONT.slice(at + 1)}`)
      for (const form of [code, spaced(code), code.toLowerCase(), spaced(code).toLowerCase()])
        assert.equal(kindOfLettered(`of ${form}, he says`), 'it_codice_fiscale', form)
    })
})
