import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Grants,
  judgeAddress,
  judgeConnection,
  judgeUrl,
  parseHostGrant,
  type UrlVerdict,
} from '../../src/policy/endpoint-gate.ts'

const flags = (...hosts: string[]): Grants => ({ hosts: hosts.map((host) => parseHostGrant(host)) })
const config = (...hosts: string[]): Grants => ({
  hosts: hosts.map((host) => parseHostGrant(host, 'config')),
})
const code = (verdict: UrlVerdict) => (verdict.allowed ? 'allowed' : verdict.code)

describe('AAIF §12 connections of any scheme', () => {
  for (const [url, verdict] of [
    ['https://a.example/', 'allowed'],
    ['http://a.example/', 'allowed'],
    ['http://b.example/', 'ENDPOINT_NOT_GRANTED'],
    ['redis://a.example:6379', 'allowed'],
    ['redis://A.EXAMPLE:6379/0', 'allowed'],
    ['redis://b.example:6379', 'ENDPOINT_NOT_GRANTED'],
    ['redis://127.0.0.1:6379', 'ENDPOINT_ADDRESS_PRIVATE'],
    ['redis://0x7f.1:6379', 'ENDPOINT_ADDRESS_PRIVATE'],
    ['redis://a.example', 'ENDPOINT_URL_INVALID'],
    ['redis:///x', 'ENDPOINT_URL_INVALID'],
    ['redis:a.example', 'ENDPOINT_URL_INVALID'],
    ['redis://user@a.example:6379', 'ENDPOINT_CREDENTIALS_IN_URL'],
    ['redis://:word@a.example:6379', 'ENDPOINT_CREDENTIALS_IN_URL'],
    ['nonsense', 'ENDPOINT_URL_INVALID'],
    ['', 'ENDPOINT_URL_INVALID'],
  ] as const)
    test(`AAIF-12-01: ${JSON.stringify(url)} is ${verdict}`, () => {
      assert.equal(code(judgeConnection(url, config('a.example'))), verdict)
      const parsed = URL.parse(url)
      if (parsed !== null) assert.equal(code(judgeConnection(parsed, config('a.example'))), verdict)
    })

  test('the verdict has the normalised host, and the port', () => {
    const verdict = judgeConnection('redis://A.Example:6379/0', config('a.example'))
    assert.ok(verdict.allowed)
    assert.equal(verdict.url.host, 'a.example:6379')
    const refused = judgeConnection('redis://a.example', config('a.example'))
    assert.ok(!refused.allowed)
    assert.match(refused.reason, /scheme redis must/)
    assert.equal(refused.hint, 'write redis://HOST:PORT')
  })

  test('the refusal of a scheme names it', () => {
    const refused = judgeUrl('ftp://a.example/', config('a.example'))
    assert.ok(!refused.allowed)
    assert.match(refused.reason, /^the scheme ftp is/)
  })
})

describe('AAIF §12 hosts that a project denies', () => {
  const denied = (host: string, port?: number): Grants => ({
    ...flags('a.example', '*.a.example'),
    denied: [{ host, ...(port !== undefined && { port }) }],
  })
  for (const [url, grants, verdict] of [
    ['https://a.example/', denied('a.example'), 'ENDPOINT_DENIED'],
    ['https://a.example:8443/', denied('a.example'), 'ENDPOINT_DENIED'],
    ['https://a.example:8443/', denied('a.example', 8443), 'ENDPOINT_DENIED'],
    ['https://a.example/', denied('a.example', 8443), 'allowed'],
    ['https://a.example/', denied('a.example', 443), 'ENDPOINT_DENIED'],
    ['http://a.example/', denied('a.example', 80), 'ENDPOINT_DENIED'],
    ['https://b.a.example/', denied('*.a.example'), 'ENDPOINT_DENIED'],
    ['https://a.example/', denied('*.a.example'), 'allowed'],
    ['https://a.example/', denied('b.example'), 'allowed'],
  ] as const)
    test(`${url} with ${JSON.stringify(grants.denied)} is ${verdict}`, () =>
      assert.equal(code(judgeUrl(url, grants)), verdict))
})

