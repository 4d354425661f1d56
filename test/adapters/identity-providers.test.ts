import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import { tokenVerifier } from '../../src/adapters/oidc/verify-tokens.ts'
import { identifier } from '../../src/compose/identity-providers.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { claimedPrincipal } from '../../src/platform/people/claimed-principal.ts'
import type { OidcProvider } from '../../src/settings/oidc-settings.ts'
import { readConfig } from '../../src/settings/read-config.ts'

/** An identity provider with real keys. */
class Provider {
  url = ''
  /** Paths that were requested. */
  asked: string[] = []
  down = false
  discovery: JsonObject = {}
  keys: JsonObject[] = []
  readonly #server = createServer((request, response) => {
    const path = request.url ?? ''
    this.asked.push(path)
    if (this.down) return void response.writeHead(503).end()
    if (path === '/moved')
      return void response
        .writeHead(302, { location: `${this.url.replace('127.0.0.1', 'localhost')}/jwks` })
        .end()
    const body = path.endsWith('openid-configuration') ? this.discovery : { keys: this.keys }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })

  async begin(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const provider = new Provider()
const now = () => Math.floor(Date.now() / 1000)
let key: CryptoKey
let publicKey: CryptoKey

before(async () => {
  await provider.begin()
  ;({ privateKey: key, publicKey } = await generateKeyPair('ES256', { extractable: true }))
})
after(() => provider.close())
beforeEach(async () => {
  provider.asked = []
  provider.down = false
  provider.discovery = { issuer: provider.url, jwks_uri: `${provider.url}/jwks` }
  provider.keys = [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }]
})

const claims = (more: JWTPayload = {}): JWTPayload => ({
  iss: provider.url,
  aud: 'waybill',
  sub: 'ann',
  iat: now(),
  exp: now() + 600,
  groups: ['ops'],
  ...more,
})
const sign = (payload: JWTPayload, kid = 'k1', by: CryptoKey = key) =>
  new SignJWT(payload).setProtectedHeader({ alg: 'ES256', kid }).sign(by)

const settings = (more: Partial<OidcProvider> = {}): OidcProvider => ({
  issuer: provider.url,
  audience: 'waybill',
  organisation: 'acme',
  roles: { claim: 'groups', map: { ops: ['operator', 'viewer'], boss: ['approver'] } },
  ...more,
})
const identify = (more?: Partial<OidcProvider>) => identifier([settings(more)], undefined, () => {})

