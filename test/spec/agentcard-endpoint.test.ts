import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authSchemeOf, parseAgentCard } from 'waybill/spec'
import { errorsOf, having, issuesOf, plain, reached } from './agentcard-samples.ts'

describe('AgentCard §2.5: the endpoint', () => {
  test('CARD-2.5-01: protocol and url are required, auth is not', () => {
    for (const member of ['protocol', 'url']) {
      const { [member]: _left, ...rest } = plain.endpoint as Record<string, string>
      assert.deepEqual(issuesOf(having({ endpoint: rest })), [
        `error REQUIRED_MISSING /endpoint/${member} CARD-2.5-01`,
      ])
    }
    assert.deepEqual(issuesOf(plain), [])
  })
  test('CARD-2.5-02: protocol is one of five', () => {
    for (const protocol of ['websocket', 'sse', 'HTTPS', '', 'google_a2a', 'native']) {
      assert.deepEqual(
        errorsOf(reached({ protocol })).map(({ rule, pointer }) => [rule, pointer]),
        [['CARD-2.5-02', '/endpoint/protocol']],
      )
    }
    const urls = { http: 'http://a', https: 'https://a', grpc: 'grpc://a', stdio: 'stdio:a', mcp: 'mcp://a' }
    for (const [protocol, url] of Object.entries(urls))
      assert.deepEqual(issuesOf(reached({ protocol, url })), [])
  })
  test('CARD-2.5-03: the url agrees with the protocol', () => {
    const mismatch = (severity: string) => [`${severity} PROTOCOL_URL_MISMATCH /endpoint/url CARD-2.5-03`]
    for (const [protocol, url] of [
      ['https', 'http://ferry.example'],
      ['http', 'https://ferry.example'],
      ['https', 'ftp://ferry.example'],
      ['https', 'https:ferry'],
      ['http', 'urn:ferry'],
    ]) {
      assert.deepEqual(issuesOf(reached({ protocol, url } as Record<string, string>)), mismatch('error'))
    }
    assert.deepEqual(issuesOf(reached({ protocol: 'https', url: 'HTTPS://ferry.example' })), [])
    for (const [protocol, urls] of Object.entries({
      grpc: ['grpcs://a', 'http://a', 'https://a', 'dns:///a:1'],
      mcp: ['https://a', 'http://a', 'ws://a', 'wss://a', 'stdio:a'],
      stdio: ['file:///usr/bin/a', 'exec:a'],
    })) {
      for (const url of urls) assert.deepEqual(issuesOf(reached({ protocol, url })), [], `${protocol} ${url}`)
      assert.deepEqual(issuesOf(reached({ protocol, url: 'ftp://a/b' })), mismatch('warning'))
    }
  })
  test('CARD-2.5-04: auth.scheme is one of five', () => {
    for (const scheme of ['none', 'bearer', 'api_key', 'oauth2', 'mtls']) {
      assert.deepEqual(issuesOf(reached({ auth: { scheme } })), [])
    }
    for (const scheme of ['basic', 'Bearer', '', 'aws_sigv4']) {
      assert.deepEqual(issuesOf(reached({ auth: { scheme } })), [
        'error NOT_IN_ENUM /endpoint/auth/scheme CARD-2.5-04',
      ])
    }
  })
  test('CARD-2.5-05: without auth or scheme, no credential is needed', () => {
    const scheme = (endpoint: Record<string, object | null>) =>
      authSchemeOf(parseAgentCard(reached(endpoint as Record<string, null>)))
    assert.deepEqual([scheme({}), scheme({ auth: {} }), scheme({ auth: null })], ['none', 'none', 'none'])
    assert.equal(scheme({ auth: { scheme: 'mtls' } }), 'mtls')
  })
  test('a credential in a card gives a warning, never an error: the member is unknown', () => {
    const token = 'k9Qz7Lw2Xv5Rt8Yb3Nc6Md1Pf4'
    const card = reached({ auth: { scheme: 'bearer', token } })
    assert.deepEqual(issuesOf(card), ['warning SECRET_INLINE /endpoint/auth/token CARD-2.5-06'])
    assert.ok(!JSON.stringify(errorsOf(card)).includes(token))
  })
  test('CARD-5-04: url is a URI of RFC 3986 with a scheme', () => {
    const wrong = [
      ...['not a uri', '', '/agent', 'ferry.example', '//ferry.example', 'https://ferry.example/a b', '1a:b'],
      ...[
        'https://fähre.example',
        'https://ferry.example/%zz',
        'https://[::1',
        'https://[1.2]/',
        'https://a:b/',
      ],
      ...['https://a/<b>', 'https://a/{b}', 'https://a/b|c', 'https://a#b#c', 'https://', 'https:///x', ':x'],
      ...['https://a\\b', 'https://a/[b]', 'https://[fe80::1%25eth0]/', 'https://a@b@c/'],
    ]
    for (const url of wrong)
      assert.deepEqual(issuesOf(reached({ url })), ['error URL_INVALID /endpoint/url CARD-5-04'], url)
    const right = [
      ...['https://ferry.example', 'https://u@ferry.example:8443/a;b=c/d?e=f/g?h#i/?', 'https://[::1]:80/'],
      ...['https://xn--fhre-loa.example/%20', 'https://10.0.0.1', "https://a/!$&'()*+,;=:@", 'https://a:/'],
    ]
    for (const url of right) assert.deepEqual(issuesOf(reached({ url })), [], url)
  })
  test('the hint for an invalid url fits the value', () => {
    const hint = (members: Record<string, string>) => errorsOf(reached(members))[0]?.hint ?? ''
    assert.match(hint({ url: 'ferry.example' }), /with its scheme/)
    assert.match(hint({ url: 'https://fähre.example' }), /xn--/)
    assert.match(hint({ url: 'https://a/b c' }), /%20/)
    assert.match(hint({ protocol: 'stdio', url: './clerk' }), /file:\/\/\//)
    assert.match(hint({ url: 'http://ferry.example' }), /"protocol": "http"/)
  })
  test('CARD-6-02: a card may point to an MCP endpoint, and to an OpenAPI document by metadata', () => {
    const endpoint = { protocol: 'mcp', url: 'https://mcp.ferry.example/' }
    assert.deepEqual(
      issuesOf(having({ endpoint, metadata: { openapi: 'https://ferry.example/openapi.json' } })),
      [],
    )
  })
})
