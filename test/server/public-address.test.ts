import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  assertEncrypted,
  assertProtected,
  isLoopback,
  type ListenAddress,
  withinRanges,
} from '../../src/server/public-address.ts'
import { serveFake } from './served.ts'

const outcome = (act: () => void): string => {
  try {
    act()
    return 'ok'
  } catch (error) {
    return (error as { readonly code: string }).code
  }
}

describe('the address that a server listens at', () => {
  for (const [host, expected] of [
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.1.2.3', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['128.0.0.1', false],
    ['localhost.evil.test', false],
    ['', false],
  ] as const)
    test(`${JSON.stringify(host)} is ${expected ? '' : 'not '}loopback`, () =>
      assert.equal(isLoopback(host), expected))

  const open: ListenAddress = { host: '0.0.0.0', tls: true, publicUrl: 'https://w.test', trustedProxies: [] }
  for (const [name, address, first, expected] of [
    ['loopback needs nothing', { host: '127.0.0.1', tls: false, trustedProxies: [] }, 'first', 'ok'],
    ['TLS, public URL and own token', open, null, 'ok'],
    ['a proxy instead of TLS', { ...open, tls: false, trustedProxies: ['10.0.0.0/8'] }, null, 'ok'],
    ['a proxy by its address', { ...open, tls: false, trustedProxies: ['10.0.0.1', 'fd00::/8'] }, null, 'ok'],
    ['neither TLS nor proxy', { ...open, tls: false }, null, 'ADDRESS_NOT_PROTECTED'],
    ['no public URL', { host: '0.0.0.0', tls: true, trustedProxies: [] }, null, 'ADDRESS_NOT_PROTECTED'],
    ['a public URL without TLS', { ...open, publicUrl: 'http://w.test' }, null, 'ADDRESS_NOT_PROTECTED'],
    ['the first token is still valid', open, 'first', 'ADMIN_TOKEN_NOT_ROTATED'],
    ['a host name', { ...open, host: 'w.test' }, null, 'ADDRESS_NOT_PROTECTED'],
    ['a range that is none', { ...open, trustedProxies: ['10.0.0.0/99'] }, null, 'ADDRESS_NOT_PROTECTED'],
    [
      'a range that is none, at loopback',
      { host: '::1', tls: false, trustedProxies: ['all'] },
      null,
      'ADDRESS_NOT_PROTECTED',
    ],
  ] as const)
    test(name, () =>
      assert.equal(
        outcome(() => assertProtected(address, first)),
        expected,
      ),
    )
})

describe('a request through a proxy', () => {
  const isProxy = withinRanges(['10.0.0.0/8', '192.168.1.7', 'fd00::/8'])
  for (const [address, expected] of [
    ['10.0.0.0', true],
    ['10.255.255.255', true],
    ['11.0.0.0', false],
    ['192.168.1.7', true],
    ['192.168.1.8', false],
    ['::ffff:10.1.1.1', true],
    ['fd00::1', true],
    ['fe00::1', false],
    ['', false],
    ['x', false],
  ] as const)
    test(`${JSON.stringify(address)} is ${expected ? '' : 'not '}a proxy`, () =>
      assert.equal(isProxy(address), expected))

  for (const [name, peer, encrypted, protocol, expected] of [
    ['TLS of its own', '1.2.3.4', true, 'http', 'ok'],
    ['from the proxy, with TLS before it', '10.0.0.1', false, 'https', 'ok'],
    ['from the proxy, without TLS before it', '10.0.0.1', false, 'http', 'CONNECTION_UNENCRYPTED'],
    ['from elsewhere, which says that it had TLS', '1.2.3.4', false, 'https', 'CONNECTION_UNENCRYPTED'],
    ['from this machine', '127.0.0.1', false, 'http', 'ok'],
  ] as const)
    test(name, () =>
      assert.equal(
        outcome(() => assertEncrypted({ peer, encrypted, protocol }, isProxy)),
        expected,
      ),
    )

  test('counts with the address and host that the proxy names; those of others are ignored', async (t) => {
    const url = 'https://waybill.test'
    const proxied = await serveFake(t, { publicUrl: url, trustedProxies: ['127.0.0.1'] })
    const forwarded = (host: string, protocol = 'https') => ({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': protocol,
      'x-forwarded-host': host,
    })
    const status = async (site: typeof proxied, headers: Record<string, string>) =>
      (await site.send('GET', '/v1/runs', { token: site.token, headers })).status
    assert.equal(await status(proxied, forwarded('waybill.test')), 200)
    assert.equal(await status(proxied, forwarded('evil.test')), 421)
    assert.equal(await status(proxied, forwarded('waybill.test', 'http')), 403)
    const direct = await serveFake(t, { publicUrl: url })
    assert.equal(await status(direct, { ...forwarded('localhost'), host: 'evil.test' }), 421)
  })
})