describe('a token of an identity provider', () => {
  test('names a person with the organisation and the roles that the configuration maps', async () => {
    const found = await identify()(await sign(claims({ groups: ['ops', 'boss', 'other'] })))
    assert.deepEqual(found, {
      organisation: 'acme',
      user: 'ann',
      kind: 'person',
      roles: ['viewer', 'operator', 'approver'],
      until: new Date((found && Date.parse(found.until ?? '')) ?? 0).toISOString(),
    })
    assert.deepEqual(provider.asked, ['/.well-known/openid-configuration', '/jwks'])
  })

  test('is refused if anything is wrong with it', async () => {
    const other = await generateKeyPair('ES256')
    const rsa = await generateKeyPair('RS256')
    const secret = Buffer.from(await exportSPKI(publicKey))
    const check = identify()
    assert.notEqual(await check(await sign(claims())), null)
    const { sub: _sub, ...anonymous } = claims()
    const { exp: _exp, ...endless } = claims()
    const { iat: _iat, ...undated } = claims()
    for (const [name, token] of [
      ['another issuer', await sign(claims({ iss: 'https://evil.test' }))],
      ['the issuer with a slash', await sign(claims({ iss: `${provider.url}/` }))],
      ['another audience', await sign(claims({ aud: 'other' }))],
      ['no audience', await sign(claims({ aud: [] }))],
      ['expired', await sign(claims({ exp: now() - 31 }))],
      ['not valid yet', await sign(claims({ nbf: now() + 60 }))],
      ['no end', await sign(endless)],
      ['no subject', await sign(anonymous)],
      ['no time of issue', await sign(undated)],
      ['another key with the same id', await sign(claims(), 'k1', other.privateKey)],
      ['an unknown key', await sign(claims(), 'k9')],
      ['no signature', new UnsecuredJWT(claims()).encode()],
      [
        'the public key as a secret',
        await new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(secret),
      ],
      [
        'another algorithm',
        await new SignJWT(claims()).setProtectedHeader({ alg: 'RS256', kid: 'k1' }).sign(rsa.privateKey),
      ],
      [
        'changed',
        (await sign(claims())).replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify(claims({ sub: 'eve' }))).toString('base64url')}.`,
        ),
      ],
      ['no group', await sign(claims({ groups: [] }))],
      ['a group without roles', await sign(claims({ groups: ['other'] }))],
      ['groups of another form', await sign(claims({ groups: { ops: true } }))],
      ['a name of a prototype', await sign(claims({ groups: ['constructor', '__proto__'] }))],
      ['not a token', 'a.b.c'],
      ['too long', `${'a'.repeat(20_000)}.b.c`],
    ] as const)
      assert.equal(await check(token), null, name)
    assert.notEqual(
      await check(await sign(claims({ exp: now() - 20 }))),
      null,
      'within the tolerance of clocks',
    )
  })

  test('the configuration pins the algorithms; keys of another host are not used, also after a redirect', async () => {
    const token = await sign(claims())
    assert.equal(await identify({ algorithms: ['EdDSA'] })(token), null)
    assert.notEqual(await identify({ algorithms: ['ES256'] })(token), null)
    assert.equal(await identify({ jwks_url: `${provider.url}/moved` })(token), null)
    assert.notEqual(await identify({ jwks_url: `${provider.url}/jwks` })(token), null)
    for (const discovery of [
      { issuer: provider.url, jwks_uri: 'http://127.0.0.1:9/jwks' },
      { issuer: 'https://evil.test', jwks_uri: `${provider.url}/jwks` },
      { issuer: provider.url },
    ]) {
      provider.discovery = discovery
      assert.equal(await identify()(token), null)
    }
  })

  test('keys are kept, fetched again for a new one at most every 30 seconds, and used while the provider is down', async () => {
    let clock = 0
    const failures: string[] = []
    const verify = tokenVerifier({
      issuers: [{ ...settings(), algorithms: ['ES256'] }],
      fetch,
      now: () => clock,
      onFailure: (_issuer, why) => failures.push(why),
    })
    const first = await sign(claims())
    const fetches = () => provider.asked.filter((path) => path === '/jwks').length
    await Promise.all(Array.from({ length: 20 }, () => verify(first)))
    assert.equal(fetches(), 1)
    const unknown = await sign(claims(), 'k2')
    for (let n = 0; n < 20; n++) assert.equal(await verify(unknown), null)
    assert.equal(fetches(), 1, 'a flood of unknown keys')
    clock = 30_000
    provider.keys = [...provider.keys, { ...(provider.keys[0] as JsonObject), kid: 'k2' }]
    assert.notEqual(await verify(unknown), null)
    assert.equal(fetches(), 2)
    provider.down = true
    clock += 11 * 60_000
    assert.notEqual(await verify(first), null)
    assert.match(failures[0] ?? '', /503/)
    clock += 24 * 60 * 60_000
    assert.equal(await verify(first), null, 'a day later')
    provider.down = false
    clock += 30_000
    assert.notEqual(await verify(first), null)
  })
})

describe('the claims of a token', () => {
  const mapping = settings({ organisation: { claim: 'tenant', map: { t1: 'acme' } } })
  for (const [name, changed, given, expected] of [
    ['an organisation by its claim', {}, { tenant: 't1' }, 'acme ann'],
    ['an unknown organisation', {}, { tenant: 't2' }, null],
    ['no organisation', {}, {}, null],
    ['the first organisation of a list', {}, { tenant: ['x', 't1'] }, 'acme ann'],
    [
      'another claim for the user',
      { user_claim: 'email' },
      { tenant: 't1', email: 'a@b.test', email_verified: true },
      'acme a@b.test',
    ],
    [
      'an address without a verification',
      { user_claim: 'email' },
      { tenant: 't1', email: 'a@b.test' },
      'acme a@b.test',
    ],
    [
      'an address that is not verified',
      { user_claim: 'email' },
      { tenant: 't1', email: 'a@b.test', email_verified: false },
      null,
    ],
    ['a missing user', { user_claim: 'email' }, { tenant: 't1' }, null],
    ['a name of the audit log', { user_claim: 'email' }, { tenant: 't1', email: 'x@default' }, null],
    ['an empty user', { user_claim: 'email' }, { tenant: 't1', email: '' }, null],
    [
      'the longest user',
      { user_claim: 'email' },
      { tenant: 't1', email: 'a'.repeat(256) },
      `acme ${'a'.repeat(256)}`,
    ],
    ['a longer user', { user_claim: 'email' }, { tenant: 't1', email: 'a'.repeat(257) }, null],
  ] as const)
    test(`${name}: ${expected === null ? 'refused' : 'accepted'}`, () => {
      const found = claimedPrincipal({ ...mapping, ...changed }, { sub: 'ann', groups: ['ops'], ...given })
      assert.equal(found === null ? null : `${found.organisation} ${found.user}`, expected)
    })

  test('never make an admin, whatever the mapping says; the configuration refuses it', (t) => {
    const roles = { claim: 'groups', map: { ops: ['admin'], boss: ['admin', 'viewer'] } } as never
    assert.equal(claimedPrincipal({ ...settings(), roles }, { sub: 'ann', groups: ['ops'] }), null)
    assert.deepEqual(claimedPrincipal({ ...settings(), roles }, { sub: 'ann', groups: ['boss'] })?.roles, [
      'viewer',
    ])
    const folder = mkdtempSync(join(tmpdir(), 'waybill-oidc-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const config = (one: object) => {
      writeFileSync(join(folder, 'config.yaml'), JSON.stringify({ oidc: [one] }))
      return () => readConfig(folder, undefined)
    }
    assert.equal(config(settings())().oidc?.[0]?.audience, 'waybill')
    for (const wrong of [
      { roles },
      { algorithms: ['none'] },
      { algorithms: ['HS256'] },
      { algorithms: [] },
      { audience: '' },
      { issuer: 'x' },
    ])
      assert.throws(config({ ...settings(), ...wrong }), { code: 'CONFIG_INVALID' }, JSON.stringify(wrong))
  })
})
