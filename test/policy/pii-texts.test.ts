import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { foldDecoded } from '../../src/document/seen-text.ts'
import { countsText, JsonCleaner } from '../../src/policy/pii/clean-json.ts'
import { createPiiFinder, findPii } from '../../src/policy/pii/find-pii.ts'
import { wordsBefore } from '../../src/policy/pii/pii-finding.ts'
import { sealValue } from '../../src/policy/pii/sealed-value.ts'

const found = (text: string, options = {}) => findPii(text, options).map(({ kind, value }) => [kind, value])

describe('RFC 5321 addresses', () => {
  const label = 'a'.repeat(63)
  for (const [text, address] of [
    ['<ada@a.example>', 'ada@a.example'],
    ['ada@a.example.', 'ada@a.example'],
    ['ada@a.example.Thanks', 'ada@a.example'],
    ['ada@A.Example', 'ada@A.Example'],
    ['.-ada@a.example', 'ada@a.example'],
    ['x "ada l"@a.example', '"ada l"@a.example'],
    ['ada"@a.example', null],
    ['@a.example', null],
    ['ada@example', null],
    ['ada@a.b', null],
    ['ada@a.12', null],
    ['ada@-a.example', null],
    ['ada@a..example', null],
    ['ada@a.xn--p1ai', 'ada@a.xn--p1ai'],
    [`ada@${label}.example`, `ada@${label}.example`],
    [`ada@${label}a.example`, null],
    [`${'b'.repeat(64)}@a.example`, `${'b'.repeat(64)}@a.example`],
    ['git@a.example:b', null],
    ['git@a.example', 'git@a.example'],
    ['hub@a.example:b', 'hub@a.example'],
    ['ada (at) a.example', 'ada (at) a.example'],
    ['ada at a.example', null],
    ['ada at a dot example', 'ada at a dot example'],
    ['ada (at) a (dot) zzz', null],
    ['meet at a dot com', 'meet at a dot com'],
    [' (at) a.example', null],
    ['ada arroba a punto es', null],
    ['ada [arroba] a punto es', 'ada [arroba] a punto es'],
    ['ada (arroba) a.es', 'ada (arroba) a.es'],
    ['ada @ a.example', 'ada @ a.example'],
    ['ada AT a DOT example', 'ada AT a DOT example'],
    ['ada at a punkt example', 'ada at a punkt example'],
    ['ada at a punto example', 'ada at a punto example'],
    ['123456: ada at a . example', 'ada at a . example'],
  ] as const)
    test(`${text}: ${address ?? 'no address'}`, () => {
      const [first] = findPii(text).filter(({ kind }) => kind === 'email')
      assert.equal(first === undefined ? null : text.slice(first.start, first.end), address)
    })
})

describe('account numbers and network addresses', () => {
  for (const [text, part] of [
    ['DE89370400440532013000', 'DE89370400440532013000'],
    ['de89 3704 0044 0532 0130 00', 'de89 3704 0044 0532 0130 00'],
    ['DE89-3704.0044/0532 0130 00', 'DE89-3704.0044/0532 0130 00'],
    ['DE89   370400440532013000', null],
    ['DE89_370400440532013000', 'DE89_370400440532013000'],
    ['DE893704004405320130001', null],
    ['DE8937040044053201300', null],
    ['XDE89370400440532013000', 'DE89370400440532013000'],
    ['ZZ89370400440532013000', null],
    ['NO9386011117947', 'NO9386011117947'],
  ] as const)
    test(`${text}: ${part ?? 'no IBAN'}`, () => {
      const [first] = findPii(text).filter(({ kind }) => kind === 'iban')
      assert.equal(first === undefined ? null : text.slice(first.start, first.end), part)
    })

  for (const [text, part, own] of [
    ['1.2.3.4', '1.2.3.4', false],
    ['1.2.3.256', null, false],
    ['1.2.3.4.5', null, false],
    ['version 1.2.3.4', null, false],
    ['10.0.0.1', null, false],
    ['10.0.0.1', '10.0.0.1', true],
    ['172.15.0.1', '172.15.0.1', false],
    ['172.16.0.1', null, false],
    ['2001:db8::1', '2001:db8::1', false],
    ['2001:DB8::1:2.', '2001:DB8::1:2', false],
    ['2001:db8:1::', '2001:db8:1::', false],
    ['2001::1', null, false],
    ['fe80::1:2', null, false],
    ['fe80::1:2', 'fe80::1:2', true],
    ['12:34:56', null, false],
  ] as const)
    test(`${text}${own ? ' with private ones' : ''}: ${part ?? 'no address'}`, () => {
      const [first] = findPii(text, { private_ips: own }).filter(({ kind }) => kind === 'ip')
      assert.equal(first?.value ?? null, part)
    })
})

