import assert from 'node:assert/strict'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  keyIdOf,
  publicKeyFromRaw,
  rawPublicKey,
  signEd25519,
  verifyEd25519,
} from '../../src/trust/ed25519.ts'
import { didKeyOf, parsePrivateKey, parsePublicKey } from '../../src/trust/key-text.ts'

/** The order of the base point. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n
const P = 2n ** 255n - 19n

const message = Buffer.from('carry this')
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const signature = signEd25519(message, privateKey)

const littleEndian = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const encoded = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()

describe('RFC 8032 §7.1', () => {
  test('test 2: one byte', () => {
    const seed = '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'
    const der = Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      Buffer.from(seed, 'hex'),
    ])
    const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    const raw = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c'
    assert.equal(rawPublicKey(key).toString('hex'), raw)
    assert.equal(
      signEd25519(Buffer.of(0x72), key).toString('hex'),
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da' +
        '085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    )
  })
  test('RFC 8037 appendix A.3: the thumbprint that names a key', () => {
    const key = parsePublicKey(
      '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}',
    )
    assert.equal(keyIdOf(key), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })
})

describe('invalid signatures', () => {
  const verifies = (bytes: Uint8Array, text: Uint8Array = message) => verifyEd25519(text, bytes, publicKey)

  test('the signature itself is one', () => assert.equal(verifies(signature), true))
  test('any byte flipped', () => {
    for (let at = 0; at < signature.length; at++) {
      for (const bit of [1, 0x80]) {
        const changed = Buffer.from(signature)
        changed[at] = (changed[at] ?? 0) ^ bit
        assert.equal(verifies(changed), false, `byte ${at}`)
      }
    }
    for (let at = 0; at < message.length; at++) {
      const changed = Buffer.from(message)
      changed[at] = (changed[at] ?? 0) ^ 1
      assert.equal(verifies(signature, changed), false)
    }
  })
  test('S + L: the same point with another scalar', () => {
    const s = littleEndian(signature.subarray(32))
    for (const scalar of [s + L, s + 2n * L]) {
      assert.equal(verifies(Buffer.concat([signature.subarray(0, 32), encoded(scalar)])), false)
    }
  })
  test('truncated, lengthened, empty, all zero', () => {
    for (const bytes of [
      signature.subarray(0, 63),
      signature.subarray(0, 32),
      Buffer.concat([signature, Buffer.of(0)]),
      Buffer.alloc(0),
      Buffer.alloc(64),
    ]) {
      assert.equal(verifies(bytes), false)
    }
  })
  test('by another key', () =>
    assert.equal(
      verifyEd25519(message, signEd25519(message, generateKeyPairSync('ed25519').privateKey), publicKey),
      false,
    ))
})

describe('public keys that are refused', () => {
  test('every point of small order, in every encoding', () => {
    const points = smallOrderPoints()
    assert.equal(points.length, 8)
    for (const { x, y } of points) {
      const sign = (x & 1n) << 255n
      for (const coordinate of [y, y + P].filter((value) => value < 2n ** 255n)) {
        for (const bytes of [
          encoded(coordinate | sign),
          encoded(coordinate | (1n << 255n)),
          encoded(coordinate),
        ]) {
          assert.throws(() => publicKeyFromRaw(bytes), { code: 'KEY_INVALID' }, bytes.toString('hex'))
        }
      }
    }
  })
  test('coordinates that are not reduced', () => {
    for (let above = 0n; P + above < 2n ** 255n; above++) {
      assert.throws(() => publicKeyFromRaw(encoded(P + above)), { code: 'KEY_INVALID' })
    }
  })
  test('wrong lengths, private halves, other curves, invalid text', () => {
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
    const raw = rawPublicKey(publicKey).toString('base64')
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
    for (const text of [
      pem,
      JSON.stringify(privateKey.export({ format: 'jwk' })),
      foreign.export({ format: 'pem', type: 'spki' }).toString(),
      JSON.stringify(foreign.export({ format: 'jwk' })),
      raw.slice(0, -4),
      `${raw.slice(0, 10)}\n${raw.slice(10)}`,
      `${raw}!`,
      '',
      'did:key:z6Mk',
      'did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme',
    ]) {
      assert.throws(() => parsePublicKey(text), { code: 'KEY_INVALID' }, text)
    }
  })
  test('a JWK whose halves are of two keys', () => {
    const jwk = privateKey.export({ format: 'jwk' })
    const other = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    assert.throws(() => parsePrivateKey(JSON.stringify({ ...jwk, x: other.x })), { code: 'KEY_INVALID' })
    assert.equal(keyIdOf(parsePrivateKey(JSON.stringify(jwk))), keyIdOf(publicKey))
  })
})

test('a public key is the same in each of its forms', () => {
  const forms = [
    publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    JSON.stringify(publicKey.export({ format: 'jwk' })),
    rawPublicKey(publicKey).toString('base64'),
    rawPublicKey(publicKey).toString('base64url'),
    didKeyOf(publicKey),
    `${didKeyOf(publicKey)}#${didKeyOf(publicKey).slice('did:key:'.length)}`,
  ]
  for (const form of forms) assert.equal(keyIdOf(parsePublicKey(form)), keyIdOf(publicKey), form)
})

interface Point {
  readonly x: bigint
  readonly y: bigint
}

/** The eight points T with 8·T = 0, from the curve equation: L times any point is one of them. */
function smallOrderPoints(): Point[] {
  for (let y = 2n; ; y++) {
    const x = xOf(y)
    if (x === undefined) continue
    const torsion = times(L, { x, y })
    const multiples = Array.from({ length: 8 }, (_, index) => times(BigInt(index), torsion))
    const distinct = new Map(multiples.map((point) => [`${point.x},${point.y}`, point]))
    if (distinct.size === 8) return [...distinct.values()]
  }
}

const mod = (value: bigint) => ((value % P) + P) % P
const D = mod(-121665n * power(121666n, P - 2n))

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = mod(base), left = exponent; left > 0n; left >>= 1n, square = mod(square * square)) {
    if ((left & 1n) === 1n) result = mod(result * square)
  }
  return result
}

function xOf(y: bigint): bigint | undefined {
  const square = mod((y * y - 1n) * power(D * y * y + 1n, P - 2n))
  const root = power(square, (P + 3n) / 8n)
  const candidates = [root, mod(root * power(2n, (P - 1n) / 4n))]
  return candidates.find((x) => mod(x * x) === square)
}

function add(a: Point, b: Point): Point {
  const product = mod(D * a.x * b.x * a.y * b.y)
  return {
    x: mod((a.x * b.y + b.x * a.y) * power(1n + product, P - 2n)),
    y: mod((a.y * b.y + a.x * b.x) * power(1n - product, P - 2n)),
  }
}

function times(factor: bigint, point: Point): Point {
  let result: Point = { x: 0n, y: 1n }
  for (let double = point, left = factor; left > 0n; left >>= 1n, double = add(double, double)) {
    if ((left & 1n) === 1n) result = add(result, double)
  }
  return result
}
