import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { calledHow, placeOf } from '../../src/policy/approval/standing-rules.ts'
import { isOrdinaryVariable } from '../../src/policy/ordinary-variable.ts'
import { stricterPii } from '../../src/policy/pii/pii-handling.ts'
import { piiKeyState, readPiiKey } from '../../src/policy/pii/pii-key.ts'
import { parseSecretGrant, secretGranted } from '../../src/policy/secret-grant.ts'
import { policyFor } from '../../src/policy/signature-policy.ts'

describe('the identity of a tool in a standing rule', () => {
  const binding = { operation: 'a' }
  test('a tool without method and binding is called by its endpoint alone', () => {
    assert.equal(calledHow({ name: 't', endpoint: 'https://a.example' }), undefined)
    assert.deepEqual(placeOf({ name: 't' }), {})
    assert.deepEqual(placeOf({ name: 't', endpoint: 'https://a.example' }), { endpoint: 'https://a.example' })
  })
  test('method and binding each distinguish two ways of calling', () => {
    const ways = [
      calledHow({ name: 't', method: 'GET' }),
      calledHow({ name: 't', method: 'POST' }),
      calledHow({ name: 't', binding }),
      calledHow({ name: 't', method: 'GET', binding }),
    ]
    for (const way of ways) assert.match(way ?? '', /^[0-9a-f]{64}$/)
    assert.equal(new Set(ways).size, 4)
    assert.deepEqual(Object.keys(placeOf({ name: 't', method: 'GET' })), ['called_how'])
  })
  test('the name of the tool is not part of its identity', () => {
    assert.equal(calledHow({ name: 'a', method: 'GET' }), calledHow({ name: 'b', method: 'GET' }))
  })
})

describe('secrets of tools', () => {
  for (const text of ['', '@', 'KEY', '@a.example', 'KEY@'])
    test(`${JSON.stringify(text)} is not a secret grant`, () =>
      assert.throws(() => parseSecretGrant(text), { code: 'SECRET_GRANT_INVALID', fault: 'usage' }))
  for (const [text, grant] of [
    ['K@a', { name: 'K', host: 'a' }],
    ['KEY@a.example:8443', { name: 'KEY', host: 'a.example:8443' }],
  ] as const)
    test(`${text} names a secret and a host`, () => assert.deepEqual(parseSecretGrant(text), grant))

  for (const [host, url, granted] of [
    ['a.example:443', 'https://a.example/', true],
    ['a.example:80', 'https://a.example/', false],
    ['a.example:80', 'http://a.example/', true],
    ['a.example:443', 'http://a.example/', false],
    ['a.example', 'https://a.example:8443/', true],
    ['A.Example', 'https://a.example./', true],
    ['*.example', 'https://a.example/', false],
  ] as const)
    test(`a grant for ${host} ${granted ? 'applies' : 'does not apply'} at ${url}`, () =>
      assert.equal(secretGranted('K', new URL(url), [{ name: 'K', host }]), granted))

  for (const [name, ordinary] of [
    ['PATH', true],
    ['LC_ALL', true],
    ['XDG_CONFIG_HOME', true],
    ['MY_PATH', false],
    ['PATHS', false],
    ['OPENAI_API_KEY', false],
    ['path', false],
  ] as const)
    test(`the variable ${name} ${ordinary ? 'describes the machine' : 'is treated as a secret'}`, () =>
      assert.equal(isOrdinaryVariable(name), ordinary))
})

describe('AAIF §4.9 personal data', () => {
  for (const [text, state] of [
    [undefined, 'missing'],
    ['', 'missing'],
    ['a passphrase', 'invalid'],
    ['0'.repeat(63), 'invalid'],
    ['0'.repeat(64), 'present'],
    ['AB'.repeat(32), 'present'],
    [` ${'0'.repeat(64)}\n`, 'present'],
    [Buffer.alloc(32, 1).toString('base64'), 'present'],
    [Buffer.alloc(32, 255).toString('base64url'), 'present'],
    [Buffer.alloc(31, 1).toString('base64'), 'invalid'],
    [Buffer.alloc(33, 1).toString('base64'), 'invalid'],
  ] as const)
    test(`the key ${JSON.stringify(text)} is ${state}`, () => assert.equal(piiKeyState(text), state))

  test('hexadecimal digits and Base64 are the same 32 bytes', () => {
    const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7))
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      assert.deepEqual(readPiiKey(bytes.toString(encoding)), bytes)
  })

  for (const [a, b, stricter] of [
    ['none', 'detect', 'detect'],
    ['detect', 'anonymize', 'anonymize'],
    ['anonymize', 'encrypt', 'encrypt'],
    ['encrypt', 'reject', 'reject'],
    ['none', 'reject', 'reject'],
    ['reject', 'reject', 'reject'],
  ] as const)
    test(`of ${a} and ${b}, in either order, ${stricter} is the stricter`, () => {
      assert.equal(stricterPii(a, b), stricter)
      assert.equal(stricterPii(b, a), stricter)
    })
})

describe('AAIF §12 the policy of a source', () => {
  for (const [source, policies, policy] of [
    ['/srv', {}, 'prefer'],
    ['/srv', { default: 'require' }, 'require'],
    [undefined, { default: 'ignore', sources: { '': 'require' } }, 'ignore'],
    ['/srv', { sources: { '/srv': 'require' } }, 'require'],
    ['/srv/a', { sources: { '/srv/': 'require' } }, 'require'],
    ['/srv', { sources: { '/srv/': 'require' } }, 'prefer'],
    ['/srv/a/b', { sources: { '/srv/a': 'require', '/srv': 'ignore' } }, 'require'],
    ['/srv/a/b', { sources: { '/srv': 'ignore', '/srv/a': 'require' } }, 'require'],
  ] as const)
    test(`${source} with ${JSON.stringify(policies)}: ${policy}`, () =>
      assert.equal(policyFor(source, policies as never), policy))
})
