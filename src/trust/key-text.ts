import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { strictJson } from '../document/strict-json.ts'
import { decodeBase64 } from './base64.ts'
import { keyInvalid, PUBLIC_KEY_BYTES, publicKeyFromRaw, rawPublicKey } from './ed25519.ts'

/**
 * Reads an Ed25519 private key in PEM (PKCS#8) or as a JWK (RFC 8037).
 * @throws KEY_INVALID for anything else, and for a JWK whose halves do not match
 */
export function parsePrivateKey(text: string): KeyObject {
  const trimmed = text.trim()
  const jwk = trimmed.startsWith('{') ? parseJwk(trimmed) : undefined
  if (jwk === undefined && !trimmed.startsWith('-----BEGIN PRIVATE KEY-----')) {
    throw keyInvalid('a private key is a PEM file ("BEGIN PRIVATE KEY") or a JWK')
  }
  const key = open(() =>
    jwk === undefined ? createPrivateKey(trimmed) : createPrivateKey({ key: jwk, format: 'jwk' }),
  )
  if (key.asymmetricKeyType !== 'ed25519') throw keyInvalid('only Ed25519 keys are supported')
  const raw = rawPublicKey(key)
  if (jwk !== undefined && jwk.x !== raw.toString('base64url')) {
    throw keyInvalid('the private and the public half of this key do not match')
  }
  publicKeyFromRaw(raw)
  return key
}

/**
 * Reads an Ed25519 public key: PEM, JWK, `did:key:…`, or its 32 bytes in Base64 or base64url.
 * @throws KEY_INVALID, also for a private key, which must not be shared
 */
export function parsePublicKey(text: string): KeyObject {
  const trimmed = text.trim()
  if (trimmed.startsWith('did:key:')) return publicKeyFromRaw(rawOfDidKey(trimmed))
  if (trimmed.startsWith('{')) {
    const jwk = parseJwk(trimmed)
    if (jwk.d !== undefined) throw keyInvalid('this is a private key, but a public key is expected')
    return publicKeyFromRaw(decodeBase64(String(jwk.x), 'base64url') ?? Buffer.alloc(0))
  }
  if (trimmed.startsWith('-----')) {
    if (trimmed.includes('PRIVATE KEY'))
      throw keyInvalid('this is a private key, but a public key is expected')
    const key = open(() => createPublicKey(trimmed))
    if (key.asymmetricKeyType !== 'ed25519') throw keyInvalid('only Ed25519 keys are supported')
    return publicKeyFromRaw(rawPublicKey(key))
  }
  const raw = decodeBase64(trimmed) ?? decodeBase64(trimmed, 'base64url')
  if (raw?.byteLength !== PUBLIC_KEY_BYTES) {
    throw keyInvalid('this is not an Ed25519 public key in PEM, JWK, did:key or Base64')
  }
  return publicKeyFromRaw(raw)
}

function parseJwk(text: string): JsonWebKey {
  const jwk = open(() => strictJson(text) as JsonWebKey)
  if (jwk.kty !== 'OKP' || jwk.crv !== 'Ed25519') {
    throw keyInvalid('the JWK must have "kty": "OKP" and "crv": "Ed25519"')
  }
  return jwk
}

function open<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw keyInvalid('this key cannot be read', cause)
  }
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** The multicodec prefix of an Ed25519 public key, and the key. */
const DID_KEY_BYTES = 2 + PUBLIC_KEY_BYTES

/** Returns the did:key of a public key: the decentralised identifier that contains the key. */
export function didKeyOf(key: KeyObject): string {
  let number = BigInt(`0x${Buffer.concat([Buffer.of(0xed, 0x01), rawPublicKey(key)]).toString('hex')}`)
  let digits = ''
  for (; number > 0n; number /= 58n) digits = BASE58.charAt(Number(number % 58n)) + digits
  return `did:key:z${digits}`
}

function rawOfDidKey(did: string): Buffer {
  // The fragment repeats the key.
  const digits = /^did:key:z([1-9A-HJ-NP-Za-km-z]{46,48})(?:#.*)?$/.exec(did)?.[1]
  let number = 0n
  for (const digit of digits ?? '') number = number * 58n + BigInt(BASE58.indexOf(digit))
  const bytes = Buffer.from(number.toString(16).padStart(DID_KEY_BYTES * 2, '0'), 'hex')
  if (bytes.byteLength !== DID_KEY_BYTES || bytes[0] !== 0xed || bytes[1] !== 0x01) {
    throw keyInvalid('this did:key is not an Ed25519 key')
  }
  return bytes.subarray(2)
}
