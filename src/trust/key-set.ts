import type { KeyObject } from 'node:crypto'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json } from '../document/json.ts'
import { keyIdOf } from './ed25519.ts'
import { parsePublicKey } from './key-text.ts'

export interface PublicKeyOfSet {
  /** RFC 7638 thumbprint. */
  readonly keyId: string
  readonly publicKey: KeyObject
}

/** Reads a JSON Web Key Set of Ed25519 public keys (RFC 7517, RFC 8037). @returns undefined for anything else */
export function readKeySet(set: Json): readonly PublicKeyOfSet[] | undefined {
  const list = isObject(set) && Array.isArray(set.keys) ? set.keys : []
  const keys: PublicKeyOfSet[] = []
  for (const jwk of list) {
    const publicKey = isObject(jwk) ? keyOf(jwk) : undefined
    if (publicKey === undefined) return undefined
    keys.push({ keyId: keyIdOf(publicKey), publicKey })
  }
  return keys.length === 0 ? undefined : keys
}

function keyOf(jwk: Json): KeyObject | undefined {
  try {
    return parsePublicKey(JSON.stringify(jwk))
  } catch (error) {
    if (error instanceof WaybillError) return undefined
    throw error
  }
}