describe('normalised texts', () => {
  for (const [text, folded] of [
    ['plain\ttext\n', 'plain\ttext\n'],
    ['a\u200bb', 'ab'],
    ['a\u0000b', 'ab'],
    ['\uff21\uff11', 'A1'],
    ['a\u00a0b\u2003c', 'a b c'],
    ['a\u2013b\u2212c', 'a-b-c'],
    ['a。b․c', 'a.b.c'],
    ['\u0660\u0665\u0669', '059'],
    ['\u0966\u096f', '09'],
    ['𝟎𝟗', '09'],
    ['😀é', '😀é'],
    ['%40%7e%41', '@~A'],
    ['%7f%1f%80%4', '%80%4'],
    ['&#64;&#x40;&commat;&period;', '@@@.'],
    ['&#10;&#233;&#64', '\né@'],
    ['\\u0040\\x40', '@@'],
    ['\\u00e9\\n & %', 'é\n & %'],
    ['é & 5 % \\', 'é & 5 % \\'],
  ] as const)
    test(`${JSON.stringify(text)} reads ${JSON.stringify(folded)}`, () =>
      assert.equal(foldDecoded(text).text, folded))

  test('offsets refer to the original text', () => {
    const text = 'a😀%40\u200bb'
    const { text: folded, start, end } = foldDecoded(text)
    assert.equal(folded, 'a😀@b')
    assert.deepEqual([start(0), end(0)], [0, 1])
    assert.deepEqual([start(1), end(2)], [1, 3])
    assert.deepEqual([start(3), end(3)], [3, 6])
    assert.deepEqual([start(4), end(4)], [7, 8])
    assert.deepEqual([start(9), end(9)], [8, 8])
    const { start: from, end: to } = foldDecoded('ab')
    assert.deepEqual([from(1), to(1)], [1, 2])
  })

  for (const [label, start, length, words] of [
    ['', 6, 40, 'hello '],
    ['homePhone', 6, 40, 'home Phone: hello '],
    ['home_phone-no', 0, 40, 'home phone no: '],
    ['x', 6, 3, 'lo '],
    ['x', 6, 6, 'x: hello '],
  ] as const)
    test(`the words before ${start} of a text called ${label || 'nothing'} are ${words}`, () =>
      assert.equal(wordsBefore({ text: 'hello world', label }, start, length), words))
})

describe('positions of findings', () => {
  test('names follow a title or a greeting', () => {
    const names = (text: string) => found(text, { names: true })
    assert.deepEqual(names('Dear Ada Lovelace, hello'), [['name', 'Ada Lovelace']])
    assert.deepEqual(names('Frau Dr. Ada von Lovelace'), [['name', 'Ada von Lovelace']])
    assert.deepEqual(names('Herr Prof. Dr. Müller'), [['name', 'Müller']])
    assert.deepEqual(names('Mr. Smith'), [['name', 'Smith']])
    assert.deepEqual(names('dear ada'), [])
  })

  test('a sealed value is not searched, but the text around it is', () => {
    const sealed = sealValue('ada@a.example', Buffer.alloc(32, 1))
    const options = { patterns: [{ name: 'any', regex: 'pii|v2|==' }] }
    assert.deepEqual(found(`${sealed}`, options), [])
    assert.deepEqual(found(`v2 ${sealed} ==`, options), [
      ['any', 'v2'],
      ['any', '=='],
    ])
    assert.deepEqual(found(`v2${sealed}==`, options).length, 2)
    assert.deepEqual(found('pii:v2:x', options), [
      ['any', 'pii'],
      ['any', 'v2'],
    ])
  })

  test('an encoded word is personal data as a whole', () => {
    const word = Buffer.from('to ada@a.example').toString('base64')
    assert.deepEqual(found(`x ${word} y`), [['email', word]])
    assert.deepEqual(found(`x ${Buffer.from('nothing in here').toString('base64')} y`), [])
    // Text between bytes that are not text.
    for (const byte of [1, 0xff]) {
      const mixed = Buffer.concat([Buffer.from([byte]), Buffer.from('to ada@a.example')]).toString('base64')
      assert.deepEqual(found(mixed), [['email', mixed]])
    }
    const lines = Buffer.from('to\r\n\tada@a.example').toString('base64')
    assert.deepEqual(found(lines), [['email', lines]])
  })

  test('an empty match of a pattern is not a finding', () => {
    assert.deepEqual(found('aab', { patterns: [{ name: 'a', regex: 'a*' }] }), [['a', 'aa']])
  })
})

