import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { WaybillError } from '../../src/document/issue.ts'
import { type Grants, judgeAddress, judgeUrl, parseHostGrant } from '../../src/policy/endpoint-gate.ts'

const none: Grants = { hosts: [] }
const flags = (...hosts: string[]): Grants => ({ hosts: hosts.map((host) => parseHostGrant(host)) })
const config = (...hosts: string[]): Grants => ({
  hosts: hosts.map((host) => parseHostGrant(host, 'config')),
})
const code = (url: string, grants: Grants) => {
  const verdict = judgeUrl(url, grants)
  return verdict.allowed ? 'allowed' : verdict.code
}

describe('endpoint gate', () => {
  test('AAIF-12-01: an endpoint without a grant is refused, with the rule and a hint', () => {
    const verdict = judgeUrl('https://tools.example.com/search', none)
    assert.ok(!verdict.allowed)
    assert.equal(verdict.code, 'ENDPOINT_NOT_GRANTED')
    assert.equal(verdict.rule, 'AAIF-12-02')
    assert.match(verdict.hint, /--allow-host tools\.example\.com:443/)
    assert.equal(code('https://tools.example.com/search', config('tools.example.com')), 'allowed')
  })

  test('a grant with a port allows only that port, one without allows all', () => {
    assert.equal(code('https://a.example:8443/', config('a.example:8443')), 'allowed')
    assert.equal(code('https://a.example/', config('a.example:8443')), 'ENDPOINT_NOT_GRANTED')
    assert.equal(code('https://a.example/', config('a.example:443')), 'allowed')
    assert.equal(code('https://a.example:9/', config('a.example')), 'allowed')
  })

  test('a wildcard matches exactly one label', () => {
    assert.equal(code('https://b.a.example/', config('*.a.example')), 'allowed')
    assert.equal(code('https://a.example/', config('*.a.example')), 'ENDPOINT_NOT_GRANTED')
    assert.equal(code('https://c.b.a.example/', config('*.a.example')), 'ENDPOINT_NOT_GRANTED')
    assert.equal(code('https://evila.example/', config('*.a.example')), 'ENDPOINT_NOT_GRANTED')
  })

  test('hosts are compared in the form of URLs: case, punycode, trailing dot', () => {
    assert.equal(code('https://API.Example./x', config('api.example')), 'allowed')
    assert.equal(code('https://bücher.example/', config('BÜCHER.example')), 'allowed')
  })

  test('only https and http are called, and URLs must not contain credentials', () => {
    for (const url of [
      'ftp://a.example/',
      'file:///etc/passwd',
      'data:text/plain,x',
      'gopher://a.example/',
    ]) {
      assert.notEqual(code(url, flags('a.example')), 'allowed', url)
    }
    assert.equal(code('ftp://a.example/', flags('a.example')), 'ENDPOINT_SCHEME_REFUSED')
    assert.equal(code('https://u:p@a.example/', flags('a.example')), 'ENDPOINT_CREDENTIALS_IN_URL')
    assert.equal(code('https://u@a.example/', flags('a.example')), 'ENDPOINT_CREDENTIALS_IN_URL')
    assert.equal(code('not a url', flags('a.example')), 'ENDPOINT_URL_INVALID')
  })

  test('plain http needs the host by its full name', () => {
    assert.equal(code('http://a.example/', config('a.example')), 'allowed')
    assert.equal(code('http://b.a.example/', config('*.a.example')), 'ENDPOINT_PLAIN_HTTP')
    assert.equal(
      code('http://a.example/', { hosts: [parseHostGrant('a.example', 'builtin')] }),
      'ENDPOINT_PLAIN_HTTP',
    )
  })

  const PRIVATE = [
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.0x0.0x0.0x1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://127.0.0.1./',
    'http://127.255.255.254/',
    'http://%31%32%37.0.0.1/',
    'http://①②⑦.0.0.1/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://evil.localhost/',
    'http://[::1]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:10.0.0.1]/',
    'http://10.0.0.1/',
    'http://10.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.168.1.1/',
    'http://0xc0a80101/',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    'http://[fc00:1234::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::10.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::a00:1]/',
    'http://[2001:db9::5efe:10.0.0.1]/',
    'http://[2001:db9::200:5efe:c0a8:101]/',
  ]
  const SPECIAL = [
    'http://0.0.0.0/',
    'http://0/',
    'http://[::]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://0xa9fea9fe/',
    'http://2852039166/',
    'http://[::ffff:169.254.169.254]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://224.0.0.1/',
    'http://[ff02::1]/',
    'http://255.255.255.255/',
    'http://240.0.0.1/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:1::]/',
    'http://198.18.0.1/',
    'http://[::a9fe:a9fe]/',
    'http://[::8.8.8.8]/',
    'http://[::2]/',
    'http://[4000::1]/',
    'http://[e000::1]/',
    'http://[64:ff9b:1::8.8.8.8]/',
    'http://[2002:808:808::1]/',
    'http://[2001:db9::5efe:169.254.169.254]/',
    'http://[::ffff:0:7f00:1]/',
    'http://168.63.129.16/',
    'http://[::ffff:168.63.129.16]/',
    'http://[64:ff9b::168.63.129.16]/',
  ]

  test(`AAIF-12-01: ${PRIVATE.length + SPECIAL.length} spellings of internal addresses are refused without a grant`, () => {
    for (const url of PRIVATE) assert.equal(code(url, none), 'ENDPOINT_ADDRESS_PRIVATE', url)
    for (const url of SPECIAL) assert.equal(code(url, none), 'ENDPOINT_ADDRESS_SPECIAL', url)
  })

  test('a private address needs the command line; configuration and stored grants do not allow it', () => {
    for (const url of PRIVATE) {
      const host = new URL(url).hostname
      assert.equal(code(url, config(host)), 'ENDPOINT_ADDRESS_PRIVATE', url)
      assert.equal(code(url, flags(host)), 'allowed', url)
      assert.equal(code(url, flags('other.example')), 'ENDPOINT_ADDRESS_PRIVATE', url)
    }
  })

  test('a special address is allowed only by a literal grant on the command line', () => {
    for (const url of SPECIAL) {
      const host = new URL(url).hostname
      assert.equal(code(url, config(host)), 'ENDPOINT_ADDRESS_SPECIAL', url)
      assert.equal(code(url, flags(host)), 'allowed', url)
    }
    const named = judgeAddress('169.254.169.254', 'meta.example', flags('meta.example'))
    assert.ok(!named.allowed && named.code === 'ENDPOINT_ADDRESS_SPECIAL')
  })

  test('the resolved address is checked again', () => {
    const rebound = judgeAddress('127.0.0.1', 'api.example', config('api.example'), 443)
    assert.ok(!rebound.allowed)
    assert.equal(rebound.code, 'ENDPOINT_ADDRESS_PRIVATE')
    assert.match(rebound.reason, /api\.example \(127\.0\.0\.1\)/)
    assert.ok(judgeAddress('93.184.216.34', 'api.example', config('api.example'), 443).allowed)
    assert.ok(judgeAddress('10.0.0.5', 'api.example', flags('api.example'), 443).allowed)
    // The private grant is for another port than the one that is called.
    const grants = { hosts: [...config('api.example').hosts, ...flags('api.example:8080').hosts] }
    assert.equal(judgeAddress('10.0.0.5', 'api.example', grants, 443).allowed, false)
    assert.equal(judgeAddress('10.0.0.5', 'api.example', grants, 8080).allowed, true)
    assert.equal(judgeAddress('::ffff:10.0.0.5', 'api.example', config('api.example')).allowed, false)
    assert.equal(judgeAddress('nonsense', 'api.example', flags('api.example')).allowed, false)
  })

  test('NAT64 of a public address is a public address', () => {
    assert.ok(judgeAddress('64:ff9b::5db8:d822', 'api.example', config('api.example')).allowed)
  })

  test('an invalid host to allow gives the reason', () => {
    for (const text of [
      '',
      '*',
      '*.com',
      '*.1.2.3.4',
      'a.example:',
      'a.example:0',
      'a.example:99999',
      'a.example:x',
    ]) {
      assert.throws(
        () => parseHostGrant(text),
        (error) =>
          error instanceof WaybillError && error.code === 'HOST_GRANT_INVALID' && error.fault === 'usage',
        text,
      )
    }
    for (const text of [
      'https://a.example',
      'a.example/x',
      'u@a.example',
      '::1',
      'a b',
      '[::1',
      'a.*.example',
    ]) {
      assert.throws(() => parseHostGrant(text), WaybillError, text)
    }
    assert.deepEqual(parseHostGrant('[::1]:8080'), {
      host: '[::1]',
      port: 8080,
      private: true,
      source: 'flag',
    })
    assert.deepEqual(parseHostGrant('0x7f.1', 'config'), {
      host: '127.0.0.1',
      private: false,
      source: 'config',
    })
  })
})
