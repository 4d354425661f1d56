import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRedactor } from '../../src/secret/redact.ts'
import { redactStream } from '../../src/session/redact-stream.ts'

function streamed(pieces: readonly string[], secrets: Record<string, string>): string[] {
  const shown: string[] = []
  const redactor = createRedactor(new Map(Object.entries(secrets)))
  const stream = redactStream(redactor, (text) => shown.push(text))
  for (const piece of pieces) stream.push(piece)
  stream.flush()
  return shown
}

test('a secret is found wherever the text is split, and no other text is changed', () => {
  const secrets = { ONE: 'zebra-quartz-71', TWO: 'correct horse battery' }
  const word = fc.oneof(
    fc.constantFrom(...Object.values(secrets)),
    fc.string({ maxLength: 8 }),
    fc.constant('\n'),
  )
  fc.assert(
    fc.property(fc.array(word), fc.array(fc.nat(12)), (words, cuts) => {
      const text = words.join(' ')
      const pieces: string[] = []
      let at = 0
      for (const cut of cuts) {
        pieces.push(text.slice(at, at + cut))
        at += cut
      }
      pieces.push(text.slice(at))
      const shown = streamed(pieces, secrets).join('')
      for (const secret of Object.values(secrets)) assert.equal(shown.includes(secret), false)
      assert.equal(shown, createRedactor(new Map(Object.entries(secrets))).text(text))
    }),
    { numRuns: 300 },
  )
})

test('a secret that is fetched while text arrives is found as well', () => {
  const shown: string[] = []
  const redactor = createRedactor(new Map())
  const stream = redactStream(redactor, (text) => shown.push(text))
  stream.push('one two ')
  redactor.add('LATE', 'correct horse battery')
  for (const piece of ['correct ', 'horse ', 'battery ', 'and more text to come']) stream.push(piece)
  stream.flush()
  assert.equal(shown.join(''), 'one two [secret LATE] and more text to come')
})

test('a secret that only a person sees is found wherever the text is split', () => {
  const secret = 'zebra-quartz-71'
  const redactor = createRedactor(new Map([['CRM', secret]]))
  for (const text of [
    `is ${secret.slice(0, 5)}\x1b[0m${secret.slice(5)} now`,
    `is ${secret.slice(0, 5)}\x1b]0;a b\x07${secret.slice(5)} now`,
    `is ${secret.slice(0, 5)}\x1b[0 q${secret.slice(5)} now`,
    `is ${[...secret].join('\u200b')} now`,
    `is ${secret.slice(0, 5)}${'\u200b'.repeat(9000)}${secret.slice(5)} now`,
    `is ${[...secret].map((letter) => `${letter}\b${letter}`).join('')} now`,
    `is ${[...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')} now`,
    `is ${[...secret].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)).join('')} now`,
  ])
    for (const size of [1, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) =>
        text.slice(n * size, (n + 1) * size),
      )
      const shown = streamed(pieces, { CRM: secret }).join('')
      assert.equal(shown, redactor.text(text))
      assert.equal(shown, 'is [secret CRM] now')
    }
})

test('text is emitted as it arrives, except for the last word', () => {
  assert.deepEqual(streamed(['one tw', 'o thr', 'ee'], {}), ['one ', 'two ', 'three'])
  assert.deepEqual(streamed(['今日は', 'いい天気'], {}), ['今日は', 'いい天気'])
})

test('an unknown key of a known format is found even if it is split between two pieces', () => {
  const shown = streamed(['Use sk-proj-0123456789abcdef', 'ghijklmnopqrstuvwxyz now'], {})
  assert.equal(shown.join('').includes('0123456789'), false)
})