describe('cleaning of values', () => {
  const clean = (value: unknown) => {
    const cleaner = new JsonCleaner(createPiiFinder(), ({ kind }) => `[${kind}]`)
    const result = cleaner.json(value as never, '')
    return { result, counts: cleaner.counts(), total: cleaner.total() }
  }
  for (const [value, cleaned, places] of [
    ['a@b.co', '[email]', ['']],
    ['x a@b.co y c@d.co z', 'x [email] y [email] z', ['']],
    [['a@b.co', 'x', 'c@d.co'], ['[email]', 'x', '[email]'], ['/*']],
    [{ a: 'a@b.co', b: 1 }, { a: '[email]', b: 1 }, ['/a']],
    [{ 'a/b~c': 'a@b.co' }, { 'a/b~c': '[email]' }, ['/a~1b~0c']],
    [{ 'a@b.co': 'c@d.co' }, { '[email]': '[email]' }, ['/*']],
    [{ 'a@b.co': true }, { '[email]': true }, ['/*']],
    [{ 'a@b.co': null, x: 1 }, { '[email]': null, x: 1 }, ['/*']],
    [{ card: 4111111111111111 }, { card: '[card]' }, ['/card']],
    [{ phone: 2125550187 }, { phone: '[phone]' }, ['/phone']],
    [{ phone: [2125550187] }, { phone: ['[phone]'] }, ['/phone/*']],
  ] as const)
    test(`${JSON.stringify(value)} becomes ${JSON.stringify(cleaned)}`, () => {
      const { result, counts } = clean(value)
      assert.deepEqual(result, cleaned)
      assert.deepEqual(
        counts.map(({ at }) => at),
        places,
      )
    })

  test('a value without personal data is returned by reference', () => {
    for (const value of [{ a: ['x', 1, null, true, { b: 'longer text' }], n: 12345678901 }, ['x'], 1.5]) {
      const { result, counts, total } = clean(value)
      assert.equal(result, value)
      assert.deepEqual(counts, [])
      assert.equal(total, 0)
    }
  })

  test('equal kinds at one place are summed, and without a replacement the text is unchanged', () => {
    const { counts, total } = clean({ a: 'a@b.co c@d.co', b: ['a@b.co', 'c@d.co', 'e@f.co'] })
    assert.deepEqual(counts, [
      { kind: 'email', at: '/a', count: 2 },
      { kind: 'email', at: '/b/*', count: 3 },
    ])
    assert.equal(total, 5)
    assert.equal(new JsonCleaner(createPiiFinder(), null).text('to a@b.co', ''), 'to a@b.co')
  })

  test('counts are written for people, at most five of them', () => {
    const counts = (n: number) =>
      Array.from({ length: n }, (_, index) => ({ kind: 'email', count: 2, at: `/${index}` }))
    assert.equal(countsText([]), '')
    assert.equal(countsText(counts(2)), '2 email (/0), 2 email (/1)')
    assert.doesNotMatch(countsText(counts(5)), /more/)
    assert.match(countsText(counts(7)), /\(\/4\), and 2 more places$/)
  })
})
