import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WaybillError } from '../../src/document/issue.ts'
import { JsonCleaner } from '../../src/policy/pii/clean-json.ts'
import { createPiiFinder, findPii } from '../../src/policy/pii/find-pii.ts'

function kinds(text: string, label = ''): readonly string[] {
  return createPiiFinder()(text, label).map(({ kind }) => kind)
}

describe('detection of personal data', () => {
  const found: readonly (readonly [text: string, kind: string, part: string])[] = [
    ['Write to ada.lovelace+x@mail.example.co.uk.', 'email', 'ada.lovelace+x@mail.example.co.uk'],
    ['Käthe: jörg@müller.de', 'email', 'jörg@müller.de'],
    ['"john doe"@example.com', 'email', '"john doe"@example.com'],
    ['card 4111 1111 1111 1111 ok', 'card', '4111 1111 1111 1111'],
    ['Amex 3782-822463-10005', 'card', '3782-822463-10005'],
    ['to DE89 3704 0044 0532 0130 00 please', 'iban', 'DE89 3704 0044 0532 0130 00'],
    ['GB29NWBK60161331926819', 'iban', 'GB29NWBK60161331926819'],
    ['it is 123-45-6789.', 'us_ssn', '123-45-6789'],
    ['my SSN: 123456789', 'us_ssn', '123456789'],
    ['Steuer-ID 86095742719', 'de_tax_id', '86095742719'],
    ['NIR 1 84 12 76 451 089 46', 'fr_nir', '1 84 12 76 451 089 46'],
    ['DNI 12345678Z', 'es_dni', '12345678Z'],
    ['NIE X1234567L', 'es_dni', 'X1234567L'],
    ['CF RSSMRA85T10A562S', 'it_codice_fiscale', 'RSSMRA85T10A562S'],
    ['BSN 111222333', 'nl_bsn', '111222333'],
    ['NI no. AB 12 34 56 C', 'uk_nino', 'AB 12 34 56 C'],
    ['PESEL: 44051401359', 'pl_pesel', '44051401359'],
    ['call +1 (212) 555-0187 now', 'phone', '+1 (212) 555-0187'],
    ['(212) 555-0187', 'phone', '(212) 555-0187'],
    ['Tel. 030 12345678', 'phone', '030 12345678'],
    ['from 203.0.113.9 today', 'ip', '203.0.113.9'],
    ['8.8.4.4', 'ip', '8.8.4.4'],
    ['via 2001:4860:4860::8888.', 'ip', '2001:4860:4860::8888'],
    ['abcd:4860:4860:abcd:abcd:abcd:abcd:abcd', 'ip', 'abcd:4860:4860:abcd:abcd:abcd:abcd:abcd'],
    ['abcd:abcd:abcd:abcd:abcd:abcd:abcd:abcd', 'ip', 'abcd:abcd:abcd:abcd:abcd:abcd:abcd:abcd'],
  ]
  for (const [text, kind, part] of found) {
    test(`${kind}: ${text}`, () => {
      const [finding] = findPii(text)
      assert.equal(finding?.kind, kind)
      assert.equal(text.slice(finding.start, finding.end), part)
    })
  }

  test('a number with a wrong check digit is not found', () => {
    for (const text of [
      '4111 1111 1111 1112',
      'DE88 3704 0044 0532 0130 00',
      'Steuer-ID 86095742718',
      '1 84 12 76 451 089 47',
      '12345678A',
      'RSSMRA85T10A562T',
      'BSN 111222334',
      'PESEL 44051401358',
      '000-45-6789',
    ])
      assert.deepEqual(kinds(text), [], text)
  })

  test('numbers and words that only look like personal data', () => {
    for (const text of [
      'order 123-456-7890',
      '550e8400-e29b-41d4-a716-446655440000',
      'd41d8cd98f00b204e9800998ecf8427e',
      '2024-01-15T12:30:45.123456789Z',
      '$1,234.56 and 0.123456789',
      'v1.2.3.4, Chrome/120.0.0.0',
      'ISBN 978-3-16-148410-0',
      '192.168.0.1 and ::1',
      'std::vector, ab::cd',
      'look at example.com',
      'Meet @ work. Then go.',
      '1700000000000',
      'npm i foo@1.2.3',
      'git@github.com:org/repo.git',
      'the 2023/2024 season',
      '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18',
      'internationalization_of_everything',
    ])
      assert.deepEqual(kinds(text), [], text)
  })

  test('the name of a member identifies its value', () => {
    const cleaner = new JsonCleaner(createPiiFinder(), null)
    cleaner.json(
      { homePhone: '01512 3456789', ssn: '123456789', order: '123456789', card: 4111111111111111 },
      '',
    )
    assert.deepEqual(
      cleaner.counts().map(({ at, kind }) => [at, kind]),
      [
        ['/homePhone', 'phone'],
        ['/ssn', 'us_ssn'],
        ['/card', 'card'],
      ],
    )
  })

  test('both of two findings that touch are found, and of two that overlap the earlier detector wins', () => {
    const find = createPiiFinder({
      patterns: [
        { name: 'badge', regex: 'B-\\d{4}' },
        { name: 'desk', regex: 'D-\\d{4}' },
        { name: 'both', regex: '1B-' },
      ],
    })
    const found = (text: string) => find(text).map(({ kind, value }) => [kind, value])
    assert.deepEqual(found('D-1111B-2222'), [
      ['desk', 'D-1111'],
      ['badge', 'B-2222'],
    ])
    assert.deepEqual(found('B-2222D-1111'), [
      ['badge', 'B-2222'],
      ['desk', 'D-1111'],
    ])
    assert.deepEqual(found('1B-2222'), [['badge', 'B-2222']])
  })

  test('counts are kept for 50 places; counts of further places are summed', () => {
    const cleaner = new JsonCleaner(createPiiFinder(), null)
    const people = Object.fromEntries(
      Array.from({ length: 53 }, (_, index) => [`p${index}`, `person${index}@example.com`]),
    )
    cleaner.json(people, '')
    const counts = cleaner.counts()
    assert.equal(counts.length, 51)
    assert.deepEqual(counts.at(49), { kind: 'email', at: '/p49', count: 1 })
    assert.deepEqual(counts.at(50), { kind: 'email', at: '…', count: 3 })
  })

  test('names and private addresses only on request', () => {
    assert.deepEqual(kinds('My name is Ada Lovelace, at 10.0.0.7'), [])
    const all = createPiiFinder({ names: true, private_ips: true })
    assert.deepEqual(
      all('My name is Ada Lovelace, at 10.0.0.7').map(({ kind, value }) => [kind, value]),
      [
        ['name', 'Ada Lovelace'],
        ['ip', '10.0.0.7'],
      ],
    )
  })

  test("the operator's own patterns, in linear time", () => {
    const find = createPiiFinder({ patterns: [{ name: 'member_no', regex: 'M-[0-9]{4}' }] })
    assert.deepEqual(
      find('ask M-1234').map(({ kind, value }) => [kind, value]),
      [['member_no', 'M-1234']],
    )
    const evil = createPiiFinder({ patterns: [{ name: 'evil', regex: '(a+)+b' }] })
    assert.deepEqual(evil('a'.repeat(20_000)), [])
    assert.throws(
      () => createPiiFinder({ patterns: [{ name: 'x', regex: '(' }] }),
      (error) => error instanceof WaybillError && error.code === 'PII_PATTERN_INVALID',
    )
  })
})

