import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'

export const PUBLIC_KEY_BYTES = 32
export const SIGNATURE_BYTES = 64

/** Signs by RFC 8032 §5.1.6: deterministic, 64 bytes. */
export function signEd25519(message: Uint8Array, privateKey: KeyObject): Buffer {
  return sign(null, message, privateKey)
}

/**
 * Verifies by RFC 8032 §5.1.7. The length of the signature is checked here and the range of its scalar by Node, so
 * signatures are not malleable; the key was checked by {@link publicKeyFromRaw}.
 */
export function verifyEd25519(message: Uint8Array, signature: Uint8Array, publicKey: KeyObject): boolean {
  return signature.byteLength === SIGNATURE_BYTES && verify(null, message, publicKey, signature)
}

/**
 * Returns a public key from its 32 bytes.
 * @throws KEY_INVALID for another length, a coordinate that is not reduced, and points of small order, whose signatures
 * are valid for many messages
 */
export function publicKeyFromRaw(raw: Uint8Array): KeyObject {
  if (raw.byteLength !== PUBLIC_KEY_BYTES) {
    throw keyInvalid(
      `an Ed25519 public key has ${PUBLIC_KEY_BYTES} bytes, but this one has ${raw.byteLength}`,
    )
  }
  if (!isReduced(raw)) throw keyInvalid('this public key is not in its canonical form')
  if (SMALL_ORDER.has(hexWithoutSign(raw))) {
    throw keyInvalid('this public key is a point of small order: signatures for it can be forged')
  }
  try {
    const x = Buffer.from(raw).toString('base64url')
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  } catch (cause) {
    throw keyInvalid('this is not a point of the curve', cause)
  }
}

/** Returns the 32 bytes of a public key, or of the public half of a private key. */
export function rawPublicKey(key: KeyObject): Buffer {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return Buffer.from(x ?? '', 'base64url')
}

/** Returns the id of a key: its JWK thumbprint (RFC 7638, RFC 8037 §2), SHA-256 in base64url. */
export function keyIdOf(key: KeyObject): string {
  const x = rawPublicKey(key).toString('base64url')
  return createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')
}

export function keyInvalid(message: string, cause?: unknown): WaybillError {
  return new WaybillError('KEY_INVALID', {
    message,
    hint: 'request the key again; `waybill keys export NAME --public` prints one',
    cause,
  })
}

/** Little-endian y-coordinates, without the sign bit, of the points whose order divides 8. */
const SMALL_ORDER: ReadonlySet<string> = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
])

/** Returns true if y is below the prime 2^255 - 19. */
function isReduced(raw: Uint8Array): boolean {
  return !/^(?:e[def]|f[0-9a-f])(?:ff){30}7f$/.test(hexWithoutSign(raw))
}

function hexWithoutSign(raw: Uint8Array): string {
  const bytes = Buffer.from(raw)
  bytes[31] = (bytes[31] ?? 0) & 0x7f
  return bytes.toString('hex')
}
