import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { CompactSign, decodeJwt, SignJWT } from 'jose'
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
      { exp: NOW + 0.5 },
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
    const symmetric = await new SignJWT({ ...claims })
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
})
