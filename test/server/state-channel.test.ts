import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { describe, test } from 'node:test'
import { encodeDocument } from '../../src/document/encode-document.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { withinRanges } from '../../src/server/public-address.ts'
import { MAX_YAML_BYTES } from '../../src/server/read-body.ts'
import { mayCarryStates } from '../../src/server/state-channel.ts'
import { noCertificates, ownAuthority } from '../adapters/tls-front.ts'
import { definition, serveFake } from './served.ts'

const AGENT = '0198c0de-0000-7000-8000-000000000001'

/** A state by the text alone. */
const STATE: JsonObject = {
  sc_standard: 'SC-006',
  state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
  agent_id: AGENT,
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'paused',
}

/** What proxies add, each of which says that the connection began elsewhere. */
const PROXIES: readonly Readonly<Record<string, string>>[] = [
  { forwarded: 'for=203.0.113.9;proto=http' },
  { 'x-forwarded-for': '203.0.113.9' },
  { 'x-forwarded-for': '127.0.0.1' },
  { 'x-forwarded-proto': 'https' },
  { 'x-forwarded-host': 'localhost' },
  { 'X-Forwarded-Port': '443' },
  { via: '1.1 relay' },
  { 'X-Real-IP': '203.0.113.9' },
  { 'cf-connecting-ip': '203.0.113.9' },
]

type Site = Awaited<ReturnType<typeof serveFake>>

/** Uploads an agent and starts a run, whose state can be asked for. */
async function runOf({ send, token }: Site): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  await send('POST', '/v1/agents', { token, body: definition(AGENT), headers })
  return (await send('POST', `/v1/agents/${AGENT}/runs`, { token, json: {} })).json.run_id
}

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly json?: Json
  readonly ca?: string
}

/** Sends a request over a connection of its own. */
async function over(url: string, token: string, { method, path, headers = {}, json, ca }: Sent) {
  const send = url.startsWith('https:') ? tlsRequest : plainRequest
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      method,
      agent: false,
      ...(ca !== undefined && { ca }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    } as const
    const sent = send(`${url}${path}`, options, resolve)
    sent.on('error', reject).end(json === undefined ? undefined : JSON.stringify(json))
  })
  const text = (await answer.toArray()).join('')
  const body = text === '' ? {} : JSON.parse(text)
  return { status: answer.statusCode, code: body.code as string | undefined, headers: answer.headers }
}

