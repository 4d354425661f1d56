import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { strictJson } from '../document/strict-json.ts'
import { keyIdOf, rawPublicKey } from './ed25519.ts'

/** Distinguishes what is encrypted here from other uses of the same keys. */
const TYPE = 'waybill-sealed+jwe'
const ALGORITHM = 'ECDH-ES'
const ENCRYPTION = 'A256GCM'

/** Claims in the header (RFC 7516 §4.3, RFC 7519 §5.3). */
export interface SealedAbout {
  /** Who has sealed it. */
  readonly iss?: string
  /** What it belongs to. */
  readonly sub?: string
  /** Whom it is for. */
  readonly aud?: string
}

/**
 * Encrypts bytes for the holder of an Ed25519 key: a compact JWE (RFC 7516) with ECDH-ES over X25519 (RFC 8037) and
 * AES-256-GCM. The X25519 key is the Montgomery form of the Ed25519 key (RFC 7748 §4.1), so that a receiver needs one
 * key only.
 * @param contentType media type of the bytes
 * @param about what the bytes belong to: readable in the header, and authenticated with them
 */
export async function sealFor(
  bytes: Uint8Array,
  publicKey: KeyObject,
  contentType: string,
  about: SealedAbout = {},
): Promise<string> {
  const { CompactEncrypt } = await import('jose')
  return new CompactEncrypt(bytes)
    .setProtectedHeader({
      ...about,
      alg: ALGORITHM,
      enc: ENCRYPTION,
      typ: TYPE,
      cty: contentType,
      kid: keyIdOf(publicKey),
    })
    .encrypt(await agreementKey(publicKey))
}

/** Returns the id of the key that a text was encrypted for; undefined if it was not encrypted by {@link sealFor}. */
export function sealedFor(text: string): string | undefined {
  const [first = '', ...others] = text.split('.', 5)
  // Only a short text is decoded: other documents may be long.
  if (others.length !== 4 || first.length > 1000) return undefined
  try {
    const { typ, kid } = strictJson(Buffer.from(first, 'base64url').toString('utf8')) as Record<
      string,
      unknown
    >
    return typ === TYPE && typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}

/**
 * Decrypts what {@link sealFor} has encrypted for this key.
 * @param about what the bytes must belong to
 * @throws SEAL_UNREADABLE if it was changed, was encrypted for another key, or belongs to something else
 */
export async function openSealed(
  text: string,
  privateKey: KeyObject,
  about: SealedAbout = {},
): Promise<Buffer> {
  const { compactDecrypt } = await import('jose')
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const { d } = privateKey.export({ format: 'jwk' })
  const secret = ed25519.utils.toMontgomerySecret(Buffer.from(d ?? '', 'base64url'))
  const x = ed25519.utils.toMontgomery(rawPublicKey(privateKey))
  const key = createPrivateKey({
    key: { kty: 'OKP', crv: 'X25519', d: base64url(secret), x: base64url(x) },
    format: 'jwk',
  })
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(text.trim(), key, {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
    })
    for (const [name, wanted] of Object.entries(about))
      if (protectedHeader[name] !== wanted) throw new Error(`its ${name} is another one`)
    return Buffer.from(plaintext)
  } catch (cause) {
    throw new WaybillError('SEAL_UNREADABLE', {
      message: 'the file cannot be decrypted: it was changed, or encrypted for another key',
      hint: 'ask the sender to encrypt it again for `waybill keys export NAME --public`',
      cause,
    })
  }
}

async function agreementKey(publicKey: KeyObject): Promise<KeyObject> {
  const { ed25519 } = await import('@noble/curves/ed25519.js')
  const x = base64url(ed25519.utils.toMontgomery(rawPublicKey(publicKey)))
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' })
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
