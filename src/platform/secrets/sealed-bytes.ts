import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'

/** Length of a key in bytes (AES-256). */
export const KEY_BYTES = 32

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Joins texts so that different lists never give the same bytes: each text follows its length in bytes. It is the
 * associated data of a sealed value, which can be opened only with the same texts.
 */
export function bindingOf(texts: readonly string[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text, 'utf8')
      const length = Buffer.alloc(4)
      length.writeUInt32BE(bytes.length)
      return [length, bytes]
    }),
  )
}

/** Encrypts with AES-256-GCM. @returns the random nonce, the ciphertext and the tag */
export function sealBytes(key: Uint8Array, plain: Uint8Array, binding: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(binding)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @throws SECRET_UNREADABLE if the bytes were changed, or sealed with another key or binding */
export function openBytes(key: Uint8Array, sealed: Uint8Array, binding: Uint8Array, what: string): Buffer {
  const bytes = Buffer.from(sealed)
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable(what)
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(binding)
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    throw unreadable(what)
  }
}

export function unreadable(what: string): WaybillError {
  return new WaybillError('SECRET_UNREADABLE', {
    fault: 'failed',
    message: `${what} cannot be decrypted: its row was changed or moved, or belongs to another key`,
    hint: 'set the secret again; if the database was restored, restore keys/secrets/ of the same installation',
  })
}
