import { createDecipheriv, hkdfSync } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as Aes from '@noble/ciphers/aes.js'

const require = createRequire(import.meta.url)

const TAG = 16
/** Lengths reveal little when they come in steps; a multiple of three, so that every sealed value ends in `==`. */
const STEP = 24
/** IV of a sealed value of version 1, in bytes. */
const OLD_IV = 12
/** Fixed, because equal values must give equal texts: AES-GCM-SIV then reveals equality and nothing else. */
const NONCE = new Uint8Array(12)

/**
 * Source of the regular expression of a sealed value in a text: of version 2, or of version 1, which is only read.
 * The shortest of each: Base64 of one step and a tag, with an IV in version 1.
 */
export const SEALED_SOURCE = 'pii:v(?:2:[A-Za-z0-9+/]{54,}|1:[A-Za-z0-9+/]{70,})=='

/** A sealed value in a text. */
export const SEALED = new RegExp(SEALED_SOURCE, 'g')

/** Whether a text may hold a sealed value: a cheap question before {@link SEALED} is asked. */
export function mayHoldSealed(text: string): boolean {
  return text.includes('pii:v')
}

/**
 * Seals a value with AES-256-GCM-SIV (RFC 8452): `pii:v2:` and the Base64 of ciphertext and tag. The same value is
 * the same text wherever it occurs: a model can tell that two are equal, and so can all readers of the texts.
 * @param key 32 bytes
 */
export function sealValue(value: string, key: Buffer): string {
  const bytes = Buffer.from(value, 'utf8')
  const padding = STEP - ((bytes.length + 1) % STEP)
  const plain = Buffer.concat([Buffer.from([padding]), bytes, Buffer.alloc(padding)])
  return `pii:v2:${Buffer.from(cipherOf(key).encrypt(plain)).toString('base64')}`
}

/**
 * Opens a sealed value of either version.
 * @returns null if the key differs, or the text was changed
 */
export function openValue(sealed: string, key: Buffer): string | null {
  const bytes = Buffer.from(sealed.slice('pii:v2:'.length), 'base64')
  try {
    const plain = sealed.startsWith('pii:v1:')
      ? openOld(bytes, key)
      : Buffer.from(cipherOf(key).decrypt(bytes))
    return plain.subarray(1, plain.length - (plain[0] ?? 0)).toString('utf8')
  } catch {
    return null
  }
}

/**
 * The key is derived, because the operator's key itself was the key of AES-GCM in version 1: under one key, the block
 * that version 1 hashes with is one that AES-GCM-SIV derives its keys from.
 */
function cipherOf(key: Buffer): ReturnType<typeof Aes.gcmsiv> {
  // Loaded with the first value that is sealed: few runs encrypt personal data.
  const { gcmsiv } = require('@noble/ciphers/aes.js') as typeof Aes
  return gcmsiv(new Uint8Array(hkdfSync('sha256', key, '', 'waybill pii v2', 32)), NONCE)
}

/** Version 1: AES-256-GCM under the operator's key, with an IV made from the value and that key. */
function openOld(bytes: Buffer, key: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, OLD_IV), { authTagLength: TAG })
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG))
  return Buffer.concat([decipher.update(bytes.subarray(OLD_IV, bytes.length - TAG)), decipher.final()])
}
