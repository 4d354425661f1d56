import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { JsonCleaner } from '../../src/policy/pii/clean-json.ts'
import { createPiiFinder } from '../../src/policy/pii/find-pii.ts'

const find = createPiiFinder()
const ADDRESS = 'ada.lovelace@mailboxes.org'
const CARD = '4111111111111111'
const hex = (text: string, separator: string) =>
  [...Buffer.from(text)].map((byte) => byte.toString(16)).join(separator)
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')

const TEXTS: Readonly<Record<string, readonly [text: string, kind: string]>> = {
  'a card behind a name': [`pan_${CARD}`, 'card'],
  'a card between letters': [`abc${CARD}def`, 'card'],
  'a card behind a dash and letters': [`order-${CARD}`, 'card'],
  'a card with letters at both ends': ['x4111-1111-1111-1111y', 'card'],
  'a card with underscores': ['4111_1111_1111_1111', 'card'],
  'a card with colons': ['4111:1111:1111:1111', 'card'],
  'a card with commas': ['4111,1111,1111,1111', 'card'],
  'a card on four lines': ['4111\n1111\n1111\n1111', 'card'],
  'a card of another issuer with underscores': ['3782_822463_10005', 'card'],
  'a card in markup': ['4111<b>1111</b>11111111', 'card'],
  'a card in JSON in Base64': [base64(JSON.stringify({ pan: CARD })), 'card'],
  'a card in hexadecimal': [hex(CARD, ' '), 'card'],
  'an account behind a name': ['iban_DE89370400440532013000', 'iban'],
  'an account between letters': ['xde89370400440532013000y', 'iban'],
  'an account with underscores': ['DE89_3704_0044_0532_0130_00', 'iban'],
  'an account with colons': ['DE89:3704:0044:0532:0130:00', 'iban'],
  'an address around a comment': ['ada.lovelace@<!-- -->mailboxes.org', 'email'],
  'an address in named entities': ['ada.lovelace&commat;mailboxes&period;org', 'email'],
  'an address that is escaped twice for HTML': ['ada.lovelace&amp;#64;mailboxes.org', 'email'],
  'an address that is escaped twice for a URL': ['ada.lovelace%2540mailboxes.org', 'email'],
  'an address in quoted-printable': ['ada.lovelace=40mailboxes.org', 'email'],
  'an address with a sign in octal': ['ada.lovelace\\100mailboxes.org', 'email'],
  'an address from right to left': [`\u202e${[...ADDRESS].reverse().join('')}\u202c`, 'email'],
  'an address in Base64 of UTF-16': [base64(Buffer.from(ADDRESS, 'utf16le')), 'email'],
  'an address in Base64 that touches a path': [`path/${base64(ADDRESS)}`, 'email'],
  'an address in Base64 twice': [base64(base64(ADDRESS)), 'email'],
  'an address in lines of Base64': [
    base64(`The user is ${ADDRESS} and nobody else`).replaceAll(/(.{20})/g, '$1\n'),
    'email',
  ],
  'an address at the end of a long text in Base64': [base64(`${'x'.repeat(9000)} ${ADDRESS}`), 'email'],
  'an address in hexadecimal': [hex(ADDRESS, ''), 'email'],
  'an address in hexadecimal with colons': [hex(ADDRESS, ':'), 'email'],
  'an address in decimal': [[...Buffer.from(ADDRESS)].join(', '), 'email'],
}

describe('personal data is found in every reading of a text', () => {
  for (const [how, [text, kind]] of Object.entries(TEXTS))
    test(how, () => assert.deepEqual([...new Set(find(`It is ${text} now`).map((one) => one.kind))], [kind]))

  for (const text of [
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    '9f86d0814111111111111111a0c55ad015a3bf4f',
    '550e8400-e29b-41d4-a716-4111111111111111'.slice(0, 36),
    'order_1234567890123456',
    'ts_1700000000000 src/index.ts 2026-11-28 10:30',
  ])
    test(`${text} is none`, () => assert.deepEqual(find(text), []))
})

describe('personal data is found in numbers of every form', () => {
  for (const [value, clean] of [
    [{ n: -4111111111111111 }, { n: '-[card]' }],
    [{ n: 4.111111111111111e15 }, { n: '[card]' }],
    [{ n: 4111111111111111.5 }, { n: '[card].5' }],
    [[[-4111111111111111]], [['-[card]']]],
    [{ '-4111111111111111': 1 }, { '-[card]': 1 }],
    [{ pan_4111111111111111: 1 }, { 'pan_[card]': 1 }],
    [{ phone: -4915123456789 }, { phone: '-[phone]' }],
    [
      { n: -4111111111111112, f: 0.4111 },
      { n: -4111111111111112, f: 0.4111 },
    ],
  ] as readonly (readonly [Json, Json])[])
    test(JSON.stringify(value), () =>
      assert.deepEqual(new JsonCleaner(find, ({ kind }) => `[${kind}]`).json(value, ''), clean),
    )
})
