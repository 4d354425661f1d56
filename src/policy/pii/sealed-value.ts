import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'

const IV = 12
const TAG = 16
/** Lengths tell little when they come in steps; a multiple of three, so that every sealed value ends in `==`. */
const STEP = 24

/** A sealed value in a text. */
export const SEALED = /pii:v1:[A-Za-z0-9+/]{70,}==/g

/**
 * Seals a value with AES-256-GCM: `pii:v1:` and the Base64 of IV, ciphertext and tag. The IV is made from key and
 * value, so that the same value is the same text wherever it occurs: a model can tell that two are equal, and so can
 * everybody else who sees them.
 * @param key 32 bytes
 */
export function sealValue(value: string, key: Buffer): string {
  const bytes = Buffer.from(value, 'utf8')
  const padding = STEP - ((bytes.length + 1) % STEP)
  const plain = Buffer.concat([Buffer.from([padding]), bytes, Buffer.alloc(padding)])
  const iv = createHmac('sha256', key).update('waybill pii iv\n').update(bytes).digest().subarray(0, IV)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return `pii:v1:${Buffer.concat([iv, body, cipher.getAuthTag()]).toString('base64')}`
}

/** @returns null when the key is another one, or the text was changed */
export function openValue(sealed: string, key: Buffer): string | null {
  const bytes = Buffer.from(sealed.slice('pii:v1:'.length), 'base64')
  if (bytes.length < IV + TAG + STEP) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV))
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG))
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV, bytes.length - TAG)), decipher.final()])
    return plain.subarray(1, plain.length - (plain[0] ?? 0)).toString('utf8')
  } catch {
    return null
  }
}
