import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, test } from 'node:test'
import { CompactSign } from 'jose'
import {
  type ArrivalClaims,
  issueArrivalStatement,
  verifyArrivalStatement,
} from '../../src/trust/arrival-statement.ts'
import { keyIdOf } from '../../src/trust/ed25519.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

const claims: ArrivalClaims = {
  iat: 1,
  jti: 'token-1',
  iss: 'urn:waybill:home:here',
  aud: 'https://there.example/organisations/acme',
  state: 'owned',
  run_id: 'n1',
}
const expected = {
  jti: claims.jti,
  issuers: ['urn:waybill:home:older', claims.iss],
  audience: claims.aud,
  keys: [{ name: 'laptop', keyId: keyIdOf(publicKey), publicKey, signsFor: {} }],
}
const raw = (payload: string, key: KeyObject = privateKey, typ = 'waybill-arrival+jwt') =>
  new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: 'EdDSA', kid: keyIdOf(key), typ }).sign(key)
const text = (change: object) => JSON.stringify({ ...claims, ...change })

describe('a statement about an arrival', () => {
  for (const change of [{}, { state: 'refused', run_id: null }] as const)
    test(`is verified: ${JSON.stringify(change)}`, async () => {
      const signed = await issueArrivalStatement({ ...claims, ...change }, privateKey)
      assert.deepEqual(await verifyArrivalStatement(signed, expected), { ...claims, ...change })
    })

  const refused: readonly (readonly [
    what: string,
    statement: () => Promise<string> | string,
    why: RegExp,
  ])[] = [
    ['text', () => 'a.b.c', /not a statement/],
    ['a token of migration', () => raw(text({}), privateKey, 'aaif-migration+jwt'), /not a statement/],
    ['another key', () => issueArrivalStatement(claims, other.privateKey), /key is not one/],
    [
      'another signature',
      async () => {
        const [head = '', , signature = ''] = (await raw(text({}))).split('.')
        return [head, Buffer.from(text({ run_id: 'n2' })).toString('base64url'), signature].join('.')
      },
      /signature is not valid/,
    ],
    ['another token', () => raw(text({ jti: 'token-2' })), /another token/],
    ['another machine', () => raw(text({ iss: 'urn:waybill:home:else' })), /it is of urn/],
    ['another platform', () => raw(text({ aud: 'https://else.example' })), /it is for https/],
    ['no JSON', () => raw('no'), /not JSON/],
    ['null', () => raw('null'), /has no iat/],
    ['a time as text', () => raw(text({ iat: '1' })), /has no iat/],
    ['no issuer', () => raw(text({ iss: undefined })), /has no iat/],
    ['a run that is owned and not named', () => raw(text({ run_id: null })), /who owns/],
    ['an empty run', () => raw(text({ run_id: '' })), /who owns/],
    ['a refused run with a name', () => raw(text({ state: 'refused' })), /who owns/],
    ['another state', () => raw(text({ state: 'pending', run_id: null })), /who owns/],
  ]
  for (const [what, statement, why] of refused)
    test(`is refused: ${what}`, async () => {
      await assert.rejects(async () => verifyArrivalStatement(await statement(), expected), {
        code: 'MOVE_REPORT_INVALID',
        message: why,
      })
    })
})