describe('AAIF §12: an Agent State on a plaintext connection', () => {
  test('AAIF-12-15: a connection counts as one inside the machine only between two loopback addresses', () => {
    const isProxy = withinRanges(['10.0.0.0/8'])
    const arrival = { local: '127.0.0.1', encrypted: false, protocol: 'http', headers: {} }
    const allowed = (peer: string, more: object = {}, plaintext: 'never' | 'loopback' = 'loopback') =>
      mayCarryStates({ ...arrival, peer, ...more }, isProxy, plaintext)
    for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) {
      assert.equal(allowed(address), true, address)
      assert.equal(allowed('127.0.0.1', { local: address }), true, address)
      assert.equal(allowed(address, {}, 'never'), false, address)
      assert.equal(allowed(address, { encrypted: true }, 'never'), true, address)
    }
    for (const address of ['10.1.1.1', '203.0.113.9', '::ffff:10.1.1.1', 'fe80::1', '', 'localhost.evil']) {
      assert.equal(allowed(address), false, address)
      assert.equal(allowed('127.0.0.1', { local: address }), false, address)
      assert.equal(allowed(address, { encrypted: true }), true, address)
    }
    // The protocol counts only if a trusted proxy says it.
    assert.equal(allowed('10.1.1.1', { protocol: 'https' }, 'never'), true)
    assert.equal(allowed('11.1.1.1', { protocol: 'https' }), false)
    for (const headers of PROXIES) {
      const written = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      )
      assert.equal(allowed('127.0.0.1', { headers: written }), false, JSON.stringify(headers))
    }
    for (const headers of [{ host: 'localhost' }, { 'x-forwardedly': 'x' }, { vian: 'x' }, { 'x-real': 'x' }])
      assert.equal(allowed('127.0.0.1', { headers }), true, JSON.stringify(headers))
  })

  test('AAIF-12-15, AAIF-12-08: on loopback a state is served and taken, and not behind a proxy or with "never"', async (t) => {
    const site = await serveFake(t)
    const strict = await serveFake(t, { plaintextStates: 'never' })
    for (const { site: one, carries } of [
      { site, carries: true },
      { site: strict, carries: false },
    ]) {
      const url = await one.server.listen({ host: '127.0.0.1', port: 0 })
      const run = await runOf(one)
      const requests: readonly Sent[] = [
        { method: 'GET', path: `/v1/runs/${run}/state` },
        { method: 'POST', path: '/v1/states', json: STATE },
        { method: 'POST', path: '/v1/states?dry_run=true', json: STATE },
      ]
      for (const sent of requests) {
        const plain = await over(url, one.token, sent)
        if (carries) assert.notEqual(plain.code, 'TLS_REQUIRED', sent.path)
        else assert.deepEqual([plain.status, plain.code], [426, 'TLS_REQUIRED'], sent.path)
        for (const headers of PROXIES) {
          const proxied = await over(url, one.token, { ...sent, headers })
          assert.deepEqual([proxied.status, proxied.code], [426, 'TLS_REQUIRED'], JSON.stringify(headers))
          assert.match(String(proxied.headers.upgrade), /^TLS\//)
          assert.match(String(proxied.headers.connection), /upgrade/)
        }
      }
      const head = await over(url, one.token, { method: 'HEAD', path: `/v1/runs/${run}/state` })
      assert.equal(head.status, carries ? 200 : 426)
      // Other answers carry no state.
      assert.equal((await over(url, one.token, { method: 'GET', path: `/v1/runs/${run}` })).status, 200)
    }
  })

  test('AAIF-12-15: from another address a state is neither served nor taken', async (t) => {
    const site = await serveFake(t)
    const run = await runOf(site)
    const from = async (remoteAddress: string, method: 'GET' | 'POST', url: string) =>
      site.server.app.inject({
        method,
        url,
        remoteAddress,
        headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
        ...(method === 'POST' && { payload: JSON.stringify(STATE) }),
      })
    for (const [method, url] of [
      ['GET', `/v1/runs/${run}/state`],
      ['POST', '/v1/states'],
    ] as const) {
      const refused = await from('10.1.2.3', method, url)
      assert.deepEqual([refused.statusCode, refused.json().code], [426, 'TLS_REQUIRED'], url)
      assert.notEqual((await from('127.0.0.1', method, url)).json().code, 'TLS_REQUIRED', url)
    }
  })

  test('AAIF-12-15: over TLS, and behind a trusted proxy that has ended it, "never" refuses nothing', {
    skip: noCertificates,
  }, async (t) => {
    const authority = ownAuthority(t)
    const tls = await serveFake(t, { tls: authority.certify('IP:127.0.0.1'), plaintextStates: 'never' })
    const ca = readFileSync(authority.file, 'utf8')
    const url = await tls.server.listen({ host: '127.0.0.1', port: 0 })
    const path = `/v1/runs/${await runOf(tls)}/state`
    for (const headers of [{}, ...PROXIES])
      assert.equal((await over(url, tls.token, { method: 'GET', path, ca, headers })).status, 200)
    const behind = await serveFake(t, {
      publicUrl: 'https://waybill.test',
      trustedProxies: ['127.0.0.1'],
      plaintextStates: 'never',
    })
    const headers = { host: 'waybill.test', 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const json = STATE
    const inner = await behind.send('POST', '/v1/states', { token: behind.token, json, headers })
    assert.equal(inner.json.code, 'STATE_CHECKSUM_MISSING')
  })

  test('AAIF-12-08: a state with a migration token needs an encrypted connection, also on loopback', async (t) => {
    const { send, token } = await serveFake(t)
    const json = { ...STATE, provenance: { migration_token: 'x.y.z' } }
    const { status, json: problem } = await send('POST', '/v1/states', { token, json })
    assert.deepEqual([status, problem.code], [426, 'TLS_REQUIRED'])
  })
})

