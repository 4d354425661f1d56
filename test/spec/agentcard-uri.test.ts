import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readUri } from '../../src/spec/agentcard/uri.ts'

describe('URIs by the grammar of RFC 3986', () => {
  for (const [text, scheme, host] of [
    ['https://a.example', 'https', 'a.example'],
    ['HTTP://A.example', 'http', 'A.example'],
    ['https:host', 'https', undefined],
    ['stdio:clerk', 'stdio', undefined],
    ['a:', 'a', undefined],
    ['urn:', 'urn', undefined],
    ['x+y-1.z:b', 'x+y-1.z', undefined],
    ['mailto:ada@a.example', 'mailto', undefined],
    ['file:///opt/x', 'file', ''],
    ['http://', 'http', ''],
    ['http://:80/', 'http', ''],
    ['http://u:p@h:8080/a;b?c#d', 'http', 'h'],
    ['http://a:/', 'http', 'a'],
    // A port is any number of digits, and a name may be any escapes.
    ['http://a:99999/', 'http', 'a'],
    ['http://a%2Fb/', 'http', 'a%2Fb'],
    ['http://999.1.1.1/', 'http', '999.1.1.1'],
    ['http://[::1]:80/', 'http', '[::1]'],
    ['http://[::ffff:1.2.3.4]/', 'http', '[::ffff:1.2.3.4]'],
    ['http://[v1.x:y]/', 'http', '[v1.x:y]'],
  ] as const) {
    test(`${text} is one`, () => assert.deepEqual(readUri(text), { scheme, host }))
  }

  for (const text of [
    ...['', '#x', '/rel', '//a.example', 'a.example', ':x', '1http://a', 'ht_tp://a'],
    ...['https://a.example/a b', 'https://a.example/\n', 'http://a\nb', 'https://a.example/"', 'http://a/`'],
    ...[
      'https://a.example/é',
      'http://é.example',
      'http://a|b/',
      'http://a^b',
      'https://a<b',
      'http://a/<x>',
    ],
    ...[
      'http://a/\\b',
      'http://a\\b',
      'http://a/[x]',
      'http://a/x?[y]',
      'http://a/x#{y}',
      'x:{y}',
      'exec:run me',
    ],
    ...['http://a/%zz', 'http://a/%', 'http://a%/', 'http://a/x?%1', 'http://a/x#a#b', 'http://u@v@h/'],
    ...[
      'http://a:x/',
      'http://[::1',
      'http://[zz]/',
      'http://[1.2]/',
      'http://[v1.]/',
      'http://[fe80::1%25e]/',
    ],
  ]) {
    test(`${JSON.stringify(text)} is none`, () => assert.equal(readUri(text), undefined))
  }

  test('a text of a million characters is judged without a stack overflow', () => {
    assert.equal(readUri(`a:${'%20'.repeat(333_333)}`)?.scheme, 'a')
    assert.equal(readUri(`a:${'%20'.repeat(333_333)}%`), undefined)
  })
})
