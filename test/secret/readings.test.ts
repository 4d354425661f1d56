import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import { createRedactor } from '../../src/secret/redact.ts'
import { redactStream } from '../../src/session/redact-stream.ts'

const KEY = 'zebra-quartz-71'
const redactor = createRedactor(
  new Map([
    ['KEY', KEY],
    ['PIN', '48151623421'],
    ['PHRASE', 'correct horse battery staple'],
    ['LONG', '48151623421081516234'],
    ['NAME', 'pässwörtchen'],
    ['SHORT', 'abc123'],
  ]),
)

const bytes = Buffer.from(KEY)
const wide = Buffer.from(KEY, 'utf16le')
const turned = Buffer.from(wide).swap16()
const base64 = (text: string | Buffer) => Buffer.from(text as string).toString('base64')
const hex = [...bytes].map((byte) => byte.toString(16))
const list = (radix: number, size: number, prefix: string, separator: string) =>
  [...bytes].map((byte) => prefix + byte.toString(radix).padStart(size, '0')).join(separator)

const FORMS: Readonly<Record<string, string>> = {
  'in capitals': KEY.toUpperCase(),
  'on two lines': 'zebra-\nquartz-71',
  'with an indented second line': 'zebra-quartz\r\n    -71',
  'with other spaces': 'correct  horse\u00a0battery\n staple',
  'without its spaces': 'correcthorsebatterystaple',
  'with two spaces, in Base64': base64('correct  horse battery staple'),
  'in Base64': base64(bytes),
  'in Base64, in groups': base64(bytes).replaceAll(/(.{4})/g, '$1 '),
  'in Base64, in lines': base64(`${'x'.repeat(40)}${KEY}${'y'.repeat(40)}`).replaceAll(/(.{60})/g, '$1\r\n'),
  'in Base64 that touches a path': `path/${base64(bytes)}`,
  'in Base64 of UTF-16': base64(wide),
  'in Base64 of UTF-16 in the other order': base64(turned),
  'in Base64 of UTF-16 with its mark': base64(Buffer.concat([Buffer.from([255, 254]), wide])),
  'in Base64 twice': base64(base64(bytes)),
  'in hexadecimal in Base64': base64(bytes.toString('hex')),
  'in Base64 in hexadecimal': Buffer.from(base64(bytes)).toString('hex'),
  'in JSON in Base64': base64(JSON.stringify({ basic: base64(`user:${KEY}`) })),
  'in Base32': 'PJSWE4TBFVYXKYLSOR5C2NZR',
  'in hexadecimal with colons': hex.join(':'),
  'in hexadecimal with spaces, in capitals': hex.join(' ').toUpperCase(),
  'in hexadecimal with dashes': hex.join('-'),
  'in hexadecimal on lines': hex.join('\n'),
  'in hexadecimal of both cases': bytes.toString('hex').replaceAll('a', 'A'),
  'in hexadecimal in groups of four': bytes.toString('hex').replaceAll(/(.{4})/g, '$1 '),
  'in hexadecimal that a digit touches': `f${bytes.toString('hex')}`,
  'in hexadecimal of UTF-16': wide.toString('hex'),
  'as codes of a string': list(16, 2, '\\x', ''),
  'as numbers of a program': list(16, 2, '0x', ', '),
  'as quoted numbers': hex.map((code) => `"0x${code}"`).join(', '),
  'as code points': list(16, 4, 'U+', ' '),
  'as escapes of CSS': list(16, 4, '\\', ' '),
  'as escapes of a URL': list(16, 2, '%', ''),
  'as escapes of a URL, escaped': encodeURIComponent(list(16, 2, '%', '')),
  'in octal': list(8, 0, '\\', ''),
  'in octal with three digits and spaces': list(8, 3, '', ' '),
  'in octal with a prefix': list(8, 0, '0o', ' '),
  'in decimal': list(10, 0, '', ', '),
  'in decimal with three digits each': list(10, 3, '', ''),
  'in calls of chr': [...bytes].map((byte) => `chr(${byte})`).join('.'),
  'in binary': list(2, 8, '', ' '),
  'with one letter in octal': 'zebr\\141-quartz-71',
  'with one letter in CSS': 'zebr\\61 -quartz-71',
  'in quoted-printable': 'zebra=2Dquartz=2D71',
  'in quoted-printable with a soft line break': 'zebra-qu=\nartz-71',
  'with a sign that is escaped twice for a URL': 'zebra%252Dquartz-71',
  'with a sign that is escaped twice for HTML': 'zebra&amp;#45;quartz-71',
  'with a sign as JavaScript once escaped it': 'zebra%u002dquartz-71',
  'with a sign as a spreadsheet escapes it': 'zebra_x002D_quartz-71',
  'with umlauts as entities, in capitals': 'P&Auml;SSW&Ouml;RTCHEN',
  'in markup': 'zebra-<b>quartz</b>-71',
  'around a comment': 'zebra<!-- x -->-quartz-71',
  'around a hidden element': 'zebra<template>xx</template>-quartz-71',
  'with backslashes of Markdown': 'zebra\\-quartz\\-71',
  'from right to left': `\u202e${[...KEY].reverse().join('')}\u202c`,
  'with an override in an entity': `&#8238;${[...KEY].reverse().join('')}&#8236;`,
}

