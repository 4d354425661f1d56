import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { describe, test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'

const hex = (text: string) => new Uint8Array(Buffer.from(text, 'hex'))
const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

describe('@noble/curves: Ed25519 keys as X25519 keys', () => {
  // The keys of libsodium's own test of this conversion (test/default/ed25519_convert.c).
  const seed = hex('421151a459faeade3d247115f94aedae42318124095afabe4d1451a559faedee')
  const expected = {
    public: 'f1814f0e8ff1043d8a44d25babff3cedcae6c22c3edaa48f857ae70de2baae50',
    secret: '8052030376d47112be7f73ed7a019293dd12ad910b654455798b4667d73de166',
  }

  test('the public and the secret half are those of libsodium', () => {
    const publicKey = ed25519.getPublicKey(seed)
    assert.equal(Buffer.from(ed25519.utils.toMontgomery(publicKey)).toString('hex'), expected.public)
    assert.equal(Buffer.from(ed25519.utils.toMontgomerySecret(seed)).toString('hex'), expected.secret)
  })

  test('Node agrees on a secret with the converted keys', () => {
    const pair = (from: Uint8Array) => {
      const x = base64url(ed25519.utils.toMontgomery(ed25519.getPublicKey(from)))
      const d = base64url(ed25519.utils.toMontgomerySecret(from))
      return {
        publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' }),
        privateKey: createPrivateKey({ key: { kty: 'OKP', crv: 'X25519', x, d }, format: 'jwk' }),
      }
    }
    const [one, two] = [pair(seed), pair(hex('11'.repeat(32)))]
    assert.deepEqual(
      diffieHellman({ privateKey: one.privateKey, publicKey: two.publicKey }),
      diffieHellman({ privateKey: two.privateKey, publicKey: one.publicKey }),
    )
  })
})
