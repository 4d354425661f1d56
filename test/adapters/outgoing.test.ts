import assert from 'node:assert/strict'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createSmtpMailer } from '../../src/adapters/mail/smtp-mailer.ts'
import { createGuardedConnect } from '../../src/adapters/net/guarded-connect.ts'
import { createGuardedFetch } from '../../src/adapters/net/guarded-fetch.ts'
import { createPeerSockets } from '../../src/adapters/net/peer-sockets.ts'
import { createMessagePoster } from '../../src/adapters/net/post-message.ts'
import { tokenVerifier } from '../../src/adapters/oidc/verify-tokens.ts'
import { createOtlpSender } from '../../src/adapters/telemetry/send-otlp.ts'
import { type Grants, parseHostGrant } from '../../src/policy/endpoint-gate.ts'

/** A service of this machine, which the operator has not allowed. */
const service = createServer((socket) => {
  connections++
  socket.destroy()
})
let connections = 0
let port = 0

before(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  port = (service.address() as AddressInfo).port
})
after(() => service.close())

const NONE: Grants = { hosts: [] }
const named = (): Grants => ({ hosts: [parseHostGrant(`inside.example:${port}`, 'config')] })
/** Any name resolves to this machine. */
const lookup: NonNullable<Parameters<typeof createGuardedFetch>[0]['lookup']> = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])

const secrets = { has: () => false, get: async () => undefined }
const otlp = (protocol: 'grpc' | 'http/protobuf', grants: Grants, host = '127.0.0.1') =>
  createOtlpSender(
    { name: 'test', protocol, grants, traces: { url: `http://${host}:${port}/v1/traces`, headers: {} } },
    secrets,
  )
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Has a verifier fetch the keys of an issuer. @returns why it could not */
async function keysOf(issuer: string, jwks_url?: string): Promise<string> {
  let reason = ''
  const verify = tokenVerifier({
    issuers: [{ issuer, audience: 'waybill', algorithms: ['EdDSA'], ...(jwks_url && { jwks_url }) }],
    fetch: createGuardedFetch({ grants: NONE }),
    onFailure: (_issuer, why) => {
      reason = why
    },
  })
  const token = `${base64({ alg: 'EdDSA', kid: 'a' })}.${base64({ iss: issuer, aud: 'waybill' })}.AAAA`
  assert.equal(await verify(token), null)
  return reason
}

const later = () => AbortSignal.timeout(5000)
const allowed = (): Grants => ({
  hosts: [{ ...parseHostGrant(`127.0.0.1:${port}`, 'config'), private: true }],
})
const handoffTo = (grants: Grants, url: string) =>
  createPeerSockets(grants, { lookup })(url, { headers: {}, body: noLines(), signal: later() })
async function* noLines(): AsyncGenerator<string> {}
const mailTo = (grants: Grants, host: string) =>
  createSmtpMailer({ host, port, from: 'a@b.example', tls: 'none', grants }, { lookup })(
    { id: '1', to: 'c@d.example', subject: 's', text: 't' },
    later(),
  )

/** A kind of connection to the service. Returns or throws what says why there is none. */
const KINDS: readonly (readonly [kind: string, open: () => Promise<unknown>, reason: RegExp])[] = [
  [
    'a tool',
    () => createGuardedFetch({ grants: NONE })(`http://127.0.0.1:${port}/`),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a tool at a name that is allowed, and resolves to this machine',
    () => createGuardedFetch({ grants: named(), lookup })(`https://inside.example:${port}/`),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a socket of an extension',
    () => createGuardedConnect({ grants: NONE })(`tcp://127.0.0.1:${port}`, later()),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a socket to a name that resolves to this machine',
    () => createGuardedConnect({ grants: named(), lookup })(`tcp://inside.example:${port}`, later()),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a webhook',
    () =>
      createMessagePoster(NONE)(`http://127.0.0.1:${port}/`, { headers: {}, body: '{}', signal: later() }),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a webhook at a name that resolves to this machine',
    () =>
      createMessagePoster(named(), { lookup })(`https://inside.example:${port}/`, {
        headers: {},
        body: '{}',
        signal: later(),
      }),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a handoff over a WebSocket',
    () => handoffTo(NONE, `https://127.0.0.1:${port}/v1/handoff`),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a handoff over a WebSocket to a name that resolves to this machine',
    () => handoffTo(named(), `https://inside.example:${port}/v1/handoff`),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'a handoff over a WebSocket without TLS',
    () => handoffTo(allowed(), `http://127.0.0.1:${port}/v1/handoff`),
    /only https/,
  ],
  ['a mail', () => mailTo(NONE, '127.0.0.1'), /ENDPOINT_ADDRESS_PRIVATE/],
  [
    'a mail to a server whose name resolves to this machine',
    () => mailTo(named(), 'inside.example'),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'telemetry over HTTP',
    () => otlp('http/protobuf', NONE).send('traces', new Uint8Array(), 5000),
    /ENDPOINT_ADDRESS_PRIVATE/,
  ],
  [
    'telemetry over gRPC',
    () => otlp('grpc', NONE).send('traces', new Uint8Array(), 5000),
    /private or loopback address/,
  ],
  [
    'keys of an identity provider',
    () => keysOf('https://idp.example', `http://127.0.0.1:${port}/jwks`),
    /private or loopback address/,
  ],
  [
    'the discovery of an identity provider',
    () => keysOf(`http://127.0.0.1:${port}`),
    /private or loopback address/,
  ],
]

describe('AAIF-12-02: a service that the operator has not allowed gets no connection from', () => {
  for (const [kind, open, reason] of KINDS)
    test(kind, async () => {
      const outcome = await open().catch((error: unknown) => error)
      const { code = '', error = '' } = Object(outcome)
      const text = outcome instanceof Error ? `${code} ${outcome.message}` : `${error}${String(outcome)}`
      assert.match(text, reason)
      assert.equal(connections, 0)
    })

  test('any of them, and the same service gets one when it is allowed', async () => {
    const grants = allowed()
    await assert.rejects(createGuardedFetch({ grants })(`http://127.0.0.1:${port}/`))
    await assert.rejects(otlp('http/protobuf', grants).send('traces', new Uint8Array(), 2000))
    await mailTo(grants, '127.0.0.1')
    await assert.rejects(handoffTo(grants, `https://127.0.0.1:${port}/v1/handoff`))
    assert.equal(connections, 4)
  })
})
