import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Json } from '../../src/document/json.ts'
import { createRedactor } from '../../src/secret/redact.ts'

const SECRET = 'pa55/w+rd "quoted" ü?'

function redactor(value = SECRET) {
  return createRedactor(new Map([['CRM', value]]))
}

describe('createRedactor', () => {
  test('replaces a known value by its name, in text and in data, names of members included', () => {
    assert.equal(redactor().text(`a ${SECRET} b ${SECRET}`), 'a [secret CRM] b [secret CRM]')
    assert.deepEqual(redactor().json({ [`x${SECRET}`]: [1, { deep: `y${SECRET}` }] }), {
      'x[secret CRM]': [1, { deep: 'y[secret CRM]' }],
    })
  })

  test('knows the value in Base64, in URLs and inside JSON', () => {
    const { text } = redactor()
    for (const form of [
      Buffer.from(SECRET).toString('base64'),
      Buffer.from(SECRET).toString('base64url'),
      Buffer.from(SECRET).toString('hex'),
      encodeURIComponent(SECRET),
      new URLSearchParams({ q: SECRET }).toString(),
      JSON.stringify({ a: SECRET }),
    ])
      assert.match(text(`<${form}>`), /\[secret CRM\]/)
  })

  test('finds the value if it was encoded together with the text around it', () => {
    const value = 'correct-horse-battery'
    for (const before of ['', 'a', 'ab', 'abc', 'user:'])
      for (const after of ['', 'x', 'yz']) {
        const out = redactor(value).text(Buffer.from(before + value + after).toString('base64'))
        assert.match(out, /\[secret CRM\]/, `${before}|${after}`)
      }
  })

  test('a known value is removed in every place', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6, maxLength: 30 }), fc.string(), fc.string(), (value, a, b) => {
        // A mark must not be taken for the value.
        fc.pre(!'[secret CRM][redacted '.includes(value))
        const out = createRedactor(new Map([['CRM', value]])).json({ t: [a + value + b] }) as { t: string[] }
        assert.ok(out.t[0] !== a + value + b)
      }),
    )
  })

  test('a value that begins another one leaves nothing of the longer one behind', () => {
    const both = createRedactor(
      new Map([
        ['SHORT', 'abcdef'],
        ['LONG', 'abcdef-and-more'],
      ]),
    )
    assert.equal(both.text('abcdef-and-more abcdef'), '[secret LONG] [secret SHORT]')
  })

  test('finds a value that only a reader sees: with invisible characters, in wide letters, in an escape', () => {
    for (const seen of [
      'corr\u200bect-horse',
      'ｃｏｒｒｅｃｔ-horse',
      'corr%65ct-horse',
      'corr&#101;ct-horse',
    ])
      assert.equal(redactor('correct-horse').text(`a ${seen} b`), 'a [secret CRM] b', seen)
  })

  test('values shorter than six characters are not replaced', () => {
    assert.equal(redactor('12345').text('12345'), '12345')
    assert.equal(redactor('123456').text('123456'), '[secret CRM]')
  })

  test('replaces a value in a known key format, even if it is not a named secret', () => {
    const key = `ghp_${'aB3dE5gH7j'.repeat(4)}`
    assert.equal(redactor().text(`take ${key}, please`), 'take [redacted github-token], please')
    assert.deepEqual(redactor().json({ [key]: key }), {
      '[redacted github-token]': '[redacted github-token]',
    })
  })

  test('a value added later is replaced from then on', () => {
    const r = createRedactor(new Map())
    assert.equal(r.text('from-the-vault'), 'from-the-vault')
    assert.deepEqual(r.json({ 'from-the-vault': 1 }), { 'from-the-vault': 1 })
    r.add('VAULT', 'from-the-vault')
    assert.equal(r.text('from-the-vault'), '[secret VAULT]')
    assert.deepEqual(r.json({ 'from-the-vault': 1 }), { '[secret VAULT]': 1 })
  })

  test('clean data keeps its identity, and beside a change the clean parts do', () => {
    const clean = { a: [{ b: 'nothing here' }], c: 1 }
    assert.equal(redactor().json(clean), clean)
    const mixed = { clean, dirty: SECRET }
    assert.equal(redactor().json(mixed).clean, clean)
  })

  test('is idempotent', () => {
    const once = redactor().json({ a: `${SECRET} sk_live_${'aB3dE5gH'.repeat(3)}` })
    assert.equal(redactor().json(once), once)
  })

  test('a member named __proto__ stays a member', () => {
    const value = JSON.parse(`{"__proto__": ${JSON.stringify(SECRET)}}`) as Json
    assert.equal(JSON.stringify(redactor().json(value)), '{"__proto__":"[secret CRM]"}')
  })

  test('characters that mean something in patterns and replacements are taken as they are', () => {
    assert.equal(redactor('a.c$&(+x').text('a.c$&(+x abc$&(+x'), '[secret CRM] abc$&(+x')
    assert.equal(createRedactor(new Map([['$&', 'value-1']])).text('value-1'), '[secret $&]')
  })
})
