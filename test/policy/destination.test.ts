import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { destinationsIn, isDestination, keysIn } from '../../src/policy/destination/destination.ts'

describe('destinations in a value', () => {
  for (const [value, keys] of [
    ['write to Ada@X.example today', ['ada@x.example']],
    ['see https://A.example:8443/b?c', ['a.example']],
    ['see https://a.example./b', ['a.example']],
    ['see ftp:\\\\a.example\\b', ['a.example']],
    ['https://user@b.example/', ['b.example']],
    ['http://[', ['http://[']],
    ['at 10.0.0.1', ['10.0.0.1']],
    ['at [::1]', ['[::1]']],
    ['call +49 (30) 123-456', ['+4930123456']],
    ['call 0049 30 123456', ['004930123456']],
    ['to [email:12]', ['[email:12]']],
    ['read a.example', ['a.example']],
    ['nothing here', []],
    [12, []],
    [true, []],
    [null, []],
    [
      ['a@x.example', ['b@x.example']],
      ['a@x.example', 'b@x.example'],
    ],
    [{ 'a@x.example': { to: 'b@x.example' } }, ['a@x.example', 'b@x.example']],
  ] as const)
    test(`${JSON.stringify(value)} names ${keys.join(', ') || 'none'}`, () =>
      assert.deepEqual(keysIn(value as never), keys))

  test('only a host without a scheme is bare: it may be the name of a file', () => {
    const bare = (text: string) => destinationsIn(text).map((one) => one.bare)
    assert.deepEqual(bare('report.txt'), [true])
    for (const text of ['https://a.example/', 'a@x.example', '10.0.0.1', '+4930123456'])
      assert.deepEqual(bare(text), [false], text)
  })
})

describe('a text that is a destination', () => {
  for (const text of [
    'a@x.example',
    'a@x.example, b@x.example',
    'Ada <a@x.example>',
    'a@x.example (Ada)',
    'mailto:a',
    'tel:1',
    '//a.example',
    '\\\\a.example',
    'localhost:80',
    'a.example/x',
    '+49 30 123456',
    'one; a@x.example',
    'one\na@x.example',
  ])
    test(`${JSON.stringify(text)} is a destination`, () => assert.ok(isDestination(text)))
  for (const text of [
    '',
    ' ',
    '...',
    'hello',
    '12',
    'we met a@x.example yesterday',
    'see https://a.example/x for it',
    `${'a '.repeat(300)}`,
  ])
    test(`${JSON.stringify(text.slice(0, 40))} is not a destination`, () => assert.ok(!isDestination(text)))

  test('an address at the end of a long text is found', () => {
    assert.ok(isDestination(`${'word '.repeat(200)}a@x.example`))
  })
})
