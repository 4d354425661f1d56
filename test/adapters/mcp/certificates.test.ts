import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import type { McpAddress } from '../../../src/plan/operator-settings.ts'
import { Place, start, waybill } from '../../cli/fixture.ts'
import { noCertificates, type OwnAuthority, ownAuthority, tlsFront } from '../tls-front.ts'
import { failure, openTools } from './opening.ts'
import { PEERS } from './peers.ts'

/** The reference server over both kinds of address, behind TLS with this certificate. */
async function behind(t: TestContext, authority: OwnAuthority, names: string, days?: number) {
  const certificate = authority.certify(names, days)
  const addresses = []
  for (const kind of ['streamable HTTP', 'WebSocket'] as const) {
    const peer = await (PEERS[kind] as NonNullable<(typeof PEERS)[string]>)(t)
    const plain = new URL((peer.servers.everything as McpAddress).url)
    const front = await tlsFront(t, Number(plain.port), certificate)
    const scheme = plain.protocol === 'ws:' ? 'wss' : 'https'
    addresses.push({ front, url: `${scheme}://127.0.0.1:${front.port}${plain.pathname}` })
  }
  return addresses
}

describe('AAIF §12 certificates of MCP servers', { skip: noCertificates }, () => {
  const cases = [
    [
      'of an unknown authority',
      'IP:127.0.0.1',
      2,
      false,
      /not trusted \((UNABLE|SELF)\S+\).*ca_files.*NODE_EXTRA_CA_CERTS/,
    ],
    ['for another name', 'DNS:mcp.example', 2, true, /for another name \(ERR_TLS_CERT_ALTNAME_INVALID\)/],
    ['that has expired', 'IP:127.0.0.1', -1, true, /expired or is not yet valid \(CERT_HAS_EXPIRED\)/],
  ] as const
  for (const [what, names, days, named, says] of cases) {
    test(`AAIF-12-02: a server with a certificate ${what} receives no request`, async (t) => {
      const authority = ownAuthority(t)
      for (const { front, url } of await behind(t, authority, names, days)) {
        const grants = { hosts: [], ...(named && { ca_files: [authority.file] }) }
        const { mcp, call } = openTools(t, { servers: { everything: { url } }, grants })
        const found = await mcp.discover({ name: 'x', endpoint: 'mcp://everything' })
        assert.ok(!found.found)
        assert.match(found.reason, says, url)
        await assert.rejects(call('echo'), failure('ENDPOINT_CERTIFICATE_REFUSED', 'unsent', says))
        assert.equal(front.agreed, 0)
      }
    })
  }

  test('an authority of the operator is trusted from ca_files of the configuration, and from NODE_EXTRA_CA_CERTS', async (t) => {
    const authority = ownAuthority(t)
    const place = new Place(t, {
      sc_standard: 'SC-006',
      agent: {
        name: 'Clerk',
        goal: 'Answer.',
        tools: [{ name: 'all', description: 'All.', protocol: 'mcp', endpoint: 'mcp://everything/echo' }],
      },
    })
    for (const { url } of await behind(t, authority, 'IP:127.0.0.1')) {
      const servers = `mcp_servers: { everything: { url: "${url}", start_timeout_seconds: 60 } }\n`
      place.write('plain.yaml', servers)
      place.write('office.pem', readFileSync(authority.file, 'utf8'))
      place.write('named.yaml', `ca_files: [office.pem]\n${servers}`)
      const listed = async (config: string, env: Record<string, string> = {}) => {
        const planned = start(place, ['plan', 'agent.json', '--config', config, '--json'], env)
        await planned.ended
        return JSON.parse(planned.out()).tools[0]
      }
      assert.equal((await listed('named.yaml')).gate, 'allow')
      assert.equal((await listed('plain.yaml', { NODE_EXTRA_CA_CERTS: authority.file })).gate, 'allow')
      const missed = await listed('plain.yaml')
      assert.equal(missed.gate, 'deny')
      assert.match(missed.reason, /ca_files/)
    }
  })

  test('a file in ca_files without a certificate is an error of the configuration, with its place', async (t) => {
    const place = new Place(t)
    place.write('config.yaml', 'allow_hosts: []\nca_files: [tools.mjs]\n')
    const { code, out } = await waybill(place, ['plan', 'agent.json', '--config', 'config.yaml', '--json'])
    assert.equal(code, 2)
    const { error } = JSON.parse(out)
    assert.deepEqual([error.code, error.pointer], ['CONFIG_INVALID', '/ca_files/0'])
    assert.match(error.hint, /BEGIN CERTIFICATE/)
  })
})