describe('the encodings of a state over HTTP', () => {
  test('AAIF-9-09: JSON, YAML and CBOR are taken by their media type, and others are refused with 415', async (t) => {
    const { send, token } = await serveFake(t)
    const post = (body: Uint8Array, type: string | undefined) =>
      send('POST', '/v1/states', {
        token,
        body,
        ...(type !== undefined && { headers: { 'content-type': type } }),
      })
    for (const [encoding, ...types] of [
      ['json', 'application/json', 'application/json; charset=utf-8', 'application/aaif+json'],
      ['yaml', 'application/yaml', 'Application/YAML', 'application/x-yaml', 'text/yaml; charset=utf-8'],
      ['cbor', 'application/cbor', 'application/cbor; profile="https://schemacommons.org/SC-006/cbor"'],
    ] as const)
      for (const type of types) {
        const answer = await post(encodeDocument(STATE, encoding), type)
        // The platform of this test has read the state, and looks for its checksum.
        assert.equal(answer.json.code, 'STATE_CHECKSUM_MISSING', `${type}: ${answer.text}`)
      }
    for (const type of [
      'application/vnd.msgpack',
      'text/plain',
      'application/octet-stream',
      'application/xml',
    ])
      assert.deepEqual([(await post(encodeDocument(STATE, 'json'), type)).status], [415], type)
    assert.equal((await post(encodeDocument(STATE, 'json'), undefined)).status, 415)
    // The media type counts, and not the look of the bytes.
    assert.equal((await post(encodeDocument(STATE, 'cbor'), 'application/json')).json.code, 'BODY_UNREADABLE')
    assert.equal((await post(encodeDocument(STATE, 'cbor'), 'application/yaml')).status, 400)
    assert.equal((await post(encodeDocument(['x'], 'cbor'), 'application/cbor')).json.code, 'REQUEST_INVALID')
  })

  test('other routes take JSON only', async (t) => {
    const { send, token } = await serveFake(t)
    const body = encodeDocument({ name: 'x' }, 'yaml')
    const headers = { 'content-type': 'application/yaml' }
    assert.equal((await send('POST', '/v1/tokens', { token, body, headers })).status, 415)
  })

  test('a body that would hold the server for long is refused: much YAML, and many values of CBOR', async (t) => {
    const { send, token } = await serveFake(t)
    const post = (body: Uint8Array, type: string) =>
      send('POST', '/v1/states', { token, body, headers: { 'content-type': type } })
    const long = { ...STATE, variables: { text: 'x'.repeat(MAX_YAML_BYTES) } }
    const yaml = await post(encodeDocument(long, 'yaml'), 'application/yaml')
    assert.deepEqual([yaml.status, yaml.json.code], [413, 'DOCUMENT_TOO_LARGE'])
    for (const [encoding, type] of [
      ['cbor', 'application/cbor'],
      ['json', 'application/json'],
    ] as const)
      assert.equal(
        (await post(encodeDocument(long, encoding), type)).json.code,
        'STATE_CHECKSUM_MISSING',
        type,
      )
    // {"x": [0, 0, …]} with more than a million zeros.
    const count = 1_000_001
    const many = Buffer.alloc(count + 8)
    many.set([0xa1, 0x61, 0x78, 0x9a])
    many.writeUInt32BE(count, 4)
    const refused = await post(many, 'application/cbor')
    assert.equal(refused.status, 400)
    assert.match(refused.text, /more than 1000000 values/)
  })
})