describe('a known secret is found in every reading of a text', () => {
  for (const [how, form] of Object.entries(FORMS))
    test(how, () => {
      const clean = redactor.text(`Your key is ${form} okay?`)
      assert.match(clean, /\[secret (?:KEY|PHRASE|NAME)\]/)
      assert.match(clean, /^Your key is /)
      assert.ok(clean.endsWith('okay?'))
      assert.equal(redactor.text(clean), clean)
    })

  test('reversed and split texts are not found, as docs/security.md says', () => {
    for (const text of [[...KEY].reverse().join(''), 'zebra, then quartz, then 71'])
      assert.equal(redactor.text(text), text)
  })

  test('a short value is not put together from parts of words', () => {
    assert.equal(redactor.text('abc 123'), 'abc 123')
    assert.equal(redactor.text('ABC123'), '[secret SHORT]')
  })

  test('texts that look encoded and are not stay as they are', () => {
    for (const text of [
      'At 2026-11-28 10:30:45, 17 of 120 files (3.5 %) in /usr/local/lib/node_modules were 1,024 bytes.',
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
    ])
      assert.equal(redactor.text(text), text)
  })
})

describe('a known secret is found in values of every type', () => {
  for (const [value, name] of [
    [{ pin: 48151623421 }, 'PIN'],
    [{ pin: -48151623421 }, 'PIN'],
    [{ pin: 48151623.421 }, 'PIN'],
    [[[48151623421]], 'PIN'],
    [{ pin: Number('48151623421081516234') }, 'LONG'],
    [{ [KEY.toUpperCase()]: 1 }, 'KEY'],
    [{ 48151623421: null }, 'PIN'],
    [{ bytes: [...bytes] }, 'KEY'],
    [{ bytes: [...wide] }, 'KEY'],
    [{ buffer: bytes.toJSON() as unknown as Json }, 'KEY'],
    [{ letters: [...KEY] }, 'KEY'],
    [{ parts: ['zebra-', 'quartz-71'] }, 'KEY'],
  ] as readonly (readonly [Json, string])[])
    test(JSON.stringify(value), () => {
      const clean = JSON.stringify(redactor.json(value))
      assert.ok(clean.includes(`[secret ${name}]`), clean)
      for (const part of ['48151623421', '122,101', 'quartz']) assert.ok(!clean.includes(part), clean)
    })

  test('other numbers and lists are the same references', () => {
    const value = { n: [1, 2, 3, 4, 5, 6, 7], f: 0.5, big: 48151623422, words: ['a', 'b'] }
    assert.equal(redactor.json(value), value)
  })
})

describe('a known secret that is streamed', () => {
  for (const [how, text] of [
    ['in capitals', KEY.toUpperCase()],
    ['with white space', 'zebra- quartz \n -71'],
    ['with other spaces', 'Correct   horse battery\n\nstaple'],
  ] as const)
    test(`${how}, in pieces of three characters`, () => {
      let shown = ''
      const stream = redactStream(redactor, (part) => {
        shown += part
      })
      const whole = `Your key is ${text} okay?`
      for (let at = 0; at < whole.length; at += 3) stream.push(whole.slice(at, at + 3))
      stream.flush()
      assert.match(shown, /^Your key is \[secret (?:KEY|PHRASE)\] okay\?$/)
    })
})
