import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { openSealed, type SealedAbout, sealedFor, sealFor } from '../../src/trust/seal-for.ts'

const about = { iss: 'https://a.example', sub: 'state 1', aud: 'https://b.example' }
const bytes = Buffer.from('ada@example.com')

describe('bytes that are sealed for the holder of a key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const seal = (claims?: SealedAbout) => sealFor(bytes, publicKey, 'text/plain', claims)
  const refused = (text: string, claims?: SealedAbout, key = privateKey) =>
    assert.rejects(openSealed(text, key, claims), { code: 'SEAL_UNREADABLE' })

  test('are read by the holder only, and only for what they belong to', async () => {
    const text = await seal(about)
    assert.equal(text.includes(bytes.toString('base64url')), false)
    assert.deepEqual(await openSealed(text, privateKey, about), bytes)
    await refused(text, about, generateKeyPairSync('ed25519').privateKey)
    for (const name of ['iss', 'sub', 'aud'] as const) await refused(text, { ...about, [name]: 'another' })
  })

  test('without claims belong to nothing in particular', async () => {
    const text = await seal()
    assert.deepEqual(await openSealed(text, privateKey), bytes)
    await refused(text, { sub: 'state 1' })
  })

  test('cannot be given other claims, and claims replace no member of the header', async () => {
    const [first = '', ...others] = (await seal(about)).split('.')
    const header = JSON.parse(Buffer.from(first, 'base64url').toString())
    assert.deepEqual(Object.keys(header).sort(), [
      'alg',
      'aud',
      'cty',
      'enc',
      'epk',
      'iss',
      'kid',
      'sub',
      'typ',
    ])
    const other = Buffer.from(JSON.stringify({ ...header, sub: 'state 2' })).toString('base64url')
    await refused([other, ...others].join('.'), { ...about, sub: 'state 2' })
    const named = await seal({ ...about, typ: 'JWT', kid: 'x' } as SealedAbout)
    assert.equal(sealedFor(named), header.kid)
  })
})
