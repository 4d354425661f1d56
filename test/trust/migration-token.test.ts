import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { CompactSign, decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { keyIdOf } from '../../src/trust/ed25519.ts'
import {
  issueMigrationToken,
  type MigrationClaims,
  verifyMigrationToken,
} from '../../src/trust/migration-token.ts'
import { signDetached } from '../../src/trust/sign.ts'
import type { TrustedKey } from '../../src/trust/trust-store.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const kid = keyIdOf(publicKey)
const keys: TrustedKey[] = [{ name: 'sender', keyId: kid, publicKey, signsFor: {} }]
const NOW = 1_800_000_000
const claims: MigrationClaims = { iat: NOW, exp: NOW + 900, jti: 't-1', state_id: 's-1', agent_id: 'a-1' }

const check = (token: string, change: object = {}) =>
  verifyMigrationToken(token, { nowSeconds: NOW, stateId: 's-1', agentId: 'a-1', keys, ...change })
const header = { alg: 'EdDSA', kid, typ: 'aaif-migration+jwt' }
const forged = (payload: unknown, protectedHeader: object = header) =>
  new CompactSign(Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload)))
    .setProtectedHeader(protectedHeader as typeof header)
    .sign(privateKey)

describe('migration tokens', () => {
  test('say which state of which agent may be imported, and until when', async () => {
    const token = await issueMigrationToken(claims, privateKey)
    assert.deepEqual(await check(token), claims)
    assert.deepEqual(decodeJwt(token), claims)
    assert.deepEqual(await check(token, { nowSeconds: NOW + 899 }), claims)
  })

  test('end, and are for one state of one agent', async () => {
    const token = await issueMigrationToken(claims, privateKey)
    await assert.rejects(check(token, { nowSeconds: NOW + 900 }), { code: 'STATE_TOKEN_EXPIRED' })
    await assert.rejects(check(token, { stateId: 's-2' }), { code: 'STATE_TOKEN_INVALID' })
    await assert.rejects(check(token, { agentId: 'a-2' }), { code: 'STATE_TOKEN_INVALID' })
    await assert.rejects(check(token, { nowSeconds: NOW - 121 }), { code: 'STATE_TOKEN_INVALID' })
    assert.ok(await check(token, { nowSeconds: NOW - 120 }))
  })

  test('AAIF-8.2-02: live at most 15 minutes: a longer one is neither issued here, nor taken from another signer', async () => {
    const lasting = (seconds: number, iat = NOW) => ({ ...claims, iat, exp: iat + seconds })
    for (const seconds of [901, 3600, 86_400, Number.MAX_SAFE_INTEGER - NOW])
      await assert.rejects(issueMigrationToken(lasting(seconds), privateKey), { code: 'STATE_TOKEN_INVALID' })
    for (const seconds of [1, 60, 900]) {
      assert.ok(await check(await issueMigrationToken(lasting(seconds), privateKey)))
      assert.ok(await check(await forged(lasting(seconds))))
    }
    // Made by the library for JWT alone: 901 seconds, also when most of them have passed, or the times are unusable.
    const { iat: _iat, exp: _exp, ...others } = claims
    const made = (iat: number | string, exp: number | string) =>
      new SignJWT(others as JWTPayload)
        .setProtectedHeader(header)
        .setIssuedAt(iat)
        .setExpirationTime(exp)
        .sign(privateKey)
    assert.ok(await check(await made(NOW, NOW + 900)))
    for (const token of [
      await made(NOW, NOW + 901),
      await made(NOW - 800, NOW + 101),
      await made(NOW, NOW + 3600),
      await forged({ ...others, exp: NOW + 60 }),
      await forged({ ...others, iat: NOW }),
      await forged({ ...others, iat: NOW, exp: String(NOW + 60) }),
      await forged({ ...others, iat: NOW, exp: NOW }),
    ])
      await assert.rejects(check(token), { code: 'STATE_TOKEN_INVALID' }, token)
  })

  test('with a name that is written twice are refused, whichever of the two is right', async () => {
    const text = JSON.stringify(claims)
    for (const payload of [
      text.replace('{', `{"state_id":"s-9",`),
      text.replace(/\}$/, `,"state_id":${JSON.stringify(claims.state_id)}}`),
      text.replace(/\}$/, `,"\\u0065xp":${claims.exp}}`),
    ]) {
      const token = await new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(privateKey)
      await assert.rejects(check(token), { code: 'STATE_TOKEN_INVALID' }, payload)
    }
    const same = await new CompactSign(Buffer.from(text)).setProtectedHeader(header).sign(privateKey)
    assert.ok(await check(same))
  })

  test('by unknown and revoked keys are refused', async () => {
    const token = await issueMigrationToken(claims, privateKey)
    await assert.rejects(check(token, { keys: [] }), { code: 'STATE_TOKEN_UNKNOWN_SIGNER' })
    const revoked = { ...(keys[0] as TrustedKey), name: 'x', revokedAt: '2026-01-01T00:00:00Z' }
    await assert.rejects(check(token, { keys: [...keys, revoked] }), { code: 'STATE_TOKEN_REVOKED' })
  })

  test('of claims that no receiver may accept are neither issued nor taken', async () => {
    const wrong: readonly object[] = [
      { exp: NOW + 901 },
      { exp: NOW },
      { exp: NOW - 1 },
      { iat: NOW - 1000 },
      { exp: undefined },
      { iat: undefined },
      { iat: `${NOW}` },
      { exp: NOW + 900.5 },
      { iat: Number.NaN },
      { iss: 7 },
      { aud: ['x', 7] },
      { run_id: null },
      { continues: 'yes' },
      { jti: undefined },
      { jti: '' },
      { state_id: undefined },
      { agent_id: 7 },
    ]
    for (const change of wrong) {
      const bad = { ...claims, ...change } as MigrationClaims
      await assert.rejects(issueMigrationToken(bad, privateKey), { code: 'STATE_TOKEN_INVALID' })
      await assert.rejects(check(await forged(bad)), { code: 'STATE_TOKEN_INVALID' }, JSON.stringify(change))
    }
    for (const payload of ['', 'null', '[]', '"x"', '{']) {
      await assert.rejects(check(await forged(payload)), { code: 'STATE_TOKEN_INVALID' }, payload)
    }
  })

  test('with another algorithm, type or signature are refused', async () => {
    const token = await issueMigrationToken(claims, privateKey)
    const [head = '', payload = '', signature = ''] = token.split('.')
    const secret = Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }).toString())
    const symmetric = await new SignJWT({ ...claims } as JWTPayload)
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(secret)
    const none = `${Buffer.from(JSON.stringify({ ...header, alg: 'none' })).toString('base64url')}.${payload}.`
    const other = Buffer.from(JSON.stringify({ ...claims, exp: NOW + 800 })).toString('base64url')
    const bad = [
      symmetric,
      none,
      `${head}.${other}.${signature}`,
      `${head}..${signature}`,
      `${token}.`,
      `${token}=`,
      '',
      await forged(claims, { alg: 'EdDSA', kid }),
      await forged(claims, { ...header, typ: 'JWT' }),
      await forged(claims, { ...header, b64: true, crit: ['b64'] }),
      // A signature over a document that looks like claims is not a token.
      (await signDetached({ ...claims }, privateKey)).replace('..', `.${payload}.`),
    ]
    for (const text of bad) await assert.rejects(check(text), { code: 'STATE_TOKEN_INVALID' }, text)
    for (let at = 0; at < signature.length - 1; at += 7) {
      const changed = `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`
      await assert.rejects(check(`${head}.${payload}.${changed}`), { code: 'STATE_TOKEN_INVALID' })
    }
  })

  const place = 'https://a.example/organisations/x'
  const bound = {
    profile: 'draft',
    issuers: ['LangGraph', 'https://graphs.example'],
    audiences: [place, 'https://a.example'],
    runId: 'r-1',
    digest: 'ab12',
  } as const
  const all = { iss: 'LangGraph', aud: place, run_id: 'r-1', digest: 'ab12', continues: true }

  test('AAIF-8.2-02: of the draft need five claims, and each other claim must be right if it is there', async () => {
    assert.ok(await check(await forged(claims), { bound }))
    assert.ok(await check(await forged({ ...claims, iat: NOW - 0.25, exp: NOW + 899.5 }), { bound }))
    assert.ok(await check(await forged({ ...claims, ...all, digest: 'AB12' }), { bound }))
    assert.ok(
      await check(await forged({ ...claims, aud: ['https://b.example', 'https://a.example'] }), { bound }),
    )
    assert.ok(await check(await forged({ ...claims, 'x-other': 1 }), { bound }))
    for (const name of ['jti', 'state_id', 'agent_id', 'iat', 'exp'] as const) {
      const { [name]: _, ...rest } = claims
      await assert.rejects(check(await forged(rest), { bound }), { code: 'STATE_TOKEN_INVALID' }, name)
    }
    for (const wrong of [
      { iss: 'CrewAI' },
      { aud: 'https://b.example' },
      { aud: [] },
      { run_id: 'r-2' },
      { digest: 'ab13' },
    ]) {
      const given = await forged({ ...claims, ...all, ...wrong })
      await assert.rejects(check(given, { bound }), { code: 'STATE_TOKEN_INVALID' }, JSON.stringify(wrong))
      // A wrong claim is refused alone too.
      const alone = await forged({ ...claims, ...wrong })
      await assert.rejects(check(alone, { bound }), { code: 'STATE_TOKEN_INVALID' }, JSON.stringify(wrong))
    }
  })

  test('of the full profile have all claims', async () => {
    const full = { ...bound, profile: 'full' }
    assert.ok(await check(await forged({ ...claims, ...all }), { bound: full }))
    for (const name of ['iss', 'aud', 'run_id', 'digest'] as const) {
      const { [name]: _, ...rest } = all
      await assert.rejects(check(await forged({ ...claims, ...rest }), { bound: full }), {
        code: 'STATE_TOKEN_INVALID',
      })
    }
  })

  test('call themselves a JWT or nothing, and never another kind of token', async () => {
    for (const typ of ['JWT', 'jwt', undefined, 'AAIF-migration+jwt'])
      assert.ok(
        await check(await forged(claims, { alg: 'EdDSA', kid, ...(typ !== undefined && { typ }) }), {
          bound,
        }),
      )
    for (const typ of ['waybill-arrival+jwt', 'iap-link+jwt', 'JOSE', ''])
      await assert.rejects(check(await forged(claims, { alg: 'EdDSA', kid, typ }), { bound }), {
        code: 'STATE_TOKEN_INVALID',
      })
  })
})