describe('disguises', () => {
  const disguised: readonly (readonly [how: string, text: string, kind: string])[] = [
    ['zero-width characters', 'a\u200bda@exam\u200dple.c\ufeffom', 'email'],
    ['soft hyphens', 'ada@exam\u00adple.com', 'email'],
    ['full-width letters', 'ａｄａ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'email'],
    ['written out', 'ada (at) example (dot) com', 'email'],
    ['written out in words', 'ada at example dot com', 'email'],
    ['brackets and a dot', 'ada [at] example.com', 'email'],
    ['set apart', 'ada @ example . com', 'email'],
    ['URL escapes', 'u=ada%40example.com', 'email'],
    ['HTML escapes', 'ada&#64;example&period;com', 'email'],
    ['a named HTML escape', 'ada&commat;ex.com', 'email'],
    ['German words', 'ada at example punkt de', 'email'],
    ['Spanish words', 'ada at example punto es', 'email'],
    ['a space in the country', 'D E89370400440532013000', 'iban'],
    ['a space after the country', 'DE 89370400440532013000', 'iban'],
    ['a space in the check digits', 'DE8 9370400440532013000', 'iban'],
    ['string escapes', 'ada\\u0040example.com', 'email'],
    ['Base64', `token ${Buffer.from('mail: ada@example.com').toString('base64')} end`, 'email'],
    ['Base64 for URLs', Buffer.from('who? ada@example.com!?>').toString('base64url'), 'email'],
    ['full-width digits', '４１１１１１１１１１１１１１１１', 'card'],
    ['dots between digits', '4.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1', 'card'],
    ['no-break spaces', '4111\u00a01111\u00a01111\u00a01111', 'card'],
    ['invisible separators', '4111\u200b1111\u200b1111\u200b1111', 'card'],
    ['typographic dashes', '123–45–6789', 'us_ssn'],
    ['spaces between digits', 'SSN 1 2 3 4 5 6 7 8 9', 'us_ssn'],
    ['Arabic digits', '٠٦ ١٢ ٣٤ ٥٦ ٧٨', 'phone'],
    ['lower case and dots', 'de89.3704.0044.0532.0130.00', 'iban'],
    ['mathematical digits', '𝟏𝟐𝟑-𝟒𝟓-𝟔𝟕𝟖𝟗', 'us_ssn'],
  ]
  for (const [how, text, kind] of disguised) {
    test(how, () => {
      const cleaner = new JsonCleaner(createPiiFinder(), () => '#')
      const clean = cleaner.text(text, '')
      assert.deepEqual(
        cleaner.counts().map((count) => count.kind),
        [kind],
      )
      // Offsets lead back to the text as it is written: only the data is gone.
      assert.match(clean, /^(?:SSN |token |u=)?#(?: end)?$/)
    })
  }

  test('different spellings are the same data, and escaped text is restored exactly', () => {
    const [a] = findPii('Ada@Example.com')
    const [b] = findPii('ada (at) example (dot) com')
    const [c] = findPii('to=ada%40example.com')
    assert.equal(a?.identity, b?.identity)
    assert.equal(c?.value, 'ada%40example.com')
    assert.equal(findPii('4111 1111 1111 1111')[0]?.identity, findPii('4111-1111-1111-1111')[0]?.identity)
  })
})

describe('cost', () => {
  test('hostile texts are read, and hold no personal data', () => {
    const size = 60_000
    for (const piece of [
      '@',
      'a@',
      '1 ',
      '1',
      '1-',
      '+1',
      'a.',
      '(at)',
      ' at ',
      'DE8',
      ':a',
      '%4',
      'A',
      '\u200b',
      '1.',
      ' dot a',
    ]) {
      assert.deepEqual(findPii(piece.repeat(size / piece.length)), [], JSON.stringify(piece))
    }
  })
})