describe('AAIF §12 the applicable grant', () => {
  const grantOf = (url: string, grants: Grants) => {
    const verdict = judgeUrl(url, grants)
    return verdict.allowed ? verdict.grant : verdict.code
  }
  test('a private grant takes precedence over others, the full name over a wildcard', () => {
    const [star] = config('*.a.example').hosts
    const [full] = config('b.a.example').hosts
    const [flag] = flags('*.a.example').hosts
    assert.ok(star && full && flag)
    const url = 'https://b.a.example/'
    assert.deepEqual(grantOf(url, { hosts: [star, full, flag] }), flag)
    assert.deepEqual(grantOf(url, { hosts: [star, full] }), full)
    assert.deepEqual(grantOf(url, { hosts: [star] }), star)
    assert.deepEqual(grantOf('http://b.a.example/', { hosts: [star, full] }), full)
  })

  for (const [url, grants, verdict] of [
    ['http://b.a.example/', flags('*.a.example'), 'allowed'],
    ['http://a.example/', config('a.example:80'), 'allowed'],
    ['http://a.example/', config('a.example:443'), 'ENDPOINT_NOT_GRANTED'],
    ['https://.a.example/', config('*.a.example'), 'ENDPOINT_NOT_GRANTED'],
    ['https://localhost/', flags('localhost'), 'allowed'],
    ['https://xlocalhost/', flags('xlocalhost'), 'allowed'],
    ['https://xlocalhost/', config('xlocalhost'), 'allowed'],
    ['https://x.localhost/', config('x.localhost'), 'ENDPOINT_ADDRESS_PRIVATE'],
    ['https://93.184.216.34/', config('93.184.216.34'), 'allowed'],
    ['https://93.184.216.34/', config(), 'ENDPOINT_NOT_GRANTED'],
  ] as const)
    test(`${url} with ${grants.hosts.map(({ host }) => host).join() || 'no grant'} is ${verdict}`, () =>
      assert.equal(code(judgeUrl(url, grants)), verdict))

  for (const [ip, host, port, hint] of [
    ['10.0.0.1', 'a.example', undefined, /--allow-host a\.example$/],
    ['10.0.0.1', 'A.Example.', 443, /--allow-host a\.example:443$/],
    ['169.254.169.254', 'a.example', 80, /--allow-host 169\.254\.169\.254$/],
    ['fe80::1', 'a.example', 80, /--allow-host \[fe80::1\]$/],
  ] as const)
    test(`the refusal of ${ip} for ${host} names what to allow`, () => {
      const verdict = judgeAddress(ip, host, config('a.example'), port)
      assert.ok(!verdict.allowed)
      assert.match(verdict.hint, hint)
    })
  test('a wildcard never allows a special address', () => {
    const star = { host: '*.254.169.254', private: true, source: 'flag' } as const
    assert.equal(code(judgeUrl('http://169.254.169.254/', { hosts: [star] })), 'ENDPOINT_ADDRESS_SPECIAL')
  })
  for (const ip of ['[::1', '::1]', '', '1.2.3', '0x7f.0.0.1'])
    test(`${JSON.stringify(ip)} is not an IP address`, () => {
      const verdict = judgeAddress(ip, 'a.example', flags('a.example'))
      assert.ok(!verdict.allowed)
      assert.equal(verdict.code, 'ENDPOINT_URL_INVALID')
    })
  test('an address as host is named once', () => {
    const verdict = judgeAddress('10.0.0.1', '10.0.0.1', config())
    assert.ok(!verdict.allowed)
    assert.match(verdict.reason, /^10\.0\.0\.1 is a private/)
  })
})

describe('hosts that an operator allows', () => {
  for (const [text, grant] of [
    ['A.example', { host: 'a.example' }],
    ['a.example:1', { host: 'a.example', port: 1 }],
    ['a.example:65535', { host: 'a.example', port: 65535 }],
    ['*.a.example:80', { host: '*.a.example', port: 80 }],
    ['[::1]', { host: '[::1]' }],
    ['localhost', { host: 'localhost' }],
  ] as const)
    test(`${text} is read`, () =>
      assert.deepEqual(parseHostGrant(text), { ...grant, private: true, source: 'flag' }))
  for (const [text, why] of [
    ['', /only a host/],
    ['a.example/', /only a host/],
    ['::1', /IPv6 address needs brackets/],
    ['a:1:2', /IPv6 address needs brackets/],
    [':80', /host cannot be parsed/],
    ['[x]', /host cannot be parsed/],
    ['*.1.2.3.4', /wildcard cannot be used/],
    ['*.com', /too broad/],
    ['a.example:65536', /1 to 65535/],
    ['a.example:0', /1 to 65535/],
    ['a.example:1e3', /1 to 65535/],
    ['a.example:', /1 to 65535/],
    ['a.example:000080', /1 to 65535/],
  ] as const)
    test(`${JSON.stringify(text)} is refused: ${why.source}`, () =>
      assert.throws(() => parseHostGrant(text), why))
})
